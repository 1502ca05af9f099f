#include "bench/rigid_assembly.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ricochet::bench {

namespace {

constexpr double gravity = 9.81;  // m/s^2

// Rows n, t1, t2. Where the normal has no component along y (stacks, arches) t1 = y, and n and t2 are in the plane.
Matrix3 contact_axes(const Vector3& normal) {
  const Vector3 aside = std::abs(normal.y()) < 0.9 ? Vector3::UnitY() : Vector3::UnitX();
  Matrix3 axes;
  axes.row(0) = normal.transpose();
  axes.row(1) = (aside - aside.dot(normal) * normal).normalized().transpose();
  axes.row(2) = axes.row(0).cross(axes.row(1));
  return axes;
}

}  // namespace

int RigidAssembly::add_body(const model::MassProperties& properties) {
  bodies_.push_back({properties});
  return bodies() - 1;
}

void RigidAssembly::add_contact(int a, int b, const Vector3& point, const Vector3& normal, double friction) {
  if (a < 0 || a >= bodies() || b < ground || b >= bodies() || a == b) {
    throw std::invalid_argument("a contact is between two bodies, or a body and the ground");
  }
  contacts_.push_back({a, b, point, normal, friction});
}

cone::GlobalContactProblem RigidAssembly::problem(double step) const {
  cone::GlobalContactProblem result;
  const std::vector<int> sizes(bodies_.size(), 6);
  result.mass.reset(sizes);
  result.gradients.reset(sizes);
  result.momentum.setZero(6 * bodies());
  for (int i = 0; i < bodies(); ++i) {
    const Body& body = bodies_[i];
    result.mass.begin_row(6);
    auto block = result.mass.append(i);
    block.topLeftCorner(3, 3) = body.properties.mass * Matrix3::Identity();
    block.bottomRightCorner(3, 3) = body.properties.inertia;
    const Vector3 weight(0, 0, -gravity * body.properties.mass);
    result.momentum.segment(6 * i, 3) = body.properties.mass * body.velocity + step * (weight + body.force);
  }
  for (const Contact& contact : contacts_) {
    result.gradients.begin_row(3);
    const Matrix3 axes = contact_axes(contact.normal);
    const auto append = [&](int body, double sign) {
      if (body == ground) return;
      const Vector3 lever = contact.point - bodies_[body].properties.center;
      auto block = result.gradients.append(body);
      block.leftCols(3) = sign * axes;
      for (int k = 0; k < 3; ++k) {
        const Vector3 direction = axes.row(k);
        block.block(k, 3, 1, 3) = sign * lever.cross(direction).transpose();
      }
    };
    if (contact.a < contact.b) {  // columns ascend
      append(contact.a, 1);
      append(contact.b, -1);
    } else {
      append(contact.b, -1);
      append(contact.a, 1);
    }
    result.friction.emplace_back(contact.friction);
  }
  result.surface_velocity.setZero(3 * contacts());
  return result;
}

}  // namespace ricochet::bench
