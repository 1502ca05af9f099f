// Shapes of bodies and the inertia that follows from them for a uniform density. Lengths in m, centred in the body
// frame.
#pragma once

#include <string_view>
#include <variant>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::model {

struct PointShape {};

struct SphereShape {
  double radius = 0;
};

struct BoxShape {
  Vector3 half_extents = Vector3::Zero();
};

using Shape = std::variant<PointShape, SphereShape, BoxShape>;

// A shape placed in the axes of a body.
struct ShapePart {
  Shape shape = PointShape{};
  Vector3 position = Vector3::Zero();  // m
  math::Quaternion orientation = {};   // shape to body
};

std::string_view shape_name(const Shape& shape);

// Inertia tensor (kg m^2) of a homogeneous solid of this shape and mass; zero for a point.
Matrix3 solid_inertia(const Shape& shape, double mass);

}  // namespace ricochet::model
