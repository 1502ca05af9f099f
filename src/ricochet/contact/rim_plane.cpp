#include "ricochet/contact/rim_plane.hpp"

#include <array>
#include <cmath>

#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

namespace {

constexpr double half_root_of_three = 0.86602540378443864676;
constexpr std::array<double, 6> cosine_of_sixth = {1, 0.5, -0.5, -1, -0.5, 0.5};
constexpr std::array<double, 6> sine_of_sixth = {0, half_root_of_three,  half_root_of_three,
                                                 0, -half_root_of_three, -half_root_of_three};

}  // namespace

void RimPlanePairs::add(int rule, model::NodeId node, std::span<const Feature> features, int participant_a, int surface,
                        int participant_b) {
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (features[i].kind != FeatureKind::rim) continue;
    pairs_.push_back({{rule, participant_a, static_cast<int>(i), participant_b, 0}, node, features[i], surface});
  }
}

RimPlanePairs::Lean RimPlanePairs::lean(const Pair& pair, const mechanics::PlaneAt& plane,
                                        const mechanics::State& state) const {
  Lean lean;
  lean.rotation = mechanics::orientation(map_, state, pair.node.index);
  const Vector3& axis = pair.rim.axis;
  const Vector3 normal = lean.rotation.rotate_inverse(plane.normal);
  Vector3 slope = normal - normal.dot(axis) * axis;
  slope -= slope.dot(axis) * axis;  // once more: what the first left of the axis is as large as the slope of a flat rim
  lean.sine = slope.norm();
  if (lean.sine > 0) {
    lean.down = -slope / lean.sine;
  } else {  // exactly flat: any direction in the plane of the rim will do
    const Vector3 helper = std::abs(axis.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY();
    lean.down = (helper - helper.dot(axis) * axis).normalized();
  }
  lean.across = math::cross(axis, lean.down);
  const Vector3 center = mechanics::position(map_, state, pair.node.index) + lean.rotation.rotate(pair.rim.offset);
  lean.height = plane.normal.dot(center - plane.point);
  return lean;
}

double RimPlanePairs::gap_of(const Pair& pair, const Lean& lean) {
  return lean.height - pair.rim.radius * lean.sine * cosine_of_sixth[pair.rim.sixth];
}

Vector3 RimPlanePairs::arm_of(const Pair& pair, const Lean& lean) {
  const Vector3 direction = cosine_of_sixth[pair.rim.sixth] * lean.down + sine_of_sixth[pair.rim.sixth] * lean.across;
  return lean.rotation.rotate(Vector3(pair.rim.offset + pair.rim.radius * direction));
}

double RimPlanePairs::gap(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  return gap_of(pair, lean(pair, surfaces_.plane(pair.surface, state.time), state));
}

Vector3 RimPlanePairs::point(int index, const mechanics::State& state) const {
  const Pair& pair = pairs_[index];
  const Lean at = lean(pair, surfaces_.plane(pair.surface, state.time), state);
  return mechanics::position(map_, state, pair.node.index) + arm_of(pair, at);
}

void RimPlanePairs::detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const {
  Lean at;
  mechanics::PlaneAt plane;
  for (int index = 0; index < size(); ++index) {
    const Pair& pair = pairs_[index];
    if (pair.rim.sixth == 0) {  // a rim begins with its lowest point; the others share all that follows
      plane = surfaces_.plane(pair.surface, state.time);
      at = lean(pair, plane, state);
    }
    const Vector3 position = mechanics::position(map_, state, pair.node.index);
    const double gap = gap_of(pair, at);
    const double rounding =
        gap_rounding(position, plane.point, pair.rim.offset.cwiseAbs().maxCoeff() + pair.rim.radius);
    if (gap > reach + rounding) continue;
    Contact& contact = contacts.emplace_back();
    contact.key = pair.key;
    contact.pair = index;
    contact.gap = gap;
    contact.gap_rounding = rounding;
    contact.axes = axes_for_normal(plane.normal, false);
    contact.node_a = pair.node;
    contact.arm_a = arm_of(pair, at);
    contact.point = position + contact.arm_a;
  }
}

}  // namespace ricochet::contact
