#include "ricochet/model/shape.hpp"

namespace ricochet::model {

std::string_view shape_name(const Shape& shape) {
  struct Name {
    std::string_view operator()(const PointShape&) const { return "point"; }
    std::string_view operator()(const SphereShape&) const { return "sphere"; }
    std::string_view operator()(const BoxShape&) const { return "box"; }
  };
  return std::visit(Name{}, shape);
}

Matrix3 solid_inertia(const Shape& shape, double mass) {
  struct Inertia {
    double mass;
    Matrix3 operator()(const PointShape&) const { return Matrix3::Zero(); }
    Matrix3 operator()(const SphereShape& sphere) const {
      return 0.4 * mass * sphere.radius * sphere.radius * Matrix3::Identity();
    }
    Matrix3 operator()(const BoxShape& box) const {
      const Vector3 squared = box.half_extents.cwiseAbs2();  // (edge / 2)^2, hence m/3 where edges would give m/12
      return Vector3(squared.y() + squared.z(), squared.x() + squared.z(), squared.x() + squared.y()).asDiagonal() *
             Matrix3(Matrix3::Identity() * (mass / 3));
    }
  };
  return std::visit(Inertia{mass}, shape);
}

}  // namespace ricochet::model
