#include "ricochet/mechanics/gyroscopic.hpp"

#include <gtest/gtest.h>

#include "mechanics/term_checks.hpp"

namespace ricochet::mechanics {
namespace {

std::vector<Matrix3> inertia_of(const model::Model& model) {
  std::vector<Matrix3> inertia(model.nodes.size(), Matrix3::Zero());
  for (const model::Body& body : model.bodies) inertia[body.node.index] = body.inertia;
  return inertia;
}

// Omega x (J Omega) = (Omega_y Omega_z (J_z - J_y), ...) for principal axes: Euler's equations.
TEST(Gyroscopic, IsThatOfEulersEquations) {
  model::Model model;
  test::add_box(model, 3, Vector3(1, 2, 3), Vector3::Zero());
  model.nodes[0].angular_velocity = Vector3(2, -1, 0.5);
  const DofMap map(model);
  const State state = initial_state(model, map);
  const Matrix3& j = model.bodies[0].inertia;
  const auto term = make_gyroscopic(map, inertia_of(model));
  Vector6 expected;
  expected << 0, 0, 0, -(-1 * 0.5) * (j(2, 2) - j(1, 1)), -(0.5 * 2) * (j(0, 0) - j(2, 2)),
      -(2 * -1) * (j(1, 1) - j(0, 0));
  EXPECT_LE((test::term_force(*term, map, state) - expected).norm(), 1e-14 * expected.norm());
}

TEST(Gyroscopic, IsNotThereWhereNothingFeelsIt) {
  model::Model ball;
  test::add_ball(ball, 1, 1, Vector3::Zero());
  EXPECT_EQ(make_gyroscopic(DofMap(ball), inertia_of(ball)), nullptr);
  model::Model planar;
  test::add_box(planar, 1, Vector3(1, 2, 3), Vector3::Zero());
  EXPECT_NE(make_gyroscopic(DofMap(planar), inertia_of(planar)), nullptr);
  planar.planar = true;
  EXPECT_EQ(make_gyroscopic(DofMap(planar), inertia_of(planar)), nullptr);
}

TEST(GyroscopicProperty, HasExactTangentsAndNoPower) {
  math::Random random(8);
  for (int i = 0; i < 50; ++i) {
    model::Model model;
    test::add_random_point(model, random);
    test::add_random_frame(model, random);
    model.bodies.back().inertia = test::random_inertia(random);
    const DofMap map(model);
    const State state = initial_state(model, map);
    const auto term = make_gyroscopic(map, inertia_of(model));
    ASSERT_NE(term, nullptr);
    test::expect_tangents(*term, map, state);
    test::expect_powers(*term, map, state);
    EXPECT_GT(test::term_force(*term, map, state).norm(), 0);
  }
}

}  // namespace
}  // namespace ricochet::mechanics
