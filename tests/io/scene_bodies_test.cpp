// scene_bodies: nodes with their initial motion, and where they sit.
#include <gtest/gtest.h>

#include "io/space_scene.hpp"

namespace ricochet::test {
namespace {

TEST(SceneBodies, APointWithAnInertiaRotates) {
  const model::Model model = space_model("{mass: 2, inertia: [1, 2, 2.5], angular_velocity: [1, 2, 3]}");
  EXPECT_EQ(model.nodes[0].kind, model::NodeKind::frame);
  EXPECT_EQ(model.nodes[0].angular_velocity, Vector3(1, 2, 3));
  EXPECT_EQ(model.bodies[0].inertia.diagonal(), Vector3(1, 2, 2.5));
}

// The velocity is that of the origin; the centre of mass, a quarter turn about x away at (0, -l, 0), moves on a circle.
TEST(SceneBodies, TheNodeOfAFreeBodyIsItsCentreOfMass) {
  const model::Model model = space_model(
      "{mass: 2, inertia: 1, center_of_mass: [0, 0, 0.5], position: [1, 2, 3], orientation: {axis: [1, 0, 0], angle: "
      "90*deg}, velocity: [0, 0, 7], angular_velocity: [0, 4, 0]}");
  const model::Body& body = model.bodies[0];
  EXPECT_EQ(body.center, Vector3::Zero());
  EXPECT_EQ(body.origin, Vector3(0, 0, -0.5));
  EXPECT_LE((model.nodes[0].position - Vector3(1, 1.5, 3)).norm(), 1e-15);
  // Omega in the world is (0, 0, 4); its cross product with (0, -0.5, 0) is (2, 0, 0).
  EXPECT_LE((model.nodes[0].velocity - Vector3(2, 0, 7)).norm(), 1e-15);
}

TEST(SceneBodies, ABodyHeldAtItsOriginTurnsAboutIt) {
  const model::Model model = space_model("{mass: 2, inertia: 1, center_of_mass: [0, 0, 0.5], fixed: [x, y, z]}");
  EXPECT_EQ(model.bodies[0].center, Vector3(0, 0, 0.5));
  EXPECT_EQ(model.bodies[0].origin, Vector3::Zero());
  EXPECT_EQ(model.nodes[0].position, Vector3::Zero());
}

TEST(SceneBodiesBadInput, HalfFixedBodiesAndPointsOffCentre) {
  EXPECT_EQ(space_complaint("{mass: 2, inertia: 1, center_of_mass: [0, 0, 0.5], fixed: [x]}"),
            "space.yaml:4:66: 'bodies.top.fixed' fixes some translations of a body whose centre of mass is not at its "
            "origin; fix all of them (the body then turns about its origin) or none");
  EXPECT_EQ(
      space_complaint("{mass: 2, center_of_mass: [0, 0, 0.5]}"),
      "space.yaml:4:34: 'bodies.top.center_of_mass' has no meaning: a point mass does not rotate; give it a shape "
      "or an inertia");
  EXPECT_EQ(space_complaint("{mass: 2, inertia: 1, angular_velocity: 3}"),
            "space.yaml:4:48: 'bodies.top.angular_velocity' must be a list of 3 numbers: the scene is not planar");
}

}  // namespace
}  // namespace ricochet::test
