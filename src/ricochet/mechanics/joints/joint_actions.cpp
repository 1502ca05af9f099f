#include "ricochet/mechanics/joints/joint_actions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace ricochet::mechanics {

namespace {

// Joints in which surfaces rub that carry the joint's own reaction.
bool rubs(model::JointType type) {
  switch (type) {
    case model::JointType::revolute:
    case model::JointType::universal:
    case model::JointType::cylindrical:
    case model::JointType::prismatic:
    case model::JointType::planar:
    case model::JointType::screw:
      return true;
    default:
      return false;
  }
}

class Validation {
 public:
  Validation(const model::Model& model, const JointSet& joints) : model_(model), joints_(joints) {}

  void check(const model::JointLimit& limit) const {
    const std::string where = name("limit", limit.coordinate);
    if (!(limit.lower < limit.upper)) {
      refuse(where, fmt::format("its lower end {:g} is not below its upper end {:g}", limit.lower, limit.upper));
    }
    if (!(limit.restitution >= 0 && limit.restitution <= 1)) refuse(where, "its restitution must be between 0 and 1");
  }

  void check(const model::JointFriction& friction) const {
    const std::string where = name("friction", friction.coordinate);
    for (const double each : {friction.coefficient, friction.radius, friction.length, friction.constant}) {
      if (!(each >= 0) || !std::isfinite(each)) refuse(where, "its numbers must be finite and not negative");
    }
    const model::Joint& joint = model_.joints[friction.coordinate.joint.index];
    if (friction.coefficient > 0 && !rubs(joint.type)) {
      refuse(where, fmt::format("nothing in a {} joint rubs under what it carries; give a constant instead",
                                name_of(joint.type)));
    }
    const bool angle = unit(friction.coordinate) == JointUnit::angle;
    if (friction.coefficient > 0 && angle && friction.radius == 0) {
      refuse(where, "a coefficient makes a torque only with a radius at which the pin rubs");
    }
    if (friction.length > 0 && angle) refuse(where, "a length of the guide says nothing about an angle");
    if (friction.radius > 0 && !angle) refuse(where, "a radius of the pin says nothing about a translation");
  }

  void check(const model::JointMotor& motor) const {
    const std::string where = name("motor", motor.coordinate);
    if (!(motor.largest >= 0) || !std::isfinite(motor.largest)) {
      refuse(where, "its largest force must be finite and not negative");
    }
  }

 private:
  JointUnit unit(const model::JointCoordinate& coordinate) const {
    return joints_.joint(coordinate.joint.index).coordinate_unit(coordinate.index);
  }

  // Of an action, once its coordinate is known to exist.
  std::string name(const char* kind, const model::JointCoordinate& coordinate) const {
    const int index = coordinate.joint.index;
    if (index < 0 || index >= joints_.joints()) throw std::invalid_argument(fmt::format("a {} without joint", kind));
    const model::Joint& joint = model_.joints[index];
    std::string where = fmt::format("the {} of joint '{}'", kind, joint.name);
    const int count = joints_.joint(index).coordinate_count();
    if (model::acts_on_coordinates(joint.type)) {
      refuse(where, fmt::format("a {} acts on coordinates of other joints; give it to the joint that it names",
                                name_of(joint.type)));
    }
    if (joint.type == model::JointType::distance) {
      refuse(where, "a distance joint holds its only coordinate, the length, so that nothing moves along it");
    }
    if (coordinate.index < 0 || coordinate.index >= count) {
      refuse(where, count == 0 ? fmt::format("a {} joint has no coordinates", name_of(joint.type))
                               : fmt::format("there is no coordinate {}; a {} joint has {}, counted from 0",
                                             coordinate.index, name_of(joint.type), count));
    }
    return where;
  }

  [[noreturn]] static void refuse(const std::string& where, const std::string& why) {
    throw std::invalid_argument(fmt::format("{}: {}", where, why));
  }

  const model::Model& model_;
  const JointSet& joints_;
};

}  // namespace

JointActions::JointActions(const model::Model& model, const JointSet& joints, double arm)
    : joints_(&joints),
      size_(arm),
      limits_(model.joint_limits),
      frictions_(model.joint_frictions),
      motors_(model.joint_motors) {
  const Validation validation(model, joints);
  for (const model::JointLimit& limit : limits_) validation.check(limit);
  for (const model::JointFriction& friction : frictions_) validation.check(friction);
  for (const model::JointMotor& motor : motors_) validation.check(motor);
  for (const model::Joint& joint : model.joints) types_.push_back(joint.type);
}

model::JointCoordinate JointActions::coordinate(int action) const {
  if (action < limits()) return limits_[action].coordinate;
  action -= limits();
  return action < frictions() ? frictions_[action].coordinate : motors_[action - frictions()].coordinate;
}

double JointActions::arm(int action) const {
  const model::JointCoordinate at = coordinate(action);
  return joints_->joint(at.joint.index).coordinate_unit(at.index) == JointUnit::angle ? size_ : 1;
}

double JointActions::value(int action, const State& state) const {
  const model::JointCoordinate at = coordinate(action);
  const int joint = at.joint.index;
  return joints_->joint(joint).coordinates(state, joints_->coordinates_of(joint, state))[at.index];
}

double JointActions::gap(int limit, int side, const State& state) const {
  const double s = value(limit, state);
  return arm(limit) * (side > 0 ? s - limits_[limit].lower : limits_[limit].upper - s);
}

double JointActions::capacity(int friction, const State& state, const VectorX& lambda) const {
  const model::JointFriction& data = frictions_[friction];
  const Joint& joint = joints_->joint(data.coordinate.joint.index);
  const bool angle = joint.coordinate_unit(data.coordinate.index) == JointUnit::angle;
  const double normal = data.coefficient > 0 ? normal_force(data, state, lambda) : 0;
  return (data.constant + data.coefficient * (angle ? data.radius : 1) * normal) / arm(limits() + friction);
}

double JointActions::normal_force(const model::JointFriction& friction, const State& state,
                                  const VectorX& lambda) const {
  const int index = friction.coordinate.joint.index;
  const Joint& joint = joints_->joint(index);
  const Joint::Rows own = lambda.segment(joints_->row_start(index), joint.rows());
  const Joint::Reaction reaction = joint.reaction(state, own);
  const Vector3 axis = joint.axis(state, friction.coordinate.index);
  const auto across = [&](const Vector3& vector) -> Vector3 { return vector - axis.dot(vector) * axis; };
  switch (types_[index]) {
    case model::JointType::planar:  // pressed together along the normal of the plane
      return std::abs(joint.axis(state, 2).dot(reaction.force));
    case model::JointType::screw:  // the thread carries the axial force as well
      return reaction.force.norm();
    default:
      break;
  }
  const Vector3 force = across(reaction.force);
  const bool guide = joint.coordinate_unit(friction.coordinate.index) == JointUnit::length && friction.length > 0;
  if (!guide) return force.norm();
  const Vector3 couple = math::cross(axis, reaction.torque) / friction.length;
  return (0.5 * force + couple).norm() + (0.5 * force - couple).norm();
}

}  // namespace ricochet::mechanics
