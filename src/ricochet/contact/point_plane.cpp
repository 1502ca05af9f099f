#include "ricochet/contact/point_plane.hpp"

#include "ricochet/contact/features.hpp"
#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

void PointPlanePairs::add(int rule, model::NodeId node, std::span<const Feature> features, int participant_a,
                          int surface, int participant_b) {
  for (std::size_t feature = 0; feature < features.size(); ++feature) {
    if (features[feature].kind != FeatureKind::ball) continue;
    Pair pair;
    pair.key = {rule, participant_a, static_cast<int>(feature), participant_b, 0};
    pair.node = node;
    pair.offset = features[feature].offset;
    pair.radius = features[feature].radius;
    pair.length = pair.offset.cwiseAbs().maxCoeff() + pair.radius;
    pair.surface = surface;
    pairs_.push_back(pair);
  }
}

Vector3 PointPlanePairs::arm(const Pair& pair, const mechanics::State& state) const {
  const int node = pair.node.index;
  return map_.is_frame(node) ? mechanics::orientation(map_, state, node).rotate(pair.offset) : Vector3::Zero();
}

double PointPlanePairs::gap(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  const mechanics::PlaneAt plane = surfaces_.plane(pair.surface, state.time);
  const Vector3 centre = mechanics::position(map_, state, pair.node.index);
  return plane.normal.dot(centre + arm(pair, state) - plane.point) - pair.radius;
}

Vector3 PointPlanePairs::point(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  const mechanics::PlaneAt plane = surfaces_.plane(pair.surface, state.time);
  return mechanics::position(map_, state, pair.node.index) + arm(pair, state) - pair.radius * plane.normal;
}

void PointPlanePairs::detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const {
  int surface = -1, node = -1;  // those of the pair before: most pairs share them
  mechanics::PlaneAt plane;
  ContactAxes axes;
  Vector3 centre = Vector3::Zero();
  math::Quaternion rotation;
  bool is_frame = false;
  double coordinates = 0;  // m, the largest of the centre and of the plane's point
  for (int index = 0; index < size(); ++index) {
    const Pair& pair = pairs_[index];
    const bool moved_on = pair.surface != surface || pair.node.index != node;
    if (pair.surface != surface) {
      surface = pair.surface;
      plane = surfaces_.plane(surface, state.time);
      axes = axes_for_normal(plane.normal, planar_);
    }
    if (pair.node.index != node) {
      node = pair.node.index;
      is_frame = map_.is_frame(node);
      centre = mechanics::position(map_, state, node);
      rotation = mechanics::orientation(map_, state, node);
    }
    if (moved_on) coordinates = centre.cwiseAbs().maxCoeff() + plane.point.cwiseAbs().maxCoeff();
    const Vector3 lever = is_frame ? rotation.rotate(pair.offset) : Vector3::Zero();
    const double pair_gap = plane.normal.dot(centre + lever - plane.point) - pair.radius;
    const double rounding = gap_rounding(coordinates + pair.length);
    if (pair_gap > reach + rounding) continue;
    Contact& contact = contacts.emplace_back();
    contact.key = pair.key;
    contact.pair = index;
    contact.gap = pair_gap;
    contact.gap_rounding = rounding;
    contact.axes = axes;
    contact.node_a = pair.node;
    contact.arm_a = lever - pair.radius * plane.normal;
    contact.point = centre + contact.arm_a;
  }
}

}  // namespace ricochet::contact
