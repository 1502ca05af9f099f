#include "ricochet/io/scene_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

TEST(SceneModel, BodiesAreReadWithTheirDefaults) {
  const model::Model model = slide_case().model;
  EXPECT_TRUE(model.planar);
  EXPECT_EQ(model.gravity, Vector3(0, -9.81, 0));
  ASSERT_EQ(model.bodies.size(), 2U);
  const model::Body& block = model.bodies[0];
  EXPECT_EQ(block.name, "block");
  EXPECT_EQ(block.mass, 1.5);
  EXPECT_TRUE(std::holds_alternative<model::PointShape>(block.parts.at(0).shape));
  const model::Node& node = model.nodes[block.node.index];
  EXPECT_EQ(node.kind, model::NodeKind::point);
  EXPECT_EQ(node.position, Vector3(0, 0.1, 0));
  EXPECT_EQ(node.velocity, Vector3(2, 0, 0));
  const model::Body& box = model.bodies[1];
  EXPECT_EQ(std::get<model::BoxShape>(box.parts.at(0).shape).half_extents, Vector3(0.1, 0.05, 0.5));
  EXPECT_EQ(model.nodes[box.node.index].kind, model::NodeKind::frame);
  EXPECT_NEAR(box.inertia(2, 2), 2 * (0.2 * 0.2 + 0.1 * 0.1) / 12, 1e-15);
}

