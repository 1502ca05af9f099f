// Joints stay closed over a hundred thousand steps, in every shipped scene that has some.
#include <gtest/gtest.h>

#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/model/machine_size.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace ricochet::test {
namespace {

TEST(JointSceneSlow, JointsAreClosedAfterAHundredThousandSteps) {
  constexpr double kSteps = 1e5;
  int scenes = 0;
  for (const std::string& id : io::shipped_scenes()) {
    study::Case scene = io::read_scene(io::shipped_scene_path(id)).run_case;
    if (scene.model.joints.empty()) continue;
    SCOPED_TRACE(id);
    ++scenes;
    scene.settings.end = kSteps * scene.settings.step;
    simulation::Simulation run(scene.model, scene.settings);
    while (run.snapshot().step_index < run.step_count()) ASSERT_TRUE(run.step()) << run.failure();
    EXPECT_GE(run.statistics().steps, kSteps - 1);
    EXPECT_LE(run.statistics().max_joint_error, 1e-10 * model::machine_size(scene.model));
  }
  EXPECT_GE(scenes, 12);
}

}  // namespace
}  // namespace ricochet::test
