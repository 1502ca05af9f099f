#include "ricochet/contact/sphere_sphere.hpp"

#include <cmath>

#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

namespace {

// Concentric spheres have no normal of their own; any fixed direction pushes them apart.
Vector3 normal_between(const Vector3& between, double distance) {
  return distance > 0 ? Vector3(between / distance) : Vector3::UnitY();
}

Vector3 middle_of(const Vector3& center_b, const Vector3& normal, double distance, double radius_a, double radius_b) {
  return center_b + 0.5 * (distance + radius_b - radius_a) * normal;
}

}  // namespace

double sphere_sphere_gap(const BallOfBody& a, const BodyPlace& at_a, const BallOfBody& b, const BodyPlace& at_b) {
  const Vector3 between = at_a.position + at_a.arm(a.center) - (at_b.position + at_b.arm(b.center));
  return between.norm() - (a.radius + b.radius);
}

Vector3 sphere_sphere_point(const BallOfBody& a, const BodyPlace& at_a, const BallOfBody& b, const BodyPlace& at_b) {
  const Vector3 center_b = at_b.position + at_b.arm(b.center);
  const Vector3 between = at_a.position + at_a.arm(a.center) - center_b;
  const double distance = between.norm();
  return middle_of(center_b, normal_between(between, distance), distance, a.radius, b.radius);
}

bool find_sphere_sphere(const BallOfBody& a, const BodyPlace& at_a, const BallOfBody& b, const BodyPlace& at_b,
                        bool planar, double reach, Contact& contact) {
  const Vector3 arm_a = at_a.arm(a.center), arm_b = at_b.arm(b.center);
  const Vector3 center_a = at_a.position + arm_a, center_b = at_b.position + arm_b;
  const double radii = a.radius + b.radius;
  const Vector3 between = center_a - center_b;
  const double lengths = radii + a.center.cwiseAbs().maxCoeff() + b.center.cwiseAbs().maxCoeff();
  const double rounding = gap_rounding(center_a, center_b, lengths);
  const double limit = reach + radii + rounding;
  const double squared = between.squaredNorm();
  if (squared > limit * limit) return false;
  const double distance = std::sqrt(squared);
  const Vector3 normal = normal_between(between, distance);
  contact.kind = ContactKind::centers;
  contact.gap = distance - radii;
  contact.gap_rounding = rounding;
  contact.axes = axes_for_normal(normal, planar);
  contact.arm_a = arm_a - a.radius * normal;
  contact.arm_b = arm_b + b.radius * normal;
  contact.point = middle_of(center_b, normal, distance, a.radius, b.radius);
  contact.center_a = a.center;
  contact.center_b = b.center;
  contact.radius_a = a.radius;
  contact.radius_b = b.radius;
  return true;
}

}  // namespace ricochet::contact
