// The section `joints`: from points and axes in the world or in bodies to the two frames of each joint.
//
// Points and axes are brought to the world at the start of the run, compared there, and given to both bodies. So all
// joints but those with two points or axes of their own begin closed to rounding, and all angles begin at zero.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ricochet/io/scene_model.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/mechanics/equations.hpp"
#include "ricochet/mechanics/joints/joint_factory.hpp"
#include "ricochet/model/machine_size.hpp"

namespace ricochet::io {

namespace {

using model::JointType;

// What a scene may be off by and is still meant to be exact: parts of the size of the machine, or rad.
constexpr double kJointTolerance = 1e-6;

class JointReader {
 public:
  JointReader(const BodyIndex& bodies, model::Model& model) : bodies_(bodies), model_(model) {}

  void read_section(const Entry& section) {
    const std::vector<Entry> entries = section.entries();
    for (const Entry& entry : entries) index_.emplace(entry.name(), static_cast<int>(index_.size()));
    for (const Entry& entry : entries) read(entry);
    const double size = model::machine_size(model_);
    for (const Entry& entry : entries) require_points(entry, size);
    const mechanics::DofMap map(model_);
    for (const Entry& entry : entries) require_sound(entry, map);
    require_start(entries, map, size);
  }

 private:
  void read(const Entry& entry) {
    model::Joint joint;
    joint.name = entry.name();
    joint.type = static_cast<JointType>(entry["type"].choice());
    if (model::acts_on_coordinates(joint.type)) {
      read_coordinates(entry, joint);
    } else {
      joint.first.attachment.node = read_side(entry["first"]);
      joint.second.attachment.node = read_side(entry["second"]);
      require_two_sides(entry, joint);
      read_points(entry, joint);
      read_axes(entry, joint);
    }
    if (joint.type == JointType::screw) joint.pitch = entry["pitch"].number();
    if (has_key(joint.type, "target") && entry["target"].exists()) joint.target = entry["target"].time_function();
    model_.joints.push_back(std::move(joint));
  }

  static bool has_key(JointType type, std::string_view key) {
    if (key == "target") {
      return type == JointType::distance || type == JointType::screw || model::acts_on_coordinates(type);
    }
    return type != JointType::ball && type != JointType::fixed && type != JointType::distance;  // axis
  }

  void read_coordinates(const Entry& entry, model::Joint& joint) const {
    const auto read_one = [&](const Entry& coordinate) -> model::JointCoordinate {
      return {{index_.at(coordinate["joint"].text())}, coordinate["coordinate"].integer()};
    };
    if (joint.type == JointType::drive) {
      joint.coupled[0] = read_one(entry["joint"]);
      return;
    }
    const std::vector<Entry> coordinates = entry["joints"].entries();
    for (std::size_t i = 0; i < 2; ++i) joint.coupled[i] = read_one(coordinates[i]);
    joint.ratio = entry["ratio"].number();
  }

  model::NodeId read_side(const Entry& side) const {
    const std::string& name = side.text();
    return name == "world" ? model::NodeId{} : model_.bodies[bodies_.at(name)].node;
  }

  static void require_two_sides(const Entry& entry, const model::Joint& joint) {
    if (!(joint.first.attachment.node == joint.second.attachment.node)) return;
    entry.refuse(fmt::format("both sides of '{}' are '{}', so it can hold nothing together", entry.path(),
                             entry["second"].text()));
  }

  // A point given in the coordinates of one side.
  model::Attachment own_point(const Entry& side, const Entry& point) const {
    const Vector3 offset = read_in_plane(point, model_.planar);
    const std::string& name = side.text();
    return name == "world" ? model::Attachment{{}, offset} : model::point_of(model_.bodies[bodies_.at(name)], offset);
  }

  // A point of the world, as carried by one side. What is a point mass to rounding is it.
  model::Attachment carried(model::NodeId node_id, const Vector3& point) const {
    if (!node_id.valid()) return {{}, point};
    const model::Node& node = model_.nodes[node_id.index];
    const Vector3 arm = point - node.position;
    const double rounding = 1e-14 * (point.norm() + node.position.norm());
    if (node.kind == model::NodeKind::point && arm.norm() <= rounding) return {node_id, Vector3::Zero()};
    return {node_id, node.orientation.rotate_inverse(arm)};
  }

  void read_points(const Entry& entry, model::Joint& joint) const {
    const Entry at_first = entry["at_first"], at_second = entry["at_second"];
    model::Attachment& first = joint.first.attachment;
    model::Attachment& second = joint.second.attachment;
    if (joint.type == JointType::distance) {
      first = own_point(entry["first"], at_first);
      second = own_point(entry["second"], at_second);
      return;
    }
    if (entry["at"].exists()) {
      refuse_both(entry["at"], at_first, at_second);
      const Vector3 point = read_in_plane(entry["at"], model_.planar);
      first = carried(first.node, point);
      second = carried(second.node, point);
      return;
    }
    if (at_first.exists()) first = own_point(entry["first"], at_first);
    if (at_second.exists()) second = own_point(entry["second"], at_second);
    if (!at_first.exists() && !at_second.exists() && second.node.valid()) {
      second.offset = model_.bodies[bodies_.at(entry["second"].text())].origin;
    }
    if (!at_first.exists()) {
      first = carried(first.node, model::placed(model_, second));
    } else if (!at_second.exists()) {
      second = carried(second.node, model::placed(model_, first));
    }
  }

