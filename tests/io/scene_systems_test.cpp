// The section `systems`: from a scene to the model, and what is wrong with bad ones.
#include "ricochet/io/scene_systems.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string system_scene(std::string_view systems, bool planar = true, std::string_view rest = "") {
  return fmt::format("ricochet: 1\nplanar: {}\ngravity: [0, -9.81, 0]\ntime: {{end: 0.01, step: 1e-4}}\nsystems:\n{}{}",
                     planar, systems, rest);
}

constexpr std::string_view kCrank =
    "  mechanism:\n    type: slider-crank\n    crank: {length: 0.153, mass: 0.038, inertia: 7.4e-5, angle: 0.5, "
    "angular_velocity: 150}\n"
    "    rod: {length: 0.306, mass: 0.038, inertia: 5.9e-4, angular_velocity: -75}\n"
    "    slider: {length: 0.1, width: 0.05, mass: 0.076, inertia: 2.7e-6}\n    clearance: 0.001\n    friction: 0.01\n"
    "    restitution: 0.4\n";

std::string system_sentence(const std::string& text) {
  return input_complaint([&] { io::read_scene_text(text, "s.yaml"); });
}

TEST(SceneSystems, SliderCrank) {
  const model::Model model = io::read_scene_text(system_scene(kCrank), "s.yaml").run_case.model;
  ASSERT_EQ(model.systems.size(), 1U);
  EXPECT_EQ(model.systems[0].name, "mechanism");
  const model::Node& node = model.nodes[model.systems[0].node.index];
  EXPECT_EQ(node.kind, model::NodeKind::generalised);
  EXPECT_EQ(node.coordinates, Vector3(0.5, 0, 0));
  EXPECT_EQ(node.rates, Vector3(150, -75, 0));
  ASSERT_EQ(model.contacts.size(), 1U);
  EXPECT_EQ(model.contacts[0].system.index, 0);
  EXPECT_EQ(model.contacts[0].law.friction.at(0), 0.01);
  EXPECT_EQ(model.contacts[0].law.restitution.at(0), 0.4);
}

TEST(SceneSystems, StickAndBlock) {
  const model::Model model =
      io::read_scene_text(system_scene("  stick: {type: impacting-stick, length: 2, mass: 1, inertia: 0.3, position: "
                                       "[1, 2], angle: pi/4}\n"
                                       "  block: {type: rocking-block, width: 2, height: 4, mass: 3, inertia: 1, "
                                       "position: [3, 4], velocity: [5, 6], angular_velocity: 7}\n"),
                          "s.yaml")
          .run_case.model;
  ASSERT_EQ(model.systems.size(), 2U);
  EXPECT_EQ(model.nodes[1].coordinates, Vector3(3, 4, 0));
  EXPECT_EQ(model.nodes[1].rates, Vector3(5, 6, 7));
  EXPECT_EQ(model.systems[0].equations->contacts()[0].first, "tip");
  EXPECT_EQ(model.systems[1].equations->contacts().size(), 2U);
}

TEST(SceneSystemsBadInput, SaysWhatIsWrong) {
  EXPECT_THAT(system_sentence(system_scene(kCrank, false)),
              AllOf(HasSubstr("'systems.mechanism'"), HasSubstr("planar: true")));
  EXPECT_THAT(system_sentence(system_scene("  a: {type: slider-crnk}\n")), HasSubstr("slider-crank"));
  EXPECT_THAT(system_sentence(system_scene("  a: {type: impacting-stick, length: 1, mass: 1, inertia: 1}\n")),
              HasSubstr("position"));
  EXPECT_THAT(system_sentence(
                  system_scene("  a: {type: impacting-stick, length: -1, mass: 1, inertia: 1, position: [0, 1]}\n")),
              HasSubstr("greater than 0"));
  EXPECT_THAT(system_sentence(system_scene("  a: {type: impacting-stick, length: 1, mass: 1, inertia: 1, position: [0, "
                                           "1], rolling: 0.1}\n")),
              HasSubstr("rolling"));
  const std::string clash =
      "bodies:\n  ball: {shape: {type: sphere, radius: 0.1}, mass: 1}\nsurfaces:\n  floor: {type: plane, normal: [0, "
      "1, "
      "0]}\ncontacts:\n  mechanism: {between: [ball, floor]}\n";
  EXPECT_THAT(system_sentence(system_scene(kCrank, true, clash)), HasSubstr("name of a contact rule"));
}

}  // namespace
}  // namespace ricochet::test
