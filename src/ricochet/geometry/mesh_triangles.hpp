// The triangles of a surface, each with what it must know of its neighbours.
//
// A body that slides over a surface made of many triangles touches some of them next to their edges, and the direction
// of least distance, or of least overlap, from such a triangle may lead sideways, although the surface goes on there: a
// ghost contact, at which the body would stumble. A direction is a true normal of the surface at an edge only if it
// lies between the normals of the two triangles, and there are such directions only at a convex edge. So each edge of a
// triangle gets the normal of its neighbour: the neighbour's own where the edge is convex, the triangle's own where the
// surface is flat (to kFlatSine) or hollow. At a border it is the direction in the plane that leaves the triangle:
// there the surface ends like a thin plate, of which the upper side and the rim can be touched.
//
// A corner that sinks into the fold at a hollow edge projects on neither triangle, and is below both. So each hollow
// edge also has the direction in which the plane of the neighbour leaves that (Polytope::shadows).
//
// Triangles look to the side from which their corners are counter-clockwise. Neighbours are those that have an edge
// with the same two vertices, by number: vertices that coincide must be made one before.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ricochet/geometry/convex_solid.hpp"

namespace ricochet::geometry {

inline constexpr double kFlatSine = 1e-9;  // of the angle between the planes of two triangles

// In the order given, in the axes of the vertices (m). Throws std::invalid_argument with a sentence that counts
// triangles from 0, when one names a vertex that is not there or has no area, or when more than two meet at an edge or
// two pass along it in the same direction, so that they do not look to the same side. `below` (m): how far what has
// come through a triangle is held, see ConvexSolid::below.
std::vector<ConvexSolid> mesh_triangles(std::span<const Vector3> vertices,
                                        std::span<const std::array<int, 3>> triangles,
                                        const Vector3& below = Vector3::Zero());

}  // namespace ricochet::geometry
