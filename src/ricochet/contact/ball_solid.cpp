#include "ricochet/contact/ball_solid.hpp"

#include <cmath>
#include <limits>

#include "ricochet/contact/carried_core.hpp"
#include "ricochet/contact/gap_rounding.hpp"
#include "ricochet/geometry/convex_solid.hpp"

namespace ricochet::contact {

namespace {

using geometry::ConvexSolid;
using geometry::SolidKind;

bool is_round_or_box(const FormPart& part) {
  if (!part.solid) return false;
  const SolidKind kind = part.solid->kind();
  return kind == SolidKind::box || kind == SolidKind::cylinder || kind == SolidKind::capsule;
}

// What of a solid is nearest to a place, in the axes of the solid.
struct NearestFeature {
  CarriedCore core = CarriedCore::plane;  // of a point: a corner or an end
  Vector3 center = Vector3::Zero();       // m, on the plane, the axis; the middle of a rim; the point itself
  Vector3 direction = Vector3::UnitZ();   // the normal of a plane, outwards, or the axis
  double radius = 0;                      // m, around the core
  double rim_radius = 0;                  // m
  int feature = 0;
  double distance = 0;  // m, of the place from the surface; negative: inside
};

// The edge of a box from a corner along an axis to the next.
int box_edge(const ConvexSolid& box, int tail, int head) {
  const geometry::Polytope& core = box.core();
  for (const int edge : core.edges_at(tail)) {
    if (core.edges[edge].tail == head || core.edges[edge].head == head) return core.edge_feature(edge);
  }
  return tail;  // there is always one
}

NearestFeature nearest_of_box(const ConvexSolid& box, const Vector3& place) {
  const Vector3& half = box.half_extents();
  const Vector3 beyond = place.cwiseAbs() - half;  // where positive, outside
  const Vector3 sides(place.x() < 0 ? -1 : 1, place.y() < 0 ? -1 : 1, place.z() < 0 ? -1 : 1);
  const int outside = static_cast<int>((beyond.array() > 0).count());
  NearestFeature nearest;
  if (outside <= 1) {
    int axis = 0;
    nearest.distance = beyond.maxCoeff(&axis);
    nearest.center = place;
    nearest.center[axis] = sides[axis] * half[axis];
    nearest.direction = sides[axis] * Vector3::Unit(axis);
    nearest.feature = box.core().face_feature(2 * axis + (sides[axis] > 0 ? 1 : 0));
    return nearest;
  }
  int corner = 0;
  for (int i = 0; i < 3; ++i) corner |= sides[i] > 0 ? 1 << i : 0;
  nearest.center = sides.cwiseProduct(half);
  if (outside == 3) {
    nearest.core = CarriedCore::point;
    nearest.feature = corner;
  } else {
    int axis = 0;
    beyond.minCoeff(&axis);  // along which it is not outside
    nearest.core = CarriedCore::axis;
    nearest.direction = Vector3::Unit(axis);
    nearest.center[axis] = place[axis];
    nearest.feature = box_edge(box, corner, corner ^ (1 << axis));
  }
  nearest.distance = (place - nearest.center).norm();
  return nearest;
}

NearestFeature nearest_of_cylinder(const ConvexSolid& cylinder, const Vector3& place) {
  const double radius = cylinder.rim_radius(), half_length = cylinder.half_length();
  const double across = place.head<2>().norm(), side = place.z() < 0 ? -1 : 1;
  const double beyond_side = across - radius, beyond_end = std::abs(place.z()) - half_length;
  const int end = side > 0 ? 1 : 0;
  NearestFeature nearest;
  if (beyond_side > 0 && beyond_end > 0) {
    nearest.core = CarriedCore::rim;
    nearest.center.z() = side * half_length;
    nearest.rim_radius = radius;
    nearest.feature = 6 * end;
    nearest.distance = std::hypot(beyond_side, beyond_end);
  } else if (beyond_end >= beyond_side) {
    nearest.center = Vector3(place.x(), place.y(), side * half_length);
    nearest.direction.z() = side;
    nearest.feature = 25 + end;
    nearest.distance = beyond_end;
  } else {
    nearest.core = CarriedCore::axis;
    nearest.center.z() = place.z();
    nearest.radius = radius;
    nearest.feature = 24;
    nearest.distance = beyond_side;
  }
  return nearest;
}

NearestFeature nearest_of_capsule(const ConvexSolid& capsule, const Vector3& place) {
  const Vector3 ends[2] = {capsule.core().middle + capsule.core().vertices[0],
                           capsule.core().middle + capsule.core().vertices.back()};
  const double middle = place.z();
  NearestFeature nearest;
  nearest.radius = capsule.radius();
  if (middle > ends[0].z() && middle < ends[1].z()) {
    nearest.core = CarriedCore::axis;
    nearest.center.z() = middle;
    nearest.feature = 2;
    nearest.distance = place.head<2>().norm() - nearest.radius;
    return nearest;
  }
  nearest.core = CarriedCore::point;
  nearest.feature = middle < 0 ? 0 : 1;
  nearest.center = ends[nearest.feature];
  nearest.distance = (place - nearest.center).norm() - nearest.radius;
  return nearest;
}

NearestFeature nearest_feature(const ConvexSolid& solid, const Vector3& place) {
  if (solid.kind() == SolidKind::box) return nearest_of_box(solid, place);
  return solid.kind() == SolidKind::cylinder ? nearest_of_cylinder(solid, place) : nearest_of_capsule(solid, place);
}

// The centre of the ball in the axes of the solid.
Vector3 place_in(const FormPart& ball, const BodyPlace& at_ball, const FormPart& solid, const BodyPlace& at_solid) {
  const Vector3 between =
      (at_ball.position - at_solid.position) + (at_ball.arm(ball.center) - at_solid.arm(solid.center));
  return solid.orientation.rotate_inverse(at_solid.rotation.rotate_inverse(between));
}

double lengths_at(const FormPart& part) { return part.middle.cwiseAbs().maxCoeff() + part.radius; }

void set_plane_contact(const BallOfBody& ball, const BodyPlace& at_ball, const Vector3& foot, const Vector3& outwards,
                       const BodyPlace& at_solid, double gap, bool ball_is_a, Contact& contact) {
  const Vector3 upwards = at_solid.rotation.rotate(outwards);
  const double sign = ball_is_a ? 1 : -1;
  const Vector3 arm_of_ball = at_ball.arm(ball.center) - ball.radius * upwards, arm_of_face = at_solid.arm(foot);
  contact.kind = ball_is_a ? ContactKind::carried_by_b : ContactKind::carried_by_a;
  contact.gap = gap;
  contact.axes = axes_for_normal(sign * upwards, false);
  contact.carried_normal = sign * outwards;
  contact.arm_a = ball_is_a ? arm_of_ball : arm_of_face;
  contact.arm_b = ball_is_a ? arm_of_face : arm_of_ball;
  contact.point = 0.5 * ((at_ball.position + arm_of_ball) + (at_solid.position + arm_of_face));
  contact.center_a = ball_is_a ? ball.center : foot;
  contact.center_b = ball_is_a ? foot : ball.center;
  contact.radius_a = ball_is_a ? ball.radius : 0;
  contact.radius_b = ball_is_a ? 0 : ball.radius;
}

}  // namespace

bool is_ball_at_solid(const FormPart& a, const FormPart& b) {
  const auto is_round = [](const FormPart& part) { return part.is_ball && part.solid && part.radius > 0; };
  return (is_round(a) && is_round_or_box(b)) || (is_round(b) && is_round_or_box(a));
}

double ball_solid_gap(const FormPart& a, const BodyPlace& at_a, const FormPart& b, const BodyPlace& at_b) {
  const Vector3 place = a.is_ball ? place_in(a, at_a, b, at_b) : place_in(b, at_b, a, at_a);
  return nearest_feature(a.is_ball ? *b.solid : *a.solid, place).distance - (a.is_ball ? a : b).radius;
}

bool find_ball_solid(const FormPart& a, const BodyPlace& at_a, const FormPart& b, const BodyPlace& at_b, double reach,
                     Contact& contact) {
  const bool ball_is_a = a.is_ball;
  const FormPart& round = ball_is_a ? a : b;
  const FormPart& solid = ball_is_a ? b : a;
  const BodyPlace& at_ball = ball_is_a ? at_a : at_b;
  const BodyPlace& at_solid = ball_is_a ? at_b : at_a;
  const NearestFeature nearest = nearest_feature(*solid.solid, place_in(round, at_ball, solid, at_solid));
  const double rounding = gap_rounding(at_a.position, at_b.position, lengths_at(a) + lengths_at(b));
  const double gap = nearest.distance - round.radius;
  if (gap > reach + rounding) return false;
  const BallOfBody ball{round.center, round.radius};
  const Vector3 center = solid.center + solid.orientation.rotate(nearest.center);
  const Vector3 direction = solid.orientation.rotate(nearest.direction);
  if (nearest.core == CarriedCore::plane) {
    set_plane_contact(ball, at_ball, center, direction, at_solid, gap, ball_is_a, contact);
  } else if (nearest.core == CarriedCore::point) {
    const BallOfBody end{center, nearest.radius};
    find_sphere_sphere(ball_is_a ? ball : end, at_a, ball_is_a ? end : ball, at_b, false,
                       std::numeric_limits<double>::infinity(), contact);
  } else {
    const CoreOfBody core{nearest.core, center, direction, nearest.radius, nearest.rim_radius};
    set_core_contact(ball, at_ball, core, at_solid, ball_is_a, false, contact);
  }
  contact.gap_rounding = rounding;
  contact.key.feature_a = ball_is_a ? 0 : nearest.feature;
  contact.key.feature_b = ball_is_a ? nearest.feature : 0;
  return true;
}

}  // namespace ricochet::contact
