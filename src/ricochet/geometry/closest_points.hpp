// The closest points of two convex cores that do not overlap.
//
// Method: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the distance between complex
// objects in three-dimensional space", IEEE J. Robotics and Automation 4 (1988). The distance is that of the origin
// from the Minkowski difference A - B. A simplex of at most four of its points is kept; v is its point closest to the
// origin. The support point w furthest against v replaces what v does not need. As w is furthest,
//
//   v.w/|v| <= distance <= |v|,
//
// and the search ends when the two meet, to rounding. The closest point of a simplex is found by its Voronoi regions
// (C. Ericson, "Real-time collision detection", 2005, chapter 5). Polytopes are finished after finitely many steps with
// the exact features; solids with curved sides converge until the simplex is so small that rounding rules it, to about
// 1e-11 of the size.
#pragma once

#include "ricochet/geometry/convex_solid.hpp"
#include "ricochet/geometry/pose.hpp"

namespace ricochet::geometry {

// In axes of B, from its middle.
struct ClosestPoints {
  double distance = 0;               // m, 0 if the cores overlap
  Vector3 normal = Vector3::Zero();  // unit, from B towards A; not set if they overlap
  Vector3 on_a = Vector3::Zero();    // m
  Vector3 on_b = Vector3::Zero();
};

// `guess` is about the direction from B to A; it does not change the result but for rounding. With `kept` below 1 the
// cores are shrunk to this part about their middles.
ClosestPoints find_closest_points(const ConvexSolid& a, const ConvexSolid& b, const Placement& place,
                                  const Vector3& guess, double kept = 1);

}  // namespace ricochet::geometry
