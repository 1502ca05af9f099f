#include "ricochet/mechanics/springs.hpp"

#include <gtest/gtest.h>

#include "mechanics/term_checks.hpp"

namespace ricochet::mechanics {
namespace {

TEST(Springs, PullLongEndsTogetherAndPushShortOnesApart) {
  model::Model model;
  test::add_point(model, 1, Vector3(3, 0, 0), Vector3(0.5, 7, 0));
  test::add_point(model, 1, Vector3(0, 0, 4));
  test::add_spring(model, {{0}, Vector3::Zero()}, {{1}, Vector3::Zero()}, 10, 2, 4);  // length 5
  const DofMap map(model);
  const State state = initial_state(model, map);
  const auto springs = make_springs(model, map);
  // Unit vector from start to end (-0.6, 0, 0.8); the start moves away from the end with 0.3 m/s.
  const double tension = 10 * 1 + 2 * 0.3;
  VectorX expected(6);
  expected << -0.6, 0, 0.8, 0.6, 0, -0.8;
  EXPECT_LE((test::term_force(*springs, map, state) - tension * expected).norm(), 1e-13);
  EXPECT_DOUBLE_EQ(springs->potential(state), 5);
  EXPECT_DOUBLE_EQ(springs->strain_energy(state), 5);
  const Powers powers = test::term_powers(*springs, state);
  EXPECT_NEAR(powers.damping, 2 * 0.09, 1e-15);
  EXPECT_NEAR(powers.conservative, -10 * 0.3, 1e-14);
  EXPECT_EQ(springs->dependence(), Dependence::nonlinear);
  EXPECT_TRUE(springs->couples_nodes());
}

TEST(Springs, WithAnAxisAreLinear) {
  model::Model model;
  test::add_point(model, 1, Vector3(3, 100, 0), Vector3(0.5, 7, 0));
  test::add_spring(model, {{}, Vector3(1, 0, 0)}, {{0}, Vector3::Zero()}, 10, 2, 0.5, Vector3::UnitX());
  const DofMap map(model);
  const State state = initial_state(model, map);
  const auto springs = make_springs(model, map);
  EXPECT_EQ(springs->dependence(), Dependence::linear);
  EXPECT_FALSE(springs->couples_nodes());
  EXPECT_LE((test::term_force(*springs, map, state) - Vector3(-10 * 1.5 - 2 * 0.5, 0, 0)).norm(), 1e-14);
  EXPECT_DOUBLE_EQ(springs->potential(state), 0.5 * 10 * 2.25);
}

// An axis fixed in the world at a point that turns with a body is not linear in the coordinates.
TEST(Springs, WithAnAxisOnAFrameAreNot) {
  model::Model model;
  test::add_ball(model, 1, 1, Vector3::Zero());
  test::add_spring(model, {}, {{0}, Vector3::UnitX()}, 10, 2, 0.5, Vector3::UnitX());
  const DofMap map(model);
  EXPECT_EQ(make_springs(model, map)->dependence(), Dependence::nonlinear);
}

TEST(Springs, WithCoincidingEndsHaveNoForce) {
  model::Model model;
  test::add_point(model, 1, Vector3::Zero(), Vector3::UnitX());
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 10, 2, 0.5);
  const DofMap map(model);
  const State state = initial_state(model, map);
  EXPECT_TRUE(test::term_force(*make_springs(model, map), map, state).isZero(0));
  test::DenseMass matrix(map);
  make_springs(model, map)->add_tangents(state, 1, 1, matrix);
  EXPECT_TRUE(matrix.matrix().allFinite());
}

// World, points and frames at both ends, with and without an axis, both ends on one body too.
TEST(SpringsProperty, TangentsPowersAndStageExcess) {
  math::Random random(8);
  for (int i = 0; i < 300; ++i) {
    model::Model model;
    test::add_random_frame(model, random);
    test::add_random_point(model, random);
    test::add_random_frame(model, random);
    test::add_random_point(model, random);
    const int kinds[][2] = {{-1, 0}, {0, -1}, {-1, 1}, {1, -1}, {0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 3}, {0, 0}};
    const auto& nodes = kinds[i % 10];
    std::optional<Vector3> axis;
    if (random.integer(2) == 0) axis = test::random_vector3(random).normalized();
    const Vector3 start = test::random_vector3(random), end = test::random_vector3(random);
    test::add_spring(model, {{nodes[0]}, start}, {{nodes[1]}, end}, random.uniform(1, 10),
                     random.integer(3) == 0 ? 0 : random.uniform(0, 5), random.uniform(0, 3), axis);
    const DofMap map(model);
    const State state = initial_state(model, map);
    const auto springs = make_springs(model, map);
    test::expect_tangents(*springs, map, state);
    test::expect_powers(*springs, map, state);
    VectorX end_velocity = state.v;
    for (int k = 0; k < end_velocity.size(); ++k) end_velocity[k] += random.normal();
    test::expect_stage_excess(*springs, map, state, end_velocity, random.uniform(0.5, 1), 0.1);
  }
}

// The duration of the step must not be read off the difference of two large times.
TEST(Springs, StageExcessDoesNotDependOnTheClock) {
  math::Random random(9);
  model::Model model;
  test::add_random_frame(model, random);
  test::add_spring(model, {}, {{0}, Vector3::UnitX()}, 10, 0, 0.5);
  const DofMap map(model);
  State state = initial_state(model, map);
  state.time = 1e6;
  test::expect_stage_excess(*make_springs(model, map), map, state, 2 * state.v, 0.5, 1e-4);
}

}  // namespace
}  // namespace ricochet::mechanics
