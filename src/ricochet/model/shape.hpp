// Shapes of bodies: plain data, each in its own axes. Lengths in m. What follows from a shape and a density (mass,
// centre of mass, inertia) is in mass_properties.hpp, what makes a list of faces a polyhedron in polyhedron.hpp.
//
//   point       nothing but its place
//   sphere      |x| <= radius
//   box         |x_i| <= half_extents_i
//   cylinder    x^2 + y^2 <= radius^2 and |z| <= half_length: flat ends, the axis is z
//   capsule     all points within `radius` of the segment |z| <= half_length on the axis z: round ends
//   cone        from the disc of this radius at z = -height/2 to the apex at z = height/2
//   polyhedron  what its faces enclose; it need neither be convex nor contain the origin
//   face        the rectangle |x| <= half_extents_x, |y| <= half_extents_y at z = 0, of which only the side z > 0 holds
//               what comes near; infinite extents: a plane. It has neither volume nor mass. In planar scenes it is a
//               line: the part turns its z into the plane, and its extent in y is infinite
//   hollow sphere    the inside of the surface |x| = radius: a container. It holds what is in it and has neither volume
//                    nor mass. In planar scenes it is a circle
//   hollow cylinder  the inside of x^2 + y^2 = radius^2 for |z| <= half_length, a bore, open at both ends; infinite
//   half
//                    length: without ends. Neither volume nor mass. In planar scenes, with its axis along z, a circle
//
// All but cone and polyhedron have their centre of mass at the origin of their axes.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/ids.hpp"

namespace ricochet::model {

struct PointShape {};

struct SphereShape {
  double radius = 0;
};

struct BoxShape {
  Vector3 half_extents = Vector3::Zero();
};

struct CylinderShape {
  double radius = 0;
  double half_length = 0;
};

struct CapsuleShape {
  double radius = 0;
  double half_length = 0;  // of the straight part: from end to end the capsule measures 2 (half_length + radius)
};

struct ConeShape {
  double radius = 0;
  double height = 0;
};

// Each face is a planar polygon: indices of its vertices, counter-clockwise seen from outside.
struct PolyhedronShape {
  std::vector<Vector3> vertices;
  std::vector<std::vector<int>> faces;
};

struct FaceShape {
  Vector2 half_extents = Vector2::Constant(std::numeric_limits<double>::infinity());
};

struct HollowSphereShape {
  double radius = 0;
};

struct HollowCylinderShape {
  double radius = 0;
  double half_length = std::numeric_limits<double>::infinity();
};

using Shape = std::variant<PointShape, SphereShape, BoxShape, CylinderShape, CapsuleShape, ConeShape, PolyhedronShape,
                           FaceShape, HollowSphereShape, HollowCylinderShape>;

// A shape placed in the axes of a body: x_body = position + R x_shape.
struct ShapePart {
  Shape shape = PointShape{};
  Vector3 position = Vector3::Zero();
  math::Quaternion orientation = {};  // R: axes of the shape to axes of the body
  std::string name = {};              // of the part, in a body of several
  MaterialId material = {};           // not valid: none
  // Parts touch parts of the same channel only, under a rule that has it (ContactRule). Channel 0 is that of the parts
  // that bodies are made of; those that an assembly adds (model/assemblies) have channels of their own, so that they
  // touch each other and nothing else.
  int channel = 0;
};

std::string_view shape_name(const Shape& shape);

// A face or something hollow: it holds balls and corners of others, and has no volume, no mass, no features.
inline bool is_holder(const Shape& shape) {
  return std::holds_alternative<FaceShape>(shape) || std::holds_alternative<HollowSphereShape>(shape) ||
         std::holds_alternative<HollowCylinderShape>(shape);
}

// Throws std::invalid_argument when no solid has these dimensions. The sentence names the owner, which is given as it
// shall be read: "body 'wheel'". Only the straight part of a capsule may have no length.
void validate(const Shape& shape, const std::string& owner);

// Inertia tensor (kg m^2) of a homogeneous solid of this shape and mass about its centre of mass, in the axes of the
// shape; zero for a point.
Matrix3 solid_inertia(const Shape& shape, double mass);

}  // namespace ricochet::model
