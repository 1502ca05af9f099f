// The parts of bodies that meet other bodies or meshes, and which of them come near each other.
//
// Colliders are numbered over all bodies and their parts, then all meshes and their triangles. `place` tells the broad
// phase where they are, for those bodies only that may have left their margin: with x_0, q_0 the place at which a body
// was last looked at, no point of it has moved by more than
//
//   |x - x_0| + 2 r |q - q_0|,     r: how far from the node the body reaches,
//
// for a rotation by the angle a moves points by 2 r sin(a/2), and |q - q_0| = 2 sin(a/4).
//
// Faces and bores without limits are near everything: they are not in the broad phase, and always candidates.
//
// Boxes are larger than what they hold by more than gaps may be wrong (patch.hpp). So the boxes of two colliders are
// never further apart than their gap as it is computed, and what is looked at, and in which order, decides nothing.
//
// Candidates are pairs of colliders that may be within reach, with the rule that lets them touch, sorted. There may be
// too many of them, depending on what happened before; the narrow phase looks at each exactly.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/forms.hpp"
#include "ricochet/contact/pair_rules.hpp"
#include "ricochet/geometry/broad_phase.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::contact {

struct Collider {
  int participant = 0;  // a body or a mesh
  int part = 0;         // of the body, or a triangle
  int node = -1;        // -1: a mesh, fixed in the world
  int channel = 0;      // of the part
  // What is asked of nearly all that come near each other, beside each other here: forms lie anywhere.
  int first_feature = 0;  // the number of the first feature of its solid in the body or mesh
  model::MaterialId material = {};
  bool is_ball = false;
  double radius = 0;                 // m, of a ball,
  Vector3 center = Vector3::Zero();  // m, from the node in its axes
};

// A is the collider of the participant that comes first.
struct Candidate {
  int rule = 0;
  int a = 0;
  int b = 0;
};

class Colliders {
 public:
  // All three must outlive this.
  Colliders(const PairRules& rules, const Forms& forms, const mechanics::DofMap& map, const model::Model& model);

  bool has_meshes() const { return start_.back() < size(); }
  int size() const { return static_cast<int>(colliders_.size()); }
  std::span<const int> of_bodies() const { return {numbers_.data(), static_cast<std::size_t>(start_.back())}; }
  std::span<const int> of_body(int body) const {
    return {numbers_.data() + start_[body], static_cast<std::size_t>(start_[body + 1] - start_[body])};
  }
  const Collider& operator[](int collider) const { return colliders_[collider]; }
  const FormPart& part(int collider) const {
    const Collider& of = colliders_[collider];
    return of.node < 0 ? forms_.of_surface(of.participant - rules_.bodies())[of.part]
                       : forms_.of_body(of.participant).parts[of.part];
  }
  BodyPlace place(int collider, const mechanics::State& state) const {
    const int node = colliders_[collider].node;
    return node < 0 ? in_world() : place_of(map_, state, node);
  }

  geometry::Bounds box(int collider, const mechanics::State& state) const;  // at a state, as small as can be

  // Candidates of a state: all pairs within reach (m) are among them. They are sorted by rule, body A and its part,
  // body B and its part; the list is valid until the next call.
  std::span<const Candidate> candidates(const mechanics::State& state, double reach);

  // Visits the colliders that are no further than a limit (m) from one that belongs to a body, at the state of the last
  // candidates, near ones first on the whole. `visit` gives the limit from then on. Pairs of what has no limits are
  // always near; they are visited from the first of the two only, that whoever asks for all does not see each list of
  // them again and again.
  void visit_near(int collider, const mechanics::State& state, double limit, geometry::BroadPhase::Visit visit) const;

  // May the gap of two be within a limit (m)? Looks at their boxes.
  bool may_be_within(double limit, int a, int b, const mechanics::State& state) const;

 private:
  struct Place {
    Vector3 position = Vector3::Zero();
    math::Quaternion rotation;
    double room = -1;   // m, how far its points may move from there; negative: it was nowhere
    double radius = 0;  // m, of the body
  };

  geometry::Bounds box_with_error(int collider, const mechanics::State& state) const;
  void place_meshes(const mechanics::State& state);
  void place_bodies(const mechanics::State& state, double reach);
  void list_candidates();
  void list_pairs_of_unlimited();
  bool may_touch(int first, int second) const;

  const PairRules& rules_;
  const Forms& forms_;
  const mechanics::DofMap& map_;
  std::vector<Collider> colliders_;
  std::vector<int> numbers_;  // 0, 1, 2 ...: of all colliders
  std::vector<int> start_;    // of the colliders of each body
  std::vector<Place> places_;
  std::unique_ptr<geometry::BroadPhase> broad_phase_;
  std::vector<geometry::BroadPhase::Pair> unlimited_;  // pairs of what has no limits, sorted
  std::vector<Candidate> candidates_;
  std::vector<int> rule_start_;
  bool has_meshes_placed_ = false;
  bool has_listed_ = false;
};

}  // namespace ricochet::contact