  static void refuse_both(const Entry& in_world, const Entry& of_first, const Entry& of_second) {
    for (const Entry* other : {&of_first, &of_second}) {
      if (!other->exists()) continue;
      other->refuse(fmt::format("'{}' is given, and also '{}'; one of both is enough", in_world.path(), other->path()));
    }
  }

  // Joint axes at the start of the run, in the world, for each side; then in the axes of its body.
  void read_axes(const Entry& entry, model::Joint& joint) const {
    math::Quaternion first, second;
    if (has_key(joint.type, "axis")) {
      const auto [axis_first, axis_second] = read_axis_pair(entry, joint);
      first = joint.type == JointType::universal ? cross_axes(entry, axis_first) : model::axes_along(axis_first);
      second = turned_to(axis_first, axis_second) * first;
    }
    joint.first.axes = in_body(joint.first.attachment.node, first);
    joint.second.axes = in_body(joint.second.attachment.node, second);
  }

  std::pair<Vector3, Vector3> read_axis_pair(const Entry& entry, const model::Joint& joint) const {
    const Entry in_world = entry["axis"], of_first = entry["axis_first"], of_second = entry["axis_second"];
    if (in_world.exists()) {
      refuse_both(in_world, of_first, of_second);
      const Vector3 axis = read_joint_axis(in_world, joint.type);
      return {axis, axis};
    }
    if (!of_first.exists() && !of_second.exists()) {
      if (model_.planar && joint.type == JointType::prismatic) {
        entry.refuse(fmt::format("'{}' needs an axis in the plane along which it slides", entry.path()));
      }
      return {Vector3::UnitZ(), Vector3::UnitZ()};
    }
    const auto to_world = [&](const Entry& axis, model::NodeId node) {
      const Vector3 direction = read_joint_axis(axis, joint.type);
      return node.valid() ? model_.nodes[node.index].orientation.rotate(direction) : direction;
    };
    Vector3 first = Vector3::Zero(), second = Vector3::Zero();
    if (of_first.exists()) first = to_world(of_first, joint.first.attachment.node);
    if (of_second.exists()) second = to_world(of_second, joint.second.attachment.node);
    if (!of_first.exists()) first = second;
    if (!of_second.exists()) second = first;
    const double angle = std::atan2(math::cross(first, second).norm(), first.dot(second));
    if (angle > kJointTolerance) {
      of_second.refuse(fmt::format(
          "the axes of '{}' on its two sides are {:.6g} degrees apart at the start; turn one "
          "of them{}",
          entry.path(), angle * 45 / std::atan(1.0), angle > 3.1 ? ": they point in opposite directions" : ""));
    }
    return {first, second};
  }

  Vector3 read_joint_axis(const Entry& entry, JointType type) const {
    if (type == JointType::revolute) return read_axis(entry, model_.planar);
    if (type == JointType::prismatic) return read_direction(entry, model_.planar);
    const Vector3 axis = read_direction(entry, false);
    if (model_.planar && axis.z() != 0 && (axis.x() != 0 || axis.y() != 0)) {
      entry.refuse(fmt::format("in a planar scene '{}' must lie in the plane or point along z", entry.path()));
    }
    return axis;
  }

  // z along the axis, x along the second axis.
  static math::Quaternion cross_axes(const Entry& entry, const Vector3& axis) {
    const Vector3 given = read_direction(entry["second_axis"], false);
    const double cosine = given.dot(axis);
    if (std::abs(cosine) > kJointTolerance) {
      entry["second_axis"].refuse(
          fmt::format("'{}' must be normal to the axis, but the angle between them is {:.6g} "
                      "degrees",
                      entry["second_axis"].path(), std::acos(cosine) * 45 / std::atan(1.0)));
    }
    const Vector3 x = (given - cosine * axis).normalized();
    Matrix3 axes;
    axes << x, math::cross(axis, x), axis;
    return math::Quaternion::from_matrix(axes);
  }

  // The smallest rotation that turns one unit vector to another that is nearly the same.
  static math::Quaternion turned_to(const Vector3& from, const Vector3& to) {
    if (from == to) return {};
    return math::exponential(math::cross(from, to));
  }

  math::Quaternion in_body(model::NodeId node, const math::Quaternion& axes) const {
    if (!node.valid() || model_.nodes[node.index].kind == model::NodeKind::point) return axes;
    return (model_.nodes[node.index].orientation.conjugate() * axes).normalized();
  }

