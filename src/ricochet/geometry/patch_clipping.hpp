// The overlap of what two cores turn towards each other, seen along the normal of contact.
//
// Both polygons (support_polygon.hpp) are projected on the plane square to the normal. The corners of the overlap of
// two convex polygons are
//
//   the vertices of A inside the polygon of B       named (vertex of A, face of B)
//   the vertices of B inside the polygon of A       named (face of A, vertex of B)
//   the crossings of an edge of A and an edge of B  named (edge of A, edge of B)
//
// and the gap there is the difference in height along the normal, of the vertex over the plane of the face or between
// points of the two edges. They are found one by one, not by cutting repeatedly: no order matters, and A and B play the
// same part. A polygon may also be a segment or a point; then edge or vertex stand for the face in the names. Two
// parallel segments (up to kParallelSegments) overlap in a stretch with two ends. A vertex beyond a hollow edge of a
// triangle of a mesh counts as inside as long as it is not above the neighbour either (Polytope::shadows).
//
// A corner within kSameCorner (of the smaller solid) of a vertex takes the name of the vertex, and of corners with one
// name the deepest stays: see patch.hpp. Where two edges lie almost along each other they cross anywhere, at a corner
// that is none; it is marked as flat.
#pragma once

#include <array>

#include "ricochet/geometry/support_polygon.hpp"

namespace ricochet::geometry {

inline constexpr double kSameCorner = 1e-5;
inline constexpr double kParallelSegments = 1e-5;  // sine of the angle between them

struct OverlapCorner {  // not initialised: arrays of it are made for every pair
  double x, y;          // m, in the plane square to the normal
  double gap;           // m
  double height_of_b;   // m, along the normal
  int feature_a;
  int feature_b;
  bool is_flat;  // a crossing of edges that are parallel to kSameCorner: the outline of the overlap hardly turns there
};

// Only `count` corners are ever set.
struct Overlap {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  // The plane: a point of it is origin + x axis_x + y axis_y.
  Vector3 origin = Vector3::Zero();
  Vector3 axis_x = Vector3::Zero();  // fixed to the polygon of B, if that has an edge
  Vector3 axis_y = Vector3::Zero();
  Vector3 normal = Vector3::Zero();
  int count = 0;
  std::array<OverlapCorner, 2 * kMaxFaceCorners> corners;

  Vector3 on_b(const OverlapCorner& corner) const {
    return origin + corner.x * axis_x + corner.y * axis_y + corner.height_of_b * normal;
  }
};

// How exactly the numbers are known and how close corners are the same (m).
struct OverlapTolerances {
  double rounding = 0;
  double same_corner = 0;
};

// Corners with gap <= reach, in no particular but a fixed order. None for two vertices, or a vertex and an edge.
void find_overlap(const SupportPolygon& a, const SupportPolygon& b, const Vector3& normal, double reach,
                  const OverlapTolerances& tolerances, Overlap& overlap);

}  // namespace ricochet::geometry
