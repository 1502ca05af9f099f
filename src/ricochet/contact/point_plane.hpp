// Contact of a ball (see features.hpp: a point with a radius) with a plane, fixed or moving.
//
//   gap = n . (x + R a - p) - r,    contact point = x + R a - r n
#pragma once

#include <span>
#include <vector>

#include "ricochet/contact/contact_set.hpp"
#include "ricochet/contact/features.hpp"

namespace ricochet::contact {

class PointPlanePairs final : public PairGroup {
 public:
  // `map` and `surfaces` must outlive the pairs.
  PointPlanePairs(const mechanics::DofMap& map, const mechanics::SurfaceMotion& surfaces, bool planar)
      : map_(map), surfaces_(surfaces), planar_(planar) {}

  // Adds every ball of the body.
  void add(int rule, model::NodeId node, std::span<const Feature> features, int participant_a, int surface,
           int participant_b);

  int size() const override { return static_cast<int>(pairs_.size()); }
  const ContactKey& key(int pair) const override { return pairs_[pair].key; }
  double gap(int pair, const mechanics::State& state) const override;
  Vector3 point(int pair, const mechanics::State& state) const override;
  void detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const override;

 private:
  struct Pair {
    ContactKey key;
    model::NodeId node;
    Vector3 offset = Vector3::Zero();  // a, body axes
    double radius = 0;
    double length = 0;  // m, of radius and offset, for the rounding of the gap
    int surface = 0;
  };

  Vector3 arm(const Pair& pair, const mechanics::State& state) const;  // R a, m, world axes

  const mechanics::DofMap& map_;
  const mechanics::SurfaceMotion& surfaces_;
  bool planar_;
  std::vector<Pair> pairs_;
};

}  // namespace ricochet::contact
