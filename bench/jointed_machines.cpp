#include "bench/jointed_machines.hpp"

#include <cmath>
#include <string>

namespace ricochet::bench {

namespace {

int add_frame(model::Model& machine, const Vector3& position, double angle, double mass, const Matrix3& inertia) {
  model::Node node;
  node.name = "body-" + std::to_string(machine.bodies.size());
  node.kind = model::NodeKind::frame;
  node.position = position;
  node.orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), angle);
  model::Body body;
  body.name = node.name;
  body.node = {static_cast<int>(machine.nodes.size())};
  body.mass = mass;
  body.inertia = inertia;
  machine.nodes.push_back(node);
  machine.bodies.push_back(body);
  return body.node.index;
}

int add_ball(model::Model& machine, const Vector3& position) {
  const model::SphereShape shape{0.1};
  const int node = add_frame(machine, position, 0, 1, model::solid_inertia(shape, 1));
  machine.bodies.back().parts = {{shape}};
  return node;
}

// The axis of a hinge, or the direction of a guide, is the same in both bodies: none of them is turned about another
// axis than z.
void add_joint(model::Model& machine, model::JointType type, int first, const Vector3& at_first, int second,
               const Vector3& at_second, const Vector3& axis = Vector3::UnitZ()) {
  model::Joint joint;
  joint.name = "joint-" + std::to_string(machine.joints.size());
  joint.type = type;
  joint.first = {{{first}, at_first}, model::axes_along(axis)};
  joint.second = {{{second}, at_second}, model::axes_along(axis)};
  machine.joints.push_back(joint);
}

void add_ground_contact(model::Model& machine, int bodies, const model::ContactLaw& law) {
  model::Surface ground;
  ground.name = "ground";
  ground.normal = Vector3::UnitY();
  machine.surfaces.push_back(ground);
  model::ContactRule rule;
  rule.name = "touch";
  for (int i = 0; i < bodies; ++i) rule.first.push_back({{i}, {}});
  rule.second.push_back({{}, {0}});
  rule.law = law;
  machine.contacts.push_back(rule);
}

Matrix3 bar_inertia(double mass, double length) {
  return mass * length * length / 12 * Vector3(0.01, 1, 1).asDiagonal();
}

}  // namespace

model::Model swinging_chain(int links) {
  constexpr double length = 0.1, lean = 0.5;
  model::Model machine;
  machine.planar = true;
  machine.gravity = {0, -9.81, 0};
  const double angle = lean - M_PI / 2;
  const Vector3 along(std::cos(angle), std::sin(angle), 0), half(length / 2, 0, 0);
  for (int i = 0; i < links; ++i) {
    add_frame(machine, (i + 0.5) * length * along, angle, 1, bar_inertia(1, length));
    add_joint(machine, model::JointType::revolute, i - 1, i == 0 ? Vector3(Vector3::Zero()) : half, i, -half);
  }
  return machine;
}

model::Model slider_crank(bool planar) {
  constexpr double crank = 0.153, rod = 0.306, speed = 150;  // m, m, rad/s
  model::Model machine;
  machine.planar = planar;
  add_frame(machine, {crank / 2, 0, 0}, 0, 0.038, Vector3(7.4e-5, 7.4e-5, 7.4e-5).asDiagonal());
  add_frame(machine, {crank + rod / 2, 0, 0}, 0, 0.038, Vector3(5.9e-4, 5.9e-4, 5.9e-4).asDiagonal());
  add_frame(machine, {crank + rod, 0, 0}, 0, 0.076, Vector3(2.7e-6, 2.7e-6, 2.7e-6).asDiagonal());
  add_joint(machine, model::JointType::revolute, -1, {0, 0, 0}, 0, {-crank / 2, 0, 0});
  add_joint(machine, model::JointType::revolute, 0, {crank / 2, 0, 0}, 1, {-rod / 2, 0, 0});
  add_joint(machine, model::JointType::revolute, 1, {rod / 2, 0, 0}, 2, {0, 0, 0});
  add_joint(machine, model::JointType::prismatic, -1, {0, 0, 0}, 2, {0, 0, 0}, Vector3::UnitX());
  // In line: the pin of the crank moves across, the slider stands still.
  machine.nodes[0].angular_velocity = {0, 0, speed};
  machine.nodes[0].velocity = {0, speed * crank / 2, 0};
  machine.nodes[1].angular_velocity = {0, 0, -speed * crank / rod};
  machine.nodes[1].velocity = {0, speed * crank / 2, 0};
  return machine;
}

model::Model loose_bodies_and_one_spring(int balls) {
  model::Model machine;
  machine.gravity = {0, -9.81, 0};
  for (int i = 0; i < balls; ++i) {
    const int node = add_ball(machine, {0.3 * i, 0.1 + 1e-3 * (i % 7), 0});
    machine.nodes[node].velocity = {0.5, 0, 0.2};
  }
  const int first = add_ball(machine, {0, 5, 0}), second = add_ball(machine, {1, 5, 0});
  model::Spring spring;
  spring.name = "spring";
  spring.start = {{first}, Vector3::Zero()};
  spring.end = {{second}, Vector3::Zero()};
  spring.stiffness = 100;
  spring.free_length = 0.9;
  machine.springs.push_back(spring);
  add_ground_contact(machine, balls, {0.3, 0.5, 0});
  return machine;
}

model::Model touching_pendulums(int count) {
  constexpr double arm = 0.5, radius = 0.1;
  model::Model machine;
  machine.gravity = {0, -9.81, 0};
  for (int i = 0; i < count; ++i) {
    // The bob just touches when the pendulum hangs at 1 rad from the vertical; it falls back on the plane from 1.02.
    const double angle = 1 + 0.02 * (1 + i % 3) / 3, height = radius + arm * std::cos(1.0);
    const Vector3 bob = Vector3(3.0 * i + arm * std::sin(angle), height - arm * std::cos(angle), 0);
    const int node = add_ball(machine, bob);
    add_joint(machine, model::JointType::revolute, -1, Vector3(3.0 * i, height, 0), node,
              Vector3(3.0 * i, height, 0) - bob);
  }
  add_ground_contact(machine, count, {0.3, 0, 0});
  return machine;
}

}  // namespace ricochet::bench
