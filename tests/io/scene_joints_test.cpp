// scene_joints: from points and axes to the two frames of a joint.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/scene_test_support.hpp"
#include "ricochet/mechanics/equations.hpp"
#include "ricochet/model/machine_size.hpp"

namespace ricochet::test {
namespace {

// Two turned bars and a point mass, 4 m along x, in space or in the plane.
std::string joint_scene(std::string_view joints, bool planar = false, std::string_view velocity = "[0, 0, 0]") {
  return fmt::format(
      "ricochet: 1\nplanar: {}\ntime: {{end: 1, step: 0.1}}\nbodies:\n"
      "  left: {{mass: 1, inertia: 1, position: [1, 0, 0], orientation: {{angle: 0.3}}, velocity: {}}}\n"
      "  right: {{mass: 1, inertia: 1, position: [3, 1, 0], orientation: {{angle: -pi/2}}}}\n"
      "  mass: {{mass: 1, position: [5, 0, 0]}}\njoints:\n{}",
      planar, velocity, joints);
}

model::Model joint_model(std::string_view joints, bool planar = false) {
  return io::read_scene_text(joint_scene(joints, planar), "joints.yaml").run_case.model;
}

std::string joint_complaint(std::string_view joints, bool planar = false, std::string_view velocity = "[0, 0, 0]") {
  return input_complaint([&] { io::read_scene_text(joint_scene(joints, planar, velocity), "joints.yaml"); });
}

Vector3 joint_axis(const model::Model& model, const model::JointFrame& frame) {
  const Vector3 axis = frame.axes.rotate(Vector3::UnitZ());
  return frame.attachment.node.valid() ? model.nodes[frame.attachment.node.index].orientation.rotate(axis) : axis;
}

TEST(SceneJoints, EveryTypeBeginsClosedAndAtZero) {
  for (const char* joint :
       {"{type: ball, first: left, second: right, at: [2, 2, 1]}",
        "{type: revolute, first: left, second: right, at: [2, 2, 1], axis: [1, 2, 3]}",
        "{type: universal, first: left, second: right, at: [2, 2, 1], axis: [1, 2, 0], second_axis: [2, -1, 0]}",
        "{type: cylindrical, first: left, second: right, at: [2, 2, 1], axis: [1, 2, 3]}",
        "{type: prismatic, first: left, second: right, at: [2, 2, 1], axis: [1, 2, 3]}",
        "{type: planar, first: left, second: right, at: [2, 2, 1], axis: [1, 2, 3]}",
        "{type: fixed, first: left, second: right}",
        "{type: screw, first: left, second: right, axis: [0, 1, 1], pitch: -0.1}"}) {
    const model::Model model = joint_model(fmt::format("  j: {}\n", joint));
    const mechanics::Equations equations(model);
    EXPECT_LE(equations.joints().error(equations.initial_state(), 1), 1e-14) << joint;
    for (int i = 0; i < equations.joints().coordinates(); ++i) {
      EXPECT_NEAR(equations.initial_state().angles[i], 0, 1e-14) << joint;
    }
  }
}

TEST(SceneJoints, PointsInTheWorldOrInABody) {
  const auto second_point = [](std::string_view points) {
    const model::Model model = joint_model(fmt::format("  j: {{type: ball, first: left, second: right{}}}\n", points));
    EXPECT_LE((model::placed(model, model.joints[0].first.attachment) -
               model::placed(model, model.joints[0].second.attachment))
                  .norm(),
              1e-14);
    return Vector3(model::placed(model, model.joints[0].second.attachment));
  };
  EXPECT_LE((second_point("") - Vector3(3, 1, 0)).norm(), 1e-14);
  EXPECT_LE((second_point(", at: [7, 8, 9]") - Vector3(7, 8, 9)).norm(), 1e-14);
  EXPECT_LE((second_point(", at_second: [1, 0, 0]") - Vector3(3, 0, 0)).norm(), 1e-14);
  EXPECT_LE((second_point(", at_first: [1, 0, 0]") - Vector3(1 + std::cos(0.3), std::sin(0.3), 0)).norm(), 1e-14);
  // Two points along a slide: what lies between them is its coordinate.
  const model::Model slide = joint_model(
      "  j: {type: prismatic, second: right, at_first: [3, 0, 0], at_second: [0, 0, 0], axis: [0, 2, 0]}\n");
  EXPECT_NEAR(mechanics::Equations(slide).initial_state().angles[0], 1, 1e-14);
}

TEST(SceneJoints, AxesInTheWorldOrInABody) {
  const auto axis_of = [](std::string_view axes) {
    const model::Model model =
        joint_model(fmt::format("  j: {{type: revolute, first: left, second: right{}}}\n", axes));
    EXPECT_LE((joint_axis(model, model.joints[0].first) - joint_axis(model, model.joints[0].second)).norm(), 1e-15);
    return joint_axis(model, model.joints[0].first);
  };
  EXPECT_LE((axis_of("") - Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_LE((axis_of(", axis: [0, 3, 4]") - Vector3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_LE((axis_of(", axis_second: [2, 0, 0]") - Vector3(0, -1, 0)).norm(), 1e-15);
  EXPECT_LE((axis_of(", axis_first: [0, 0, 1], axis_second: [0, 0, 5]") - Vector3::UnitZ()).norm(), 1e-15);
}

TEST(SceneJoints, RelationsNameCoordinates) {
  const model::Model model = joint_model(
      "  shaft: {type: revolute, second: left}\n  screw: {type: screw, second: right, pitch: 0.01, target: 0}\n"
      "  wheels: {type: gear, joints: [shaft, {joint: screw, coordinate: 1}], ratio: -2}\n"
      "  feed: {type: coupler, joints: [screw, shaft], ratio: 0.5}\n"
      "  motor: {type: drive, joint: shaft, target: t^2}\n"
      "  rod: {type: distance, first: left, second: mass, at_first: [1, 0, 0]}\n");
  ASSERT_EQ(model.joints.size(), 6U);
  EXPECT_EQ(model.joints[1].pitch, 0.01);
  EXPECT_TRUE(model.joints[1].target);
  EXPECT_EQ(model.joints[2].type, model::JointType::gear);
  EXPECT_EQ(model.joints[2].coupled[1].joint.index, 1);
  EXPECT_EQ(model.joints[2].coupled[1].index, 1);
  EXPECT_EQ(model.joints[2].ratio, -2);
  EXPECT_EQ(model.joints[3].coupled[0].joint.index, 1);
  EXPECT_EQ(model.joints[4].coupled[0].joint.index, 0);
  EXPECT_EQ(model.joints[4].target->value(3), 9);
  EXPECT_FALSE(model.joints[5].target);
  EXPECT_EQ(model.joints[5].second.attachment.node.index, 2);
}

TEST(SceneJointsBadInput, EveryMistakeHasItsSentence) {
  const auto complaint = [](std::string_view joint) { return joint_complaint(fmt::format("  j: {}\n", joint)); };
  const auto planar_complaint = [](std::string_view joint) {
    return joint_complaint(fmt::format("  j: {}\n", joint), true);
  };
  EXPECT_EQ(complaint("{type: ball, first: left, second: rihgt}"),
            "joints.yaml:9:40: there is no body 'rihgt', which 'joints.j.second' names; did you mean 'right'?");
  EXPECT_EQ(complaint("{type: ball, first: left, second: left}"),
            "joints.yaml:9:6: both sides of 'joints.j' are 'left', so it can hold nothing together");
  EXPECT_EQ(complaint("{type: revolute, second: left, axis: [0, 0, 0]}"),
            "joints.yaml:9:43: 'joints.j.axis' must not be zero: it gives a direction");
  EXPECT_EQ(complaint("{type: ball, second: left, at: [0, 0, 0], at_first: [0, 0, 0]}"),
            "joints.yaml:9:58: 'joints.j.at' is given, and also 'joints.j.at_first'; one of both is enough");
  EXPECT_EQ(complaint("{type: ball, second: right, at_first: [3, 1, 0.5], at_second: [0, 0, 0]}"),
            "joints.yaml:9:6: the points of 'joints.j' on its two sides are 0.5 m apart at the start (0.12 of the "
            "size of the machine, 4.15331 m); move one of them, or raise 'assembly.tolerance' (0.01)");
  EXPECT_EQ(
      complaint("{type: revolute, first: left, second: right, axis_first: [1, 0, 0], axis_second: [1, 0, 0]}"),
      "joints.yaml:9:87: the axes of 'joints.j' on its two sides are 107.189 degrees apart at the start; turn one "
      "of them");
  EXPECT_EQ(complaint("{type: universal, second: left, second_axis: [0, 1, 1]}"),
            "joints.yaml:9:51: 'joints.j.second_axis' must be normal to the axis, but the angle between them is 45 "
            "degrees");
  EXPECT_EQ(complaint("{type: revolute, second: mass}"),
            "joints.yaml:9:6: revolute joint 'j': 'mass' is a point and has no axes; only ball and distance joints can "
            "be attached to it");
  EXPECT_EQ(complaint("{type: screw, second: left, pitch: 0}"),
            "joints.yaml:9:6: screw joint 'j': its pitch must be finite and not zero");
  EXPECT_EQ(
      complaint("{type: distance, second: left, target: 2}"),
      "joints.yaml:9:6: 'joints.j' does not hold at the start: 1 m is missing (0.196 of the size of the machine); "
      "let its target start where the bodies stand, or raise 'assembly.tolerance' (0.01)");
  EXPECT_EQ(complaint("{type: revolute, second: left, axis_first: [0, 0, 1], axis_second: [0, 0.02, 1]}"),
            "joints.yaml:9:73: the axes of 'joints.j' on its two sides are 1.14576 degrees apart at the start; turn "
            "one of them, or raise 'assembly.tolerance' (0.01 rad)");
  EXPECT_EQ(complaint("{type: revolute, second: left, axis_first: [0, 0, 1], axis_second: [0, 0, -1]}"),
            "joints.yaml:9:73: the axes of 'joints.j' on its two sides are 180 degrees apart at the start; turn one of "
            "them: they point in opposite directions");
  EXPECT_EQ(complaint("{type: ball, second: left, target: 2}"),
            "joints.yaml:9:33: 'target' belongs to type 'distance', but 'joints.j' has type 'ball'");
  EXPECT_EQ(complaint("{type: drive, joint: k}"),
            "joints.yaml:9:27: there is no joint 'k', which 'joints.j.joint' names; there are j");
  EXPECT_EQ(planar_complaint("{type: revolute, second: left, axis: [1, 0, 0]}"),
            "joints.yaml:9:43: in a planar scene 'joints.j.axis' must point along z");
  EXPECT_EQ(planar_complaint("{type: prismatic, second: left, axis: [1, 0, 1]}"),
            "joints.yaml:9:44: in a planar scene the z component of 'joints.j.axis' must be 0, but it is 1");
  EXPECT_EQ(planar_complaint("{type: prismatic, second: left}"),
            "joints.yaml:9:6: 'joints.j' needs an axis in the plane along which it slides");
  EXPECT_EQ(planar_complaint("{type: ball, second: left, at: [0, 0, 1]}"),
            "joints.yaml:9:37: in a planar scene the z component of 'joints.j.at' must be 0, but it is 1");
}

TEST(SceneJointsBadInput, BodiesMustStartAsJointsLetThem) {
  const char* hinge = "  j: {type: revolute, second: left}\n";
  EXPECT_EQ(joint_complaint(hinge, false, "[0, 2, 0]"),
            "joints.yaml:9:6: the bodies start with velocities that 'joints.j' does not allow: they differ by 2 m/s (1 "
            "of the largest speed); give bodies velocities that fit, or let them be made to fit: 'assembly: "
            "{velocity_tolerance: 1}'");
  EXPECT_EQ(joint_complaint("  j: {type: prismatic, second: left, axis: [0, 1, 0]}\n", false, "[0, 2, 0]"), "");
  EXPECT_EQ(
      joint_complaint(fmt::format("{}  k: {{type: drive, joint: j, target: 3*t}}\n", hinge)),
      "joints.yaml:10:6: the bodies start with velocities that 'joints.k' does not allow: they differ by 3 rad/s (1 "
      "of the largest speed); give bodies velocities that fit, or let them be made to fit: 'assembly: "
      "{velocity_tolerance: 1}'");
  EXPECT_EQ(joint_complaint(fmt::format("{}  k: {{type: drive, joint: j, target: t^2}}\n", hinge)), "");
}

}  // namespace
}  // namespace ricochet::test
