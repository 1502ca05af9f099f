#include "ricochet/contact/point_plane.hpp"

#include "ricochet/contact/features.hpp"
#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

void PointPlanePairs::add(int rule, const model::Body& body, int participant_a, int surface, int participant_b) {
  const std::vector<Feature> features = features_of(body, planar_);
  for (std::size_t feature = 0; feature < features.size(); ++feature) {
    if (features[feature].kind != FeatureKind::ball) continue;
    Pair pair;
    pair.key = {rule, participant_a, static_cast<int>(feature), participant_b, 0};
    pair.node = body.node;
    pair.offset = features[feature].offset;
    pair.radius = features[feature].radius;
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
  int surface = -1;  // that of the pair before: most pairs share it
  mechanics::PlaneAt plane;
  ContactAxes axes;
  for (int index = 0; index < size(); ++index) {
    const Pair& pair = pairs_[index];
    if (pair.surface != surface) {
      surface = pair.surface;
      plane = surfaces_.plane(surface, state.time);
      axes = axes_for_normal(plane.normal, planar_);
    }
    const Vector3 centre = mechanics::position(map_, state, pair.node.index);
    const Vector3 lever = arm(pair, state);
    const double pair_gap = plane.normal.dot(centre + lever - plane.point) - pair.radius;
    const double rounding = gap_rounding(centre, plane.point, pair.offset.cwiseAbs().maxCoeff() + pair.radius);
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
