// What a machine cannot do ends the run with a sentence that names the joint; what joints do reaches the results.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "io/output_test_support.hpp"
#include "io/scene_test_support.hpp"
#include "ricochet/io/result_recorder.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace ricochet::test {
namespace {

study::Case arm_on_a_pin(std::string_view pin, std::string_view more) {
  return io::read_scene_text(fmt::format("ricochet: 1\nplanar: true\ntime: {{end: 1, step: 1e-2}}\n"
                                         "assembly: {{velocity_tolerance: 1}}\nbodies:\n"
                                         "  arm: {{mass: 1, inertia: 0.1, position: [0.5, 0, 0]}}\njoints:\n"
                                         "  pin: {{type: revolute, second: arm, at: [0, 0, 0]{}}}\n{}",
                                         pin, more),
                             "arm.yaml")
      .run_case;
}

std::string failure_of(const study::Case& scene) {
  simulation::Simulation run(scene.model, scene.settings);
  while (run.snapshot().step_index < run.step_count()) {
    if (!run.step()) return run.failure();
  }
  return "none";
}

TEST(JointFailures, ADriveCannotPassALimit) {
  const std::string drive = "  turn: {type: drive, joint: pin, target: 0.8*t}\n";
  EXPECT_THAT(failure_of(arm_on_a_pin(", limits: {upper: 0.5}", drive)),
              testing::HasSubstr("the step from t = 0.63 s to 0.64 s cannot stop joint 'pin' at its limit"));
  EXPECT_EQ(failure_of(arm_on_a_pin(", limits: {upper: 0.85}", drive)), "none");
}

TEST(JointFailures, DrivesThatContradictEachOtherLeaveJointsOpen) {
  const std::string first = "  turn: {type: drive, joint: pin, target: 2*t}\n";
  EXPECT_EQ(failure_of(arm_on_a_pin("", first + "  same: {type: drive, joint: pin, target: 2*t}\n")), "none");
  EXPECT_THAT(failure_of(arm_on_a_pin("", first + "  other: {type: drive, joint: pin, target: 2*t + 1e-3*t^2}\n")),
              testing::HasSubstr("could not close joint 'other'"));
}

TEST(JointFailures, ATargetThatJumpsIsNotFollowed) {
  const std::string jump = "  turn: {type: drive, joint: pin, target: \"t < 0.5 ? t : t + 0.4\"}\n";
  EXPECT_THAT(failure_of(arm_on_a_pin("", jump)), testing::HasSubstr("could not close joint 'turn'"));
}

// What friction, limits and motors give is in every row, not only in the facts.
TEST(JointFailures, ActionsReachTheHistory) {
  study::Case scene = io::read_scene_text(
                          "ricochet: 1\nplanar: true\ntime: {end: 0.1, step: 1e-2}\nbodies:\n"
                          "  block: {mass: 1, inertia: 0.1}\njoints:\n"
                          "  rail: {type: prismatic, second: block, axis: [1, 0, 0], motor: {speed: 1, largest: 2}}\n"
                          "probes: {push: joint.rail.motor}\n",
                          "rail.yaml")
                          .run_case;
  const TemporaryDirectory folder;
  simulation::Simulation run(scene.model, scene.settings);
  io::ResultRecorder recorder(folder.path(), scene);
  const std::array<simulation::Recorder*, 1> recorders = {&recorder};
  run.run(recorders);
  const auto history = csv_cells(folder / "history.csv");
  ASSERT_EQ(history.size(), 12U);
  EXPECT_EQ(history[0], (std::vector<std::string>{"time", "push"}));
  for (std::size_t i = 2; i < history.size(); ++i) EXPECT_NEAR(std::stod(history[i][1]), 2, 1e-9);
}

}  // namespace
}  // namespace ricochet::test
