// Contact of a rim (a circle of radius r with the centre c = x + R a and the unit normal z of its plane) with a plane.
//
//   s = n - (n.z) z                          what of n lies in the plane of the rim; |s| is the sine of the tilt
//   lowest point   c - r s/|s|,              gap = n.(c - p) - r |s|
//   its neighbours a third of a turn away    gap = n.(c - p) + r |s|/2
//
// The lowest point touches alone while the cylinder leans or rolls. Where it stands flat (s = 0) all points of the rim
// are equally low; the three together hold it, as three legs would. They turn with the lean, not with the body: as the
// gap of the lowest point is the smallest of the whole rim, its rate is that of the material point there, and those of
// the two others are so up to |s|.
#pragma once

#include <vector>

#include "ricochet/contact/contact_set.hpp"
#include "ricochet/contact/features.hpp"

namespace ricochet::contact {

class RimPlanePairs final : public PairGroup {
 public:
  // `map` and `surfaces` must outlive the pairs.
  RimPlanePairs(const mechanics::DofMap& map, const mechanics::SurfaceMotion& surfaces)
      : map_(map), surfaces_(surfaces) {}

  // Adds every rim of the body.
  void add(int rule, const model::Body& body, int participant_a, int surface, int participant_b);

  int size() const override { return static_cast<int>(pairs_.size()); }
  const ContactKey& key(int pair) const override { return pairs_[pair].key; }
  double gap(int pair, const mechanics::State& state) const override;
  Vector3 point(int pair, const mechanics::State& state) const override;
  void detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const override;

 private:
  struct Pair {
    ContactKey key;
    model::NodeId node;
    Feature rim;
    int surface = 0;
  };
  struct Touch {
    double gap = 0;                 // m
    Vector3 arm = Vector3::Zero();  // m, world: from the node to the point of the rim
  };

  Touch touch(const Pair& pair, const mechanics::PlaneAt& plane, const mechanics::State& state) const;

  const mechanics::DofMap& map_;
  const mechanics::SurfaceMotion& surfaces_;
  std::vector<Pair> pairs_;
};

}  // namespace ricochet::contact
