// scene_velocity_conditions: from the section to the rows of the model, and what is wrong with bad ones.
#include "ricochet/io/scene_velocity_conditions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

// A ball, a bar whose centre of mass is not its origin, and a point mass.
std::string condition_scene(std::string_view rest, bool planar = false, std::string_view spin = "[0, 0, 0]") {
  return fmt::format(
      "ricochet: 1\nplanar: {}\nparameters: {{spin: 2}}\ntime: {{end: 1, step: 0.1}}\nbodies:\n"
      "  ball: {{shape: {{type: sphere, radius: 0.1}}, mass: 1, position: [1, 0, 0], angular_velocity: {}}}\n"
      "  bar: {{mass: 1, inertia: 1, center_of_mass: [0.5, 0, 0], position: [3, 1, 0]}}\n"
      "  mass: {{mass: 1, position: [5, 0, 0]}}\n{}",
      planar, spin, rest);
}

std::string one_condition(std::string_view condition) {
  return fmt::format("velocity_conditions:\n  c: {}\n", condition);
}

model::Model condition_model(std::string_view rest, bool planar = false) {
  return io::read_scene_text(condition_scene(rest, planar), "c.yaml").run_case.model;
}

std::string condition_complaint(std::string_view condition, bool planar = false, std::string_view spin = "[0, 0, 0]") {
  return input_complaint(
      [&] { io::read_scene_text(condition_scene(one_condition(condition), planar, spin), "c.yaml"); });
}

