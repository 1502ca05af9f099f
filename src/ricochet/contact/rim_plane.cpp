#include "ricochet/contact/rim_plane.hpp"

#include <cmath>

#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

void RimPlanePairs::add(int rule, const model::Body& body, int participant_a, int surface, int participant_b) {
  const std::vector<Feature> features = features_of(body, false);
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (features[i].kind != FeatureKind::rim) continue;
    pairs_.push_back({{rule, participant_a, static_cast<int>(i), participant_b, 0}, body.node, features[i], surface});
  }
}

RimPlanePairs::Touch RimPlanePairs::touch(const Pair& pair, const mechanics::PlaneAt& plane,
                                          const mechanics::State& state) const {
  const int node = pair.node.index;
  const math::Quaternion rotation = mechanics::orientation(map_, state, node);
  // In body axes, where the axis of the rim is exact: a rim that stands flat has the same points however it is turned.
  const Vector3 normal = rotation.rotate_inverse(plane.normal);
  const Vector3& axis = pair.rim.axis;
  Vector3 slope = normal - normal.dot(axis) * axis;
  slope -= slope.dot(axis) * axis;  // once more: what the first left of the axis is as large as the slope of a flat rim
  const double sine = slope.norm();
  // Standing exactly flat, any direction in the plane of the rim will do.
  Vector3 down = sine > 0 ? Vector3(-slope / sine) : Vector3(Vector3::UnitX() - axis.x() * axis);
  if (sine == 0 && std::abs(axis.x()) > 0.9) down = Vector3::UnitY() - axis.y() * axis;
  down.normalize();
  const double angle = pair.rim.third * (2 * std::acos(-1.0) / 3);
  const Vector3 point = std::cos(angle) * down + std::sin(angle) * math::cross(axis, down);
  const Vector3 center = mechanics::position(map_, state, node) + rotation.rotate(pair.rim.offset);
  const double height = pair.rim.third == 0 ? -sine : 0.5 * sine;
  return {plane.normal.dot(center - plane.point) + pair.rim.radius * height,
          rotation.rotate(Vector3(pair.rim.offset + pair.rim.radius * point))};
}

double RimPlanePairs::gap(int index, const mechanics::State& state) const {
  return touch(pairs_[index], surfaces_.plane(pairs_[index].surface, state.time), state).gap;
}

Vector3 RimPlanePairs::point(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  const Touch at = touch(pair, surfaces_.plane(pair.surface, state.time), state);
  return mechanics::position(map_, state, pair.node.index) + at.arm;
}

void RimPlanePairs::detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const {
  for (int index = 0; index < size(); ++index) {
    const Pair& pair = pairs_[index];
    const mechanics::PlaneAt plane = surfaces_.plane(pair.surface, state.time);
    const Vector3 position = mechanics::position(map_, state, pair.node.index);
    const Touch at = touch(pair, plane, state);
    const double rounding =
        gap_rounding(position, plane.point, pair.rim.offset.cwiseAbs().maxCoeff() + pair.rim.radius);
    if (at.gap > reach + rounding) continue;
    Contact& contact = contacts.emplace_back();
    contact.key = pair.key;
    contact.pair = index;
    contact.gap = at.gap;
    contact.gap_rounding = rounding;
    contact.axes = axes_for_normal(plane.normal, false);
    contact.node_a = pair.node;
    contact.arm_a = at.arm;
    contact.point = position + at.arm;
  }
}

}  // namespace ricochet::contact
