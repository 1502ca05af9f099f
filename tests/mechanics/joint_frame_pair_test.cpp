#include "ricochet/mechanics/joints/frame_pair.hpp"

#include <gtest/gtest.h>

#include "mechanics/joint_checks.hpp"

namespace ricochet::mechanics {
namespace {

// One body turned by 90 degrees about z against the world: everything by hand.
TEST(JointFramePair, PoseAndVelocityOfATurnedBody) {
  model::Model model;
  const auto quarter = math::Quaternion::from_axis_angle(Vector3::UnitZ(), M_PI / 2);
  test::add_box(model, 1, Vector3::Ones(), Vector3(1, 0, 0), quarter);
  model.nodes[0].velocity = Vector3(0, 0, 5);
  model.nodes[0].angular_velocity = Vector3(0, 0, 3);
  const DofMap map(model);
  const State state = initial_state(model, map);
  const model::JointFrame world{{{}, Vector3(0, 0, 1)}, {}};
  const model::JointFrame body{{{0}, Vector3(2, 0, 0)}, {}};
  const FramePair pair(map, world, body);
  EXPECT_EQ(pair.node(0), -1);
  EXPECT_EQ(pair.node(1), 0);
  const RelativePose pose = pair.pose(state);
  EXPECT_LE((pose.y - Vector3(1, 2, -1)).norm(), 1e-15);
  EXPECT_LE((pose.axes - quarter.matrix()).norm(), 1e-15);
  Vector6 expected;
  expected << -6, 0, 5, 0, 0, 3;
  EXPECT_LE((pair.velocity(state) - expected).norm(), 1e-14);
  expected << 0, -18, 0, 0, 0, 0;  // towards the centre of the body: Omega^2 r
  EXPECT_LE((pair.bias(state) - expected).norm(), 1e-14);

  // The same seen from the body: the world's point moves in its axes.
  const FramePair swapped(map, body, world);
  EXPECT_LE((swapped.pose(state).y - Vector3(-2, 1, 1)).norm(), 1e-15);
  EXPECT_LE((swapped.velocity(state).tail<3>() - Vector3(0, 0, -3)).norm(), 1e-15);
}

TEST(JointFramePairProperty, DerivativesOfThePose) {
  math::Random random(111);
  for (int i = 0; i < 60; ++i) {
    model::Model model;
    test::add_random_frame(model, random);
    test::add_random_frame(model, random);
    test::add_random_point(model, random);
    const DofMap map(model);
    const State state = initial_state(model, map);
    const int kind = i % 3;  // two frames; the world and a frame; a frame and a point
    const auto first = test::random_joint_frame(random, kind == 1 ? -1 : 0, false);
    const auto second = test::random_joint_frame(random, kind == 2 ? 2 : 1, kind == 2);
    const FramePair pair(map, first, second);
    const double small = 1e-5;
    const State later = test::advanced(map, state, state.v, small),
                before = test::advanced(map, state, state.v, -small);
    const Vector6 z = pair.velocity(state);
    EXPECT_LE((z.head<3>() - (pair.pose(later).y - pair.pose(before).y) / (2 * small)).norm(), 1e-8);
    const Matrix3 rate = (pair.pose(later).axes - pair.pose(before).axes) / (2 * small);
    EXPECT_LE((rate - pair.pose(state).axes * math::skew(z.tail<3>())).norm(), 1e-8);
    EXPECT_LE((pair.bias(state) - (pair.velocity(later) - pair.velocity(before)) / (2 * small)).norm(), 1e-6);

    FramePair::Gradient j;
    pair.gradient(state, j);
    Eigen::Matrix<double, 12, 1> v = Eigen::Matrix<double, 12, 1>::Zero();
    for (int side = 0; side < 2; ++side) {
      const int node = pair.node(side);
      if (node >= 0) v.segment(6 * side, map.v_size(node)) = state.v.segment(map.v_start(node), map.v_size(node));
    }
    EXPECT_LE((j * v - z).norm(), 1e-13);

    const Vector6 wrench = Vector6::NullaryExpr([&](Eigen::Index) { return random.normal(); });
    FramePair::Gradient j_later, j_before;
    FramePair::Tangent k;
    pair.gradient(later, j_later);
    pair.gradient(before, j_before);
    pair.wrench_tangent(state, wrench, k);
    EXPECT_LE((k * v - (j_later - j_before).transpose() * wrench / (2 * small)).norm(), 1e-6);
  }
}

}  // namespace
}  // namespace ricochet::mechanics
