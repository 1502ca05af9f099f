// scene_values: what several sections have in common, read through a whole scene.
#include "ricochet/io/scene_values.hpp"

#include <gtest/gtest.h>

#include "io/space_scene.hpp"

namespace ricochet::test {
namespace {

constexpr const char* kWheel = "{mass: 2, shape: {type: sphere, radius: 0.1}, center_of_mass: [0.5, 0, 0]}";

TEST(SceneValues, PointsOfABodyAreMeasuredFromItsOrigin) {
  const model::Model model = space_model(
      kWheel, "springs:\n  s: {start: {body: top, at: [1, 0, 0]}, end: {body: world, at: [9, 0, 0]}, stiffness: 1}\n");
  EXPECT_EQ(model.springs[0].start.offset, Vector3(0.5, 0, 0));
  EXPECT_EQ(model.springs[0].end.offset, Vector3(9, 0, 0));
  EXPECT_DOUBLE_EQ(model.springs[0].free_length, 8);
}

TEST(SceneValues, LoadsAndTorsionSpringsAreRead) {
  const model::Model model =
      space_model(kWheel,
                  "loads:\n  thrust: {on: top, force: [0, t, 0], torque: [0, 0, 2], axes: body}\n"
                  "springs:\n  rod: {type: torsion, start: world, end: top, stiffness: 5, damping: 1, free_angle: "
                  "90*deg, axis: [0, "
                  "3, 0]}\n");
  EXPECT_EQ(model.loads[0].axes, model::LoadAxes::body);
  EXPECT_EQ(model.loads[0].force[1].value(3), 3);
  EXPECT_EQ(model.loads[0].torque[2].value(3), 2);
  ASSERT_EQ(model.torsion_springs.size(), 1u);
  EXPECT_EQ(model.torsion_springs[0].axis, Vector3::UnitY());
  EXPECT_EQ(model.torsion_springs[0].stiffness, 5);
  EXPECT_DOUBLE_EQ(model.torsion_springs[0].free_angle, std::acos(0.0));
  EXPECT_TRUE(model.springs.empty());
}

TEST(SceneValuesBadInput, WhatDoesNotFitTheSpaceIsRefused) {
  EXPECT_EQ(space_complaint(kWheel, "loads:\n  l: {on: top, torque: 3}\n"),
            "space.yaml:8:24: 'loads.l.torque' must be a list of 3: the scene is not planar");
  EXPECT_EQ(space_complaint("{mass: 1}", "springs:\n  s: {type: torsion, start: world, end: top, stiffness: 1}\n"),
            "space.yaml:8:41: 'springs.s.end' is on 'top', a point mass, which does not rotate");
  EXPECT_EQ(
      space_complaint(kWheel, "springs:\n  s: {type: torsion, start: world, end: top, stiffness: 1, free_length: 2}\n"),
      "space.yaml:8:60: 'free_length' belongs to type 'line', but 'springs.s' has type 'torsion'");
  EXPECT_EQ(
      scene_complaint(slide_scene_with("loads:", "drivers:\n  d: {body: box, angle: t, axis: [0, 1, 1]}\nloads:")),
      "slide.yaml:15:34: in a planar scene 'drivers.d.axis' must point along z");
}

}  // namespace
}  // namespace ricochet::test
