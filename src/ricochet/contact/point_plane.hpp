// Contact of a material point with a radius against a fixed plane: points (radius 0), spheres and the corners of boxes.
//
//   gap = n . (x + R a - p) - r,    contact point = x + R a - r n
#pragma once

#include <vector>

#include "ricochet/contact/contact_set.hpp"

namespace ricochet::contact {

class PointPlanePairs final : public PairGroup {
 public:
  explicit PointPlanePairs(const mechanics::DofMap& map, bool planar) : map_(map), planar_(planar) {}

  // Adds every feature of the body: one for a point or sphere, the corners of a box (four in a planar scene).
  void add(int rule, const model::Body& body, int participant_a, const model::Surface& surface, int participant_b);

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
    Vector3 plane_point = Vector3::Zero();
    ContactAxes axes;
  };

  Vector3 arm(const Pair& pair, const mechanics::State& state) const;  // R a, m, world axes

  const mechanics::DofMap& map_;
  bool planar_;
  std::vector<Pair> pairs_;
};

// Corners of a box in body coordinates, numbered by the signs of x, y, z (bits 0, 1, 2); in the plane by x and y with z
// = 0.
std::vector<Vector3> box_corners(const model::BoxShape& box, bool planar);

}  // namespace ricochet::contact
