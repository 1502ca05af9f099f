// scene_integrator_schema: every scheme of the program can be written, with options of its own and no others.
#include "ricochet/io/scene_integrator_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scene_test_support.hpp"
#include "ricochet/simulation/settings.hpp"

namespace ricochet::test {
namespace {

std::string integrator_scene(const std::string& integrator) {
  return "ricochet: 1\ntime: {end: 1, step: 0.1}\nbodies: {ball: {mass: 1}}\nintegrator: " + integrator + "\n";
}

TEST(SceneIntegratorSchema, EverySchemeIsAnAlternative) {
  const io::Type type = io::integrator_type();
  ASSERT_EQ(type.alternatives.size(), simulation::scheme_names.size());
  for (std::size_t i = 0; i < simulation::scheme_names.size(); ++i) {
    EXPECT_EQ(type.alternatives[i].name, simulation::scheme_names[i]);
    const io::Scene scene =
        io::read_scene_text(integrator_scene(std::string("{scheme: ") + simulation::scheme_names[i] + "}"), "s.yaml");
    EXPECT_EQ(static_cast<std::size_t>(scene.run_case.settings.scheme), i);
  }
}

TEST(SceneIntegratorSchema, OptionsOfTheMidpointRule) {
  const io::Scene scene =
      io::read_scene_text(integrator_scene("{scheme: moreau-midpoint, projection: none}"), "s.yaml");
  EXPECT_EQ(scene.run_case.settings.moreau_midpoint.projection, integrate::Projection::none);
}

TEST(SceneIntegratorSchemaBadInput, OptionsOfOtherSchemes) {
  EXPECT_THAT(
      input_complaint([] { io::read_scene_text(integrator_scene("{scheme: moreau-midpoint, theta: 0.5}"), "s.yaml"); }),
      ::testing::HasSubstr("theta"));
}

}  // namespace
}  // namespace ricochet::test
