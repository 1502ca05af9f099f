// From a state to contacts: which features may touch, how far apart they are, and the gradients of their relative
// velocity.
//
// A contact set is made once per model. `detect` evaluates every pair at a state and keeps those within reach, sorted
// by identity. One virtual call per *type* of pair, flat arrays inside, and no allocation after the first steps.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ricochet/contact/contact.hpp"
#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/mechanics/presence.hpp"
#include "ricochet/mechanics/state.hpp"
#include "ricochet/mechanics/surface_motion.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

// All pairs of one type. Implementations: point_plane, rim_plane, sphere_sphere.
class PairGroup {
 public:
  PairGroup() = default;
  PairGroup(const PairGroup&) = delete;
  PairGroup& operator=(const PairGroup&) = delete;
  virtual ~PairGroup() = default;

  virtual int size() const = 0;  // number of pairs
  virtual const ContactKey& key(int pair) const = 0;
  virtual double gap(int pair, const mechanics::State& state) const = 0;
  virtual Vector3 point(int pair, const mechanics::State& state) const = 0;  // m, world: where the two touch
  // Appends the contacts whose gap is at most `reach` (m), up to the rounding error of computing that gap.
  virtual void detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const = 0;
};

struct Feature;

class ContactSet {
 public:
  // Throws std::invalid_argument with a sentence if shapes cannot touch. `map` must outlive the set.
  ContactSet(const model::Model& model, const mechanics::DofMap& map);

  bool planar() const { return planar_; }
  int block_size() const { return planar_ ? 2 : 3; }  // components of a contact's velocity

  // Contacts with gap <= reach at the state, sorted by key.
  void detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const;

  // Gap and contact point of a contact found earlier, at another state.
  double gap(const Contact& contact, const mechanics::State& state) const {
    return groups_[contact.group]->gap(contact.pair, state);
  }
  Vector3 point(const Contact& contact, const mechanics::State& state) const {
    return groups_[contact.group]->point(contact.pair, state);
  }

  // Smallest gap of a rule at a state (of one pair, if participants are given), infinite if it has no pairs.
  double minimum_gap(const mechanics::State& state, int rule, int participant_a = -1, int participant_b = -1) const;

  // w of a contact at a time: the velocity of B = a moving surface counts with a minus (m/s; n, t1, t2).
  Vector3 surface_velocity(const Contact& contact, double time) const;
  // The driver that moves the surface of a contact, -1 if none does; and the centre about which it turns the surface.
  int driver(const ContactKey& key) const { return key_surface(key) < 0 ? -1 : surfaces_->driver(key_surface(key)); }
  Vector3 driver_center(const ContactKey& key, double time) const { return surfaces_->center(key_surface(key), time); }

  // H with one block row (2 or 3 components: n, t1, t2) per contact; block columns are the nodes.
  void gradients(const mechanics::State& state, const std::vector<Contact>& contacts,
                 linalg::BlockSparseMatrix& gradients) const;

  // The law of a contact, that of its materials: found for every pair when the set is made.
  const model::ContactLaw& law(const Contact& contact) const {
    return laws_[law_of_pair_[contact.group][contact.pair]];
  }

  // `rule:bodyA.featureA|bodyB.featureB`
  std::string name(const ContactKey& key) const;
  const std::string& participant(int index) const { return participant_names_[index]; }

 private:
  void find_laws(const model::Model& model, const std::vector<std::vector<Feature>>& features);
  bool are_present(const ContactKey& key, const mechanics::State& state) const;
  int key_surface(const ContactKey& key) const {  // -1: B is a body
    return std::max(key.participant_b - static_cast<int>(bodies_.size()), -1);
  }

  bool planar_ = false;
  const mechanics::DofMap* map_ = nullptr;
  std::unique_ptr<const mechanics::SurfaceMotion> surfaces_;  // the groups refer to it
  std::vector<std::unique_ptr<PairGroup>> groups_;
  std::vector<model::ContactLaw> laws_;        // those of each rule together
  std::vector<std::vector<int>> law_of_pair_;  // of each pair of each group: its place in laws_
  std::vector<std::string> rule_names_;
  std::vector<std::string> participant_names_;
  std::vector<model::Body> bodies_;  // for the names of features
};

}  // namespace ricochet::contact