TEST(SceneVelocityConditions, RotationAboutAnAxisOfTheWorld) {
  const model::Model model =
      condition_model(one_condition("{type: rotation, second: ball}") +
                      "  d: {type: rotation, first: bar, second: ball, axis: [0, 3, 4], speed: spin*t^2}\n");
  ASSERT_EQ(model.velocity_rows.size(), 2U);
  const model::VelocityRow &held = model.velocity_rows[0], &driven = model.velocity_rows[1];
  EXPECT_EQ(held.name, "c");
  EXPECT_EQ(held.kind, model::VelocityKind::rotation);
  EXPECT_FALSE(held.first.node.valid());
  EXPECT_EQ(held.second.node.index, 0);
  EXPECT_EQ(held.axis, Vector3::UnitZ());
  EXPECT_EQ(held.speed.value(3), 0);
  EXPECT_EQ(driven.first.node.index, 1);
  EXPECT_LE((driven.axis - Vector3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(driven.speed.value(3), 18);
}

TEST(SceneVelocityConditions, TranslationOfPointsInBodyCoordinates) {
  const model::Model model = condition_model(one_condition(
      "{type: translation, first: mass, second: bar, at_second: [2, 0, 0], axis: [0, -2, 0], speed: spin*t}"));
  ASSERT_EQ(model.velocity_rows.size(), 1U);
  const model::VelocityRow& row = model.velocity_rows[0];
  EXPECT_EQ(row.kind, model::VelocityKind::translation);
  EXPECT_EQ(row.first.node.index, 2);
  const model::Attachment expected = model::point_of(model.bodies[1], Vector3(2, 0, 0));
  EXPECT_EQ(row.second.node, expected.node);
  EXPECT_EQ(row.second.offset, expected.offset);
  EXPECT_EQ(row.axis, Vector3(0, -1, 0));
  EXPECT_EQ(row.speed.rate(7), 2);
}

TEST(SceneVelocityConditions, GeneratedAsOftenAsAParameterSays) {
  const std::string scene = condition_scene(
      "generate:\n  hold:\n    type: repeat\n    count: n\n"
      "    velocity_conditions: {upright$i: {type: rotation, second: ball-$i}}\n"
      "  balls: {type: repeat, count: 2, bodies: {ball-$i: {mass: 1, inertia: 1, position: [0, $i, 0]}}}\n");
  for (const int count : {0, 1, 2}) {
    const std::string text = scene.substr(0, scene.find("{spin")) + fmt::format("{{n: {}, spin", count) +
                             scene.substr(scene.find("{spin") + 5);
    const model::Model model = io::read_scene_text(text, "c.yaml").run_case.model;
    ASSERT_EQ(model.velocity_rows.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) EXPECT_EQ(model.velocity_rows[i].name, fmt::format("upright{}", i + 1));
  }
}

TEST(SceneVelocityConditions, VelocitiesAreMadeToFit) {
  const std::string text =
      condition_scene(one_condition("{type: rotation, second: ball, speed: 0}") + "assembly: {velocity_tolerance: 1}\n",
                      false, "[0, 3, 4]");
  const model::Model model = io::read_scene_text(text, "c.yaml").run_case.model;
  EXPECT_LE((model.nodes[0].angular_velocity - Vector3(0, 3, 0)).norm(), 1e-14);
}

TEST(SceneVelocityConditionsBadInput, EveryMistakeHasItsSentence) {
  const auto complaint = [](std::string_view condition) { return condition_complaint(condition); };
  const auto planar_complaint = [](std::string_view condition) { return condition_complaint(condition, true, "0"); };
  EXPECT_EQ(complaint("{type: rotation, second: bal}"),
            "c.yaml:10:31: there is no body 'bal', which 'velocity_conditions.c.second' names; did you mean 'ball'?");
  EXPECT_EQ(complaint("{type: rotation, first: ball, second: ball}"),
            "c.yaml:10:6: both sides of 'velocity_conditions.c' are 'ball', so there is no velocity between them");
  EXPECT_EQ(complaint("{type: translation, second: world, axis: [1, 0, 0]}"),
            "c.yaml:10:6: both sides of 'velocity_conditions.c' are 'world', so there is no velocity between them");
  EXPECT_EQ(complaint("{type: rotation, second: ball, axis: [0, 0, 0]}"),
            "c.yaml:10:43: 'velocity_conditions.c.axis' must not be zero: it gives a direction");
  EXPECT_EQ(complaint("{type: translation, second: ball}"),
            "c.yaml:10:6: the key 'axis' is missing in 'velocity_conditions.c'; it must be a list of 3 numbers");
  EXPECT_EQ(complaint("{type: rotation, second: ball, at_second: [0, 0, 0]}"),
            "c.yaml:10:37: 'at_second' belongs to type 'translation', but 'velocity_conditions.c' has type 'rotation'");
  EXPECT_EQ(complaint("{type: spin, second: ball}"),
            "c.yaml:10:13: 'velocity_conditions.c.type' must be one of rotation, translation, but it is 'spin'");
  EXPECT_EQ(complaint("{type: rotation, second: mass}"),
            "c.yaml:10:31: 'velocity_conditions.c.second' names 'mass', a point mass, which does not rotate");
  EXPECT_EQ(complaint("{type: translation, second: mass, at_second: [1, 0, 0], axis: [1, 0, 0]}"),
            "c.yaml:10:51: 'velocity_conditions.c.at_second' must be [0, 0, 0]: 'mass' is a point mass and has no "
            "other point");
  EXPECT_EQ(complaint("{type: translation, second: ball, at_first: [1, 0, 0], axis: [1, 0, 0]}"),
            "c.yaml:10:50: 'velocity_conditions.c.at_first' has no meaning: 'velocity_conditions.c.first' is 'world', "
            "all of which stands still");
  EXPECT_EQ(planar_complaint("{type: rotation, second: ball, axis: [1, 0, 0]}"),
            "c.yaml:10:43: in a planar scene 'velocity_conditions.c.axis' must point along z");
  EXPECT_EQ(planar_complaint("{type: translation, second: ball, axis: [0, 0, 1]}"),
            "c.yaml:10:46: in a planar scene the z component of 'velocity_conditions.c.axis' must be 0, but it is 1");
  EXPECT_EQ(planar_complaint("{type: rotation, second: ball}"), "");
}

TEST(SceneVelocityConditionsBadInput, BodiesMustStartAsTheyLetThem) {
  EXPECT_EQ(
      condition_complaint("{type: rotation, second: ball, speed: 1 + t}", false, "[0, 5, 4]"),
      "c.yaml:10:6: the bodies start with velocities that 'velocity_conditions.c' does not allow: they differ by 3 "
      "rad/s (0.469 of the largest speed); give bodies velocities that fit, or let them be made to fit: "
      "'assembly: {velocity_tolerance: 1}'");
  EXPECT_EQ(condition_complaint("{type: rotation, second: ball, speed: 4 + t}", false, "[0, 5, 4]"), "");
}

TEST(SceneVelocityConditionsBadInput, BodiesMustBeThereAllTheTime) {
  std::string text = condition_scene(one_condition("{type: rotation, second: bar}"));
  text.replace(text.find("bar: {"), 6, "bar: {appears: 0.5, ");
  EXPECT_EQ(input_complaint([&] { io::read_scene_text(text, "c.yaml"); }),
            "c.yaml:7:3: the velocity condition 'c' holds the body 'bar', which is not there all the time (appears, "
            "disappears)");
}

TEST(SceneVelocityConditionsSchema, HasTheKindsOfTheModelInTheirOrder) {
  const io::Type type = io::velocity_condition_type();
  ASSERT_EQ(type.alternatives.size(), 2U);
  EXPECT_EQ(type.alternatives[static_cast<std::size_t>(model::VelocityKind::rotation)].name, "rotation");
  EXPECT_EQ(type.alternatives[static_cast<std::size_t>(model::VelocityKind::translation)].name, "translation");
}

}  // namespace
}  // namespace ricochet::test
