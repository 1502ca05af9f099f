// The section `joints`: from points and axes in the world or in bodies to the two frames of each joint.
//
// Points and axes are brought to the world as the scene places its bodies, compared there, and given to both bodies. So
// all joints but those with two points or axes of their own are closed to rounding, and all angles are zero there.
// Assembly (scene_assembly.cpp) then moves bodies to where the other joints are closed, too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ricochet/io/scene_model.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/mechanics/joints/assembly.hpp"
#include "ricochet/mechanics/joints/joint_factory.hpp"
#include "ricochet/model/machine_size.hpp"

namespace ricochet::io {

namespace {

using model::JointType;

// What the cosine between two axes may be off and they are still meant to be normal to each other.
constexpr double kNormalTolerance = 1e-6;

class JointReader {
 public:
  JointReader(const BodyIndex& bodies, double tolerance, model::Model& model)
      : bodies_(bodies), tolerance_(tolerance), model_(model) {}

  void read_section(const Entry& section) {
    const std::vector<Entry> entries = section.entries();
    for (const Entry& entry : entries) index_.emplace(entry.name(), static_cast<int>(index_.size()));
    for (const Entry& entry : entries) read(entry);
    put_on_point_masses();
    const double size = model::machine_size(model_);
    for (const Entry& entry : entries) require_points(entry, size);
    const mechanics::DofMap map(model_);
    for (const Entry& entry : entries) require_sound(entry, map);
  }

 private:
  // What is off in the last digits is left to assembly, which knows what rounding is.
  double allowed() const { return std::max(tolerance_, mechanics::kWrittenDigits); }

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
    if (model::has_target(joint.type) && entry["target"].exists()) joint.target = entry["target"].time_function();
    model_.joints.push_back(std::move(joint));
  }

  static bool has_axis(JointType type) {
    return type != JointType::ball && type != JointType::fixed && type != JointType::distance;
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

  // A point of the world, as carried by one side.
  model::Attachment carried(model::NodeId node_id, const Vector3& point) const {
    if (!node_id.valid()) return {{}, point};
    const model::Node& node = model_.nodes[node_id.index];
    return {node_id, node.orientation.rotate_inverse(point - node.position)};
  }

  // A point mass carries no point but itself. What is near enough is meant to be it, and assembly brings them together.
  void put_on_point_masses() {
    const double size = model::machine_size(model_);
    for (model::Joint& joint : model_.joints) {
      for (model::Attachment* side : {&joint.first.attachment, &joint.second.attachment}) {
        if (!side->node.valid() || model_.nodes[side->node.index].kind != model::NodeKind::point) continue;
        const double rounding = 1e-14 * model_.nodes[side->node.index].position.norm();
        if (side->offset.norm() <= allowed() * size + rounding) side->offset.setZero();
      }
    }
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
    if (has_axis(joint.type)) {
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
    if (angle > allowed()) {
      const std::string remedy = angle > 3.1   ? ": they point in opposite directions"
                                 : angle > 1.5 ? ""
                                               : fmt::format(", or raise 'assembly.tolerance' ({:g} rad)", tolerance_);
      of_second.refuse(
          fmt::format("the axes of '{}' on its two sides are {:.6g} degrees apart at the start; turn one of them{}",
                      entry.path(), angle * 45 / std::atan(1.0), remedy));
    }
    return {first, second};
  }

  Vector3 read_joint_axis(const Entry& entry, JointType type) const {
    if (type == JointType::revolute) return read_axis(entry, model_.planar);
    if (type == JointType::prismatic) return read_direction(entry, model_.planar);
    Vector3 axis = read_direction(entry, false);
    if (model_.planar && axis.z() != 0 && (axis.x() != 0 || axis.y() != 0)) {
      entry.refuse(fmt::format("in a planar scene '{}' must lie in the plane or point along z", entry.path()));
    }
    return axis;
  }

  // z along the axis, x along the second axis.
  static math::Quaternion cross_axes(const Entry& entry, const Vector3& axis) {
    const Vector3 given = read_direction(entry["second_axis"], false);
    const double cosine = given.dot(axis);
    if (std::abs(cosine) > kNormalTolerance) {
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

  // The smallest rotation that turns one unit vector to another. About the common axis nothing turns, so that the angle
  // of a joint whose axes are apart is zero.
  static math::Quaternion turned_to(const Vector3& from, const Vector3& to) {
    const Vector3 normal = math::cross(from, to);
    const double sine = normal.norm();
    if (sine == 0) return {};
    return math::exponential(std::atan2(sine, from.dot(to)) / sine * normal);
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
    if (distance <= allowed() * size) return;
    entry.refuse(
        fmt::format("the points of '{}' on its two sides are {:.6g} m apart at the start ({:.3g} of the size of the "
                    "machine, {:.6g} m); move one of them, or raise 'assembly.tolerance' ({:g})",
                    entry.path(), distance, distance / size, size, tolerance_));
  }

  // What only the equations of a joint know: see mechanics::make_joint.
  void require_sound(const Entry& entry, const mechanics::DofMap& map) const {
    try {
      mechanics::make_joint(model_, model_.joints, {index_.at(entry.name())}, map);
    } catch (const std::invalid_argument& error) {
      entry.refuse(error.what());
    }
  }

  const BodyIndex& bodies_;
  double tolerance_;  // of assembly: parts of the size of the machine, or rad
  model::Model& model_;
  std::unordered_map<std::string, int> index_;
};

}  // namespace

void read_joints(const Entry& scene, const BodyIndex& bodies, model::Model& model) {
  JointReader(bodies, scene["assembly"]["tolerance"].number(), model).read_section(scene["joints"]);
}

}  // namespace ricochet::io
