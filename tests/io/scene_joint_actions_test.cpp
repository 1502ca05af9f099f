// scene_joint_actions: what acts along the coordinates of joints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/scene_test_support.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::test {
namespace {

// A bar at [1, 2, 0] and one at the origin, with joints.
std::string action_scene(std::string_view joints, bool planar) {
  return fmt::format(
      "ricochet: 1\nplanar: {}\nparameters: {{k: 50}}\ntime: {{end: 1, step: 0.1}}\nbodies:\n"
      "  bar: {{mass: 1, inertia: 1, position: [1, 2, 0]}}\n  block: {{mass: 1, inertia: 1}}\njoints:\n{}",
      planar, joints);
}

model::Model action_model(std::string_view joints, const std::vector<std::string>& overrides = {}) {
  return io::read_scene_text(action_scene(joints, false), "actions.yaml", overrides).run_case.model;
}

std::string action_complaint(std::string_view joints, bool planar = false) {
  return input_complaint([&] { io::read_scene_text(action_scene(joints, planar), "actions.yaml"); });
}

TEST(SceneJointActions, ASpringOrAListOfThem) {
  const model::Model model = action_model(
      "  weld: {type: fixed, first: bar, second: block}\n"
      "  hinge: {type: revolute, second: bar, spring: {stiffness: 2*k, damping: 3, rest: 4*pi + sin(t)}}\n"
      "  shaft: {type: cylindrical, second: block, spring: [{stiffness: 1}, {coordinate: 1, stiffness: 2, rest: 3}]}\n"
      "  slide: {type: prismatic, second: block, spring: []}\n"
      "  motor: {type: drive, joint: hinge}\n");
  ASSERT_EQ(model.joint_springs.size(), 3U);
  EXPECT_EQ(model.joint_springs[0].coordinate.joint.index, 1);
  EXPECT_EQ(model.joint_springs[0].coordinate.index, 0);
  EXPECT_EQ(model.joint_springs[0].stiffness, 100);
  EXPECT_EQ(model.joint_springs[0].damping, 3);
  EXPECT_NEAR(model.joint_springs[0].rest.value(1), 4 * M_PI + std::sin(1), 1e-14);
  EXPECT_EQ(model.joint_springs[1].coordinate.joint.index, 2);
  EXPECT_EQ(model.joint_springs[1].coordinate.index, 0);
  EXPECT_EQ(model.joint_springs[1].damping, 0);
  EXPECT_EQ(model.joint_springs[2].coordinate.index, 1);
  EXPECT_EQ(model.joint_springs[2].rest.value(0), 3);
}

// Without `rest` nothing pulls at the start: lengths of rods, slides that do not begin at zero.
TEST(SceneJointActions, RestsWhereTheJointStands) {
  const model::Model model = action_model(
      "  rod: {type: distance, second: bar, spring: {stiffness: 1e6}}\n"
      "  slide: {type: prismatic, second: bar, axis: [0, 2, 0], at_first: [1, 0.5, 0], at_second: [0, 0, 0],\n"
      "          spring: {stiffness: 1e6}}\n"
      "  cross: {type: universal, second: block, second_axis: [1, 0, 0], spring: [{stiffness: 1e6},\n"
      "          {coordinate: 1, stiffness: 1e6}]}\n");
  const mechanics::Equations equations(model);
  EXPECT_NEAR(model.joint_springs[0].rest.value(0), std::sqrt(5.0), 1e-15);
  EXPECT_NEAR(model.joint_springs[1].rest.value(0), 1.5, 1e-15);
  EXPECT_EQ(model.joint_springs.size(), 4U);
  EXPECT_EQ(equations.strain_energy(equations.initial_state()), 0);
}

TEST(SceneJointActions, CanBeOverridden) {
  const char* joints =
      "  hinge: {type: revolute, second: bar, spring: {stiffness: k}}\n"
      "  shaft: {type: cylindrical, second: block, spring: [{stiffness: 1}, {coordinate: 1, stiffness: 2}]}\n";
  const model::Model model =
      action_model(joints, {"joints.hinge.spring.stiffness=7", "joints.shaft.spring.1.damping=8"});
  EXPECT_EQ(model.joint_springs[0].stiffness, 7);
  EXPECT_EQ(model.joint_springs[2].damping, 8);
}

TEST(SceneJointActionsBadInput, EveryMistakeHasItsSentence) {
  EXPECT_EQ(action_complaint("  j: {type: revolute, second: bar, spring: {coordinate: 1, stiffness: 1}}\n"),
            "actions.yaml:9:57: 'joints.j.spring.coordinate' is 1, but revolute joint 'j' has only coordinate 0");
  EXPECT_EQ(
      action_complaint("  j: {type: cylindrical, second: bar, spring: [{coordinate: 2, stiffness: 1}]}\n"),
      "actions.yaml:9:61: 'joints.j.spring.0.coordinate' is 2, but cylindrical joint 'j' has only the coordinates "
      "0 to 1");
  EXPECT_EQ(action_complaint("  j: {type: cylindrical, second: bar, spring: {stiffness: 1}}\n", true),
            "actions.yaml:9:47: cylindrical joint 'j': no motion in the plane of the model changes its coordinate 0; "
            "choose another coordinate");
  EXPECT_EQ(action_complaint("  j: {type: revolute, second: bar, spring: {stiffness: -1}}\n"),
            "actions.yaml:9:56: 'joints.j.spring.stiffness' must be at least 0, but is -1");
  EXPECT_EQ(action_complaint("  j: {type: revolute, second: bar, spring: {damping: 1}}\n"),
            "actions.yaml:9:44: the key 'stiffness' is missing in 'joints.j.spring'; it must be a number, in N/m or "
            "N m/rad");
  EXPECT_EQ(
      action_complaint("  j: {type: revolute, second: bar, spring: 5}\n"),
      "actions.yaml:9:44: 'joints.j.spring' must be a map with the keys coordinate, stiffness, damping, rest or a "
      "list of maps with the keys coordinate, stiffness, damping, rest, but it is '5'");
  EXPECT_EQ(action_complaint("  j: {type: ball, second: bar, spring: {stiffness: 1}}\n"),
            "actions.yaml:9:32: 'spring' belongs to type 'revolute', but 'joints.j' has type 'ball'");
  EXPECT_EQ(action_complaint("  j: {type: revolute, second: bar, spring: {stifness: 1}}\n"),
            "actions.yaml:9:45: unknown key 'stifness' in 'joints.j.spring'; did you mean 'stiffness'?");
}

}  // namespace
}  // namespace ricochet::test
