#include "ricochet/cone/dense_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cone/test_problems.hpp"

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

}  // namespace
}  // namespace ricochet::cone
