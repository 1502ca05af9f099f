#include "ricochet/mechanics/joints/joint_factory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "ricochet/mechanics/joints/planar_rows.hpp"

namespace ricochet::mechanics {

namespace {

using model::JointType;

void require_joint(bool condition, const model::Joint& joint, const std::string& sentence) {
  if (!condition)
    throw std::invalid_argument(fmt::format("{} joint '{}': {}", name_of(joint.type), joint.name, sentence));
}

void check_side(const model::Model& model, const model::Joint& joint, const model::JointFrame& frame) {
  const int node = frame.attachment.node.index;
  require_joint(node >= -1 && node < static_cast<int>(model.nodes.size()), joint, "names a node that does not exist");
  require_joint(frame.attachment.offset.allFinite(), joint, "its points must be finite");
  require_joint(std::abs(frame.axes.norm() - 1) < 1e-12, joint, "its axes must be a unit quaternion");
  if (node < 0 || model.nodes[node].kind == model::NodeKind::frame) return;
  require_joint(joint.type == JointType::ball || joint.type == JointType::distance, joint,
                fmt::format("'{}' is a point and has no axes; only ball and distance joints can be attached to it",
                            model.nodes[node].name));
  require_joint(frame.attachment.offset.isZero(0), joint,
                fmt::format("'{}' is a point, so the joint must be at it, without an offset", model.nodes[node].name));
}

void check_frames(const model::Model& model, const model::Joint& joint) {
  check_side(model, joint, joint.first);
  check_side(model, joint, joint.second);
  const model::NodeId first = joint.first.attachment.node, second = joint.second.attachment.node;
  require_joint(first.valid() || second.valid(), joint, "both sides are fixed in the world");
  require_joint(!(first == second), joint, "both sides are on the same node");
}

// How far the axes may be from where the joint wants them: beyond 90 degrees the equations have another solution nearby
// (parallel: opposite axes) or a singularity is nearer than the solution.
void check_branch(const model::Joint& joint, const RelativePose& pose) {
  const char* too_far = "its axes are 90 degrees or more from where the joint holds them: turn one of the frames";
  switch (joint.type) {
    case JointType::revolute:
    case JointType::cylindrical:
    case JointType::planar:
    case JointType::screw:
      require_joint(pose.axes(2, 2) > 1e-6, joint, too_far);
      break;
    case JointType::prismatic:
    case JointType::fixed:
      require_joint(std::abs(pose.rotation.w) > std::sqrt(0.5) + 1e-6, joint, too_far);
      break;
    case JointType::universal:
      require_joint(std::abs(pose.axes(2, 0)) < 1 - 1e-6, joint,
                    "its two axes are parallel: they must be normal to each other");
      break;
    case JointType::distance:
      require_joint(pose.y.norm() > 0, joint, "its two points coincide, so that it has no direction");
      break;
    default:
      break;
  }
}

const model::Joint& coupled_joint(std::span<const model::Joint> joints, const model::Joint& joint,
                                  const model::JointCoordinate& coordinate) {
  const int index = coordinate.joint.index;
  require_joint(index >= 0 && index < static_cast<int>(joints.size()), joint, "names a joint that does not exist");
  const model::Joint& named = joints[index];
  require_joint(!acts_on_coordinates(named.type), joint,
                fmt::format("'{}' has no coordinates of its own: name the joints that it connects", named.name));
  const int count = coordinate_count(named.type);
  require_joint(coordinate.index >= 0 && coordinate.index < count, joint,
                fmt::format("{} joint '{}' has {} coordinate{}, and number {} is not one of them", name_of(named.type),
                            named.name, count, count == 1 ? "" : "s", coordinate.index));
  return named;
}

// Takes out the rows that a planar model cannot change; they must hold as the nodes stand, for nothing will mend them.
JointLayout planar_layout(const model::Model& model, const model::Joint& joint, const DofMap& map,
                          const JointLayout& layout, const std::array<FramePair, 2>& pairs, int pair_count) {
  const Joint complete(map, layout, pairs, pair_count, {});
  const State state = initial_state(model, map);
  Joint::Rows g;
  complete.value(state, complete.start_coordinates(state), g);
  const auto moves = rows_that_move_in_the_plane(complete, map, state);
  double size = joint.first.attachment.offset.norm() + joint.second.attachment.offset.norm();
  for (int i = 0; i < complete.nodes(); ++i) size += model.nodes[complete.node(i)].position.norm();
  JointLayout result = layout;
  result.row_count = 0;
  for (int i = 0; i < layout.row_count; ++i) {
    if (moves[i]) {
      result.rows[result.row_count++] = layout.rows[i];
      continue;
    }
    require_joint(!layout.rows[i].has_target, joint, "no motion in the plane of the model changes its coordinates");
    require_joint(std::abs(g[i]) <= 1e-9 * (layout.rows[i].unit == JointUnit::length ? size : 1), joint,
                  fmt::format("its frames are {} apart in a direction in which a planar model cannot move",
                              layout.rows[i].unit == JointUnit::length ? fmt::format("{:.3g} m", std::abs(g[i]))
                                                                       : fmt::format("{:.3g} rad", std::abs(g[i]))));
  }
  return result;
}

// Without a target, the target is what the relation is as the nodes stand.
Joint finish_joint(const model::Model& model, const model::Joint& joint, const DofMap& map, const JointLayout& complete,
                   const std::array<FramePair, 2>& pairs, int pair_count) {
  const JointLayout layout = model.planar ? planar_layout(model, joint, map, complete, pairs, pair_count) : complete;
  if (joint.target) return {map, layout, pairs, pair_count, *joint.target};
  if (!model::has_target(joint.type)) return {map, layout, pairs, pair_count, {}};
  const Joint homogeneous(map, layout, pairs, pair_count, {});
  const State state = initial_state(model, map);
  Joint::Rows g;
  homogeneous.value(state, homogeneous.start_coordinates(state), g);
  return {map, layout, pairs, pair_count, math::TimeFunction::constant(g[g.size() - 1])};  // the relation comes last
}

Joint make_relation(const model::Model& model, std::span<const model::Joint> joints, const model::Joint& joint,
                    const DofMap& map) {
  const int count = joint.type == JointType::drive ? 1 : 2;
  JointLayout layout;
  std::array<FramePair, 2> pairs;
  for (int i = 0; i < count; ++i) {
    const model::Joint& named = coupled_joint(joints, joint, joint.coupled[i]);
    check_frames(model, named);
    pairs[i] = FramePair(map, named.first, named.second);
    const JointMeasure measure = joint_layout(named.type, named.pitch).coordinates[joint.coupled[i].index].measure;
    require_joint(
        joint.type != JointType::gear || is_periodic(measure), joint,
        fmt::format("coordinate {} of '{}' is not an angle: use a coupler", joint.coupled[i].index, named.name));
    add_coordinate(layout, measure, i);
  }
  if (count == 1) {
    add_relation_part(layout, 0);
  } else {
    require_joint(std::isfinite(joint.ratio) && joint.ratio != 0, joint, "its ratio must be finite and not zero");
    add_relation_part(layout, 0, joint.ratio, 1);
  }
  return finish_joint(model, joint, map, layout, pairs, count);
}

}  // namespace

int coordinate_count(model::JointType type) {
  if (acts_on_coordinates(type)) return type == JointType::drive ? 1 : 2;
  return joint_layout(type, 1).coordinate_count;
}

Joint make_coordinate_row(const model::Model& model, const model::JointCoordinate& coordinate,
                          const math::TimeFunction& target, const DofMap& map) {
  if (coordinate.joint.index < 0 || coordinate.joint.index >= static_cast<int>(model.joints.size()))
    throw std::invalid_argument("what acts along a coordinate names a joint that does not exist");
  const model::Joint& joint = model.joints[coordinate.joint.index];
  require_joint(!acts_on_coordinates(joint.type), joint,
                "has no coordinates of its own: what acts along one belongs to the joint that has it");
  const int count = coordinate_count(joint.type);
  require_joint(coordinate.index >= 0 && coordinate.index < count, joint,
                fmt::format("has {} coordinate{}, and number {} is not one of them", count, count == 1 ? "" : "s",
                            coordinate.index));
  check_frames(model, joint);
  JointLayout layout;
  add_coordinate(layout, joint_layout(joint.type, joint.pitch).coordinates[coordinate.index].measure);
  add_relation_part(layout, 0);
  const Joint row(map, layout, {FramePair(map, joint.first, joint.second), FramePair()}, 1, target);
  require_joint(!model.planar || rows_that_move_in_the_plane(row, map, initial_state(model, map))[0], joint,
                fmt::format("no motion in the plane of the model changes its coordinate {}", coordinate.index));
  return row;
}

Joint make_joint(const model::Model& model, std::span<const model::Joint> joints, model::JointId index,
                 const DofMap& map) {
  const model::Joint& joint = joints[index.index];
  require_joint(!joint.target || model::has_target(joint.type), joint, "a joint of this type has no target");
  if (acts_on_coordinates(joint.type)) return make_relation(model, joints, joint, map);
  check_frames(model, joint);
  require_joint(joint.type != JointType::screw || (std::isfinite(joint.pitch) && joint.pitch != 0), joint,
                "its pitch must be finite and not zero");
  const FramePair pair(map, joint.first, joint.second);
  check_branch(joint, pair.pose(initial_state(model, map)));
  require_joint(joint.type != JointType::distance || !joint.target || joint.target->value(0) > 0, joint,
                "its target must be positive");
  return finish_joint(model, joint, map, joint_layout(joint.type, joint.pitch), {pair, FramePair()}, 1);
}

}  // namespace ricochet::mechanics
