// From a state to contacts: which features may touch, how far apart they are, and the gradients of their relative
// velocity.
//
// A contact set is made once per model. `detect` finds what is within reach at a state, sorted by identity: bodies at
// planes (plane_pairs.hpp), bodies at bodies through a broad phase (body_pairs.hpp), and what systems of the user tell
// (system_contacts.hpp). The result depends on the state
// alone, never on what was asked before; but the broad phase remembers where bodies were, to save time, and so one set
// serves one thread at a time. No allocation after the first steps.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/contact_block.hpp"
#include "ricochet/contact/forms.hpp"
#include "ricochet/contact/pair_rules.hpp"
#include "ricochet/contact/system_contacts.hpp"
#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/linalg/reusable_vector.hpp"
#include "ricochet/math/threads.hpp"
#include "ricochet/mechanics/presence.hpp"
#include "ricochet/mechanics/state.hpp"
#include "ricochet/mechanics/surface_motion.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

class ContactSet {
 public:
  // Throws std::invalid_argument with a sentence if shapes cannot touch. `map` must outlive the set.
  ContactSet(const model::Model& model, const mechanics::DofMap& map);
  ContactSet(const ContactSet&) = delete;
  ContactSet& operator=(const ContactSet&) = delete;
  ContactSet(ContactSet&&) noexcept;
  ContactSet& operator=(ContactSet&&) = delete;
  ~ContactSet();

  // Detection may use these threads from now on; they must outlive the set. Results stay the same, bit for bit.
  void use(const math::Threads& threads) { threads_ = &threads; }

  bool planar() const { return planar_; }
  const mechanics::DofMap& map() const { return *map_; }
  // Components of a contact: of its velocity, or of gap and slip, and of what it resists of rolling and spinning.
  const ContactBlock& block(const Contact& contact) const { return blocks_[contact.law]; }
  int scalars(const std::vector<Contact>& contacts) const;

  // Contacts with gap <= reach at the state, sorted by key.
  void detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const;

  // Gap and contact point of a contact found earlier, at another state.
  double gap(const Contact& contact, const mechanics::State& state) const;
  Vector3 point(const Contact& contact, const mechanics::State& state) const;

  // Smallest gap of a rule at a state (of one pair, if participants are given, the smaller number first), infinite if
  // it has no pairs. It depends on the state alone, but moves the broad phase, as `detect` does: not from two threads.
  double minimum_gap(const mechanics::State& state, int rule, int participant_a = -1, int participant_b = -1) const;

  const SystemContacts& systems() const { return systems_; }

  // w of a contact at a time: the velocity of B = a moving surface counts with a minus (m/s; n, t1, t2).
  Vector3 surface_velocity(const Contact& contact, double time) const;
  // The same of the relative angular velocity (rad/s; n, t1, t2).
  Vector3 surface_spin(const Contact& contact, double time) const;
  // Where the surface of a contact with a plane is, and how fast its material point at a place moves (m/s, world).
  mechanics::PlaneAt plane(const ContactKey& key, double time) const {
    return surfaces_->plane(key_surface(key), time);
  }
  Vector3 surface_velocity_at(const ContactKey& key, double time, const Vector3& point) const {
    return surfaces_->velocity(key_surface(key), time, point);
  }
  // Whether any contact may have a w: there are surfaces that move, or systems. Else all of these are zero.
  bool has_explicit_velocities() const { return has_explicit_velocities_; }
  // The driver that moves the surface of a contact, -1 if none does; and the centre about which it turns the surface.
  int driver(const ContactKey& key) const { return key_surface(key) < 0 ? -1 : surfaces_->driver(key_surface(key)); }
  Vector3 driver_center(const ContactKey& key, double time) const { return surfaces_->center(key_surface(key), time); }

  // H with one block row per contact, of the components that `block` says; block columns are the nodes.
  void gradients(const mechanics::State& state, const std::vector<Contact>& contacts,
                 linalg::BlockSparseMatrix& gradients) const;

  // w of all contacts, each with its block, at a time; entries behind them, up to `size`, are zero.
  void surface_velocities(const std::vector<Contact>& contacts, double time, Eigen::Index size,
                          linalg::ReusableVector& velocities) const;

  // u = H v + w of contacts whose gradients these are, with the w that they have; entries of rows behind them have no
  // w. As many as there are rows.
  void relative_velocities(const std::vector<Contact>& contacts, const linalg::BlockSparseMatrix& gradients,
                           const VectorX& v, linalg::ReusableVector& velocities) const;

  // The law of a contact, that of its materials.
  const model::ContactLaw& law(const Contact& contact) const { return rules_->law(contact.law); }

  // `rule:bodyA.featureA|bodyB.featureB`
  std::string name(const ContactKey& key) const;
  const std::string& participant(int index) const { return participant_names_[index]; }

 private:
  // What finds contacts, and remembers where bodies were.
  struct Search;

  static const math::Threads& one_thread();

  bool are_present(const ContactKey& key, const mechanics::State& state) const;
  // -1: a body, or a system
  int key_surface(const ContactKey& key) const {
    return key.participant_b >= rules_->participants() ? -1 : std::max(key.participant_b - rules_->bodies(), -1);
  }

  bool planar_ = false, has_explicit_velocities_ = false;
  const mechanics::DofMap* map_ = nullptr;
  std::unique_ptr<const PairRules> rules_;  // on the heap: the search refers to all three
  std::unique_ptr<const Forms> forms_;
  std::unique_ptr<const mechanics::SurfaceMotion> surfaces_;
  SystemContacts systems_;
  std::vector<std::string> rule_names_;
  std::vector<std::string> participant_names_;
  std::vector<int> node_of_body_;
  std::vector<ContactBlock> blocks_;  // of each law
  std::unique_ptr<Search> search_;
  const math::Threads* threads_ = &one_thread();
};

}  // namespace ricochet::contact
