// What makes a list of vertices and faces the surface of a solid, and how triangles become flat faces.
//
// A closed surface that can be told from its outside: every edge belongs to exactly two faces, which pass along it in
// opposite directions. Then the signed volume (mass_properties.hpp) does not depend on the point it is computed from,
// and its sign says whether the faces are counter-clockwise seen from outside.
//
// All tolerances are fractions of the extent of the polyhedron, the longest edge of its bounding box: the same shape in
// other units is judged the same, bit for bit when the units differ by a power of two.
//
// The plane of a face has Newell's normal, the sum of x_i x x_(i+1) around the polygon: twice its area vector, also
// where the polygon is neither convex nor exactly flat. (M. E. Newell's formula as given by I. E. Sutherland, R. F.
// Sproull, R. A. Schumacker, "A characterization of ten hidden-surface algorithms", ACM Computing Surveys 6, 1974.)
#pragma once

#include <span>
#include <string>

#include "ricochet/math/types.hpp"
#include "ricochet/model/shape.hpp"

namespace ricochet::model {

inline constexpr double kFlatnessTolerance = 1e-9;  // vertices of a face may leave its plane by this part of the extent
inline constexpr double kCoplanarTolerance = 1e-10;  // faces whose vertices are closer than this to one plane are one

// The longest edge of the bounding box with edges along the axes (m).
double extent(std::span<const Vector3> points);

// Throws std::invalid_argument with a sentence that names the owner ("body 'wheel'") and the face or vertex, both
// counted from 0, when this is not the surface of a solid: numbers that are not finite, an index out of range, a face
// with fewer than three vertices, with a repeated one, without area or not planar, a vertex of no face, an edge not
// shared by exactly two faces in opposite directions, no volume, or faces turned inside out. It does not see faces that
// cross each other.
void check_closed(const PolyhedronShape& polyhedron, const std::string& owner);

// The same convex polyhedron with faces that lie in one plane joined to polygons. Vertices inside a face or in the
// middle of a straight edge disappear; the others keep their order. Each face begins with its lowest index, and the
// faces are sorted, so that the result does not depend on how the surface was cut into pieces.
//
// A group of faces begins with the largest that is left and spreads over edges as long as all vertices are close to the
// plane of that first face; so a finely divided curved surface does not melt into one face, as it would if neighbours
// were compared pairwise. No vertex of the original is more than four tolerances outside a joined face. Should that not
// be reached, or a group not be a convex polygon (which takes faces that deviate from a plane by about the tolerance),
// nothing is joined at all.
PolyhedronShape merged_coplanar_faces(const PolyhedronShape& convex);

}  // namespace ricochet::model
