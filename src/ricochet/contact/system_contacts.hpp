// Contacts of systems that users write down (model/lagrangian_system.hpp). They have no bodies and no places that could
// be searched: a system tells gap, displacements and gradients of each of its contacts, and all are looked at.
//
// In a contact of this kind node_a is the node of the system, and the axes serve pictures alone. The explicit time part
// w of its velocity is that of the state at which it was found or to which it was moved.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/pair_rules.hpp"
#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/linalg/effective_mass.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::contact {

class SystemContacts {
 public:
  SystemContacts(const model::Model& model, const mechanics::DofMap& map, const PairRules& rules);

  bool empty() const { return entries_.empty(); }

  // Adds those with gap <= reach, sorted by key.
  void detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const;
  // The contact at another state: gap, place and w.
  void move(const mechanics::State& state, Contact& contact) const;

  // Gap and tangential displacements (m), and the part of their rates that is explicit in time (m/s).
  Vector3 displacements(const Contact& contact, const mechanics::State& state) const;
  Vector3 rates(const Contact& contact, const mechanics::State& state) const;
  Vector3 point(const Contact& contact, const mechanics::State& state) const;
  double minimum_gap(const mechanics::State& state, int rule, double minimum) const;

  // Appends the block of the system to the row of the contact: as many rows as the contact has components.
  void append_gradients(const Contact& contact, const mechanics::State& state, int components,
                        linalg::BlockSparseMatrix& gradients) const;
  // matrix += factor d(w r)/dq with the components of r, by differences of the gradients.
  void add_curvature(const Contact& contact, const mechanics::State& state, const Vector3& multipliers, double factor,
                     linalg::EffectiveMass& matrix) const;

  // `system.first|system.second` of a contact whose participants are systems.
  std::string name(const ContactKey& key) const;

 private:
  struct Entry {
    std::string name;  // of the system
    std::shared_ptr<const model::LagrangianSystem> equations;
    std::vector<model::LagrangianSystem::ContactName> contacts;
    int rule = 0;
    int law = 0;
    int system = 0;  // its number
    int node = 0;
    int q_start = 0, size = 0;
    int directions = 1;
  };

  const Entry& entry_of(const Contact& contact) const { return entries_[entry_of_rule_[contact.key.rule]]; }
  static std::span<const double> coordinates(const Entry& entry, const mechanics::State& state) {
    return {state.q.data() + entry.q_start, static_cast<std::size_t>(entry.size)};
  }
  static Vector3 displacements(const Entry& entry, int contact, const mechanics::State& state);
  void evaluate_gradients(const Entry& entry, int contact, double time, std::span<const double> q) const;

  bool planar_ = false;
  int first_participant_ = 0;
  std::vector<Entry> entries_;  // in the order of their rules
  std::vector<int> entry_of_rule_;
  // Workspace: one set serves one thread at a time.
  mutable std::vector<double> gradients_, moved_;
  mutable MatrixX curvature_;
};

}  // namespace ricochet::contact
