#include "ricochet/mechanics/gravity.hpp"

#include <gtest/gtest.h>

#include "mechanics/term_checks.hpp"

namespace ricochet::mechanics {
namespace {

TEST(Gravity, PullsOnTheMasses) {
  model::Model model;
  model.gravity = Vector3(1, -10, 2);
  test::add_point(model, 3, Vector3(0, 2, 0));
  test::add_ball(model, 0.5, 0.1, Vector3(0, 0, 4));
  const DofMap map(model);
  const State state = initial_state(model, map);
  const auto gravity = make_gravity(model, map);
  EXPECT_EQ(gravity->dependence(), Dependence::none);
  VectorX expected(9);
  expected << 3, -30, 6, 0.5, -5, 1, 0, 0, 0;
  EXPECT_EQ(test::term_force(*gravity, map, state), expected);
  EXPECT_DOUBLE_EQ(gravity->potential(state), 3 * 10 * 2 - 0.5 * 2 * 4);
  EXPECT_EQ(gravity->strain_energy(state), 0);
}

TEST(GravityProperty, TangentsPowersAndStageExcess) {
  math::Random random(6);
  for (int i = 0; i < 30; ++i) {
    model::Model model;
    model.gravity = test::random_vector3(random, 10);
    test::add_random_point(model, random);
    test::add_random_frame(model, random);
    const int held = test::add_random_frame(model, random);
    model.bodies[held].center = test::random_vector3(random);  // a weight on a lever
    model.nodes[held].fixed = {true, true, true, false, false, false};
    const DofMap map(model);
    const State state = initial_state(model, map);
    const auto gravity = make_gravity(model, map);
    test::expect_tangents(*gravity, map, state);
    test::expect_powers(*gravity, map, state);
    test::expect_stage_excess(*gravity, map, state, 2 * state.v, random.uniform(0.5, 1), 0.1);
  }
}

}  // namespace
}  // namespace ricochet::mechanics
