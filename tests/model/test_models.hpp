// Small models for the tests: every function adds a node and the body on it, so that both have the same index.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ricochet/math/random.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::test {

inline Vector3 random_vector3(math::Random& random, double size = 1) {
  const double x = random.normal(), y = random.normal(), z = random.normal();
  return size * Vector3(x, y, z);
}

inline math::Quaternion random_rotation(math::Random& random) {
  const double w = random.normal(), x = random.normal(), y = random.normal(), z = random.normal();
  return math::Quaternion{w, x, y, z}.normalized();
}

// A symmetric tensor that a real body can have: that of three pairs of masses on turned axes.
inline Matrix3 random_inertia(math::Random& random) {
  const Vector3 squares(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2));
  const Matrix3 turn = random_rotation(random).matrix();
  const Matrix3 inertia = turn * (squares.sum() * Vector3::Ones() - squares).asDiagonal() * turn.transpose();
  return 0.5 * (inertia + inertia.transpose());
}

// All translations of a node or of a surface, with a constant velocity along x. Name: driver and the number.
inline model::Driver driver(int node, int surface, int number, double speed = 1) {
  model::Driver driver{"driver" + std::to_string(number), {node}, {surface}, model::DrivenTranslation{}, {}};
  driver.translation->function[0] = math::TimeFunction::constant(speed);
  return driver;
}

inline int add_body(model::Model& model, const model::Node& node, double mass, const model::Shape& shape,
                    const Matrix3& inertia) {
  const int index = static_cast<int>(model.nodes.size());
  model.nodes.push_back(node);
  model.nodes.back().name = "body" + std::to_string(index);
  model::Body body;
  body.name = model.nodes.back().name;
  body.node = {index};
  body.mass = mass;
  body.inertia = inertia;
  body.parts = {{shape}};
  model.bodies.push_back(body);
  return index;
}

inline int add_point(model::Model& model, double mass, const Vector3& position,
                     const Vector3& velocity = Vector3::Zero()) {
  model::Node node;
  node.position = position;
  node.velocity = velocity;
  return add_body(model, node, mass, model::PointShape{}, Matrix3::Zero());
}

inline int add_ball(model::Model& model, double mass, double radius, const Vector3& position,
                    const Vector3& velocity = Vector3::Zero()) {
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = position;
  node.velocity = velocity;
  const model::SphereShape shape{radius};
  return add_body(model, node, mass, shape, model::solid_inertia(shape, mass));
}

inline int add_box(model::Model& model, double mass, const Vector3& half_extents, const Vector3& position,
                   const math::Quaternion& orientation = {}) {
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = position;
  node.orientation = orientation;
  const model::BoxShape shape{half_extents};
  return add_body(model, node, mass, shape, model::solid_inertia(shape, mass));
}

// Upright: its axis is z.
inline int add_cylinder(model::Model& model, double mass, double radius, double half_length, const Vector3& position,
                        const math::Quaternion& orientation = {}) {
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = position;
  node.orientation = orientation;
  const model::CylinderShape shape{radius, half_length};
  return add_body(model, node, mass, shape, model::solid_inertia(shape, mass));
}

// A frame with everything at random and a general inertia.
inline int add_random_frame(model::Model& model, math::Random& random,
                            const model::Shape& shape = model::SphereShape{0.5}) {
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = random_vector3(random, 3);
  node.orientation = random_rotation(random);
  node.velocity = random_vector3(random);
  node.angular_velocity = random_vector3(random);
  return add_body(model, node, random.uniform(0.5, 2), shape, random_inertia(random));
}

inline int add_random_point(model::Model& model, math::Random& random) {
  const Vector3 position = random_vector3(random, 3);
  const Vector3 velocity = random_vector3(random);
  return add_point(model, random.uniform(0.5, 2), position, velocity);
}

inline int add_surface(model::Model& model, const Vector3& point, const Vector3& normal) {
  model.surfaces.push_back({"surface" + std::to_string(model.surfaces.size()), point, normal});
  return static_cast<int>(model.surfaces.size()) - 1;
}

inline model::Participant body(int index) { return {.body = {index}, .surface = {}}; }
inline model::Participant surface(int index) { return {.body = {}, .surface = {index}}; }

inline void add_contact(model::Model& model, std::vector<model::Participant> first,
                        std::vector<model::Participant> second, const model::ContactLaw& law = {}) {
  model.contacts.push_back({"rule" + std::to_string(model.contacts.size()), std::move(first), std::move(second), law});
}

inline void add_spring(model::Model& model, const model::Attachment& start, const model::Attachment& end,
                       double stiffness, double damping, double free_length, std::optional<Vector3> axis = {}) {
  model.springs.push_back(
      {"spring" + std::to_string(model.springs.size()), start, end, stiffness, damping, free_length, axis});
}

inline void add_torsion_spring(model::Model& model, int start, int end, const Vector3& axis, double stiffness,
                               double damping, double free_angle = 0) {
  model.torsion_springs.push_back({"torsion" + std::to_string(model.torsion_springs.size()),
                                   {{start}, Vector3::Zero()},
                                   {{end}, Vector3::Zero()},
                                   axis,
                                   stiffness,
                                   damping,
                                   free_angle});
}

inline std::array<math::TimeFunction, 3> constant_functions(const Vector3& value) {
  return {math::TimeFunction::constant(value.x()), math::TimeFunction::constant(value.y()),
          math::TimeFunction::constant(value.z())};
}

}  // namespace ricochet::test
