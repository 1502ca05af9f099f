// Contacts of bodies with bodies, and with the triangles of meshes: candidates of the broad phase, looked at exactly.
//
// Two spheres have an exact pair of their own (sphere_sphere.hpp), and so have balls with boxes, cylinders and capsules
// (ball_solid.hpp), and balls and corners with faces (ball_face.hpp) and hollows (ball_hollow.hpp); all other convex
// shapes touch with the patch of two solids (solid_pair.hpp).
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/colliders.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/forms.hpp"
#include "ricochet/contact/pair_rules.hpp"
#include "ricochet/math/function_reference.hpp"
#include "ricochet/math/threads.hpp"

namespace ricochet::contact {

class BodyPairs {
 public:
  // All but the model must outlive this.
  BodyPairs(const PairRules& rules, const Forms& forms, const mechanics::DofMap& map, const model::Model& model);

  // Appends the contacts within reach (m). Those of a rule and a body A follow each other, rules and bodies in
  // ascending order. The same bits for any number of threads. Before what it appends of a rule and body A it calls
  // `before`, which may append others. It may also call it for bodies without contacts, but need not.
  using Before = math::FunctionReference<void(int rule, int body)>;
  void detect(const mechanics::State& state, double reach, const math::Threads& threads, Before before,
              std::vector<Contact>& contacts);

  double gap(const Contact& contact, const mechanics::State& state) const;
  Vector3 point(const Contact& contact, const mechanics::State& state) const;

  // The smallest gap under a rule, of one pair if both participants are given (-1: any; A is a body), or `minimum` if
  // none is smaller. Near ones are looked at first: boxes save most of the exact distances. Of a pair of bodies only
  // the two are looked at; else the broad phase is moved to the state. Allocates nothing after the first steps.
  double minimum_gap(const mechanics::State& state, int rule, int participant_a, int participant_b, double minimum);

 private:
  void detect_pair(const Candidate& candidate, const mechanics::State& state, double reach,
                   std::vector<Contact>& contacts) const;
  void detect_at_holder(const Candidate& candidate, const mechanics::State& state, double reach,
                        std::vector<Contact>& contacts) const;
  double distance_to_holder(int collider_a, int collider_b, const mechanics::State& state) const;
  std::span<const Feature> features_at_holder(int collider) const;
  void drop_repeated(std::vector<Contact>& contacts) const;
  int feature_of(const Collider& collider, int of_solid) const;
  double distance(int collider_a, int collider_b, const mechanics::State& state) const;
  BodyPlace place_at(model::NodeId node, const mechanics::State& state) const;

  const PairRules& rules_;
  const Forms& forms_;
  const mechanics::DofMap& map_;
  bool planar_ = false;
  Colliders colliders_;
  std::vector<std::vector<Contact>> found_;  // of each chunk of candidates: workspace
};

}  // namespace ricochet::contact
