#include "ricochet/mechanics/state.hpp"

#include <gtest/gtest.h>

#include "model/test_models.hpp"

namespace ricochet::mechanics {
namespace {

TEST(DofMap, NumbersNodesConsecutively) {
  model::Model model;
  math::Random random(1);
  ricochet::test::add_random_point(model, random);
  ricochet::test::add_random_frame(model, random);
  ricochet::test::add_random_point(model, random);
  model.nodes[1].fixed[4] = true;
  const DofMap map(model);
  EXPECT_EQ(map.nodes(), 3);
  EXPECT_EQ(map.q_total(), 13);
  EXPECT_EQ(map.v_total(), 12);
  EXPECT_EQ(map.v_sizes(), (std::vector<int>{3, 6, 3}));
  EXPECT_EQ(map.q_start(2), 10);
  EXPECT_EQ(map.v_start(2), 9);
  EXPECT_EQ(map.v_size(1), 6);
  EXPECT_TRUE(map.is_frame(1));
  for (int i = 0; i < 12; ++i) EXPECT_EQ(map.is_free(i), i != 7) << i;
}

TEST(DofMap, PlanarNodesMoveInXAndYAndTurnAboutZ) {
  model::Model model;
  math::Random random(1);
  model.planar = true;
  ricochet::test::add_random_point(model, random);
  ricochet::test::add_random_frame(model, random);
  const DofMap map(model);
  EXPECT_EQ(map.free_components(), (std::vector<char>{1, 1, 0, 1, 1, 0, 0, 0, 1}));
}

TEST(State, StartsWhereTheModelSays) {
  model::Model model;
  math::Random random(2);
  ricochet::test::add_random_point(model, random);
  ricochet::test::add_random_frame(model, random);
  model.nodes[1].fixed = {true, false, false, false, true, false};
  const DofMap map(model);
  const State state = initial_state(model, map);
  EXPECT_EQ(state.time, 0);
  EXPECT_EQ(position(map, state, 0), model.nodes[0].position);
  EXPECT_EQ(position(map, state, 1), model.nodes[1].position);
  const math::Quaternion rotation = orientation(map, state, 1);
  EXPECT_NEAR(rotation.w, model.nodes[1].orientation.w, 1e-15);
  EXPECT_NEAR(rotation.z, model.nodes[1].orientation.z, 1e-15);
  EXPECT_EQ(orientation(map, state, 0).w, 1);  // a point does not turn
  Vector6 expected;
  expected << model.nodes[1].velocity, model.nodes[1].angular_velocity;
  expected[0] = expected[4] = 0;
  EXPECT_EQ(Vector6(state.v.tail<6>()), expected);
  EXPECT_TRUE(state.a.isZero(0));
  EXPECT_EQ(state.a.size(), 9);
}

// Steps with one constant velocity compose: x + h v and R exp(h Omega~), about a fixed body axis.
TEST(State, AdvancesByTheExponential) {
  model::Model model;
  math::Random random(3);
  ricochet::test::add_random_frame(model, random);
  ricochet::test::add_random_point(model, random);
  const DofMap map(model);
  const State state = initial_state(model, map);
  VectorX once, twice, half;
  advance(map, state.q, state.v, 0.5, once);
  advance(map, state.q, state.v, 0.25, half);
  advance(map, half, state.v, 0.25, twice);
  EXPECT_LE((once - twice).norm(), 1e-14);
  EXPECT_EQ(Vector3(once.head<3>()), Vector3(state.q.head<3>() + 0.5 * state.v.head<3>()));
  State later = state;
  later.q = once;
  const Matrix3 expected =
      model.nodes[0].orientation.matrix() * math::exponential_matrix(0.5 * model.nodes[0].angular_velocity);
  EXPECT_LE((orientation(map, later, 0).matrix() - expected).norm(), 1e-14);
}

TEST(State, AFrameInThePlaneTurnsAboutZByTheAngle) {
  model::Model model;
  model.planar = true;
  ricochet::test::add_ball(model, 1, 1, Vector3::Zero());
  model.nodes[0].angular_velocity = Vector3(7, 8, 0.3);
  const DofMap map(model);
  const State state = initial_state(model, map);
  VectorX end;
  advance(map, state.q, state.v, 2, end);
  EXPECT_NEAR(end[3], std::cos(0.3), 1e-15);
  EXPECT_EQ(end[4], 0);
  EXPECT_EQ(end[5], 0);
  EXPECT_NEAR(end[6], std::sin(0.3), 1e-15);
}

}  // namespace
}  // namespace ricochet::mechanics
