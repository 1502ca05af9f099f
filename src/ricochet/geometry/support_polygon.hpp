// What of a core lies outermost in a direction: a face, an edge or a vertex, as a polygon of three or more, two or one
// corners.
//
// A face counts if it is square to the direction up to an angle of sine kSupportSine, and so does an edge: points of a
// patch need not be equally deep, and a body that rocks by less keeps the names of all its contacts. Points further
// away than the reach of a search are left out anyway.
//
// A rim (the circle at the end of a cylinder or the base of a cone) that is square to the direction is a hexagon: its
// lowest point, which is exact, and five legs at sixths of a turn from it (see contact/rim_plane.hpp). They turn with
// the lean; below a lean of 1e-7 they stand still, and the lowest point is missed by 1.3e-8 of the radius at most. A
// side of a cylinder or a cone that lies square to the direction is a segment.
#pragma once

#include <array>

#include "ricochet/geometry/convex_solid.hpp"
#include "ricochet/geometry/pose.hpp"

namespace ricochet::geometry {

inline constexpr double kSupportSine = 0.1;

// Only `count` corners are ever set.
struct SupportPolygon {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  int count = 0;
  int feature = 0;                               // the whole: face, edge or vertex
  Vector3 normal = Vector3::Zero();              // of a face, outwards
  std::array<Vector3, kMaxFaceCorners> corners;  // m; of a face counter-clockwise seen from outside
  std::array<int, kMaxFaceCorners> vertices;     // their features
  std::array<int, kMaxFaceCorners> edges;        // of the edge from this corner to the next
  std::array<bool, kMaxFaceCorners> is_inner;    // that edge: of a triangle of a mesh that goes on beyond it
  std::array<Vector3, 3> shadows;                // of its edges, see Polytope; set if
  bool has_shadows = false;

  int edge_count() const { return count >= 3 ? count : count - 1; }
  int next(int corner) const { return corner + 1 == count ? 0 : corner + 1; }
};

// The unit direction is in the axes of the solid; the polygon is placed by `place` (from the middle).
void find_support_polygon(const ConvexSolid& solid, const Vector3& direction, const Placement& place,
                          SupportPolygon& polygon);

}  // namespace ricochet::geometry
