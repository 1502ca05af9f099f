// Every shipped scene with the nonsmooth generalized-alpha scheme, for spectral radii from 0 to 1: at the end of no
// step does anything penetrate or a joint stand open by more than 1e-10 of the size of the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/shipped_scenes.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace ricochet::io {
namespace {

constexpr double kExact = 1e-10;

// Those with hundreds of bodies have tests of their own.
bool is_a_heap(const study::Case& scene) { return scene.model.bodies.size() > 40; }

void expect_exact(const std::string& id, const char* radius, long most_steps) {
  SCOPED_TRACE(id + ", spectral radius " + radius);
  const study::Case scene = read_scene(shipped_scene_path(id), {"integrator.scheme=nonsmooth-generalized-alpha",
                                                                std::string("integrator.spectral_radius=") + radius})
                                .run_case;
  if (is_a_heap(scene)) return;
  simulation::Simulation run(scene.model, scene.settings);
  std::vector<contact::Contact> closed;
  double deepest = 0, widest = 0;
  const simulation::Frame start = run.frame();
  const double size = start.equations.size();
  start.contact_set.detect(start.state, 0, closed);
  for (const contact::Contact& contact : closed) deepest = std::max(deepest, -contact.gap);
  if (deepest > kExact * size) return;  // placed so by the scene
  const long share = scene.model.bodies.size() > 10 ? most_steps / 20 : most_steps;
  for (long step = 0; step < std::min(run.step_count(), share); ++step) {
    ASSERT_TRUE(run.step()) << run.failure();
    const simulation::Frame frame = run.frame();
    frame.contact_set.detect(frame.state, 0, closed);
    for (const contact::Contact& contact : closed) {
      if (!contact.is_of_face) deepest = std::max(deepest, -contact.gap);
    }
    // Behind a face there may be what has come around its edge: of faces those count that touched.
    for (const integrate::ContactRecord& contact : frame.report.contacts) deepest = std::max(deepest, -contact.gap);
    widest = std::max(widest, frame.report.joint_error);
    ASSERT_LE(deepest, kExact * size) << "t = " << frame.state.time;
    ASSERT_LE(widest, kExact * size) << "t = " << frame.state.time;
  }
}

TEST(SceneSchemesProperty, NothingPenetratesAndNoJointOpens) {
  for (const std::string& id : shipped_scenes()) {
    for (const char* radius : {"0", "0.5", "0.8", "1"}) expect_exact(id, radius, 100);
  }
}

TEST(SceneSchemesSlow, NothingPenetratesAndNoJointOpensToTheEnd) {
  for (const std::string& id : shipped_scenes()) {
    for (const char* radius : {"0", "0.5", "0.8", "1"}) expect_exact(id, radius, 20'000'000);
  }
}

}  // namespace
}  // namespace ricochet::io
