#include "ricochet/cone/newton_matrix.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cone/test_problems.hpp"
#include "ricochet/cone/dense_problem.hpp"

namespace ricochet::cone {
namespace {

using Storage = NewtonMatrix::Storage;

std::vector<BlockDerivative> derivatives_at(const ScaledProblem& scaled, const VectorX& x, const VectorX& y) {
  std::vector<BlockDerivative> result(scaled.blocks.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const ScaledProblem::Block& block = scaled.blocks[i];
    newton_derivative(NewtonFunction::alart_curnier, block, x.data() + block.offset, y.data() + block.offset,
                      result[i]);
  }
  return result;
}

VectorX function_at(const DenseProblem& dense, double epsilon, const VectorX& x) {
  const VectorX y = dense.delassus * x + dense.free_velocity + epsilon * x;
  VectorX value(x.size());
  for (const ScaledProblem::Block& block : dense.blocks) {
    newton_value(NewtonFunction::alart_curnier, block, x.data() + block.offset, y.data() + block.offset,
                 value.data() + block.offset);
  }
  return value;
}

TEST(NewtonMatrixProperty, IsTheJacobianHoweverStored) {
  math::Random random(96);
  int compared = 0;
  for (int repeat = 0; repeat < 50; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 8, 6, 0.8, {1, 2, 3, 5, 6});
    DenseProblem dense;
    assemble_dense(problem, dense);
    const VectorX x = test::random_vector(random, static_cast<int>(dense.scale.size())).cwiseAbs();
    const double epsilon = 0.3;
    NewtonMatrix full, sparse;
    full.prepare(problem, dense, Storage::dense);
    sparse.prepare(problem, dense, Storage::sparse);
    VectorX y, same;
    full.multiply(x, y);
    EXPECT_LT((y - dense.delassus * x).norm(), 1e-12 * y.norm());
    y += dense.free_velocity + epsilon * x;
    const std::vector<BlockDerivative> derivatives = derivatives_at(dense, x, y);
    full.assemble(derivatives, epsilon);
    sparse.assemble(derivatives, epsilon);
    EXPECT_EQ(full.jacobian(), sparse.jacobian());
    const VectorX direction = test::random_vector(random, static_cast<int>(x.size()));
    const auto slope = [&](double step) {
      const VectorX forward = function_at(dense, epsilon, x + step * direction);
      return VectorX((forward - function_at(dense, epsilon, x - step * direction)) / (2 * step));
    };
    const VectorX fine = slope(1e-6);
    if ((fine - slope(1e-5)).norm() < 1e-5 * fine.norm()) {  // smooth there
      ++compared;
      EXPECT_LT((full.jacobian() * direction - fine).norm(), 1e-5 * fine.norm());
    }
    VectorX step, sparse_step;
    ASSERT_TRUE(full.solve(direction, step));
    ASSERT_TRUE(sparse.solve(direction, sparse_step));
    EXPECT_LT((full.jacobian() * step - direction).norm(), 1e-9 * direction.norm());
    EXPECT_LT((full.jacobian() * sparse_step - direction).norm(), 1e-9 * direction.norm());
  }
  EXPECT_GE(compared, 25);
}

TEST(NewtonMatrix, PivotsThatNoLongerServeAreChosenAnew) {
  // The first matrix is solved with pivots on its diagonal, which vanishes in the second one.
  MatrixX delassus(2, 2);
  delassus << 1, 0.5, 0.5, 1;
  ContactProblem problem = test::problem_from_dense({2}, delassus, VectorX::Constant(2, -1), {0});
  problem.bilateral = {1};
  ScaledProblem scaled;
  find_scales(problem, scaled);
  NewtonMatrix matrix;
  matrix.prepare(problem, scaled, Storage::sparse);
  std::vector<BlockDerivative> derivatives = derivatives_at(scaled, VectorX::Zero(2), VectorX::Zero(2));
  VectorX x;
  const VectorX right = VectorX{{1.0, 2.0}};
  matrix.assemble(derivatives, 0);
  ASSERT_TRUE(matrix.solve(right, x));
  const double diagonal = matrix.jacobian()(0, 0);
  for (const double rest : {0.0, 1e-15}) {
    derivatives[0].by_impulse[0] = derivatives[0].by_impulse[3] = rest - diagonal;
    matrix.assemble(derivatives, 0);
    ASSERT_TRUE(matrix.solve(right, x));
    EXPECT_LT((matrix.jacobian() * x - right).norm(), 1e-12);
  }
}

TEST(NewtonMatrix, IsDenseIfSmallOrFull) {
  const auto stored_dense = [](const ContactProblem& problem) {
    ScaledProblem scaled;
    find_scales(problem, scaled);
    NewtonMatrix matrix;
    matrix.prepare(problem, scaled);
    return matrix.dense();
  };
  const auto problem = [](const MatrixX& delassus) {
    const auto size = delassus.rows();
    return test::problem_from_dense(std::vector<int>(size, 1), delassus, VectorX::Constant(size, -1),
                                    std::vector<Friction>(size, 0));
  };
  EXPECT_TRUE(stored_dense(problem(MatrixX::Identity(10, 10))));
  EXPECT_FALSE(stored_dense(problem(MatrixX::Identity(200, 200))));
  EXPECT_TRUE(stored_dense(problem(MatrixX::Identity(200, 200) + MatrixX::Ones(200, 200))));
}

}  // namespace
}  // namespace ricochet::cone
