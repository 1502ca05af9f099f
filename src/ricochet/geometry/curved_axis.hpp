// The axis between two solids of which one at least is a cylinder or a cone.
//
// s(n), the separation along a unit direction n (separating_axes.hpp), needs support points only, and those of a
// cylinder and a cone are known exactly.
//
// (1) Directions that are likely: normals of faces and ends, normals of curved sides towards the other solid,
// directions square to axes and edges. A body at rest on a face or lying on its side has exactly one of these as its
// normal.
//
// (2) Solids that are apart: the closest points (closest_points.hpp). If a likely direction separates as much, it is
// taken, being exact. What the direction between them separates, a lower bound of the distance, tells whether they
// really are the closest.
//
// (3) Solids that overlap, or nearly touch. Moved apart by lambda > -s(n_k) along a direction n_k, they have closest
// points along a direction n_(k+1), the maximiser of s(n) + lambda n.n_k. Therefore
//
//   s(n_(k+1)) >= s(n_k) + lambda (1 - n_(k+1).n_k) >= s(n_k),
//
// and the sequence climbs to a local maximum of s, by a factor of about lambda/(lambda + radius of curvature) per step
// in the error of the direction: fast when the overlap is shallow, and the error of s is the square. Solids that nearly
// touch: it starts from the direction between the closest points, which is rounded where sides are wide and the climb
// mends it, and right at tips, corners and rims, where climbs from elsewhere get stuck. As no s(n) is more than the
// distance, the highest is the best. Solids that overlap: it starts from the best likely directions, and from the
// closest points of both solids shrunk about their middles, which for a shallow overlap is next to the maximum. That
// the highest of several maxima is found is certain for shallow overlaps only; the tests look for higher ones by
// sampling, down to overlaps of a third of the size.
#pragma once

#include "ricochet/geometry/closest_points.hpp"
#include "ricochet/geometry/convex_solid.hpp"
#include "ricochet/geometry/pose.hpp"
#include "ricochet/geometry/separating_axes.hpp"

namespace ricochet::geometry {

// False if the cores are further apart than `reach`. `closest`: the points that touch along the axis. Where B is a
// triangle only axes that it allows are taken, and `closest` may be along another; if solids overlap, and less along an
// axis that it does not allow, the source is none.
bool find_curved_axis(const ConvexSolid& a, const ConvexSolid& b, const Placement& place, double reach,
                      SeparatingAxis& axis, ClosestPoints& closest);

// s(n) of any cores.
double separation_along(const ConvexSolid& a, const ConvexSolid& b, const Placement& place, const Vector3& normal);

}  // namespace ricochet::geometry
