// All joints of a machine as one set of rows.
#include "ricochet/mechanics/joints/joint_set.hpp"

#include <gtest/gtest.h>

#include "mechanics/term_checks.hpp"
#include "model/test_models.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {
namespace {

model::Model two_pinned_bars() {
  model::Model model;
  math::Random random(4);
  for (int i = 0; i < 2; ++i) test::add_random_frame(model, random);
  // The hinge is a little out of its axis, but not on the other branch.
  const math::Quaternion upright = model.nodes[0].orientation.conjugate() * math::exponential({0.2, -0.1, 0.4});
  model.joints.push_back({.name = "ball",
                          .type = model::JointType::ball,
                          .first = {{{1}, {0.1, 0.2, 0.3}}, {}},
                          .second = {{{0}, {-0.3, 0, 0.1}}, {}},
                          .coupled = {},
                          .target = {}});
  model.joints.push_back({.name = "hinge",
                          .type = model::JointType::revolute,
                          .first = {{{}, {0.5, 0, 0}}, {}},
                          .second = {{{0}, {0.2, 0.1, 0}}, upright},
                          .coupled = {},
                          .target = {}});
  model.velocity_rows.push_back({.name = "spin",
                                 .kind = model::VelocityKind::rotation,
                                 .first = {},
                                 .second = {{1}, {}},
                                 .axis = Vector3::UnitY(),
                                 .speed = math::TimeFunction::constant(2)});
  return model;
}

// Rows move as G says: central differences of the values along random velocities.
TEST(JointSetProperty, GradientsAgainstDifferences) {
  const model::Model model = two_pinned_bars();
  const Equations equations(model);
  const JointSet& joints = equations.joints();
  ASSERT_EQ(joints.rows(), 3 + 5 + 1);
  EXPECT_EQ(joints.row_start(1), 3);
  State state = equations.initial_state();
  linalg::BlockSparseMatrix gradients;
  joints.gradients(state, gradients);
  math::Random random(9);
  for (int repeat = 0; repeat < 20; ++repeat) {
    VectorX v(equations.map().v_total());
    for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = random.normal();
    VectorX expected = VectorX::Zero(joints.rows()), forward, backward;
    gradients.multiply_add(v, expected);
    const double step = 1e-6;
    State moved = state;
    advance(equations.map(), state.q, v, step, moved.q);
    joints.values(moved, forward);
    advance(equations.map(), state.q, v, -step, moved.q);
    joints.values(moved, backward);
    EXPECT_LE(((forward - backward) / (2 * step) - expected).head(8).norm(), 1e-8);
  }
  VectorX rates;
  joints.rates(0.5, rates);
  EXPECT_EQ(rates[8], -2);
}

// The stiffness that multipliers have because the rows turn: central differences of G^T lambda.
TEST(JointSetProperty, TangentsAgainstDifferences) {
  const model::Model model = two_pinned_bars();
  const Equations equations(model);
  const JointSet& joints = equations.joints();
  const State state = equations.initial_state();
  math::Random random(10);
  for (int repeat = 0; repeat < 10; ++repeat) {
    VectorX lambda(joints.rows()), v(equations.map().v_total());
    for (Eigen::Index k = 0; k < lambda.size(); ++k) lambda[k] = random.normal();
    for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = random.normal();
    if (repeat == 0) lambda.head(3).setZero();
    test::DenseMass tangent(equations.map());
    joints.add_tangents(state, lambda, 0.5, tangent);
    const auto force_at = [&](double part) {
      State moved = state;
      advance(equations.map(), state.q, v, part, moved.q);
      linalg::BlockSparseMatrix gradients;
      joints.gradients(moved, gradients);
      VectorX force = VectorX::Zero(v.size());
      gradients.transpose_multiply_add(lambda, force);
      return force;
    };
    const double small = 1e-6;
    const VectorX difference = (force_at(small) - force_at(-small)) / (2 * small);
    EXPECT_LE((tangent.matrix() * v - 0.5 * difference).norm(), 1e-8);
  }
}

TEST(JointSet, CoordinatesStandBehindTorsionSprings) {
  model::Model model = two_pinned_bars();
  test::add_torsion_spring(model, -1, 0, Vector3::UnitZ(), 1, 0);
  const Equations equations(model);
  EXPECT_EQ(equations.initial_state().angles.size(), 2);  // the spring, and the angle of the hinge
  State state = equations.initial_state();
  const double before = state.angles[1];
  state.angles[1] += 2 * 3.14159265358979;
  equations.joints().update_coordinates(state);
  EXPECT_NEAR(state.angles[1], before + 2 * 3.14159265358979, 1e-9);  // turns are counted
}

}  // namespace
}  // namespace ricochet::mechanics
