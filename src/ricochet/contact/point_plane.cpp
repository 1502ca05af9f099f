#include "ricochet/contact/point_plane.hpp"

#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

double ball_plane_gap(const Vector3& center, double radius, const BodyPlace& body, const mechanics::PlaneAt& plane) {
  return plane.normal.dot(body.position + body.arm(center) - plane.point) - radius;
}

Vector3 ball_plane_point(const Vector3& center, double radius, const BodyPlace& body, const mechanics::PlaneAt& plane) {
  return body.position + body.arm(center) - radius * plane.normal;
}

bool find_ball_plane(const Feature& ball, const BodyPlace& body, const mechanics::PlaneAt& plane, double coordinates,
                     double reach, Contact& contact) {
  const Vector3 lever = body.arm(ball.offset);
  const double gap = plane.normal.dot(body.position + lever - plane.point) - ball.radius;
  const double rounding = gap_rounding(coordinates + (ball.offset.cwiseAbs().maxCoeff() + ball.radius));
  if (gap > reach + rounding) return false;
  contact.kind = ContactKind::ball_plane;
  contact.gap = gap;
  contact.gap_rounding = rounding;
  contact.arm_a = lever - ball.radius * plane.normal;
  contact.point = body.position + contact.arm_a;
  contact.center_a = ball.offset;
  contact.radius_a = ball.radius;
  return true;
}

}  // namespace ricochet::contact
