// Small machines for the tests of the nonsmooth generalized-alpha scheme.
#pragma once

#include "integrate/runner.hpp"

namespace ricochet::integrate::test {

inline void add_hinge(model::Model& model, model::NodeId first, const Vector3& at_first, model::NodeId second,
                      const Vector3& at_second) {
  model::Joint joint;
  joint.name = "hinge" + std::to_string(model.joints.size());
  joint.type = model::JointType::revolute;
  joint.first = {{first, at_first}, model::axes_along(Vector3::UnitZ())};
  joint.second = {{second, at_second}, model::axes_along(Vector3::UnitZ())};
  model.joints.push_back(joint);
}

// A rod of 1 m and 3 kg along x, hinged at its left end.
inline model::Model alpha_pendulum(int rods = 1, bool planar = true) {
  model::Model model;
  model.planar = planar;
  model.gravity = Vector3(0, -10, 0);
  for (int i = 0; i < rods; ++i) {
    add_box(model, 3, Vector3(0.5, 0.05, 0.05), Vector3(i + 0.5, 0, 0));
    add_hinge(model, {i - 1}, i == 0 ? Vector3::Zero() : Vector3(0.5, 0, 0), {i}, Vector3(-0.5, 0, 0));
  }
  return model;
}

inline model::ContactLaw alpha_law(double friction, double restitution = 0, double tangential = 0) {
  model::ContactLaw law;
  law.friction = friction;
  law.restitution = restitution;
  law.tangential_restitution = tangential;
  return law;
}

// A box that falls turning on a rough floor.
inline model::Model tumbling_box(double friction, double restitution) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  add_box(model, 2, Vector3(0.3, 0.2, 0.1), Vector3(0, 0.6, 0), math::exponential(Vector3(0.4, 0.2, 0.7)));
  model.nodes[0].velocity = Vector3(1, 0, 0.5);
  model.nodes[0].angular_velocity = Vector3(2, -1, 3);
  put_on_ground(model, alpha_law(friction, restitution));
  return model;
}

}  // namespace ricochet::integrate::test
