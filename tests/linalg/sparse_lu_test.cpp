#include "ricochet/linalg/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <vector>

#include "ricochet/math/random.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::linalg {
namespace {

struct Columns {
  std::vector<int> starts = {0}, rows;
  std::vector<double> values;
};

Columns compressed(const MatrixX& matrix) {
  Columns result;
  for (int j = 0; j < matrix.cols(); ++j) {
    for (int i = 0; i < matrix.rows(); ++i) {
      if (matrix(i, j) == 0) continue;
      result.rows.push_back(i);
      result.values.push_back(matrix(i, j));
    }
    result.starts.push_back(static_cast<int>(result.rows.size()));
  }
  return result;
}

MatrixX random_sparse_matrix(math::Random& random, int size) {
  MatrixX matrix = MatrixX::Zero(size, size);
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      if (i == j || random.integer(5) == 0) matrix(i, j) = random.normal() + (i == j ? 4 : 0);
    }
  }
  return matrix;
}

TEST(SparseLu, SolvesWithTheMatrixAndItsTranspose) {
  math::Random random(91);
  SparseLu lu;
  for (int size = 1; size < 30; ++size) {
    const MatrixX matrix = random_sparse_matrix(random, size);
    const Columns columns = compressed(matrix);
    EXPECT_TRUE(lu.set_pattern(columns.starts, columns.rows));
    EXPECT_FALSE(lu.set_pattern(columns.starts, columns.rows));
    ASSERT_TRUE(lu.factorise(columns.values));
    MatrixX right(size, 2);
    for (int i = 0; i < 2 * size; ++i) right(i % size, i / size) = random.normal();
    MatrixX x = right, transposed = right;
    lu.solve(x.data(), 2);
    lu.solve_transposed(transposed.data(), 2);
    const MatrixX inverse = matrix.inverse();
    EXPECT_LT((x - inverse * right).norm(), 1e-10 * inverse.norm() * right.norm());
    EXPECT_LT((transposed - inverse.transpose() * right).norm(), 1e-10 * inverse.norm() * right.norm());
  }
}

TEST(SparseLu, PivotsCanBeKeptForNewValues) {
  math::Random random(92);
  const MatrixX matrix = random_sparse_matrix(random, 20);
  Columns columns = compressed(matrix);
  SparseLu lu;
  lu.set_pattern(columns.starts, columns.rows);
  EXPECT_FALSE(lu.refactorise(columns.values)) << "there are no pivots yet";
  ASSERT_TRUE(lu.factorise(columns.values));
  for (double& value : columns.values) value *= 3;
  ASSERT_TRUE(lu.refactorise(columns.values));
  VectorX x = VectorX::Ones(20);
  lu.solve(x.data());
  EXPECT_LT((3 * matrix * x - VectorX::Ones(20)).norm(), 1e-12);
  const Columns other = compressed(random_sparse_matrix(random, 20));
  lu.set_pattern(other.starts, other.rows);
  EXPECT_FALSE(lu.refactorise(other.values)) << "pivots of another pattern";
}

TEST(SparseLu, SingularMatricesAreNotFactorised) {
  SparseLu lu;
  const Columns singular = compressed(MatrixX::Ones(3, 3));
  lu.set_pattern(singular.starts, singular.rows);
  EXPECT_FALSE(lu.factorise(singular.values));
  EXPECT_FALSE(lu.refactorise(singular.values));
  MatrixX empty_column = MatrixX::Identity(3, 3);
  empty_column(1, 1) = 0;
  const Columns structurally = compressed(empty_column);
  lu.set_pattern(structurally.starts, structurally.rows);
  EXPECT_FALSE(lu.factorise(structurally.values));
  const Columns regular = compressed(MatrixX::Identity(3, 3));
  lu.set_pattern(regular.starts, regular.rows);
  EXPECT_TRUE(lu.factorise(regular.values));
}

TEST(SparseLu, NothingToSolve) {
  SparseLu lu;
  const std::vector<int> starts = {0};
  EXPECT_FALSE(lu.set_pattern(starts, {}));
  EXPECT_TRUE(lu.factorise({}));
  EXPECT_TRUE(lu.refactorise({}));
  lu.solve(nullptr);
}

}  // namespace
}  // namespace ricochet::linalg
