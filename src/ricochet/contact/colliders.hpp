// The parts of bodies that meet other bodies, and which of them come near each other.
//
// Colliders are numbered over all bodies and their parts, in order. `place` tells the broad phase where they are, for
// those bodies only that may have left their margin: with x_0, q_0 the place at which a body was last looked at, no
// point of it has moved by more than
//
//   |x - x_0| + 2 r |q - q_0|,     r: how far from the node the body reaches,
//
// for a rotation by the angle a moves points by 2 r sin(a/2), and |q - q_0| = 2 sin(a/4).
//
// Candidates are pairs of colliders that may be within reach, with the rule that lets them touch, sorted. There may be
// too many of them, depending on what happened before; the narrow phase looks at each exactly.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ricochet/contact/forms.hpp"
#include "ricochet/contact/pair_rules.hpp"
#include "ricochet/geometry/broad_phase.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::contact {

struct Collider {
  int body = 0;
  int part = 0;
};

// A is the collider of the body that comes first.
struct Candidate {
  int rule = 0;
  int a = 0;
  int b = 0;
};

class Colliders {
 public:
  // All three must outlive this.
  Colliders(const PairRules& rules, const Forms& forms, const mechanics::DofMap& map, const model::Model& model);

  int size() const { return static_cast<int>(colliders_.size()); }
  const Collider& operator[](int collider) const { return colliders_[collider]; }
  int node(int collider) const { return node_of_body_[colliders_[collider].body]; }
  const FormPart& part(int collider) const {
    return forms_.of_body(colliders_[collider].body).parts[colliders_[collider].part];
  }
  std::span<const int> of_body(int body) const;  // in ascending order; empty if the body meets no other

  geometry::Bounds box(int collider, const mechanics::State& state) const;  // at a state, as small as can be

  // Candidates of a state: all pairs within reach (m) are among them. They are sorted by rule, body A and its part,
  // body B and its part; the list is valid until the next call.
  std::span<const Candidate> candidates(const mechanics::State& state, double reach);

 private:
  struct Place {
    Vector3 position = Vector3::Zero();
    math::Quaternion rotation;
    double room = -1;  // m, how far its points may move from there; negative: it was nowhere
  };

  void place(const mechanics::State& state, double reach);
  void list_candidates();

  const PairRules& rules_;
  const Forms& forms_;
  const mechanics::DofMap& map_;
  std::vector<int> node_of_body_;
  std::vector<Collider> colliders_;
  std::vector<int> numbers_;  // 0, 1, 2, ...
  std::vector<int> start_;    // of the colliders of each body
  std::vector<Place> places_;
  std::unique_ptr<geometry::BroadPhase> broad_phase_;
  std::vector<Candidate> candidates_;
  std::vector<int> rule_start_;
};

}  // namespace ricochet::contact
