// `ricochet check` says how a machine with joints can move.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string checked_scene(const std::string& text) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "machine.yaml") << "ricochet: 1\ntime: {end: 1, step: 1e-3}\n" << text;
  const ProgramResult result = run_program({"check", "machine.yaml"}, directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  return result.output;
}

// The second hinge of a door says what the first says already.
TEST(CheckCommand, RedundantHinges) {
  const std::string output = checked_scene(
      "bodies:\n  door: {mass: 1, inertia: 1, position: [0.5, 0, 0]}\njoints:\n"
      "  low: {type: revolute, second: door, at: [0, 0, 0], spring: {stiffness: 1}}\n"
      "  high: {type: revolute, second: door, at: [0, 0, 2]}\n");
  EXPECT_THAT(output, HasSubstr("1 bodies, 0 surfaces, 1 springs, 2 joints"));
  EXPECT_THAT(output, HasSubstr("  6 degrees of freedom of the bodies, 1000 steps"));
  EXPECT_THAT(output, HasSubstr("  10 equations of joints and drives leave the machine 1 degree of freedom (contacts"));
  EXPECT_THAT(output, HasSubstr("  5 of them follow from others, in the order of the scene: 5 of 'high'."));
  EXPECT_THAT(output, HasSubstr("  conditioning of the joints: "));
  EXPECT_THAT(output, Not(HasSubstr("warning")));
}

TEST(CheckCommand, VelocityConditions) {
  const std::string bodies = "bodies:\n  ball: {shape: {type: sphere, radius: 0.1}, mass: 1}\n";
  const std::string condition = "velocity_conditions:\n  upright: {type: rotation, second: ball}\n";
  const std::string alone = checked_scene(bodies + condition);
  EXPECT_THAT(alone, HasSubstr("0 joints, 1 velocity condition, 0 loads"));
  EXPECT_THAT(alone,
              HasSubstr("  1 equation of velocity conditions leaves the machine 5 degrees of freedom (contacts"));
  // One that says what a joint says already.
  const std::string both = checked_scene(bodies + condition + "joints:\n  rail: {type: prismatic, second: ball}\n");
  EXPECT_THAT(both, HasSubstr("  6 equations of joints, drives and velocity conditions leave the machine 1 degree of"));
  EXPECT_THAT(both, HasSubstr("  1 of them follows from others, in the order of the scene: 1 of 'upright'."));
}

// A parallelogram that lies flat, nearly flat, and upright.
TEST(CheckCommand, SingularPositions) {
  const auto parallelogram = [](const char* angle) {
    return checked_scene(
        fmt::format("planar: true\nparameters: {{a: {}}}\nbodies:\n"
                    "  left: {{mass: 1, inertia: 1, orientation: {{angle: a}}}}\n"
                    "  right: {{mass: 1, inertia: 1, position: [2, 0, 0], orientation: {{angle: a}}}}\n"
                    "  top: {{mass: 1, inertia: 1, position: [cos(a), sin(a), 0]}}\njoints:\n"
                    "  a: {{type: revolute, second: left}}\n  b: {{type: revolute, second: right}}\n"
                    "  c: {{type: revolute, first: left, second: top, at_first: [1, 0, 0], at_second: [0, 0, 0]}}\n"
                    "  d: {{type: revolute, first: right, second: top, at_first: [1, 0, 0], at_second: [2, 0, 0]}}\n",
                    angle));
  };
  for (const char* angle : {"0", "1e-8", "1"}) {
    EXPECT_THAT(parallelogram(angle), HasSubstr("8 equations of joints and drives leave the machine 1 degree of"));
    EXPECT_THAT(parallelogram(angle), Not(HasSubstr("follow")));
  }
  EXPECT_THAT(parallelogram("0"), HasSubstr("warning: the machine starts in a singular position, with 2 degrees of "
                                            "freedom there and 1 elsewhere"));
  EXPECT_THAT(parallelogram("1e-9"), HasSubstr("warning: the machine starts near a singular position"));
  EXPECT_THAT(parallelogram("1"), Not(HasSubstr("warning")));
}

}  // namespace
}  // namespace ricochet::test
