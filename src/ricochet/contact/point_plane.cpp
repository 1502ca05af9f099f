#include "ricochet/contact/point_plane.hpp"

#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

std::vector<Vector3> box_corners(const model::BoxShape& box, bool planar) {
  std::vector<Vector3> corners;
  for (int i = 0; i < (planar ? 4 : 8); ++i) {
    const Vector3 signs((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    Vector3 corner = signs.cwiseProduct(box.half_extents);
    if (planar) corner.z() = 0;
    corners.push_back(corner);
  }
  return corners;
}

void PointPlanePairs::add(int rule, const model::Body& body, int participant_a, const model::Surface& surface,
                          int participant_b) {
  std::vector<Vector3> offsets = {Vector3::Zero()};
  double radius = 0;
  if (const auto* sphere = std::get_if<model::SphereShape>(&body.shape)) radius = sphere->radius;
  if (const auto* box = std::get_if<model::BoxShape>(&body.shape)) offsets = box_corners(*box, planar_);
  for (std::size_t feature = 0; feature < offsets.size(); ++feature) {
    Pair pair;
    pair.key = {rule, participant_a, static_cast<int>(feature), participant_b, 0};
    pair.node = body.node;
    pair.offset = offsets[feature];
    pair.radius = radius;
    pair.plane_point = surface.point;
    pair.axes = axes_for_normal(surface.normal, planar_);
    pairs_.push_back(pair);
  }
}

Vector3 PointPlanePairs::arm(const Pair& pair, const mechanics::State& state) const {
  const int node = pair.node.index;
  return map_.is_frame(node) ? mechanics::orientation(map_, state, node).rotate(pair.offset) : Vector3::Zero();
}

double PointPlanePairs::gap(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  const Vector3 centre = mechanics::position(map_, state, pair.node.index);
  return pair.axes.normal.dot(centre + arm(pair, state) - pair.plane_point) - pair.radius;
}

Vector3 PointPlanePairs::point(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  return mechanics::position(map_, state, pair.node.index) + arm(pair, state) - pair.radius * pair.axes.normal;
}

void PointPlanePairs::detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const {
  for (int index = 0; index < size(); ++index) {
    const Pair& pair = pairs_[index];
    const Vector3 centre = mechanics::position(map_, state, pair.node.index);
    const double pair_gap = gap(index, state);
    const double rounding = gap_rounding(centre, pair.plane_point, pair.offset.cwiseAbs().maxCoeff() + pair.radius);
    if (pair_gap > reach + rounding) continue;
    Contact& contact = contacts.emplace_back();
    contact.key = pair.key;
    contact.pair = index;
    contact.gap = pair_gap;
    contact.gap_rounding = rounding;
    contact.axes = pair.axes;
    contact.node_a = pair.node;
    contact.arm_a = arm(pair, state) - pair.radius * pair.axes.normal;
    contact.point = point(index, state);
  }
}

}  // namespace ricochet::contact
