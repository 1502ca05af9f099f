// A surface of triangles: the ground of a landscape, the inside of a funnel, a scanned object that does not move.
//
// Every triangle has one side, from which its corners are counter-clockwise: bodies live there. Neighbours share two
// vertices by their numbers; then no body that slides over the edge between them notices it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::model {

struct TriangleMesh {
  std::vector<Vector3> vertices;  // m
  std::vector<std::array<int, 3>> triangles;
  // m: what has come through a triangle, by no more than this far along this direction, is held all the same. Of
  // landscapes, under which nobody lives; zero: what is behind a triangle has nothing to do with it.
  Vector3 below = Vector3::Zero();
};

// The same surface, seen from its other side.
TriangleMesh flipped(TriangleMesh mesh);

// Throws std::invalid_argument with a sentence that names the owner ("surface 'ground'") and the triangle or vertex,
// counted from 0: numbers that are not finite, an index out of range, a triangle without area, an edge that three
// triangles share or two in the same direction.
void validate(const TriangleMesh& mesh, const std::string& owner);

// A landscape z(x, y) over a rectangular grid. `heights` (m) come row by row, rows along x, the next row further along
// y; the first is at the origin. Seen from above every cell is cut from its corner at low x and low y to the opposite
// one. What has come through is held to a depth of half the smaller spacing. Throws std::invalid_argument if there are
// not `columns` heights in every row, at least two rows and columns, and positive spacings (m).
TriangleMesh height_field(std::span<const double> heights, int columns, double spacing_x, double spacing_y);

// Vertices moved to position + R x.
TriangleMesh placed(TriangleMesh mesh, const Vector3& position, const math::Quaternion& orientation);

// Vertices at the very same place become one: files that list the corners of each triangle alone have no neighbours
// otherwise. Triangles with two corners at one place, which have no area, are dropped.
TriangleMesh with_joined_vertices(const TriangleMesh& mesh);

}  // namespace ricochet::model
