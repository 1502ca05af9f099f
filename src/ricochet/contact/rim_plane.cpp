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

RimLean rim_lean(const Feature& rim, const BodyPlace& body, const mechanics::PlaneAt& plane) {
  RimLean lean;
  const Vector3& axis = rim.axis;
  const Vector3 normal = body.rotation.rotate_inverse(plane.normal);
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
  const Vector3 center = body.position + body.rotation.rotate(rim.offset);
  lean.height = plane.normal.dot(center - plane.point);
  return lean;
}

double rim_plane_gap(const Feature& rim, const RimLean& lean) {
  return lean.height - rim.radius * lean.sine * cosine_of_sixth[rim.sixth];
}

Vector3 rim_plane_arm(const Feature& rim, const RimLean& lean, const BodyPlace& body) {
  const Vector3 direction = cosine_of_sixth[rim.sixth] * lean.down + sine_of_sixth[rim.sixth] * lean.across;
  return body.rotation.rotate(Vector3(rim.offset + rim.radius * direction));
}

bool find_rim_plane(const Feature& rim, const RimLean& lean, const BodyPlace& body, double coordinates, double reach,
                    Contact& contact) {
  const double gap = rim_plane_gap(rim, lean);
  const double rounding = gap_rounding(coordinates + (rim.offset.cwiseAbs().maxCoeff() + rim.radius));
  if (gap > reach + rounding) return false;
  contact.kind = ContactKind::rim_plane;
  contact.gap = gap;
  contact.gap_rounding = rounding;
  contact.arm_a = rim_plane_arm(rim, lean, body);
  contact.point = body.position + contact.arm_a;
  return true;
}

}  // namespace ricochet::contact
