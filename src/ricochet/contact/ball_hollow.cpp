#include "ricochet/contact/ball_hollow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

namespace {

// How far the centre of a ball is from the core, m: infinite where the hollow does not hold it.
double distance_in(const BallOfBody& ball, const BodyPlace& at_ball, const HollowOfBody& hollow,
                   const BodyPlace& at_hollow) {
  const Vector3 from_center =
      (at_ball.position - at_hollow.position) + (at_ball.arm(ball.center) - at_hollow.arm(hollow.core.center));
  double along = 0, distance = 0;
  if (hollow.core.core == CarriedCore::point) {
    distance = from_center.norm();
  } else {
    const Vector3 axis = at_hollow.rotation.rotate(hollow.core.axis);
    along = axis.dot(from_center);
    distance = (from_center - along * axis).norm();
  }
  const bool is_held = std::abs(along) <= hollow.half_length && distance <= hollow.radius() + hollow.depth();
  return is_held ? distance : std::numeric_limits<double>::infinity();
}

}  // namespace

bool HollowOfBody::has_ends() const { return std::isfinite(half_length); }
double HollowOfBody::depth() const { return std::min(radius(), half_length); }

HollowOfBody make_hollow(const model::HollowSphereShape& shape, const Vector3& position, bool planar) {
  HollowOfBody hollow;
  hollow.core = {CarriedCore::point, position, Vector3::UnitZ(), -shape.radius, 0};
  hollow.half_length = std::numeric_limits<double>::infinity();
  if (planar) hollow.core.center.z() = 0;
  return hollow;
}

HollowOfBody make_hollow(const model::HollowCylinderShape& shape, const Vector3& position,
                         const math::Quaternion& orientation, bool planar) {
  HollowOfBody hollow;
  hollow.core = {CarriedCore::axis, position, orientation.rotate(Vector3::UnitZ()), -shape.radius, 0};
  hollow.half_length = shape.half_length;
  hollow.is_bounded = std::isfinite(shape.half_length);
  if (!planar) return hollow;
  // A circle, exactly in the plane.
  hollow.core.center.z() = 0;
  hollow.core.axis = Vector3::UnitZ();
  hollow.half_length = std::numeric_limits<double>::infinity();
  hollow.is_bounded = true;
  return hollow;
}

double ball_hollow_gap(const BallOfBody& ball, const BodyPlace& at_ball, const HollowOfBody& hollow,
                       const BodyPlace& at_hollow) {
  const double distance = distance_in(ball, at_ball, hollow, at_hollow);
  return std::isfinite(distance) ? hollow.radius() - ball.radius - distance : distance;
}

bool find_ball_hollow(const BallOfBody& ball, const BodyPlace& at_ball, const HollowOfBody& hollow,
                      const BodyPlace& at_hollow, bool ball_is_a, bool planar, double reach, Contact& contact) {
  const double gap = ball_hollow_gap(ball, at_ball, hollow, at_hollow);
  const double lengths =
      ball.center.cwiseAbs().maxCoeff() + hollow.core.center.cwiseAbs().maxCoeff() + ball.radius + hollow.radius();
  const double rounding = gap_rounding(at_ball.position, at_hollow.position, lengths);
  if (!(gap <= reach + rounding)) return false;
  set_core_contact(ball, at_ball, hollow.core, at_hollow, ball_is_a, planar, contact);
  contact.gap_rounding = rounding;
  contact.is_of_face = hollow.has_ends();
  return true;
}

geometry::Bounds hollow_bounds(const HollowOfBody& hollow, const BodyPlace& at_hollow) {
  const Vector3 middle = at_hollow.position + at_hollow.arm(hollow.core.center);
  const double radius = hollow.is_bounded ? hollow.radius() + hollow.depth() : std::numeric_limits<double>::infinity();
  if (!hollow.has_ends()) return geometry::enlarged({middle, middle}, radius);
  const Vector3 axis = at_hollow.rotation.rotate(hollow.core.axis);
  const Vector3 half =
      hollow.half_length * axis.cwiseAbs() + radius * (Vector3::Ones() - axis.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
  return {middle - half, middle + half};
}

double hollow_radius(const HollowOfBody& hollow) {
  if (!hollow.is_bounded) return std::numeric_limits<double>::infinity();
  const double across = hollow.radius() + hollow.depth();
  return hollow.has_ends() ? std::hypot(across, hollow.half_length) : across;
}

}  // namespace ricochet::contact
