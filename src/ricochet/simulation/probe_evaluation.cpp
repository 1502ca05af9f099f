// The value of a probe source in a frame.
#include <algorithm>
#include <cmath>

#include "ricochet/mechanics/material_point.hpp"
#include "ricochet/simulation/clearance_probe.hpp"
#include "ricochet/simulation/frame.hpp"
#include "ricochet/simulation/probe.hpp"
#include "ricochet/simulation/system_probe.hpp"

namespace ricochet::simulation {

namespace {

double vector_component(const Vector3& vector, int component) {
  return component < 3 ? vector[component] : vector.stableNorm();
}

double contact_component(const Vector3& vector, int component) {
  return component < 3 ? vector[component] : std::hypot(vector[1], vector[2]);
}

Vector3 motion(const ProbeSource& source, const Frame& frame) {
  const mechanics::DofMap& map = frame.equations.map();
  const mechanics::State& state = frame.state;
  const int node = source.node.index;
  const mechanics::MaterialPoint point(model::Attachment{source.node, source.offset});

  switch (source.quantity) {
    case Quantity::position:
      return point.position(map, state);
    case Quantity::displacement:
      return point.position(map, state) - point.position(map, frame.initial_state);
    case Quantity::velocity:
      return point.velocity(map, state);
    case Quantity::rotation_vector:
      return math::logarithm(mechanics::orientation(map, state, node));
    default:
      break;
  }

  const int start = map.v_start(node);
  Vector3 angular_velocity = Vector3::Zero();
  Vector3 angular_acceleration = Vector3::Zero();
  if (map.is_frame(node)) {
    angular_velocity = state.v.segment<3>(start + 3);
    angular_acceleration = state.a.segment<3>(start + 3);
  }
  switch (source.quantity) {
    case Quantity::acceleration: {
      const Vector3 centre = state.a.segment<3>(start);
      const Vector3 turning = math::cross(angular_acceleration, source.offset) +
                              math::cross(angular_velocity, math::cross(angular_velocity, source.offset));
      return centre + mechanics::orientation(map, state, node).rotate(turning);
    }
    case Quantity::angular_velocity:
      return angular_velocity;
    case Quantity::angular_velocity_world:
      return mechanics::orientation(map, state, node).rotate(angular_velocity);
    default:
      return angular_acceleration;
  }
}

bool belongs_to(const contact::ContactKey& key, const ProbeSource& source) {
  if (key.rule != source.rule.index) return false;
  if (source.participant_a < 0) return true;
  return (key.participant_a == source.participant_a && key.participant_b == source.participant_b) ||
         (key.participant_a == source.participant_b && key.participant_b == source.participant_a);
}

double severity(cone::ContactStatus status) {
  switch (status) {
    case cone::ContactStatus::open:
      return 0;
    case cone::ContactStatus::stick:
      return 1;
    case cone::ContactStatus::slip:
      return 2;
  }
  return 0;
}

double contact_value(const ProbeSource& source, const Frame& frame) {
  double result = 0;
  const integrate::ContactRecord* strongest = nullptr;
  for (const integrate::ContactRecord& record : frame.contacts) {
    if (!belongs_to(record.key, source)) continue;
    if (strongest == nullptr || record.impulse[0] > strongest->impulse[0]) strongest = &record;
    switch (source.quantity) {
      case Quantity::contact_count:
        result += 1;
        break;
      case Quantity::contact_status:
        result = std::max(result, severity(record.status));
        break;
      case Quantity::contact_impulse:
        result += contact_component(record.impulse, source.component);
        break;
      case Quantity::contact_force:
        result += contact_component(record.force, source.component);
        break;
      case Quantity::contact_shift:
        result += contact_component(record.shift, source.component);
        break;
      case Quantity::contact_moment:
        result += contact_component(record.moment, source.component);
        break;
      case Quantity::contact_torque:
        result += contact_component(record.torque, source.component);
        break;
      case Quantity::contact_work:
        result += source.component == 0   ? record.work_normal
                  : source.component == 1 ? record.work_tangential
                                          : record.work_resistance;
        break;
      default:
        break;
    }
  }
  if (source.quantity == Quantity::contact_velocity && strongest != nullptr) {
    return contact_component(strongest->velocity, source.component);
  }
  if (source.quantity == Quantity::contact_spin && strongest != nullptr) {
    return contact_component(strongest->spin, source.component);
  }
  return result;
}

double driver_value(const ProbeSource& source, const Frame& frame) {
  const std::vector<integrate::DriverRecord>& records = frame.report.drivers;
  if (records.empty()) return 0;  // at t = 0
  const integrate::DriverRecord& record = records[source.driver.index];
  if (source.quantity == Quantity::driver_power) return record.power;
  const Vector3& vector = source.quantity == Quantity::driver_force ? record.force : record.torque;
  if (source.component != along_driver) return vector_component(vector, source.component);
  const model::Driver& driver = frame.model.drivers[source.driver.index];
  if (source.quantity == Quantity::driver_torque) {
    if (!driver.rotation) return vector.stableNorm();
    const mechanics::DofMap& map = frame.equations.map();
    const math::Quaternion rotation =
        driver.node.valid() ? mechanics::orientation(map, frame.state, driver.node.index) : math::Quaternion{};
    return vector.dot(rotation.rotate(driver.rotation->axis));
  }
  const std::array<bool, 3> driven = driver.translation ? driver.translation->components : std::array<bool, 3>{};
  if (std::count(driven.begin(), driven.end(), true) != 1) return vector.stableNorm();
  return vector[static_cast<int>(std::find(driven.begin(), driven.end(), true) - driven.begin())];
}

// Sums over the actions of one kind along the coordinate.
double joint_action_value(const ProbeSource& source, const Frame& frame) {
  const mechanics::JointActions& actions = frame.equations.joint_actions();
  if (frame.report.joint_actions.empty()) return 0;  // at t = 0, or there are none
  int begin = 0, end = actions.limits();
  if (source.quantity != Quantity::joint_limit) {
    begin = end;
    end += actions.frictions();
  }
  if (source.quantity == Quantity::joint_motor) {
    begin = end;
    end = actions.count();
  }
  double sum = 0;
  for (int action = begin; action < end; ++action) {
    const model::JointCoordinate at = actions.coordinate(action);
    const bool is_it = at.joint.index == source.joint.index && at.index == source.component;
    if (is_it) sum += frame.report.joint_actions[action].force;
  }
  return sum;
}

// Along one coordinate of a joint that stands at s and moves with ds/dt: the sum of k (rest(t) - s) - d ds/dt.
double spring_force(const ProbeSource& source, const Frame& frame, double coordinate, double speed) {
  double sum = 0;
  for (const model::JointSpring& spring : frame.model.joint_springs) {
    if (!(spring.coordinate.joint == source.joint) || spring.coordinate.index != source.component) continue;
    sum += spring.stiffness * (spring.rest.value(frame.state.time) - coordinate) - spring.damping * speed;
  }
  return sum;
}

double joint_value(const ProbeSource& source, const Frame& frame) {
  const mechanics::JointSet& joints = frame.equations.joints();
  const int index = source.joint.index;
  const mechanics::Joint& joint = joints.joint(index);
  const auto coordinate = [&] {
    return joint.coordinates(frame.state, joints.coordinates_of(index, frame.state))[source.component];
  };
  const auto speed = [&] { return joint.speeds(frame.state)[source.component]; };
  switch (source.quantity) {
    case Quantity::joint_coordinate:
      return coordinate();
    case Quantity::joint_speed:
      return speed();
    case Quantity::joint_spring:
      return spring_force(source, frame, coordinate(), speed());
    case Quantity::joint_error: {
      mechanics::Joint::Rows value;
      joint.value(frame.state, joints.coordinates_of(index, frame.state), value);
      return value.size() > 0 ? value.lpNorm<Eigen::Infinity>() : 0;
    }
    default:
      break;
  }
  const std::vector<integrate::JointRecord>& records = frame.report.joints;
  if (records.empty()) return 0;  // at t = 0
  const integrate::JointRecord& record = records[index];
  if (source.quantity == Quantity::joint_effort) return record.effort;
  return vector_component(source.quantity == Quantity::joint_force ? record.force : record.torque, source.component);
}

}  // namespace

double evaluate(const ProbeSource& source, const Frame& frame) {
  switch (source.quantity) {
    case Quantity::position:
    case Quantity::velocity:
    case Quantity::acceleration:
    case Quantity::displacement:
    case Quantity::angular_velocity:
    case Quantity::angular_velocity_world:
    case Quantity::angular_acceleration:
    case Quantity::rotation_vector:
      return vector_component(motion(source, frame), source.component);
    case Quantity::contact_gap:
      return frame.contact_set.minimum_gap(frame.state, source.rule.index, source.participant_a, source.participant_b);
    case Quantity::contact_count:
    case Quantity::contact_status:
    case Quantity::contact_velocity:
    case Quantity::contact_impulse:
    case Quantity::contact_force:
    case Quantity::contact_shift:
    case Quantity::contact_spin:
    case Quantity::contact_moment:
    case Quantity::contact_torque:
    case Quantity::contact_work:
      return contact_value(source, frame);
    case Quantity::system_coordinate:
    case Quantity::system_speed:
    case Quantity::system_acceleration:
    case Quantity::system_gap:
    case Quantity::system_velocity:
    case Quantity::system_impulse:
      return system_value(source, frame);
    case Quantity::clearance_gap:
    case Quantity::clearance_path:
    case Quantity::clearance_angle:
    case Quantity::clearance_eccentricity:
    case Quantity::clearance_corner:
    case Quantity::clearance_touching:
      return clearance_value(source, frame);
    case Quantity::driver_force:
    case Quantity::driver_torque:
    case Quantity::driver_power:
      return driver_value(source, frame);
    case Quantity::joint_coordinate:
    case Quantity::joint_speed:
    case Quantity::joint_effort:
    case Quantity::joint_spring:
    case Quantity::joint_error:
    case Quantity::joint_force:
    case Quantity::joint_torque:
      return joint_value(source, frame);
    case Quantity::joint_limit:
    case Quantity::joint_friction:
    case Quantity::joint_motor:
      return joint_action_value(source, frame);
    case Quantity::energy:
      return ledger_values(frame.ledger)[source.component];
    case Quantity::solver:
      if (source.component == 2) return integrate::passes(frame.report);
      if (source.component == 3) return frame.report.solver.solutions;
      return source.component == 0 ? frame.report.solver.iterations : frame.report.solver.residual;
    case Quantity::time:
      return frame.state.time;
  }
  return 0;
}

}  // namespace ricochet::simulation
