#include "ricochet/cone/dense_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cone/test_problems.hpp"
#include "ricochet/cone/contact_status.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

TEST(DenseProblem, IsTheProblemInUnitsOfUnitMass) {
  math::Random random(31);
  const ContactProblem problem = test::random_bodies_problem(random, 6, 4, 1, {1, 2, 3});
  DenseProblem dense;
  assemble_dense(problem, dense);
  EXPECT_EQ(dense.delassus,
            MatrixX(dense.velocity_scale.asDiagonal() * problem.delassus.dense() * dense.scale.asDiagonal()));
  EXPECT_EQ(dense.free_velocity, VectorX(dense.velocity_scale.cwiseProduct(problem.free_velocity)));
  for (const DenseProblem::Block& block : dense.blocks) {
    int exponent = 0;
    EXPECT_EQ(std::frexp(dense.scale[block.offset], &exponent), 0.5) << "not a power of two";
    const double mean = dense.delassus.block(block.offset, block.offset, block.size, block.size).trace() / block.size;
    EXPECT_GE(mean, 0.5 - 1e-12);
    EXPECT_LE(mean, 2 + 1e-12);
  }
}

TEST(DenseProblem, ContactThatCannotMoveHasAFiniteScale) {
  DenseProblem dense;
  assemble_dense(test::single_contact(MatrixX::Zero(2, 2), VectorX::Constant(2, -1), 0.5), dense);
  EXPECT_TRUE((dense.scale.array() == 1).all() && (dense.velocity_scale.array() == 1).all());
}

TEST(DenseProblem, SnappingGivesEveryStatusExactly) {
  const DenseProblem::Block block{0, 3, 0.7};
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

TEST(DenseProblem, HugeImpulsesBetweenClosingWallsAreNotCredible) {
  MatrixX delassus(2, 2);
  delassus << 1, -1, -1, 1;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  DenseProblem dense;
  assemble_dense(problem, dense);
  const VectorX huge = VectorX::Constant(2, 0x1p40);
  const double value = residual(problem, huge).value;
  EXPECT_LT(value, 1e-7);
  EXPECT_FALSE(credible(problem, dense, huge, value));
  // A million times what stops V is right under a weight of that size.
  const ContactProblem stack = test::stack_problem({1, 1e6}, 1);
  assemble_dense(stack, dense);
  EXPECT_TRUE(credible(stack, dense, VectorX::Constant(2, 1e6), 1e-10));
}

}  // namespace
}  // namespace ricochet::cone
