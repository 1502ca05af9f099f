// Machines that are placed a little beside their joints.
#pragma once

#include <string>
#include <utility>

#include "model/test_models.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics::test {

using namespace ricochet::test;

inline model::Joint joint_between(model::JointType type, const std::string& name, const model::Attachment& first,
                                  const model::Attachment& second) {
  model::Joint joint;
  joint.name = name;
  joint.type = type;
  joint.first = {first, {}};
  joint.second = {second, {}};
  return joint;
}

inline model::Joint rod_between(int first, int second, double length) {
  model::Joint rod = joint_between(model::JointType::distance, "rod" + std::to_string(first) + std::to_string(second),
                                   {{first}, Vector3::Zero()}, {{second}, Vector3::Zero()});
  rod.target = math::TimeFunction::constant(length);
  return rod;
}

// A bar from one point to another, with mass; its x axis points there. z is that of the world.
inline int add_bar(model::Model& model, double mass, const Vector3& from, const Vector3& to) {
  const double angle = std::atan2(to.y() - from.y(), to.x() - from.x());
  return add_box(model, mass, {0.5 * (to - from).norm(), 0.02, 0.02}, 0.5 * (from + to),
                 math::Quaternion::from_axis_angle(Vector3::UnitZ(), angle));
}

// Crank, coupler and rocker: hinges about z at O (0, 0), A, B and C (1, 0). In the plane, or in space, where three of
// the equations are redundant. Closed to rounding.
inline model::Model four_bar(bool planar) {
  model::Model model;
  model.planar = planar;
  const Vector3 o = Vector3::Zero(), c = Vector3::UnitX(), a(0.1, 0.3, 0), b(0.9, 0.7, 0);
  add_bar(model, 1, o, a);
  add_bar(model, 3, a, b);
  add_bar(model, 2, c, b);
  const double crank = 0.5 * a.norm(), coupler = 0.5 * (b - a).norm(), rocker = 0.5 * (b - c).norm();
  const auto add_hinge = [&](const std::string& name, const model::Attachment& first, const model::Attachment& second) {
    model.joints.push_back(joint_between(model::JointType::revolute, name, first, second));
  };
  add_hinge("o", {{}, o}, {{0}, {-crank, 0, 0}});
  add_hinge("a", {{0}, {crank, 0, 0}}, {{1}, {-coupler, 0, 0}});
  add_hinge("b", {{1}, {coupler, 0, 0}}, {{2}, {rocker, 0, 0}});
  add_hinge("c", {{}, c}, {{2}, {-rocker, 0, 0}});
  return model;
}

// Every node beside where it was, by up to `size` (m and rad), in the plane if the model is planar.
inline void displace(model::Model& model, math::Random& random, double size) {
  const auto shift = [&] { return size * random.uniform(-1, 1); };
  for (model::Node& node : model.nodes) {
    const Vector3 move(shift(), shift(), shift()), turn(shift(), shift(), shift());
    const Vector3 in_plane = model.planar ? Vector3(1, 1, 0) : Vector3::Ones().eval();
    const Vector3 about = model.planar ? Vector3::UnitZ().eval() : Vector3::Ones().eval();
    node.position += move.cwiseProduct(in_plane);
    if (node.kind == model::NodeKind::frame)
      node.orientation = math::advance(node.orientation, turn.cwiseProduct(about));
  }
}

// |d|_M^2 of the motion from one state to another, computed for itself: node by node, without Equations.
inline double motion_squared(const model::Model& model, const DofMap& map, const VectorX& from, const VectorX& to) {
  double sum = 0;
  for (const model::Body& body : model.bodies) {
    const int node = body.node.index, q = map.q_start(node);
    sum += body.mass * (to.segment<3>(q) - from.segment<3>(q)).squaredNorm();
    if (!map.is_frame(node)) continue;
    const math::Quaternion before{from[q + 3], from[q + 4], from[q + 5], from[q + 6]};
    const math::Quaternion after{to[q + 3], to[q + 4], to[q + 5], to[q + 6]};
    const Vector3 turn = math::logarithm(before.conjugate() * after);
    sum += turn.dot(body.inertia * turn);
  }
  return sum;
}

}  // namespace ricochet::mechanics::test
