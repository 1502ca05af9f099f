#include "ricochet/contact/carried_core.hpp"

namespace ricochet::contact {

CoreAt core_at(const Contact& contact, const BodyPlace& at_a, const BodyPlace& at_b) {
  const bool by_a = contact.kind == ContactKind::carried_by_a;
  const BodyPlace& carrier = by_a ? at_a : at_b;
  const Vector3 from_b = (at_a.position - at_b.position) + (at_a.arm(contact.center_a) - at_b.arm(contact.center_b));
  Vector3 away = by_a ? Vector3(-from_b) : from_b;  // e
  CoreAt at;
  if (contact.core != CarriedCore::point) {
    const Vector3 axis = carrier.rotation.rotate(contact.core_axis);
    const Vector3 across = away - axis.dot(away) * axis;
    at.straight = axis;
    at.straightness = 1;
    if (contact.core == CarriedCore::axis) {
      away = across;
    } else if (const double radius = across.norm(); radius > 0) {
      away -= contact.rim_radius / radius * across;
      at.straight = math::cross(axis, across) / radius;
      at.straightness = contact.rim_radius / radius;
    }
  }
  const double side = (by_a ? contact.radius_a : contact.radius_b) < 0 ? -1 : 1;  // sigma
  at.distance = away.norm();
  at.gap = side * at.distance - (contact.radius_a + contact.radius_b);
  at.normal = contact.axes.normal;
  if (!(at.distance > 0)) return at;  // on the core itself
  at.bend = side / at.distance;
  at.normal = (by_a ? -side : side) / at.distance * away;
  return at;
}

void set_core_contact(const BallOfBody& ball, const BodyPlace& at_ball, const CoreOfBody& core,
                      const BodyPlace& at_core, bool ball_is_a, bool planar, Contact& contact) {
  contact.kind = ball_is_a ? ContactKind::carried_by_b : ContactKind::carried_by_a;
  contact.core = core.core;
  contact.core_axis = core.axis;
  contact.rim_radius = core.rim_radius;
  contact.center_a = ball_is_a ? ball.center : core.center;
  contact.center_b = ball_is_a ? core.center : ball.center;
  contact.radius_a = ball_is_a ? ball.radius : core.radius;
  contact.radius_b = ball_is_a ? core.radius : ball.radius;
  contact.axes.normal = axes_for_normal(at_core.rotation.rotate(core.axis), false).tangent1;  // on the core: any across
  const CoreAt at = core_at(contact, ball_is_a ? at_ball : at_core, ball_is_a ? at_core : at_ball);
  contact.gap = at.gap;
  contact.axes = axes_for_normal(at.normal, planar);
  contact.carried_normal = at_core.rotation.rotate_inverse(at.normal);
  // Both points lie on the normal through the centre of the ball.
  const Vector3 outwards = ball_is_a ? at.normal : Vector3(-at.normal);
  const Vector3 arm_of_ball = at_ball.arm(ball.center) - ball.radius * outwards;
  const Vector3 arm_of_core = (at_ball.position - at_core.position) + (arm_of_ball - at.gap * outwards);
  contact.arm_a = ball_is_a ? arm_of_ball : arm_of_core;
  contact.arm_b = ball_is_a ? arm_of_core : arm_of_ball;
  contact.point = 0.5 * ((at_ball.position + arm_of_ball) + (at_core.position + arm_of_core));
}

}  // namespace ricochet::contact
