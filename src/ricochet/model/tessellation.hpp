// Surfaces of shapes as triangles, to be drawn or handed to other programs; contacts never see them.
//
// Round shapes are surfaces of revolution: a profile of points (r, z) from the lowest to the highest, turned about z in
// equal steps. All vertices lie on the true surface, so a convex shape contains its triangles, and what is missing of
// its volume falls with the square of the number of segments.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ricochet/math/types.hpp"
#include "ricochet/model/shape.hpp"
#include "ricochet/model/triangle_mesh.hpp"

namespace ricochet::model {

inline constexpr int kDrawnSegments = 24;

// Closed, and counter-clockwise seen from outside, but for hollow shapes; in the axes of the shape. A point has no
// surface. `segments`, a multiple of 4, is how often a full circle is divided.
TriangleMesh tessellated(const Shape& shape, int segments = kDrawnSegments);

// A face as a thin plate behind it, so that it can be seen from its edge, too. `unlimited` (m) takes the place of half
// extents that are infinite; `tessellated` takes 1 m.
TriangleMesh drawn_face(const FaceShape& face, const Vector2& unlimited);

// The inner wall of a hollow shape, which faces inwards: pictures that leave out what faces away show what is inside.
// Of a cylinder the ends have thin rings, so that it can be seen along its axis, too. Not closed. `unlimited` (m) takes
// the place of an infinite half length; `tessellated` takes 1 m.
TriangleMesh drawn_hollow(const HollowSphereShape& hollow, int segments = kDrawnSegments);
TriangleMesh drawn_hollow(const HollowCylinderShape& hollow, double unlimited, int segments = kDrawnSegments);

// A simple planar polygon cut into triangles that turn the same way, by cutting off ears (G. H. Meisters, "Polygons
// have ears", American Mathematical Monthly 82, 1975). `corners` are indices into the vertices.
std::vector<std::array<int, 3>> triangulated(std::span<const Vector3> vertices, std::span<const int> corners);

}  // namespace ricochet::model
