// Mass, centre of mass and inertia of homogeneous solids, and of bodies composed of them. SI units: kg, m, kg m^2.
//
// With d = (x - center) and the integral taken over the mass, the inertia tensor is J = int (d.d 1 - d d^T) dm.
//
// Closed forms for a mass m, about the centre, in the axes of the shape (r radius, h half length, a b c half extents):
//
//   sphere    V = 4/3 pi r^3             J = 2/5 m r^2
//   box       V = 8 a b c                J_x = m/3 (b^2 + c^2) and so on
//   cylinder  V = 2 pi r^2 h             J_z = 1/2 m r^2,  J_x = J_y = m (r^2/4 + h^2/3)
//   capsule   V = 2 pi r^2 (h + 2/3 r)   the cylinder, of mass m_c = m 3h/(3h + 2r), and both hemispheres, together
//                                        m_s = m 2r/(3h + 2r):
//                                        J_z = 1/2 m_c r^2 + 2/5 m_s r^2
//                                        J_x = m_c (r^2/4 + h^2/3) + m_s (2/5 r^2 + 3/4 h r + h^2)
//   cone      V = 1/3 pi r^2 H           J_z = 3/10 m r^2,  J_x = J_y = 3/80 m (4 r^2 + H^2), with the height H and the
//                                        centre of mass H/4 above the disc, which is H/4 below the middle
//
// A hemisphere has 2/5 m r^2 about the centre of its flat side, and its centre of mass 3/8 r away from there; moving
// its axis by h from that point adds m (h^2 + 2 h 3/8 r): the last bracket.
//
// A polyhedron is the sum of the signed tetrahedra between a point o and the triangles of its faces (the divergence
// theorem, facet by facet). For the tetrahedron (o, a, b, c), with a b c taken from o and s = a + b + c:
//
//   V = a.(b x c)/6     int x dV = V s/4     int x x^T dV = V/20 (a a^T + b b^T + c c^T + s s^T)
//
// which is exact, since the integral of a quadratic function over a tetrahedron follows from the values at its corners.
// o is the mean of the vertices: differences of nearby vertices lose no digits, wherever the polyhedron lies.
#pragma once

#include <span>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/shape.hpp"

namespace ricochet::model {

struct MassProperties {
  double mass = 0;                    // kg
  Vector3 center = Vector3::Zero();   // m, the centre of mass
  Matrix3 inertia = Matrix3::Zero();  // kg m^2, about the centre of mass
};

// m^3; zero for a point, and negative for a polyhedron whose faces are listed inside out.
double volume(const Shape& shape);

// Of a homogeneous solid, in the axes of the shape, given its density (kg/m^3) or its mass (kg). A point has no volume,
// so no density gives it mass; a given mass sits at its place without inertia. A polyhedron must be closed (see
// polyhedron.hpp) and have a volume.
MassProperties solid(const Shape& shape, double density);
MassProperties with_mass(const Shape& shape, double mass);

// The same solid in the axes in which it is placed, x -> position + R x. The centre moves, the inertia (which stays
// about the centre) only turns: R J R^T.
MassProperties placed(const MassProperties& properties, const Vector3& position, const math::Quaternion& orientation);

// Of the union of parts that do not overlap, all given in the same axes: masses add, and inertias do about the common
// centre. No parts at all have no mass and lie at the origin; parts without mass have the centre of the first.
MassProperties combined(std::span<const MassProperties> parts);

// The inertia about another point, in the same axes: J + m (d.d 1 - d d^T) with d = center - point (the parallel axis
// theorem of Huygens and Steiner).
Matrix3 about_point(const MassProperties& properties, const Vector3& point);

}  // namespace ricochet::model
