// A model moved, turned or scaled as a whole: physics must not notice.
#pragma once

#include "ricochet/mechanics/joints/joint_parts.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::test {

inline void turn(const Matrix3& rotation, std::array<math::TimeFunction, 3>& functions) {
  const std::array<math::TimeFunction, 3> old = functions;
  for (int i = 0; i < 3; ++i)
    functions[i] = rotation(i, 0) * old[0] + rotation(i, 1) * old[1] + rotation(i, 2) * old[2];
}

// x -> Q x + c. Body coordinates stay, world coordinates turn.
inline model::Model moved(model::Model model, const math::Quaternion& rotation, const Vector3& offset) {
  const auto point = [&](const Vector3& x) { return Vector3(rotation.rotate(x) + offset); };
  model.gravity = rotation.rotate(model.gravity);
  for (model::Node& node : model.nodes) {
    node.position = point(node.position);
    node.velocity = rotation.rotate(node.velocity);
    if (node.kind == model::NodeKind::frame) node.orientation = (rotation * node.orientation).normalized();
  }
  for (model::Surface& surface : model.surfaces) {
    surface.point = point(surface.point);
    surface.normal = rotation.rotate(surface.normal).normalized();
    if (surface.mesh) {
      auto mesh = std::make_shared<model::TriangleMesh>(*surface.mesh);
      for (Vector3& vertex : mesh->vertices) vertex = point(vertex);
      surface.mesh = mesh;
    }
  }
  for (model::Spring& spring : model.springs) {
    if (spring.axis) spring.axis = rotation.rotate(*spring.axis).normalized();
    if (!spring.start.node.valid()) spring.start.offset = point(spring.start.offset);
    if (!spring.end.node.valid()) spring.end.offset = point(spring.end.offset);
  }
  for (model::TorsionSpring& spring : model.torsion_springs) spring.axis = rotation.rotate(spring.axis).normalized();
  for (model::Joint& joint : model.joints) {
    for (model::JointFrame* frame : {&joint.first, &joint.second}) {
      if (frame->attachment.node.valid()) continue;
      frame->attachment.offset = point(frame->attachment.offset);
      frame->axes = (rotation * frame->axes).normalized();
    }
  }
  for (model::VelocityRow& row : model.velocity_rows) row.axis = rotation.rotate(row.axis).normalized();
  for (model::Load& load : model.loads) {
    if (load.axes == model::LoadAxes::body) continue;
    turn(rotation.matrix(), load.force);
    turn(rotation.matrix(), load.torque);
  }
  for (model::Driver& driver : model.drivers) {
    if (driver.translation) {
      turn(rotation.matrix(), driver.translation->function);
      for (int i = 0; i < 3 && driver.translation->level == model::DriverLevel::position; ++i) {
        driver.translation->function[i] = driver.translation->function[i] + math::TimeFunction::constant(offset[i]);
      }
    }
    if (!driver.rotation || !driver.surface.valid()) continue;
    driver.rotation->axis = rotation.rotate(driver.rotation->axis).normalized();
    driver.rotation->center = point(driver.rotation->center);
  }
  return model;
}

