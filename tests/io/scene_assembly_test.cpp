// scene_assembly: bodies that do not fit their joints are moved, and the user is told.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/scene_test_support.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::test {
namespace {

io::Scene read_assembled(std::string_view sections, const std::vector<std::string>& overrides = {}) {
  return io::read_scene_text(fmt::format("ricochet: 1\ntime: {{end: 1, step: 0.1}}\n{}", sections), "machine.yaml",
                             overrides);
}

std::string assembly_complaint(std::string_view sections, const std::vector<std::string>& overrides = {}) {
  return input_complaint([&] { read_assembled(sections, overrides); });
}

double open_by(const io::Scene& scene) {
  const mechanics::Equations equations(scene.run_case.model);
  return equations.joints().error(equations.initial_state(), equations.size());
}

constexpr const char* kDumbbell =
    "bodies:\n"
    "  light: {mass: 1, position: [0, 0, 0]}\n"
    "  heavy: {mass: 3, position: [1, 0, 0]}\n"
    "joints:\n"
    "  rod: {type: distance, first: light, second: heavy, target: 1.004}\n"
    "springs:\n"
    "  coil: {start: light, end: heavy, stiffness: 100}\n"
    "  coil-2: {start: light, end: heavy, stiffness: 100, free_length: 1}\n";

TEST(SceneAssembly, TheBodyThatMovedMostIsNamed) {
  const io::Scene scene = read_assembled(kDumbbell);
  ASSERT_EQ(scene.notices.size(), 1U);
  EXPECT_EQ(scene.notices[0],
            "bodies were moved to close the joints ('joints.rod' was open by 0.004 m): 'light' most, by 0.003 m");
  EXPECT_NEAR(scene.run_case.model.nodes[0].position.x(), -0.003, 1e-15);
  EXPECT_NEAR(scene.run_case.model.nodes[1].position.x(), 1.001, 1e-15);
  EXPECT_EQ(open_by(scene), 0);
}

// A spring without a free length carries nothing at the start, wherever assembly has put its ends.
TEST(SceneAssembly, SpringsAreFreeWhereTheRunStarts) {
  const io::Scene scene = read_assembled(kDumbbell);
  EXPECT_NEAR(scene.run_case.model.springs[0].free_length, 1.004, 1e-15);
  EXPECT_EQ(scene.run_case.model.springs[1].free_length, 1);
}

TEST(SceneAssembly, WhatIsOffInTheLastDigitsIsMovedSilently) {
  const io::Scene scene = read_assembled(kDumbbell, {"joints.rod.target=1.0000000001"});
  EXPECT_THAT(scene.notices, testing::IsEmpty());
  EXPECT_LT(scene.run_case.model.nodes[0].position.x(), 0);
  EXPECT_LE(open_by(scene), 1e-15);
  const io::Scene exact = read_assembled(kDumbbell, {"joints.rod.target=1"});
  EXPECT_EQ(exact.run_case.model.nodes[0].position.x(), 0);
  EXPECT_EQ(exact.run_case.model.nodes[1].position.x(), 1);
}

// A lever on two hinges of which one is a bit beside it. Its angles count from the scene as written, so a drive that
// starts at 0 leaves it alone, and one that starts elsewhere turns it.
constexpr const char* kLever =
    "planar: true\n"
    "bodies:\n"
    "  lever: {mass: 2, inertia: 0.5, position: [0.5, 0, 0], orientation: {angle: 0}}\n"
    "joints:\n"
    "  hinge: {type: revolute, second: lever, at_first: [0, 0, 0], at_second: [-0.5, 0, 0]}\n"
    "  motor: {type: drive, joint: hinge, target: 0}\n";

TEST(SceneAssembly, AnglesCountFromTheSceneAsWritten) {
  const io::Scene still = read_assembled(kLever, {"bodies.lever.position.1=0.004"});
  EXPECT_THAT(still.notices,
              testing::ElementsAre("bodies were moved to close the joints ('joints.hinge' was open by 0.004 m): "
                                   "'lever' most, by 0.004 m and 0 degrees"));
  EXPECT_NEAR(still.run_case.model.nodes[0].position.y(), 0, 1e-15);
  EXPECT_NEAR(still.run_case.model.nodes[0].orientation.z, 0, 1e-15);
  const io::Scene turned = read_assembled(kLever, {"joints.motor.target=0.009 + t^2"});
  const model::Node& lever = turned.run_case.model.nodes[0];
  EXPECT_NEAR(2 * std::asin(lever.orientation.z), 0.009, 1e-15);
  EXPECT_LE((lever.position - 0.5 * Vector3(std::cos(0.009), std::sin(0.009), 0)).norm(), 1e-15);
  EXPECT_NEAR(mechanics::Equations(turned.run_case.model).initial_state().angles[0], 0.009, 1e-15);
  EXPECT_THAT(turned.notices,
              testing::ElementsAre("bodies were moved to close the joints ('joints.motor' was open by 0.009 rad): "
                                   "'lever' most, by 0.0045 m and 0.516 degrees"));
}

TEST(SceneAssembly, AMotorThatStartsAtSpeed) {
  const std::vector<std::string> motor = {"joints.motor.target=3*t"};
  EXPECT_EQ(assembly_complaint(kLever, motor),
            "machine.yaml:8:10: the bodies start with velocities that 'joints.motor' does not allow: they differ by 3 "
            "rad/s (1 of the largest speed); give bodies velocities that fit, or let them be made to fit: 'assembly: "
            "{velocity_tolerance: 1}' (read with --set joints.motor.target=3*t)");
  const io::Scene scene = read_assembled(kLever, {motor[0], "assembly.velocity_tolerance=1"});
  EXPECT_NEAR(scene.run_case.model.nodes[0].angular_velocity.z(), 3, 1e-15);
  EXPECT_NEAR(scene.run_case.model.nodes[0].velocity.y(), 1.5, 1e-15);
  ASSERT_EQ(scene.notices.size(), 1U);
  EXPECT_THAT(scene.notices[0],
              testing::StartsWith("velocities were changed to fit the joints ('joints.motor' was off by 3 rad/s): that "
                                  "of 'lever' most, from [0, 0, 0] to ["));
  EXPECT_THAT(scene.notices[0], testing::EndsWith(", 1.5, 0] m/s and from 0 to 3 rad/s"));
}

// Only the crank was given a speed: it shares its momentum with the mass that it takes along, and both are told.
TEST(SceneAssembly, WhatBecameOfAGivenVelocityIsSaid) {
  const io::Scene scene = read_assembled(
      "planar: true\n"
      "assembly: {velocity_tolerance: 1}\n"
      "bodies:\n"
      "  wheel: {mass: 1, inertia: 1, fixed: [x, y], angular_velocity: 2}\n"
      "  load: {mass: 3, inertia: 1, position: [1, 0, 0]}\n"
      "joints:\n"
      "  shaft: {type: revolute, second: wheel}\n"
      "  pin: {type: revolute, first: wheel, second: load, at: [1, 0, 0]}\n");
  // 1 kg m^2 * 2 rad/s = (1 kg m^2 + 3 kg * 1 m^2) * 0.5 rad/s; the pin does not turn the load.
  EXPECT_THAT(scene.notices,
              testing::ElementsAre("velocities were changed to fit the joints ('joints.pin' was off by 2 m/s): that of "
                                   "'wheel' most, from [0, 0, 0] to [0, 0, 0] m/s and from 2 to 0.5 rad/s"));
  EXPECT_NEAR(scene.run_case.model.nodes[1].velocity.y(), 0.5, 1e-15);
  EXPECT_EQ(scene.run_case.model.nodes[1].angular_velocity.z(), 0);
}

// Axes that are given on both sides and not parallel; a point mass beside the end of a bar; two points of a slide.
TEST(SceneAssembly, PointsAndAxesOfBothSides) {
  const io::Scene scene = read_assembled(
      "bodies:\n"
      "  bar: {mass: 1, inertia: 1, position: [1, 0, 0]}\n"
      "  slide: {mass: 1, inertia: 1, position: [0, 2, 0]}\n"
      "  bob: {mass: 2, position: [2.003, 0, 0.004]}\n"
      "joints:\n"
      "  hinge: {type: revolute, second: bar, at_first: [0, 0, 0], at_second: [-1, 0, 0], axis_first: [0, 0, 1], "
      "axis_second: [0, 0.004, 1]}\n"
      "  guide: {type: prismatic, second: slide, at_first: [0, 1, 0], at_second: [0.003, 0, 0.004], axis_first: [0, 1, "
      "0], axis_second: [0, 1, 0.005]}\n"
      "  eye: {type: ball, first: bar, second: bob, at_first: [1, 0, 0]}\n"
      "  eye-2: {type: ball, first: bar, second: bob, at: [2, 0, 0]}\n");
  EXPECT_LE(open_by(scene), 1e-14);
  EXPECT_EQ(scene.notices.size(), 1U);
  const model::Model& model = scene.run_case.model;
  EXPECT_EQ(model.joints[2].second.attachment.offset, Vector3::Zero());
  EXPECT_LE((model.nodes[0].orientation.rotate(Vector3(0, 0.004, 1).normalized()) - Vector3::UnitZ()).norm(), 1e-14);
  EXPECT_NEAR((model.nodes[1].position + model.nodes[1].orientation.rotate(Vector3(0.003, 0, 0.004))).x(), 0, 1e-15);
}

TEST(SceneAssemblyBadInput, EveryRefusalHasItsSentence) {
  EXPECT_EQ(assembly_complaint(kDumbbell, {"joints.rod.target=1.1"}),
            "machine.yaml:7:8: 'joints.rod' does not hold at the start: 0.1 m is missing (0.1 of the size of the "
            "machine); let its target start where the bodies stand, or raise 'assembly.tolerance' (0.01) (read with "
            "--set joints.rod.target=1.1)");
  EXPECT_EQ(assembly_complaint(kDumbbell, {"joints.rod.target=1.00000000001", "assembly.tolerance=0"}),
            "machine.yaml:7:8: 'joints.rod' does not hold at the start: 1e-11 m is missing (1e-11 of the size of the "
            "machine); let its target start where the bodies stand, or raise 'assembly.tolerance' (0) (read with --set "
            "joints.rod.target=1.00000000001 --set assembly.tolerance=0)");
  EXPECT_EQ(assembly_complaint(kDumbbell, {"assembly.tolerance=-1"}),
            "--set assembly.tolerance=-1: 'assembly.tolerance' must be at least 0, but is -1");
  constexpr const char* kTriangle =
      "bodies:\n"
      "  a: {mass: 1, position: [0, 0, 0]}\n"
      "  b: {mass: 1, position: [1, 0.01, 0]}\n"
      "  c: {mass: 1, position: [2, 0, 0]}\n"
      "joints:\n"
      "  ab: {type: distance, first: a, second: b, target: 1}\n"
      "  bc: {type: distance, first: b, second: c, target: 1}\n"
      "  ca: {type: distance, first: c, second: a, target: 2.015}\n";
  EXPECT_THAT(assembly_complaint(kTriangle),
              testing::AllOf(testing::HasSubstr("the machine cannot be closed: with the bodies moved as far as it "
                                                "helps, 'joints."),
                             testing::HasSubstr("still lacks 0.00"),
                             testing::HasSubstr("look at the lengths, axes and places")));
  constexpr const char* kToggle =
      "bodies:\n"
      "  knee: {mass: 1, position: [1, 0.001, 0]}\n"
      "joints:\n"
      "  thigh: {type: distance, second: knee, target: 1}\n"
      "  shank: {type: distance, second: knee, at_first: [1.99, 0, 0], target: 1}\n";
  EXPECT_EQ(
      assembly_complaint(kToggle),
      "machine.yaml:7:10: to close 'joints.shank' and the other joints, a point of 'knee' must be moved by 0.099 m "
      "(0.0497 of the size of the machine); place the bodies nearer to where they belong, or raise "
      "'assembly.tolerance' (0.01)");
  EXPECT_EQ(assembly_complaint(kToggle, {"assembly.tolerance=0.06"}), "");
  // Two drivers that disagree about one wheel: no velocity is right.
  EXPECT_THAT(assembly_complaint("planar: true\n"
                                 "assembly: {velocity_tolerance: 1}\n"
                                 "bodies:\n"
                                 "  wheel: {mass: 1, inertia: 1}\n"
                                 "joints:\n"
                                 "  shaft: {type: revolute, second: wheel}\n"
                                 "  one: {type: drive, joint: shaft, target: t}\n"
                                 "  two: {type: drive, joint: shaft, target: 3*t}\n"),
              testing::AllOf(testing::HasSubstr(": no initial velocities fit all joints: 'joints."),
                             testing::EndsWith("' always lacks 1 rad/s; look at what drives it and the joints around "
                                               "it")));
  // Masses are looked at before anything is moved.
  EXPECT_EQ(assembly_complaint("bodies:\n"
                               "  odd: {mass: 1, inertia: [1, 1, 3]}\n"
                               "joints:\n"
                               "  hinge: {type: revolute, second: odd, at_first: [0, 0, 0], at_second: [0, 0, 0]}\n"),
            "machine.yaml:4:3: the moments of inertia of body 'odd' break the triangle inequality: the sum of any two "
            "must not be less than the third");
}

}  // namespace
}  // namespace ricochet::test
