#include "ricochet/contact/ball_face.hpp"

#include <cmath>
#include <limits>

#include "ricochet/contact/gap_rounding.hpp"

namespace ricochet::contact {

namespace {

// The centre of a ball, seen from the middle of a face.
struct OverFace {
  Vector3 from_node = Vector3::Zero();  // c - x, m, world
  double x = 0, y = 0, height = 0;      // m: X . d, Y . d, N . d

  OverFace(const BallOfBody& ball, const BodyPlace& at_ball, const FaceOfBody& face, const BodyPlace& at_face)
      : from_node((at_ball.position - at_face.position) + at_ball.arm(ball.center)) {
    const Vector3 d = at_face.rotation.rotate_inverse(from_node) - face.center;
    x = face.along_x.dot(d);
    y = face.along_y.dot(d);
    height = face.normal.dot(d);
  }

  bool is_held_by(const FaceOfBody& face) const {
    return std::abs(x) <= face.half_extents.x() && std::abs(y) <= face.half_extents.y() && height >= -face.depth();
  }
};

}  // namespace

FaceOfBody make_face(const model::FaceShape& shape, const Vector3& position, const math::Quaternion& orientation,
                     bool planar) {
  FaceOfBody face;
  face.center = position;
  face.along_x = orientation.rotate(Vector3::UnitX());
  face.along_y = orientation.rotate(Vector3::UnitY());
  face.normal = orientation.rotate(Vector3::UnitZ());
  face.half_extents = shape.half_extents;
  if (!planar) return face;
  // Exactly in the plane: a quarter turn is only nearly one.
  face.center.z() = 0;
  face.along_x.z() = 0;
  face.along_x.normalize();
  face.along_y = -Vector3::UnitZ();
  face.normal = Vector3(-face.along_x.y(), face.along_x.x(), 0);  // z x X = X x Y
  return face;
}

double ball_face_gap(const BallOfBody& ball, const BodyPlace& at_ball, const FaceOfBody& face,
                     const BodyPlace& at_face) {
  const OverFace over(ball, at_ball, face, at_face);
  return over.is_held_by(face) ? over.height - ball.radius : std::numeric_limits<double>::infinity();
}

bool find_ball_face(const BallOfBody& ball, const BodyPlace& at_ball, const FaceOfBody& face, const BodyPlace& at_face,
                    bool ball_is_a, bool planar, double reach, Contact& contact) {
  const OverFace over(ball, at_ball, face, at_face);
  const double lengths = ball.center.cwiseAbs().maxCoeff() + face.center.cwiseAbs().maxCoeff() + ball.radius;
  const double rounding = gap_rounding(at_ball.position, at_face.position, lengths);
  if (!over.is_held_by(face) || over.height - ball.radius > reach + rounding) return false;
  // From the face to the ball; the house normal points to A.
  const Vector3 upwards = at_face.rotation.rotate(face.normal);
  const double sign = ball_is_a ? 1 : -1;
  contact.kind = ball_is_a ? ContactKind::carried_by_b : ContactKind::carried_by_a;
  contact.gap = over.height - ball.radius;
  contact.gap_rounding = rounding;
  contact.axes = axes_for_normal(sign * upwards, planar);
  contact.carried_normal = sign * face.normal;
  contact.is_of_face = true;
  const Vector3 arm_of_ball = at_ball.arm(ball.center) - ball.radius * upwards;
  const Vector3 arm_of_face = over.from_node - over.height * upwards;
  contact.point = 0.5 * ((at_ball.position + arm_of_ball) + (at_face.position + arm_of_face));
  // The foot of the ball, fixed in the face: friction at another state is measured from there.
  const Vector3 foot = face.center + over.x * face.along_x + over.y * face.along_y;
  contact.arm_a = ball_is_a ? arm_of_ball : arm_of_face;
  contact.arm_b = ball_is_a ? arm_of_face : arm_of_ball;
  contact.center_a = ball_is_a ? ball.center : foot;
  contact.center_b = ball_is_a ? foot : ball.center;
  contact.radius_a = ball_is_a ? ball.radius : 0;
  contact.radius_b = ball_is_a ? 0 : ball.radius;
  return true;
}

geometry::Bounds face_bounds(const FaceOfBody& face, const BodyPlace& at_face) {
  if (!face.has_limits()) {
    const Vector3 all = Vector3::Constant(std::numeric_limits<double>::infinity());
    return {-all, all};
  }
  const auto extent = [&](const Vector3& direction, double length) -> Vector3 {
    // A line of the plane has no extent out of it; 0 times infinity is not a number.
    return std::isfinite(length) ? Vector3(length * at_face.rotation.rotate(direction).cwiseAbs()) : Vector3::Zero();
  };
  const Vector3 behind = at_face.rotation.rotate(-face.depth() * face.normal);
  const Vector3 middle = at_face.position + at_face.arm(face.center) + 0.5 * behind;
  const Vector3 half = extent(face.along_x, face.half_extents.x()) + extent(face.along_y, face.half_extents.y()) +
                       0.5 * behind.cwiseAbs();
  return {middle - half, middle + half};
}

double face_radius(const FaceOfBody& face, bool planar) {
  if (planar) return Vector2(face.half_extents.x(), face.depth()).norm();
  return Vector3(face.half_extents.x(), face.half_extents.y(), face.depth()).norm();
}

}  // namespace ricochet::contact