TEST(SceneModel, AllFormsOfABodyAreRead) {
  const model::Model model = slide_case("mass: 2,",
                                        "mass: 2, inertia: 0.5, orientation: {angle: 90*deg}, angular_velocity: 3, "
                                        "velocity: [1, 2, 0], fixed: [z, ry],")
                                 .model;
  const model::Node& node = model.nodes[1];
  EXPECT_EQ(model.bodies[1].inertia(2, 2), 0.5);
  EXPECT_NEAR(node.orientation.z, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(node.angular_velocity, Vector3(0, 0, 3));
  EXPECT_EQ(node.velocity, Vector3(1, 2, 0));
  EXPECT_EQ(node.fixed, (std::array{false, false, true, false, true, false}));
}

TEST(SceneModel, InertiaIsANumberOrThreeOrATensor) {
  EXPECT_EQ(slide_case("mass: 2,", "mass: 2, inertia: [1, 2, 2.5],").model.bodies[1].inertia(2, 2), 2.5);
  const Matrix3 tensor =
      slide_case("mass: 2,", "mass: 2, inertia: [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]],").model.bodies[1].inertia;
  EXPECT_EQ(tensor(0, 1), 0.1);
  EXPECT_EQ(tensor(2, 2), 2.5);
}

TEST(SceneModel, QuaternionsAreNormalised) {
  const model::Model model = slide_case("mass: 2,", "mass: 2, orientation: {quaternion: [3, 0, 0, 4]},").model;
  EXPECT_DOUBLE_EQ(model.nodes[1].orientation.w, 0.6);
  EXPECT_DOUBLE_EQ(model.nodes[1].orientation.z, 0.8);
}

TEST(SceneModel, SpheresMoveInSpaceAndRotate) {
  const model::Model model = io::read_scene_text(
                                 "{ricochet: 1, time: {end: 1, step: 0.1}, bodies: {ball: {mass: 1, "
                                 "shape: {type: sphere, radius: 0.2}, position: [1, 2, 3]}}}",
                                 "ball.json")
                                 .run_case.model;
  EXPECT_FALSE(model.planar);
  EXPECT_EQ(std::get<model::SphereShape>(model.bodies[0].parts.at(0).shape).radius, 0.2);
  EXPECT_EQ(model.nodes[0].kind, model::NodeKind::frame);
  EXPECT_NEAR(model.bodies[0].inertia(1, 1), 0.4 * 0.04, 1e-17);
  EXPECT_EQ(model.nodes[0].position, Vector3(1, 2, 3));
}

TEST(SceneModel, NormalsMayHaveAnyLength) {
  for (const char* normal : {"[0, 7, 0]", "[0, 1e-200, 0]", "[0, 1e200, 0]"}) {
    EXPECT_EQ(slide_case("normal: [0, 1, 0]", std::string("normal: ") + normal).model.surfaces[0].normal,
              Vector3(0, 1, 0));
  }
}

TEST(SceneModel, TheFreeLengthOfASpringIsItsLengthAtTheStart) {
  const model::Spring spring = slide_case().model.springs[0];
  EXPECT_EQ(spring.start.node.index, 0);
  EXPECT_EQ(spring.end.node.index, 1);
  EXPECT_EQ(spring.end.offset, Vector3(0.1, 0, 0));
  EXPECT_NEAR(spring.free_length, std::hypot(1.1, 0.05), 1e-15);
  EXPECT_FALSE(spring.axis);
  const model::Spring linear = slide_case("stiffness: 20", "stiffness: 20, axis: [2, 0, 0]").model.springs[0];
  EXPECT_EQ(linear.axis, Vector3(1, 0, 0));
  EXPECT_NEAR(linear.free_length, 1.1, 1e-15);
  EXPECT_EQ(slide_case("stiffness: 20", "stiffness: 20, free_length: 0.5").model.springs[0].free_length, 0.5);
}

TEST(SceneModel, ASpringMayEndInTheWorld) {
  const model::Spring spring = slide_case("start: block", "start: {body: world, at: [3, 4, 0]}").model.springs[0];
  EXPECT_FALSE(spring.start.node.valid());
  EXPECT_EQ(spring.start.offset, Vector3(3, 4, 0));
}

TEST(SceneModel, LoadsAreFunctionsOfTime) {
  const model::Load load = slide_case("sin(t)", "speed*t^2").model.loads[0];
  EXPECT_EQ(load.force[0].value(3), 18);
  EXPECT_EQ(load.force[0].rate(3), 12);
  EXPECT_TRUE(load.force[1].is_constant());
  const model::Load torque = slide_case("on: block, force: [sin(t), 0, 0]", "on: box, torque: 2*t").model.loads[0];
  EXPECT_EQ(torque.torque[2].value(3), 6);
  EXPECT_EQ(torque.force[0].value(3), 0);
}

TEST(SceneModelBadInput, WhatCannotBeSimulatedIsRefusedWithAReason) {
  expect_complaints({
      {"planar: true\n", "", "slide.yaml:8:34: 'bodies.box.shape.size' needs three edges: the scene is not planar"},
      {"[0, 0.1, 0], velocity", "[0, 0.1, 1], velocity",
       "slide.yaml:8:33: in a planar scene the z component of 'bodies.block.position' must be 0, but it is 1"},
      {"[speed, 0, 0]", "[speed, 0, 1e-3]",
       "slide.yaml:8:56: in a planar scene the z component of 'bodies.block.velocity' must be 0, but it is 0.001"},
      {"[0, -9.81, 0]", "[0, 0, -9.81]",
       "slide.yaml:4:10: in a planar scene the z component of 'gravity' must be 0, but it is -9.81"},
      {"mass: 2, ", "mass: 2, angular_velocity: [1, 0, 0], ",
       "slide.yaml:9:74: in a planar scene the x and y components of 'bodies.box.angular_velocity' must be 0"},
      {"mass: 2, ", "mass: 2, orientation: {axis: [1, 0, 0], angle: 1}, ",
       "slide.yaml:9:76: in a planar scene 'bodies.box.orientation.axis' must point along z"},
      {"mass: 2, ", "mass: 2, orientation: {axis: [0, 0, 0]}, ",
       "slide.yaml:9:76: 'bodies.box.orientation.axis' must not be zero: it gives a direction"},
      {"mass: 2, ", "mass: 2, orientation: {quaternion: [0, 0, 0, 0]}, ",
       "slide.yaml:9:82: 'bodies.box.orientation.quaternion' must not be zero"},
      {"mass: 2, ", "mass: 2, orientation: {quaternion: [1, 1, 0, 0]}, ",
       "slide.yaml:9:82: in a planar scene 'bodies.box.orientation.quaternion' must be a rotation about z: [w, 0, 0, "
       "z]"},
      {"mass: 2, ", "mass: 2, orientation: {quaternion: [1, 0, 0, 0], angle: 1}, ",
       "slide.yaml:9:69: 'bodies.box.orientation' has a quaternion and also an axis or an angle; one of both is "
       "enough"},
      {"mass: 2, ", "mass: 2, inertia: 0, ", "slide.yaml:9:65: 'bodies.box.inertia' must be greater than 0, but is 0"},
      {"mass: 2, ", "mass: 2, inertia: [1, 2, 0], ",
       "slide.yaml:9:72: 'bodies.box.inertia.2' must be greater than 0, but is 0"},
      {"mass: 2, ", "mass: 2, inertia: [1, 2], ",
       "slide.yaml:9:65: 'bodies.box.inertia' must be a list of 3 numbers, but it is a list of 2 entries"},
      {"mass: 2, ", "mass: 2, inertia: [[1, 0, 0], [0, 1, 0], [0, 0.1, 1]], ",
       "slide.yaml:9:65: the tensor 'bodies.box.inertia' is not symmetric"},
      {"mass: mass, ", "mass: mass, angular_velocity: 3, ",
       "slide.yaml:8:41: 'bodies.block.angular_velocity' has no meaning: a point mass does not rotate; give it a shape "
       "or an inertia"},
      {"mass: mass, ", "mass: mass, orientation: {angle: 0}, ",
       "slide.yaml:8:36: 'bodies.block.orientation' has no meaning: a point mass does not rotate; give it a shape or "
       "an "
       "inertia"},
      {"mass: mass, ", "mass: mass, fixed: [rz], ",
       "slide.yaml:8:31: 'block' does not rotate, so 'rz' cannot be fixed"},
      {"mass: mass, ", "mass: mass, fixed: [y, y], ", "slide.yaml:8:34: 'y' is fixed twice"},
      {"mass: mass, ", "mass: mass, fixed: [y, x], ",
       "slide.yaml:8:34: 'block' is fixed at 'x', but its initial velocity there is 2"},
      {"mass: mass, ", "mass: mass, fixed: [q], ",
       "slide.yaml:8:31: 'bodies.block.fixed.0' must be one of x, y, z, rx, ry, rz, but it is 'q'"},
      {"normal: [0, 1, 0]", "normal: [0, 0, 0]",
       "slide.yaml:11:33: 'surfaces.ground.normal' must not be zero: it gives a direction"},
      {"normal: [0, 1, 0]", "normal: [0, 1, 1]",
       "slide.yaml:11:33: in a planar scene the z component of 'surfaces.ground.normal' must be 0, but it is 1"},
      {"  ground: {", "  box: {",
       "slide.yaml:17:35: there is no body or surface 'ground', which 'contacts.slide.between.1' names; there are "
       "block, box, box"},
      {"end: {body: box, at: [0.1, 0, 0]}", "end: block",
       "slide.yaml:13:9: both ends of 'springs.link' are on 'block', so it can do nothing"},
      {"start: block, end: {body: box, at: [0.1, 0, 0]}", "start: world, end: world",
       "slide.yaml:13:9: both ends of 'springs.link' are on 'world', so it can do nothing"},
      {"start: block", "start: {body: block, at: [0.1, 0, 0]}",
       "slide.yaml:13:35: 'springs.link.start.at' must be [0, 0, 0]: 'block' is a point mass and has no other point"},
      {"start: block", "start: {body: world, at: [1.1, 0.05, 0]}, free_length: 0.1",
       "slide.yaml:13:9: the ends of 'springs.link' coincide at the start, so its force has no direction; move one of "
       "them or give an axis"},
      {"stiffness: 20", "stiffness: -20", "slide.yaml:13:70: 'springs.link.stiffness' must be at least 0, but is -20"},
      {"stiffness: 20", "stiffness: 20, free_length: -1",
       "slide.yaml:13:87: 'springs.link.free_length' must be at least 0, but is -1"},
      {"stiffness: 20", "stiffness: 20, axis: [0, 0, 0]",
       "slide.yaml:13:80: 'springs.link.axis' must not be zero: it gives a direction"},
      {"at: [0.1, 0, 0]", "at: [0.1, 0, 0.1]",
       "slide.yaml:13:45: in a planar scene the z component of 'springs.link.end.at' must be 0, but it is 0.1"},
      {"force: [sin(t), 0, 0]", "force: [0, 0, t]",
       "slide.yaml:15:35: in a planar scene 'loads.push.force.2' must be 0"},
      {"force: [sin(t), 0, 0]", "torque: 1",
       "slide.yaml:15:29: 'loads.push.torque' has no meaning: 'block' is a point mass and does not rotate"},
      {", force: [sin(t), 0, 0]", "", "slide.yaml:15:9: 'loads.push' has neither a force nor a torque"},
      {"on: block, force: [sin(t), 0, 0]", "on: box, torque: [1, 0, 0]",
       "slide.yaml:15:28: in a planar scene 'loads.push.torque.0' must be 0"},
      {"[sin(t), 0, 0]", "sin(t)",
       "slide.yaml:15:28: 'loads.push.force' must be a list of 3 functions of time, but it is 'sin(t)'"},
      {"end: 1, step: 1e-3", "end: 1e9, step: 1e-9",
       "slide.yaml:6:24: 'time.step' is 1e-09, so the run to 'time.end' = 1000000000 would have more than 1e+12 steps"},
  });
}

TEST(SceneModelBadInput, ABodyAndASurfaceNeedDifferentNames) {
  EXPECT_EQ(scene_complaint(slide_scene_with("  ground:", "  box: {type: plane, normal: [0, 1, 0]}\n  ground:")),
            "slide.yaml:11:8: 'box' is the name of a body and of a surface; contacts could not tell them apart");
}

TEST(SceneModelBadInput, WhatOnlyTheModelKnowsIsSaidAtTheElement) {
  EXPECT_EQ(scene_complaint(slide_scene_with("mass: 2,", "mass: 2, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, -1]],")),
            "slide.yaml:9:3: the inertia about z of body 'box' must be positive");
}

}  // namespace
}  // namespace ricochet::test
