// The axis that best separates two convex polytopes.
//
// Along a unit direction n, from B towards A, the polytopes are apart by
//
//   s(n) = n.t + min over A of n.x - max over B of n.y            (t: the middle of A from that of B)
//
// The distance of two polytopes that do not overlap is the largest s(n); the smallest translation that parts two that
// do is the largest -|s(n)|, and is reached on a face of their Minkowski difference: n is the normal of a face of
// either, or square to an edge of each (S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996). Only pairs of
// edges whose arcs on the Gauss map cross make such a face (D. Gregorius, "The separating axis test between convex
// polyhedra", GDC 2013), and of those only pairs that can beat what the faces gave: an edge of B counts only if, seen
// from it, the middle of A is further out than the ball inside A, along some normal of the edge.
//
// So: for overlapping polytopes the result is exact. For others it is a lower bound of the distance, exact unless two
// vertices, or a vertex and an edge, are closest; a patch along it tells (find_patch.cpp).
//
// Where axes are equally good the first wins: faces of B, then faces of A, then edges. To win, a later one must be
// better by kPreference of the size of the pair, which is a thousand units of rounding. Names of patch points do not
// depend on that choice (patch_clipping.hpp).
//
// Nearly parallel edges. The cross product of edges at a small angle has few correct digits. Its deviation along
// the edges is removed, and s is evaluated over all vertices, which never promises more than there is; the remaining
// deviation is about the edges, across which the face of the difference is as narrow as the angle is small.
#pragma once

#include <limits>

#include "ricochet/geometry/convex_solid.hpp"
#include "ricochet/geometry/polytope.hpp"
#include "ricochet/geometry/pose.hpp"

namespace ricochet::geometry {

inline constexpr double kPreference = 1e-13;

enum class AxisSource { none, face_of_b, face_of_a, edges, points };

// All vectors in axes of B, from its middle.
struct SeparatingAxis {
  AxisSource source = AxisSource::none;
  Vector3 normal = Vector3::Zero();                              // unit, from B towards A
  double separation = -std::numeric_limits<double>::infinity();  // m
};

// False if an axis shows that they are further apart than `reach`; then `axis` is not the best.
bool find_separating_axis(const Polytope& a, const Polytope& b, const Placement& place, double reach,
                          SeparatingAxis& axis);

// The same for boxes, which have fifteen axes.
bool find_box_axis(const Vector3& half_extents_a, const Vector3& half_extents_b, const Placement& place, double reach,
                   SeparatingAxis& axis);

}  // namespace ricochet::geometry