  // Points that are given on both sides: what the joint does not leave free of their distance.
  void require_points(const Entry& entry, double size) const {
    const model::Joint& joint = model_.joints[index_.at(entry.name())];
    if (model::acts_on_coordinates(joint.type) || joint.type == JointType::distance) return;
    Vector3 apart = model::placed(model_, joint.second.attachment) - model::placed(model_, joint.first.attachment);
    const model::NodeId node = joint.first.attachment.node;
    const Vector3 in_joint = joint.first.axes.rotate(Vector3::UnitZ());
    const Vector3 axis = node.valid() ? model_.nodes[node.index].orientation.rotate(in_joint) : in_joint;
    switch (joint.type) {
      case JointType::cylindrical:
      case JointType::prismatic:
      case JointType::screw:
        apart -= axis.dot(apart) * axis;
        break;
      case JointType::planar:
        apart = axis.dot(apart) * axis;
        break;
      default:
        break;
    }
    const double distance = apart.norm();
    if (distance <= kJointTolerance * size) return;
    entry.refuse(
        fmt::format("the points of '{}' on its two sides are {:.6g} m apart at the start; the machine is "
                    "{:.6g} m large, and a joint must be closed to {:g} of that",
                    entry.path(), distance, size, kJointTolerance));
  }

  // What only the equations of a joint know: see mechanics::make_joint.
  void require_sound(const Entry& entry, const mechanics::DofMap& map) const {
    try {
      mechanics::make_joint(model_, model_.joints, {index_.at(entry.name())}, map);
    } catch (const std::invalid_argument& error) {
      entry.refuse(error.what());
    }
  }

  // Targets, and velocities: bodies must start as their joints let them move.
  void require_start(const std::vector<Entry>& entries, const mechanics::DofMap& map, double size) const {
    if (entries.empty()) return;
    const mechanics::DrivenMotion driven(model_, map);
    const mechanics::JointSet joints(model_, map, 0);
    mechanics::State state = mechanics::initial_state(model_, map);
    driven.set_start(state);
    state.angles.setZero(joints.coordinates());
    joints.set_start_coordinates(state);
    VectorX values, rates;
    joints.values(state, values);
    joints.rates(0, rates);
    const double target_speed = largest_as_length(joints, rates, size);
    linalg::BlockSparseMatrix gradients;
    joints.gradients(state, gradients);
    gradients.multiply_add(state.v, rates);
    // Of a machine at rest, what gravity or its targets will give it: a rate of zero is a matter of rounding.
    const double acceleration = std::max(model_.gravity.norm(), largest_acceleration(joints, size));
    const double speed =
        std::max({largest_speed(map, state, size), target_speed, std::sqrt(acceleration) * std::sqrt(size)});
    for (int i = 0; i < joints.joints(); ++i) {
      const mechanics::Joint& joint = joints.joint(i);
      for (int row = 0; row < joint.rows(); ++row) {
        const bool is_angle = joint.unit(row) == mechanics::JointUnit::angle;
        const double arm = is_angle ? size : 1;
        const double value = std::abs(values[joints.row_start(i) + row]);
        const double rate = std::abs(rates[joints.row_start(i) + row]);
        const char* unit = is_angle ? "rad" : "m";
        if (arm * value > kJointTolerance * size) {
          entries[i].refuse(
              fmt::format("'{}' does not hold at the start: {:.6g} {} is missing; let its target start "
                          "where the bodies stand",
                          entries[i].path(), value, unit));
        }
        if (arm * rate > kJointTolerance * speed) {
          entries[i].refuse(
              fmt::format("the bodies start with velocities that '{}' does not allow: they differ by "
                          "{:.6g} {}/s; give bodies velocities that fit, or none",
                          entries[i].path(), rate, unit));
        }
      }
    }
  }

  static double largest_as_length(const mechanics::JointSet& joints, const VectorX& rows, double arm) {
    double largest = 0;
    for (int i = 0; i < joints.joints(); ++i) {
      for (int row = 0; row < joints.joint(i).rows(); ++row) {
        const bool is_angle = joints.joint(i).unit(row) == mechanics::JointUnit::angle;
        largest = std::max(largest, (is_angle ? arm : 1) * std::abs(rows[joints.row_start(i) + row]));
      }
    }
    return largest;
  }

  static double largest_acceleration(const mechanics::JointSet& joints, double arm) {
    VectorX all = VectorX::Zero(joints.rows());
    mechanics::Joint::Rows first, second;
    for (int i = 0; i < joints.joints(); ++i) {
      joints.joint(i).time_derivatives(0, first, second);
      all.segment(joints.row_start(i), second.size()) = second;
    }
    return largest_as_length(joints, all, arm);
  }

  static double largest_speed(const mechanics::DofMap& map, const mechanics::State& state, double arm) {
    double largest = 0;
    for (int node = 0; node < map.nodes(); ++node) {
      const int start = map.v_start(node);
      largest = std::max(largest, state.v.segment<3>(start).norm());
      if (map.is_frame(node)) largest = std::max(largest, arm * state.v.segment<3>(start + 3).norm());
    }
    return largest;
  }

  const BodyIndex& bodies_;
  model::Model& model_;
  std::unordered_map<std::string, int> index_;
};

}  // namespace

void read_joints(const Entry& scene, const BodyIndex& bodies, model::Model& model) {
  JointReader(bodies, model).read_section(scene["joints"]);
}

}  // namespace ricochet::io
