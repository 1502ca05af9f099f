#include "ricochet/geometry/support_polygon.hpp"

#include <cmath>

namespace ricochet::geometry {

namespace {

const double kSupportCosine = std::sqrt(1 - kSupportSine * kSupportSine);
// Of the lean of a rim: below that the legs stand in fixed directions, and the lowest point is missed by an eighth of
// that times the radius. What rests flat leans by what solvers leave, in any direction: if legs followed that, those of
// two rims on each other would cross elsewhere in every step.
constexpr double kLevelSine = 1e-7;

void append_corner(SupportPolygon& polygon, const Vector3& corner, int vertex, int edge, bool is_inner = false) {
  polygon.corners[polygon.count] = corner;
  polygon.vertices[polygon.count] = vertex;
  polygon.edges[polygon.count] = edge;
  polygon.is_inner[polygon.count] = is_inner;
  ++polygon.count;
}

void append_face_corners(const Polytope& core, int index, const Placement& place, SupportPolygon& polygon) {
  const Polytope::Face& face = core.faces[index];
  polygon.feature = core.face_feature(index);
  polygon.normal = place.turn(face.normal);
  const bool is_mesh = !core.barriers.empty();
  for (int i = face.first; i < face.first + face.count; ++i) {
    const Polytope::Edge& edge = core.edges[core.corner_edges[i]];
    append_corner(polygon, place.apply(core.vertices[core.corner_vertices[i]]), core.corner_vertices[i],
                  core.edge_feature(core.corner_edges[i]), is_mesh && edge.left_normal == edge.right_normal);
  }
  polygon.has_shadows = is_mesh;
  for (std::size_t e = 0; e < core.shadows.size(); ++e) polygon.shadows[e] = place.turn(core.shadows[e]);
}

void find_polytope_support(const Polytope& core, const Vector3& direction, const Placement& place,
                           SupportPolygon& polygon) {
  const int vertex = core.support(direction);
  int best_face = -1;
  double best = kSupportCosine;
  for (const int f : core.faces_at(vertex)) {
    const double cosine = core.faces[f].normal.dot(direction);
    if (cosine > best) {
      best = cosine;
      best_face = f;
    }
  }
  if (best_face >= 0) return append_face_corners(core, best_face, place, polygon);

  int best_edge = -1;
  best = kSupportSine;
  for (const int e : core.edges_at(vertex)) {
    const Vector3 along = core.vertices[core.edges[e].head] - core.vertices[core.edges[e].tail];
    const double sine = std::abs(along.dot(direction)) / along.norm();
    if (sine < best) {
      best = sine;
      best_edge = e;
    }
  }
  if (best_edge >= 0) {
    const Polytope::Edge& edge = core.edges[best_edge];
    polygon.feature = core.edge_feature(best_edge);
    append_corner(polygon, place.apply(core.vertices[edge.tail]), edge.tail, polygon.feature);
    append_corner(polygon, place.apply(core.vertices[edge.head]), edge.head, polygon.feature);
    return;
  }
  polygon.feature = vertex;
  append_corner(polygon, place.apply(core.vertices[vertex]), vertex, vertex);
}

void find_box_support(const ConvexSolid& box, const Vector3& direction, const Placement& place,
                      SupportPolygon& polygon) {
  for (int i = 0; i < 3; ++i) {
    if (std::abs(direction[i]) > kSupportCosine) {
      return append_face_corners(box.core(), 2 * i + (direction[i] > 0 ? 1 : 0), place, polygon);
    }
  }
  find_polytope_support(box.core(), direction, place, polygon);
}

// `top`: at z > 0, seen from there the legs go round counter-clockwise, as they are counted.
void append_rim(const ConvexSolid& solid, const Vector3& direction, bool top, int first_leg, int first_arc,
                const Placement& place, SupportPolygon& polygon) {
  constexpr double half_root_of_three = 0.86602540378443864676;
  constexpr double cosines[] = {1, 0.5, -0.5, -1, -0.5, 0.5};
  constexpr double sines[] = {0, half_root_of_three, half_root_of_three, 0, -half_root_of_three, -half_root_of_three};
  const double across = std::sqrt(direction.x() * direction.x() + direction.y() * direction.y());
  const bool leans = across > kLevelSine;
  const double x = leans ? direction.x() / across : 1;
  const double y = leans ? direction.y() / across : 0;
  const double radius = solid.rim_radius();
  const double height = top ? solid.half_length() : -solid.half_length();
  for (int i = 0; i < 6; ++i) {
    const int leg = top ? i : (6 - i) % 6;
    const int arc = top ? leg : (leg + 5) % 6;
    const Vector3 corner(radius * (cosines[leg] * x - sines[leg] * y), radius * (cosines[leg] * y + sines[leg] * x),
                         height);
    append_corner(polygon, place.apply(corner), first_leg + leg, first_arc + arc);
  }
  polygon.normal = (top ? 1.0 : -1.0) * place.rotation.col(2);
}

void append_point(const Vector3& point, int vertex, const Placement& place, SupportPolygon& polygon) {
  polygon.feature = vertex;
  append_corner(polygon, place.apply(point), vertex, vertex);
}

void find_cylinder_support(const ConvexSolid& cylinder, const Vector3& direction, const Placement& place,
                           SupportPolygon& polygon) {
  constexpr int first_arc = 12, side = 24, end = 25;
  const bool top = direction.z() > 0;
  if (std::abs(direction.z()) > kSupportCosine) {
    polygon.feature = end + (top ? 1 : 0);
    return append_rim(cylinder, direction, top, top ? 6 : 0, first_arc + (top ? 6 : 0), place, polygon);
  }
  Vector3 point = cylinder.core_support(direction);
  if (std::abs(direction.z()) >= kSupportSine) return append_point(point, top ? 6 : 0, place, polygon);
  polygon.feature = side;
  point.z() = -cylinder.half_length();
  append_corner(polygon, place.apply(point), 0, side);
  point.z() = cylinder.half_length();
  append_corner(polygon, place.apply(point), 6, side);
}

void find_cone_support(const ConvexSolid& cone, const Vector3& direction, const Placement& place,
                       SupportPolygon& polygon) {
  constexpr int apex = 6, first_arc = 7, side = 13, end = 14;
  if (direction.z() < -kSupportCosine) {
    polygon.feature = end;
    return append_rim(cone, direction, false, 0, first_arc, place, polygon);
  }
  const double across = std::sqrt(direction.x() * direction.x() + direction.y() * direction.y());
  const double radius = cone.rim_radius();
  const double height = 2 * cone.half_length();
  const Vector3 top(0, 0, cone.half_length());
  // Along the side, from the rim to the apex.
  const double sine = (height * direction.z() - radius * across) / std::sqrt(radius * radius + height * height);
  if (sine >= kSupportSine) return append_point(top, apex, place, polygon);
  const Vector3 low = across > 0
                          ? Vector3(radius * (direction.x() / across), radius * (direction.y() / across), -top.z())
                          : Vector3(radius, 0, -top.z());
  if (sine <= -kSupportSine) return append_point(low, 0, place, polygon);
  polygon.feature = side;
  append_corner(polygon, place.apply(low), 0, side);
  append_corner(polygon, place.apply(top), apex, side);
}

}  // namespace

void find_support_polygon(const ConvexSolid& solid, const Vector3& direction, const Placement& place,
                          SupportPolygon& polygon) {
  polygon.count = 0;
  polygon.has_shadows = false;
  switch (solid.kind()) {
    case SolidKind::box:
      return find_box_support(solid, direction, place, polygon);
    case SolidKind::cylinder:
      return find_cylinder_support(solid, direction, place, polygon);
    case SolidKind::cone:
      return find_cone_support(solid, direction, place, polygon);
    default:
      return find_polytope_support(solid.core(), direction, place, polygon);
  }
}

}  // namespace ricochet::geometry
