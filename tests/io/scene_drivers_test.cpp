// scene_drivers: prescribed motion of bodies and surfaces.
#include <gtest/gtest.h>

#include "io/space_scene.hpp"

namespace ricochet::test {
namespace {

constexpr const char* kBall = "{mass: 2, shape: {type: sphere, radius: 0.1}}";

std::string driver_complaint(std::string_view driver, std::string_view body = kBall) {
  return space_complaint(body, fmt::format("drivers:\n  d: {}\n", driver));
}

model::Driver driver_of(std::string_view driver) {
  return space_model(kBall, fmt::format("drivers:\n  d: {}\n", driver)).drivers.at(0);
}

TEST(SceneDrivers, DriveBodies) {
  const model::Driver moved = driver_of("{body: top, position: [sin(t), 0, 2], components: [x, z]}");
  ASSERT_TRUE(moved.translation);
  EXPECT_FALSE(moved.rotation);
  EXPECT_EQ(moved.node.index, 0);
  EXPECT_EQ(moved.translation->level, model::DriverLevel::position);
  EXPECT_EQ(moved.translation->components, (std::array{true, false, true}));
  EXPECT_EQ(moved.translation->function[0].rate(0), 1);
  const model::Driver turned = driver_of("{body: top, angular_velocity: 3*t, axis: [0, -2, 0], tilts_freely: true}");
  ASSERT_TRUE(turned.rotation);
  EXPECT_EQ(turned.rotation->axis, Vector3(0, -1, 0));
  EXPECT_TRUE(turned.rotation->only_about_axis);
  EXPECT_EQ(turned.rotation->function.value(2), 6);
}

TEST(SceneDrivers, DriveSurfaces) {
  const model::Driver belt = driver_of("{surface: floor, velocity: [t^2, 1, 0]}");
  EXPECT_EQ(belt.surface.index, 0);
  EXPECT_EQ(belt.translation->level, model::DriverLevel::velocity);
  const model::Driver table = driver_of("{surface: floor, angle: t^2, axis: [1, 0, 0], center: [1, 2, 3]}");
  EXPECT_EQ(table.rotation->level, model::DriverLevel::position);
  EXPECT_EQ(table.rotation->center, Vector3(1, 2, 3));
}

// A body driven by its position starts there: springs have their free length from there, and so do notices.
TEST(SceneDrivers, PlaceWhatTheyDrive) {
  const model::Model model =
      space_model(kBall,
                  "drivers:\n  d: {body: top, position: [3 + t, 0, 0]}\n  e: {surface: floor, position: [0, 0, -2]}\n"
                  "springs:\n  s: {start: world, end: top, stiffness: 1}\n");
  EXPECT_EQ(model.nodes[0].position, Vector3(3, 0, 0));
  EXPECT_EQ(model.surfaces[0].point, Vector3(0, 0, -2));
  EXPECT_EQ(model.springs[0].free_length, 3);
}

// The origin of the body rests; its centre of mass, 0.5 m away, turns about it from the start.
TEST(SceneDrivers, ADrivenRotationIsAboutTheOriginAtTheStart) {
  const model::Model model = space_model("{mass: 2, inertia: 1, center_of_mass: [0.5, 0, 0]}",
                                         "drivers:\n  d: {body: top, angular_velocity: 4}\n");
  EXPECT_EQ(model.nodes[0].velocity, Vector3(0, 2, 0));
}

TEST(SceneDriversBadInput, EveryMistakeHasItsSentence) {
  EXPECT_EQ(driver_complaint("{velocity: [1, 0, 0]}"),
            "space.yaml:8:6: 'drivers.d' must drive either a body or a surface");
  EXPECT_EQ(driver_complaint("{body: top}"),
            "space.yaml:8:6: 'drivers.d' prescribes nothing: give a position, velocity, angle or angular_velocity");
  EXPECT_EQ(driver_complaint("{body: top, position: [0, 0, 0], velocity: [0, 0, 0]}"),
            "space.yaml:8:6: 'drivers.d' prescribes 'position' and also 'velocity'; one follows from the other");
  EXPECT_EQ(driver_complaint("{surface: flor, velocity: [0, 0, 0]}"),
            "space.yaml:8:16: there is no surface 'flor', which 'drivers.d.surface' names; did you mean 'floor'?");
  EXPECT_EQ(driver_complaint("{body: tpo, velocity: [0, 0, 0]}"),
            "space.yaml:8:13: there is no body 'tpo', which 'drivers.d.body' names; did you mean 'top'?");
  EXPECT_EQ(
      driver_complaint("{surface: floor, velocity: [0, 0, t]}"),
      "space.yaml:8:6: driver 'd' moves the surface 'floor' along its normal with a velocity that changes; prescribe "
      "its position instead of the velocity");
  EXPECT_EQ(driver_complaint("{surface: floor, angular_velocity: t, axis: [1, 0, 0]}"),
            "space.yaml:8:6: driver 'd' tilts the surface 'floor' with an angular velocity that changes; prescribe its "
            "angle instead");
  EXPECT_EQ(driver_complaint("{surface: floor, position: [0, 0, 1]}"), "");
  EXPECT_EQ(space_complaint(kBall, "drivers:\n  d: {surface: floor, velocity: [t, 0, 0], angular_velocity: 1}\n"),
            "space.yaml:8:6: driver 'd' turns the surface 'floor' and moves it with a velocity that changes; prescribe "
            "its position instead of the velocity");
  EXPECT_EQ(driver_complaint("{body: top, velocity: [1, 0, 0], tilts_freely: true}"),
            "space.yaml:8:53: 'drivers.d.tilts_freely' has no meaning here: it belongs to a driven rotation");
  EXPECT_EQ(driver_complaint("{surface: floor, velocity: [1, 0, 0], components: [x]}"),
            "space.yaml:8:56: 'drivers.d.components' has no meaning here: it chooses the translations of a body that "
            "are driven");
  EXPECT_EQ(driver_complaint("{body: top, angle: t, center: [0, 0, 0]}"),
            "space.yaml:8:36: 'drivers.d.center' has no meaning: a body turns about its own node");
  EXPECT_EQ(
      driver_complaint("{body: top, angle: t, tilts_freely: true}"),
      "space.yaml:8:42: 'drivers.d.tilts_freely' needs the angular_velocity of a body in space about its own x, y "
      "or z axis");
  EXPECT_EQ(driver_complaint("{body: top, angle: t}", "{mass: 1}"),
            "space.yaml:8:25: 'drivers.d.angle' has no meaning: 'top' is a point mass and does not rotate");
  EXPECT_EQ(driver_complaint("{body: top, velocity: [t, 0, 0]}", "{mass: 1, fixed: [y]}"),
            "space.yaml:8:6: 'drivers.d' drives 'y' of 'top', which is fixed already");
  EXPECT_EQ(
      driver_complaint("{body: top, velocity: [t, 0, 0]}\n  e: {body: top, position: [1, 0, 0], components: [x]}"),
      "space.yaml:9:6: 'drivers.e' drives 'x' of 'top', which another driver moves already");
  EXPECT_EQ(driver_complaint("{body: top, velocity: [t, 0, 0]}", "{mass: 1, velocity: [1, 0, 0]}"),
            "space.yaml:8:6: 'drivers.d' drives 'x' of 'top', which also has an initial velocity there; leave it out");
  EXPECT_EQ(driver_complaint("{body: top, position: [1 + t, 0, 0]}", "{mass: 1, position: [2, 0, 0]}"),
            "space.yaml:8:28: 'drivers.d.position' starts at x = 1, but 'bodies.top.position' has 2; leave one out");
  EXPECT_EQ(
      driver_complaint("{body: top, velocity: [1, 0, 0]}", "{mass: 1, inertia: 1, center_of_mass: [1, 0, 0]}"),
      "space.yaml:8:6: 'drivers.d' moves a body whose centre of mass is not at its origin, which is not possible; "
      "drive its rotation, or describe the body with its centre of mass at the origin");
  EXPECT_EQ(driver_complaint("{surface: floor, velocity: [t, 0, 0]}\n  e: {surface: floor, angle: t}"),
            "space.yaml:9:6: 'drivers.e' and the driver 'd' both move the surface 'floor'; one driver may prescribe "
            "translation and rotation");
}

}  // namespace
}  // namespace ricochet::test
