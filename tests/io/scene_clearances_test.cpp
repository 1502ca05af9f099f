// scene_clearances: from the section to frames, parts and rules of the model, and what is wrong with bad ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/scene_test_support.hpp"
#include "ricochet/model/assemblies/clearance_geometry.hpp"

namespace ricochet::test {
namespace {

// A bar whose centre of mass is not its origin, a turned plate and a point mass.
std::string clearance_scene(std::string_view rest, bool planar) {
  return fmt::format(
      "ricochet: 1\nplanar: {}\nparameters: {{room: 1e-3}}\ntime: {{end: 1, step: 0.1}}\nbodies:\n"
      "  bar: {{shape: {{type: sphere, radius: 0.1}}, mass: 1, inertia: 1, center_of_mass: [0.5, 0, 0], position: [3, "
      "1, "
      "0]}}\n"
      "  plate: {{mass: 1, inertia: 1, position: [1, 0, 0], orientation: {{axis: [0, 0, 1], angle: 90*deg}}}}\n"
      "  mass: {{mass: 1, position: [5, 0, 0]}}\ncontacts:\n  rule: {{between: [bar, mass]}}\n{}",
      planar, rest);
}

std::string one_clearance(std::string_view clearance) { return fmt::format("clearances:\n  c: {}\n", clearance); }

model::Model clearance_model(std::string_view clearance, bool planar) {
  return io::read_scene_text(clearance_scene(one_clearance(clearance), planar), "c.yaml").run_case.model;
}

model::ClearancePose clearance_start(const model::Model& model) {
  const model::Clearance& c = model.clearances.at(0);
  const model::Node& first = model.nodes[model.bodies[c.first.index].node.index];
  const model::Node& second = model.nodes[model.bodies[c.second.index].node.index];
  return model::seen_from_second(c, first.position, first.orientation, second.position, second.orientation);
}

TEST(SceneClearances, ASliderOfAPlanarScene) {
  const model::Model model = clearance_model(
      "{type: translational, between: [bar, plate], axis: [0, 2, 0], length: 0.2, width: 0.1, clearance: room, "
      "friction: 0.3, restitution: 0.5}",
      true);
  const model::Clearance& c = model.clearances.at(0);
  EXPECT_EQ(c.half_size, Vector3(0.1, 0.05, 0));
  EXPECT_EQ(c.clearance, 1e-3);
  EXPECT_EQ(c.law.friction.at(0), 0.3);
  EXPECT_EQ(model.contacts.at(1).law.restitution.at(0), 0.5);
  EXPECT_EQ(model.contacts.at(1).name, "c");
  // Without a point: the origin of the first body, which is not its node. The axis is y of the world, x of the plate.
  EXPECT_EQ(c.first_frame.attachment.offset, Vector3(-0.5, 0, 0));
  EXPECT_LE((c.second_frame.attachment.offset - Vector3(1, -2, 0)).norm(), 1e-15);
  EXPECT_LE((c.second_frame.axes.rotate(Vector3::UnitX()) - Vector3::UnitX()).norm(), 1e-15);
  EXPECT_LE((c.first_frame.axes.rotate(Vector3::UnitX()) - Vector3::UnitY()).norm(), 1e-15);
  EXPECT_LE(clearance_start(model).path.norm(), 1e-15);
  EXPECT_EQ(model.bodies[0].mass, 1);
}

TEST(SceneClearances, PointsAndAxesOnBothBodies) {
  const model::Model model = clearance_model(
      "{type: revolute, between: [bar, plate], at_first: [0.1, 0, 0], at_second: [1.0005, -2.1, 0], axis_first: [0, 0, "
      "1], "
      "axis_second: [0.01, 0, 1], radius: 0.02, length: 0.05, clearance: room, axial_clearance: 2*room}",
      false);
  const model::Clearance& c = model.clearances.at(0);
  EXPECT_EQ(c.half_length, 0.025);
  EXPECT_EQ(c.axial_clearance, 2e-3);
  const model::ClearancePose pose = clearance_start(model);
  EXPECT_NEAR(pose.path.norm(), 5e-4, 1e-15);  // at (3.1, 1) and (1 + 2.1, 1.0005)
  EXPECT_NEAR(model::angle_of(c, pose, false), std::atan(0.01), 1e-15);
}

TEST(SceneClearances, TheWorldAsEitherSide) {
  for (const char* between : {"[bar, world]", "[world, bar]"}) {
    const model::Model model = clearance_model(
        fmt::format("{{type: spherical, between: {}, at: [4, 1, 0], radius: 0.02, clearance: room}}", between), false);
    ASSERT_EQ(model.bodies.size(), 4U);
    EXPECT_EQ(model.bodies[3].name, "world");
    EXPECT_LE(clearance_start(model).path.norm(), 1e-15);
  }
  const model::Model model = clearance_model(
      "{type: spherical, between: [bar, world], radius: 0.02, clearance: room}\n"
      "  d: {type: spherical, between: [world, plate], radius: 0.02, clearance: room}",
      false);
  EXPECT_EQ(model.bodies.size(), 4U);
}

TEST(SceneClearances, ASliderInSpace) {
  const model::Model model = clearance_model(
      "{type: translational, between: [bar, world], axis: [0, 0, 3], up: [1, 0, 7], length: 0.2, width: 0.1, height: "
      "0.3, "
      "clearance: room}",
      false);
  const model::Clearance& c = model.clearances.at(0);
  EXPECT_EQ(c.half_size, Vector3(0.1, 0.15, 0.05));
  EXPECT_LE((c.second_frame.axes.rotate(Vector3::UnitX()) - Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_LE((c.second_frame.axes.rotate(Vector3::UnitY()) - Vector3::UnitX()).norm(), 1e-15);
}

TEST(SceneClearancesBadInput, Complaints) {
  const auto complaint = [](std::string_view clearance, bool planar = true) {
    const std::string text = clearance_scene(one_clearance(clearance), planar);
    const std::string said = scene_complaint(text);
    return said.substr(said.find(": ") == std::string::npos ? 0 : said.find(": ") + 2);
  };
  const std::string round = "type: revolute, radius: 0.02, ";
  EXPECT_EQ(complaint("{" + round + "between: [bar, plat], clearance: room}"),
            "there is no body 'plat', which 'clearances.c.between.1' names; did you mean 'plate'?");
  EXPECT_EQ(complaint("{" + round + "between: [bar, bar], clearance: room}"),
            "both sides of 'clearances.c' are 'bar': a body has no clearance in itself");
  EXPECT_EQ(complaint("{" + round + "between: [mass, bar], clearance: room}"),
            "'mass' is a point mass, which does not rotate and has no room for a clearance: give it an inertia");
  EXPECT_EQ(complaint("{" + round + "between: [bar, plate], clearance: 0}"),
            "'clearances.c.clearance' must be greater than 0, but is 0");
  EXPECT_EQ(complaint("{" + round + "between: [bar, plate], clearance: -room}"),
            "'clearances.c.clearance' must be greater than 0, but '-room' is -0.001");
  EXPECT_EQ(complaint("{" + round + "between: [bar, plate], clearance: 0.02}"),
            "the radius of clearance 'c' is 0.02 m and its clearance 0.02 m: nothing is left of what is in it");
  EXPECT_EQ(complaint("{" + round + "between: [bar, plate], clearance: room}", false),
            "'clearances.c' needs a length: the scene is not planar");
  EXPECT_EQ(complaint("{" + round + "between: [bar, plate], clearance: room, length: 1}"),
            "'clearances.c.length' is for scenes in space; leave it out of a planar scene");
  EXPECT_EQ(
      complaint("{" + round +
                "between: [bar, plate], clearance: room, at_first: [0, 0, 0], at_second: [1, -2.003, 0]}"),
      "'clearances.c' starts outside of its clearance: journal is 0.002 m too far out (the clearance is 0.001 m, and "
      "the middles are 0.003 m apart); move one of the bodies or points");
  EXPECT_EQ(complaint("{" + round + "between: [bar, plate], clearance: room, at: [0, 0, 0], at_first: [0, 0, 0]}"),
            "'clearances.c.at' is given in the world and also in a body; one of both is enough");
  EXPECT_EQ(complaint("{type: translational, between: [bar, plate], clearance: room, length: 1, width: 1}", false),
            "'clearances.c' needs a height: the scene is not planar");
  EXPECT_EQ(
      complaint("{type: translational, between: [bar, plate], clearance: room, length: 1, width: 1, height: 1, axis: "
                "[0, 0, 2]}",
                false),
      "'clearances.c.up' points along the axis of the guide: give a direction across it");
  const std::string same_name = clearance_scene(
      "clearances:\n  rule: {type: spherical, between: [bar, plate], radius: 0.02, clearance: room}\n", false);
  EXPECT_NE(
      scene_complaint(same_name).find("'clearances.rule' has the name of a contact rule, and its contacts bear its "
                                      "name: give it another"),
      std::string::npos)
      << scene_complaint(same_name);
}

}  // namespace
}  // namespace ricochet::test
