// The convex hull of points in space: the smallest convex polyhedron that contains them.
//
// Method: quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The quickhull algorithm for convex hulls", ACM TOMS 22,
// 1996). From a large tetrahedron on, take a point that some triangle of the surface sees on its outer side, remove all
// triangles that see it, and join the edges around the hole (the horizon) with the point. Points that the removed
// triangles saw are handed on to the new ones; those that no triangle sees are inside.
//
// On which side of the plane through a, b, c a point p lies is the sign of the determinant
//
//   (b - a) x (c - a) . (p - a) = [b c p] - [a c p] + [a b p] - [a b c],     [x y z] = x . (y x z).
//
// The left side is computed with a bound of its rounding error (J. R. Shewchuk, "Adaptive precision floating-point
// arithmetic and fast robust geometric predicates", Discrete & Computational Geometry 18, 1997); where that does not
// settle the sign, the right side is summed without any error. Since no sign is ever wrong, the surface is closed and
// convex at every stage, for whatever input: many points in one plane or on one line included.
//
// Only at the end tolerances enter, as fractions of the extent of the points (polyhedron.hpp): triangles that lie in
// one plane up to kCoplanarTolerance are joined.
#pragma once

#include <span>

#include "ricochet/math/types.hpp"
#include "ricochet/model/shape.hpp"

namespace ricochet::model {

// The hull of points (m) as polygons. Its vertices are points as given, in the order given; left out are points inside,
// in the middle of a face or an edge, and all but the first of points that coincide (within kCoplanarTolerance). Throws
// std::invalid_argument when the points are fewer than four, are not finite, or coincide, lie on a line or in a plane
// within the same tolerance. Takes a time of about n log n.
PolyhedronShape convex_hull(std::span<const Vector3> points);

}  // namespace ricochet::model
