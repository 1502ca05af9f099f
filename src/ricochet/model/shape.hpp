// Shapes of bodies and the inertia that follows from them for a uniform density. Lengths in m, centred in the body
// frame.
#pragma once

#include <string_view>
#include <variant>

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

std::string_view shape_name(const Shape& shape);

// Inertia tensor (kg m^2) of a homogeneous solid of this shape and mass; zero for a point.
Matrix3 solid_inertia(const Shape& shape, double mass);

}  // namespace ricochet::model
