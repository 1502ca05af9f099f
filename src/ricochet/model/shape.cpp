#include "ricochet/model/shape.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ricochet/model/mass_properties.hpp"
#include "ricochet/model/polyhedron.hpp"

namespace ricochet::model {

namespace {

// One overload per shape, so that a new one cannot be forgotten.
struct ShapeValidation {
  const std::string& owner;

  void require_positive(double length, const char* name) const {
    if (std::isfinite(length) && length > 0) return;
    throw std::invalid_argument(fmt::format("the {} of {} must be positive", name, owner));
  }

  void operator()(const PointShape&) const {}
  void operator()(const SphereShape& sphere) const { require_positive(sphere.radius, "radius"); }
  void operator()(const BoxShape& box) const {
    if (box.half_extents.allFinite() && box.half_extents.minCoeff() > 0) return;
    throw std::invalid_argument(fmt::format("the half extents of {} must be positive", owner));
  }
  void operator()(const CylinderShape& cylinder) const {
    require_positive(cylinder.radius, "radius");
    require_positive(cylinder.half_length, "half length");
  }
  void operator()(const CapsuleShape& capsule) const {
    require_positive(capsule.radius, "radius");
    if (std::isfinite(capsule.half_length) && capsule.half_length >= 0) return;
    throw std::invalid_argument(fmt::format("the half length of {} must not be negative", owner));
  }
  void operator()(const ConeShape& cone) const {
    require_positive(cone.radius, "radius");
    require_positive(cone.height, "height");
  }
  void operator()(const PolyhedronShape& polyhedron) const { check_closed(polyhedron, owner); }
  void operator()(const FaceShape& face) const {
    if (face.half_extents.x() > 0 && face.half_extents.y() > 0) return;  // infinity is allowed
    throw std::invalid_argument(fmt::format("the half extents of {} must be positive", owner));
  }
  void operator()(const HollowSphereShape& hollow) const { require_positive(hollow.radius, "radius"); }
  void operator()(const HollowCylinderShape& hollow) const {
    require_positive(hollow.radius, "radius");
    if (hollow.half_length > 0) return;  // infinity is allowed
    throw std::invalid_argument(fmt::format("the half length of {} must be positive", owner));
  }
};

}  // namespace

std::string_view shape_name(const Shape& shape) {
  struct Name {
    std::string_view operator()(const PointShape&) const { return "point"; }
    std::string_view operator()(const SphereShape&) const { return "sphere"; }
    std::string_view operator()(const BoxShape&) const { return "box"; }
    std::string_view operator()(const CylinderShape&) const { return "cylinder"; }
    std::string_view operator()(const CapsuleShape&) const { return "capsule"; }
    std::string_view operator()(const ConeShape&) const { return "cone"; }
    std::string_view operator()(const PolyhedronShape&) const { return "polyhedron"; }
    std::string_view operator()(const FaceShape&) const { return "face"; }
    std::string_view operator()(const HollowSphereShape&) const { return "hollow-sphere"; }
    std::string_view operator()(const HollowCylinderShape&) const { return "hollow-cylinder"; }
  };
  return std::visit(Name{}, shape);
}

void validate(const Shape& shape, const std::string& owner) { std::visit(ShapeValidation{owner}, shape); }

Matrix3 solid_inertia(const Shape& shape, double mass) { return with_mass(shape, mass).inertia; }

}  // namespace ricochet::model
