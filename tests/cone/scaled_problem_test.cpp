#include "ricochet/cone/scaled_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cone/test_problems.hpp"
#include "ricochet/cone/contact_status.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

TEST(ScaledProblem, ContactThatCannotMoveHasAFiniteScale) {
  ScaledProblem scaled;
  find_scales(test::single_contact(MatrixX::Zero(2, 2), VectorX::Constant(2, -1), 0.5), scaled);
  EXPECT_TRUE((scaled.scale.array() == 1).all() && (scaled.velocity_scale.array() == 1).all());
}

TEST(ScaledProblem, SnappingGivesEveryStatusExactly) {
  const ScaledProblem::Block block{{3, false, 0.7}, 0};
  double r[3] = {};
  const double open_impulse[3] = {1e-17, 1e-18, 0}, away[3] = {0.1, 0.3, 0};
  snap_to_status(block, open_impulse, away, r);
  EXPECT_EQ(contact_status(0.7, r[0], r[1], r[2]), ContactStatus::open);
  EXPECT_EQ(r[1], 0);
  const double stick_impulse[3] = {1, 0.3, -0.1}, still[3] = {1e-17, 1e-17, 0};
  snap_to_status(block, stick_impulse, still, r);
  EXPECT_EQ(r[1], 0.3);
  EXPECT_EQ(r[2], -0.1);
  math::Random random(32);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const double angle = random.uniform(0, 7), normal = std::exp2(random.uniform(-30, 30));
    const double c = std::cos(angle), s = std::sin(angle), error = random.uniform(-1e-12, 1e-12);
    const double impulse[3] = {normal, 0.7 * normal * (1 + error) * c, 0.7 * normal * (1 + error) * s};
    const double velocity[3] = {0, -normal * c, -normal * s};
    snap_to_status(block, impulse, velocity, r);
    EXPECT_EQ(contact_status(0.7, r[0], r[1], r[2]), ContactStatus::slip);
    EXPECT_LE(std::sqrt(r[1] * r[1] + r[2] * r[2]), 0.7 * r[0]);
    EXPECT_NEAR(r[1], impulse[1], 1e-11 * normal);
  }
}

TEST(ScaledProblem, MomentsBecomeForcesUnderTheSameLaw) {
  math::Random random(33);
  for (int repeat = 0; repeat < 50; ++repeat) {
    ContactProblem problem = test::random_bodies_problem(random, 6, 4, 1, {5, 6});
    problem.bilateral = {0, 0, 1, 0, 1, 0};
    ScaledProblem scaled;
    find_scales(problem, scaled);
    const MatrixX delassus = scaled.velocity_scale.asDiagonal() * problem.delassus.dense() * scaled.scale.asDiagonal();
    for (int i = 0; i < problem.contacts(); ++i) {
      const ScaledProblem::Block& block = scaled.blocks[i];
      const auto mean = [&](int start, int count) {
        return delassus.diagonal().segment(block.offset + start, count).mean();
      };
      const auto expect_about_one = [](double value) {
        EXPECT_GE(value, 0.5 - 1e-12);
        EXPECT_LE(value, 2 + 1e-12);
      };
      if (block.bilateral) {
        for (int k = 0; k < block.size; ++k) expect_about_one(mean(k, 1));
        continue;
      }
      expect_about_one(mean(0, 3));
      expect_about_one(mean(3, 2));
      if (block.size > 5) expect_about_one(mean(5, 1));
      // On the boundary of the disc of rolling before and after.
      const double arm = scaled.velocity_scale[block.offset + 3] / scaled.velocity_scale[block.offset];
      EXPECT_EQ(block.friction.rolling * arm, problem.friction[i].rolling);
      EXPECT_EQ(scaled.scale[block.offset + 3], arm * scaled.scale[block.offset]);
    }
  }
}

TEST(ScaledProblem, SnappingKnowsEveryGroupAndLeavesBilateralBlocksAlone) {
  const ScaledProblem::Block block{{6, false, Friction(0.5, 0.1, 0.2)}, 0};
  const double impulse[6] = {1, 0.1, 0.2, 0.1, 0.001, -0.2}, velocity[6] = {0, 0, 0, -0.3, 0, 0.7};
  double r[6] = {};
  snap_to_status(block, impulse, velocity, r);
  EXPECT_EQ(r[0], 1);
  EXPECT_EQ(r[1], 0.1);  // sticks
  EXPECT_EQ(r[2], 0.2);
  EXPECT_LE(std::hypot(r[3], r[4]), 0.1);
  EXPECT_NEAR(std::hypot(r[3], r[4]), 0.1, 1e-15);
  EXPECT_EQ(r[5], -0.2);
  const double lifting[6] = {1.5, 0, 0, 0, 0, 0};
  snap_to_status(block, impulse, lifting, r);
  for (const double component : r) EXPECT_EQ(component, 0);
  const ScaledProblem::Block joint{{6, true, {}}, 0};
  snap_to_status(joint, impulse, lifting, r);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(r[k], impulse[k]);
}

}  // namespace
}  // namespace ricochet::cone
