#include "ricochet/cone/bilateral_solver.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "cone/test_problems.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

VectorX solve_joint(const MatrixX& block, const VectorX& b, const VectorX& start) {
  const MatrixX row_major = block.transpose();
  VectorX r = start;
  BilateralSolver(row_major.data(), static_cast<int>(b.size())).solve(b.data(), r.data());
  return r;
}

TEST(BilateralSolver, HoldsItsVelocityInAnyUnits) {
  math::Random random(21);
  for (int size = 1; size <= 6; ++size) {
    for (int trial = 0; trial < 50; ++trial) {
      MatrixX g(size, 8);
      for (int j = 0; j < 8; ++j) g.col(j) = test::random_vector(random, size);
      MatrixX block = g * g.transpose();
      block(0, size - 1) += 0.1;  // not symmetric
      const VectorX b = test::random_vector(random, size);
      const VectorX r = solve_joint(block, b, VectorX::Zero(size));
      EXPECT_LT((block * r + b).norm(), 1e-12 * (b.norm() + (block.cwiseAbs() * r.cwiseAbs()).norm()));
      VectorX units(size);
      for (int k = 0; k < size; ++k) units[k] = std::exp2(static_cast<double>(10 * k));
      const MatrixX other = units.asDiagonal() * block * units.asDiagonal();
      const VectorX expected = r.cwiseQuotient(units);
      EXPECT_EQ(solve_joint(other, units.cwiseProduct(b), VectorX::Zero(size)), expected);
    }
  }
}

TEST(BilateralSolver, RedundantRowsKeepWhatTheyHave) {
  const MatrixX block = MatrixX::Ones(2, 2);
  const VectorX solution = (VectorX(2) << 0.25, 0.75).finished();
  EXPECT_EQ(solve_joint(block, VectorX::Constant(2, -1), solution), solution);
  const VectorX r = solve_joint(block, VectorX::Constant(2, -1), VectorX::Zero(2));
  EXPECT_EQ(r.sum(), 1);
  EXPECT_TRUE(solve_joint(MatrixX::Zero(2, 2), VectorX::Ones(2), VectorX::Zero(2)).isZero(0));
  EXPECT_THROW(BilateralSolver(block.data(), 7), std::invalid_argument);
}

TEST(BilateralSolver, AMassOnTheFloorAndOnARod) {
  // A point mass falls with 1 m/s on the floor (contact) and is pulled along by a rod (bilateral, the same direction):
  // whatever they share, together they stop it.
  MatrixX delassus = MatrixX::Constant(2, 2, 0.5);
  ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  problem.bilateral = {0, 1};
  linalg::ReusableVector r;
  const SolveReport report = NonsmoothGaussSeidel().solve(problem, r, {.tolerance = 1e-14});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_NEAR(r.sum(), 2, 1e-15);
}

}  // namespace
}  // namespace ricochet::cone