// Lengths times `length`, masses times `mass`; times stay. Forces then scale with mass * length, stiffness with mass.
inline model::Model scaled(model::Model model, double length, double mass) {
  model.gravity *= length;
  for (model::Node& node : model.nodes) {
    node.position *= length;
    node.velocity *= length;
  }
  for (model::Body& body : model.bodies) {
    body.mass *= mass;
    body.inertia *= mass * length * length;
    body.center *= length;
    body.origin *= length;
    for (model::ShapePart& part : body.parts) {
      part.position *= length;
      if (auto* sphere = std::get_if<model::SphereShape>(&part.shape)) sphere->radius *= length;
      if (auto* box = std::get_if<model::BoxShape>(&part.shape)) box->half_extents *= length;
      if (auto* face = std::get_if<model::FaceShape>(&part.shape)) face->half_extents *= length;
      if (auto* hollow = std::get_if<model::HollowSphereShape>(&part.shape)) hollow->radius *= length;
      if (auto* hollow = std::get_if<model::HollowCylinderShape>(&part.shape)) {
        *hollow = {length * hollow->radius, length * hollow->half_length};
      }
      if (auto* capsule = std::get_if<model::CapsuleShape>(&part.shape)) {
        *capsule = {length * capsule->radius, length * capsule->half_length};
      }
      if (auto* cylinder = std::get_if<model::CylinderShape>(&part.shape)) {
        *cylinder = {length * cylinder->radius, length * cylinder->half_length};
      }
      if (auto* cone = std::get_if<model::ConeShape>(&part.shape))
        *cone = {length * cone->radius, length * cone->height};
      if (auto* polyhedron = std::get_if<model::PolyhedronShape>(&part.shape)) {
        for (Vector3& vertex : polyhedron->vertices) vertex *= length;
      }
    }
  }
  for (model::Surface& surface : model.surfaces) {
    surface.point *= length;
    if (surface.mesh) {
      auto mesh = std::make_shared<model::TriangleMesh>(*surface.mesh);
      for (Vector3& vertex : mesh->vertices) vertex *= length;
      surface.mesh = mesh;
    }
  }
  for (model::Spring& spring : model.springs) {
    spring.stiffness *= mass;
    spring.damping *= mass;
    spring.free_length *= length;
    spring.start.offset *= length;
    spring.end.offset *= length;
  }
  for (model::TorsionSpring& spring : model.torsion_springs) {
    spring.stiffness *= mass * length * length;
    spring.damping *= mass * length * length;
  }
  for (model::ContactRule& rule : model.contacts) {
    rule.law.rolling *= length;
    rule.law.spinning *= length;
    for (model::MaterialLaw& each : rule.material_laws) {
      each.law.rolling *= length;
      each.law.spinning *= length;
    }
  }
  for (model::Clearance& clearance : model.clearances) {
    clearance.first_frame.attachment.offset *= length;
    clearance.second_frame.attachment.offset *= length;
    clearance.clearance *= length;
    clearance.radius *= length;
    clearance.half_size *= length;
    clearance.half_length *= length;
    clearance.axial_clearance *= length;
  }
  for (model::Joint& joint : model.joints) {
    joint.pitch *= length;
    joint.first.attachment.offset *= length;
    joint.second.attachment.offset *= length;
    const bool is_length = joint.type == model::JointType::distance || joint.type == model::JointType::screw;
    if (joint.target && is_length) joint.target = length * *joint.target;
  }
  for (model::VelocityRow& row : model.velocity_rows) {
    row.first.offset *= length;
    row.second.offset *= length;
    if (row.kind == model::VelocityKind::translation) row.speed = length * row.speed;
  }
  const auto is_angle = [&](const model::JointCoordinate& coordinate) {
    const model::Joint& joint = model.joints[coordinate.joint.index];
    const auto measure = mechanics::joint_layout(joint.type, joint.pitch).coordinates[coordinate.index].measure;
    return mechanics::unit_of(measure) == mechanics::JointUnit::angle;
  };
  for (model::JointSpring& spring : model.joint_springs) {
    const bool angle = is_angle(spring.coordinate);
    spring.stiffness *= angle ? mass * length * length : mass;
    spring.damping *= angle ? mass * length * length : mass;
    if (!angle) spring.rest = length * spring.rest;
  }
  for (model::JointLimit& limit : model.joint_limits) {
    limit.lower *= is_angle(limit.coordinate) ? 1 : length;
    limit.upper *= is_angle(limit.coordinate) ? 1 : length;
  }
  for (model::JointFriction& friction : model.joint_frictions) {
    friction.radius *= length;
    friction.length *= length;
    friction.constant *= mass * length * (is_angle(friction.coordinate) ? length : 1);
  }
  for (model::JointMotor& motor : model.joint_motors) {
    motor.largest *= mass * length * (is_angle(motor.coordinate) ? length : 1);
    if (!is_angle(motor.coordinate)) motor.speed = length * motor.speed;
  }
  for (model::Driver& driver : model.drivers) {
    if (driver.translation) {
      for (math::TimeFunction& function : driver.translation->function) function = length * function;
    }
    if (driver.rotation) driver.rotation->center *= length;
  }
  for (model::Load& load : model.loads) {
    load.point.offset *= length;
    for (math::TimeFunction& force : load.force) force = (mass * length) * force;
    for (math::TimeFunction& torque : load.torque) torque = (mass * length * length) * torque;
  }
  return model;
}

}  // namespace ricochet::test
