#include "ricochet/io/scene_shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/space_scene.hpp"

namespace ricochet::test {
namespace {

TEST(SceneShapes, MassFollowsFromTheDensity) {
  const model::Model box = space_model("{shape: {type: box, size: [1, 2, 3]}, density: 10}");
  EXPECT_DOUBLE_EQ(box.bodies[0].mass, 60);
  EXPECT_DOUBLE_EQ(box.bodies[0].inertia(0, 0), 60 * (4 + 9) / 12.0);
  const model::Model ball = space_model("{shape: {type: sphere, radius: 0.5}, density: 6}");
  EXPECT_NEAR(ball.bodies[0].mass, M_PI, 1e-15);
}

TEST(SceneShapes, CylindersAndCapsulesLieAlongTheirAxis) {
  const model::Model model = space_model("{shape: {type: cylinder, radius: 0.5, length: 2, axis: x}, mass: 3}");
  const model::Body& body = model.bodies[0];
  EXPECT_NEAR(body.inertia(0, 0), 0.5 * 3 * 0.25, 1e-15);
  EXPECT_NEAR(body.inertia(1, 1), 3 * (0.25 / 4 + 4.0 / 12), 1e-15);
  EXPECT_LE((body.parts[0].orientation.rotate(Vector3::UnitZ()) - Vector3::UnitX()).norm(), 1e-15);
  const model::Model cone = space_model("{shape: {type: cone, radius: 0.5, height: 2, axis: x}, mass: 3}");
  EXPECT_EQ(std::get<model::ConeShape>(cone.bodies[0].parts[0].shape).height, 2);
  EXPECT_LE((cone.bodies[0].parts[0].orientation.rotate(Vector3::UnitZ()) - Vector3::UnitX()).norm(), 1e-15);
  EXPECT_LE((cone.bodies[0].origin - Vector3(0.5, 0, 0)).norm(), 1e-15);  // from the centre of mass to the middle
  const model::Model capsule = space_model("{shape: {type: capsule, radius: 0.5, length: 2, axis: y}, mass: 3}");
  EXPECT_EQ(std::get<model::CapsuleShape>(capsule.bodies[0].parts[0].shape).half_length, 1);
  EXPECT_LE((capsule.bodies[0].parts[0].orientation.rotate(Vector3::UnitZ()) - Vector3::UnitY()).norm(), 1e-15);
}

// A wedge whose corner is the origin: the node goes to its centre of mass, the body keeps its origin.
TEST(SceneShapes, APolyhedronMayHaveItsOriginAnywhere) {
  const model::Model model = space_model(
      "{shape: {type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, density: 6, "
      "position: [5, 0, 0]}");
  EXPECT_NEAR(model.bodies[0].mass, 1, 1e-15);
  EXPECT_LE((model.nodes[0].position - Vector3(5.25, 0.25, 0.25)).norm(), 1e-15);
  EXPECT_LE((model.bodies[0].origin - Vector3(-0.25, -0.25, -0.25)).norm(), 1e-15);
  EXPECT_LE((model.bodies[0].parts[0].position - Vector3(-0.25, -0.25, -0.25)).norm(), 1e-15);
}

// A dumbbell of two equal balls: m (2/5 r^2 + l^2) each.
TEST(SceneShapes, PartsAreCombined) {
  const std::string parts =
      "parts: {left: {shape: {type: sphere, radius: 0.1}, position: [-1, 0, 0], mass: 2}, "
      "right: {shape: {type: sphere, radius: 0.1}, position: [1, 0, 0], mass: 2}}";
  const model::Body body = space_model("{" + parts + "}").bodies[0];
  EXPECT_DOUBLE_EQ(body.mass, 4);
  EXPECT_NEAR(body.inertia(2, 2), 4 * (0.4 * 0.01 + 1), 1e-14);
  EXPECT_NEAR(body.inertia(0, 0), 4 * 0.4 * 0.01, 1e-15);
  EXPECT_EQ(body.parts[1].name, "right");
  // A mass of the whole is spread over the volume.
  const model::Body spread = space_model(
                                 "{mass: 9, parts: {small: {shape: {type: box, size: [1, 1, 1]}}, large: {shape: "
                                 "{type: box, size: [2, 2, 2]}, position: [0, 0, 9]}}}")
                                 .bodies[0];
  EXPECT_DOUBLE_EQ(spread.mass, 9);
  EXPECT_DOUBLE_EQ(spread.origin.z(), -8);
}

TEST(SceneShapesBadInput, SayWhatIsMissingOrTwice) {
  EXPECT_EQ(space_complaint("{}"), "space.yaml:4:8: 'bodies.top' has no mass: give it a 'mass' or a 'density'");
  EXPECT_EQ(space_complaint("{mass: 1, density: 1}"),
            "space.yaml:4:8: 'bodies.top' has a mass and a density; one of both is enough");
  EXPECT_EQ(space_complaint("{density: 1}"),
            "space.yaml:4:8: 'bodies.top' is a point, which has no volume: give it a mass, not a density");
  EXPECT_EQ(space_complaint("{mass: 1, shape: {type: cylinder, radius: 1}}"),
            "space.yaml:4:25: 'bodies.top.shape' needs a length: the scene is not planar");
  EXPECT_EQ(
      space_complaint("{mass: 1, shape: {type: sphere, radius: 1}, parts: {a: {shape: {type: sphere, radius: 1}}}}"),
      "space.yaml:4:8: 'bodies.top' has a shape and also parts; one of both is enough");
  EXPECT_EQ(space_complaint("{mass: 1, parts: {a: {shape: {type: sphere, radius: 1}, mass: 1}}}"),
            "space.yaml:4:29: 'bodies.top.parts.a' has a mass of its own, and so has the whole body; one of both is "
            "enough");
  EXPECT_EQ(space_complaint("{parts: {a: {shape: {type: sphere, radius: 1}}}}"),
            "space.yaml:4:20: 'bodies.top.parts.a' has no mass: give it a mass or a density, or give one to the whole "
            "body");
  const std::string inside_out = space_complaint(
      "{mass: 1, shape: {type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces: [[0, 1, 2], "
      "[0, 3, 1], [1, 3, 2], [0, 2, 3]]}}");
  EXPECT_NE(inside_out.find("counter-clockwise"), std::string::npos) << inside_out;
  const std::string flat =
      space_complaint("{mass: 1, shape: {type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}");
  EXPECT_NE(flat.find("plane"), std::string::npos) << flat;
  EXPECT_EQ(scene_complaint(slide_scene_with("type: box, size: [0.2, 0.1]", "type: cylinder, radius: 1, axis: x")),
            "slide.yaml:9:50: in a planar scene the axis of 'bodies.box.shape' must be z: it looks like a disc; use a "
            "box for one that lies in the plane");
}

TEST(SceneShapes, FacesHaveTheMassOfTheirBody) {
  const model::Model plate = space_model("{shape: {type: face, size: [2, 3]}, mass: 3, inertia: [1, 2, 2.5]}");
  EXPECT_EQ(std::get<model::FaceShape>(plate.bodies[0].parts[0].shape).half_extents, Vector2(1, 1.5));
  EXPECT_EQ(plate.bodies[0].mass, 3);
  EXPECT_EQ(plate.bodies[0].inertia(1, 1), 2);
  const model::Model plane = space_model("{shape: {type: face}, mass: 3, inertia: 1}");
  EXPECT_FALSE(std::get<model::FaceShape>(plane.bodies[0].parts[0].shape).half_extents.allFinite());
  // Beside other parts it weighs nothing.
  const model::Model both = space_model(
      "{parts: {a: {shape: {type: face, size: [2, 3]}, position: [0, 0, 9]}, b: {shape: {type: box, size: [1, 1, "
      "1]}}}, "
      "mass: 6}");
  EXPECT_DOUBLE_EQ(both.bodies[0].mass, 6);
  EXPECT_DOUBLE_EQ(both.bodies[0].inertia(0, 0), 1);
  EXPECT_EQ(both.nodes[0].position, Vector3::Zero());
  const model::Model dense =
      space_model("{parts: {a: {shape: {type: face}}, b: {shape: {type: box, size: [1, 1, 1]}, density: 5}}}");
  EXPECT_DOUBLE_EQ(dense.bodies[0].mass, 5);
  const model::Model sides = space_model(
      "{parts: {a: {shape: {type: face}}, b: {shape: {type: face}, orientation: {axis: [1, 0, 0], angle: pi}}}, mass: "
      "2, "
      "inertia: 1}");
  EXPECT_EQ(sides.bodies[0].mass, 2);
}

std::string planar_face(const std::string& shape) {
  return "ricochet: 1\nplanar: true\ntime: {end: 1, step: 0.1}\nbodies:\n  rod: {shape: " + shape +
         ", mass: 1, inertia: 1}\n";
}

TEST(SceneShapes, InThePlaneAFaceIsALineWithTheNormalY) {
  const model::Model model = io::read_scene_text(planar_face("{type: face, length: 4}"), "plane.yaml").run_case.model;
  const model::ShapePart& part = model.bodies[0].parts[0];
  EXPECT_EQ(std::get<model::FaceShape>(part.shape).half_extents.x(), 2);
  EXPECT_EQ(part.orientation.rotate(Vector3::UnitX()), Vector3::UnitX());
  EXPECT_LE((part.orientation.rotate(Vector3::UnitZ()) - Vector3::UnitY()).norm(), 1e-15);
}

TEST(SceneShapesBadInput, FacesNeedAMassAndAnInertia) {
  const std::string sentence =
      "space.yaml:4:8: 'bodies.top' is made of faces, which have no mass of their own: give it a 'mass' and an "
      "'inertia'";
  EXPECT_EQ(space_complaint("{shape: {type: face}}"), sentence);
  EXPECT_EQ(space_complaint("{shape: {type: face}, mass: 1}"), sentence);
  EXPECT_EQ(space_complaint("{shape: {type: face}, density: 1, inertia: 1}"), sentence);
  EXPECT_EQ(space_complaint("{parts: {a: {shape: {type: face}}}, mass: 1}"), sentence);
  EXPECT_EQ(
      space_complaint("{parts: {a: {shape: {type: face}, mass: 1}, b: {shape: {type: sphere, radius: 1}, mass: 1}}}"),
      "space.yaml:4:20: 'bodies.top.parts.a' is a face, which has no mass of its own: give it to the body or to "
      "other parts");
  EXPECT_EQ(space_complaint("{shape: {type: face, length: 1}, mass: 1, inertia: 1}"),
            "space.yaml:4:37: 'bodies.top.shape.length' is for planar scenes: in space a face is a rectangle and has a "
            "'size'");
  EXPECT_EQ(
      scene_complaint(planar_face("{type: face, size: [1, 2]}")),
      "slide.yaml:5:35: 'bodies.rod.shape.size' is for scenes in space: in a planar scene a face is a line and has "
      "a 'length'");
  EXPECT_EQ(
      scene_complaint(slide_scene_with("type: box, size: [0.2, 0.1]}", "type: face}, inertia: 1")),
      "slide.yaml:17:10: 'contacts.slide' pairs 'box' (face) with 'ground' (plane): a face holds points, balls and "
      "corners of bodies; surfaces pass through it");
}

TEST(SceneShapes, HollowShapes) {
  const model::Model sphere = space_model("{shape: {type: hollow-sphere, radius: 2}, mass: 3, inertia: 1}");
  EXPECT_EQ(std::get<model::HollowSphereShape>(sphere.bodies[0].parts[0].shape).radius, 2);
  EXPECT_EQ(sphere.bodies[0].mass, 3);
  const model::Model bore =
      space_model("{shape: {type: hollow-cylinder, radius: 2, length: 3, axis: x}, mass: 3, inertia: 1}");
  const model::ShapePart& part = bore.bodies[0].parts[0];
  EXPECT_EQ(std::get<model::HollowCylinderShape>(part.shape).half_length, 1.5);
  EXPECT_LE((part.orientation.rotate(Vector3::UnitZ()) - Vector3::UnitX()).norm(), 1e-15);
  const model::Model endless = space_model("{shape: {type: hollow-cylinder, radius: 2}, mass: 3, inertia: 1}");
  EXPECT_FALSE(std::isfinite(std::get<model::HollowCylinderShape>(endless.bodies[0].parts[0].shape).half_length));
  const model::Model ring =
      io::read_scene_text(planar_face("{type: hollow-cylinder, radius: 2}"), "plane.yaml").run_case.model;
  EXPECT_EQ(std::get<model::HollowCylinderShape>(ring.bodies[0].parts[0].shape).radius, 2);
}

TEST(SceneShapesBadInput, HollowShapesNeedAMassAndAnInertia) {
  EXPECT_EQ(space_complaint("{shape: {type: hollow-sphere, radius: 1}, mass: 1}"),
            "space.yaml:4:8: 'bodies.top' is made of hollow shapes, which have no mass of their own: give it a 'mass' "
            "and an 'inertia'");
  EXPECT_EQ(space_complaint("{parts: {a: {shape: {type: hollow-cylinder, radius: 1}, mass: 1}, b: {shape: {type: "
                            "sphere, radius: 1}, mass: 1}}}"),
            "space.yaml:4:20: 'bodies.top.parts.a' is a hollow-cylinder, which has no mass of its own: give it to the "
            "body or to other parts");
  EXPECT_THAT(scene_complaint(planar_face("{type: hollow-cylinder, radius: 1, axis: x}")),
              testing::HasSubstr("must be z: it looks like a circle; use faces for one that lies in the plane"));
}

}  // namespace
}  // namespace ricochet::test
