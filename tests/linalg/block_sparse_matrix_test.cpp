#include "ricochet/linalg/block_sparse_matrix.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "ricochet/math/random.hpp"

namespace ricochet::linalg {
namespace {

// Random rows of the given sizes with about half of the blocks present.
void fill_with_random_blocks(math::Random& random, const std::vector<int>& row_sizes,
                             const std::vector<int>& column_sizes, BlockSparseMatrix& matrix) {
  matrix.reset(column_sizes);
  for (const int size : row_sizes) {
    matrix.begin_row(size);
    for (int column = 0; column < static_cast<int>(column_sizes.size()); ++column) {
      if (random.uniform() < 0.5) continue;
      MutableBlockView block = matrix.append(column);
      for (int i = 0; i < block.rows(); ++i) {
        for (int j = 0; j < block.cols(); ++j) block(i, j) = random.normal();
      }
    }
  }
}

VectorX random_entries(math::Random& random, int size) {
  VectorX result(size);
  for (int i = 0; i < size; ++i) result[i] = random.normal();
  return result;
}

TEST(BlockSparseMatrix, StartsEmpty) {
  const BlockSparseMatrix matrix;
  EXPECT_EQ(matrix.rows(), 0);
  EXPECT_EQ(matrix.columns(), 0);
  VectorX x(0), y(0);
  matrix.multiply_add(x, y);
  EXPECT_EQ(matrix.dense().size(), 0);
}

TEST(BlockSparseMatrix, StoresBlocksWhereTheyWereAppended) {
  BlockSparseMatrix matrix;
  matrix.reset(std::vector<int>{2, 3});
  matrix.begin_row(1);
  EXPECT_TRUE(matrix.append(1).isZero(0));
  matrix.begin_row(2);  // stays empty
  matrix.begin_row(2);
  matrix.append(0) << 1, 2, 3, 4;
  matrix.append(1) << 5, 6, 7, 8, 9, 10;
  MatrixX expected = MatrixX::Zero(5, 5);
  expected.block(3, 0, 2, 2) << 1, 2, 3, 4;
  expected.block(3, 2, 2, 3) << 5, 6, 7, 8, 9, 10;
  EXPECT_EQ(matrix.dense(), expected);
  EXPECT_EQ(matrix.row(0).size(), 1u);
  EXPECT_EQ(matrix.row(1).size(), 0u);
  EXPECT_EQ(matrix.row_offset(2), 3);
  EXPECT_EQ(matrix.block(2, matrix.row(2)[1])(1, 2), 10);
}

TEST(BlockSparseMatrixProperty, ProductsAgreeWithDenseOnesForEverySize) {
  math::Random random(1);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<int> row_sizes, column_sizes;
    for (int i = 0; i < 8; ++i) {
      row_sizes.push_back(1 + static_cast<int>(random.integer(6)));
      column_sizes.push_back(1 + static_cast<int>(random.integer(6)));
    }
    BlockSparseMatrix matrix;
    fill_with_random_blocks(random, row_sizes, column_sizes, matrix);
    const MatrixX dense = matrix.dense();
    const VectorX x = random_entries(random, matrix.scalar_columns()), y = random_entries(random, matrix.scalar_rows());
    VectorX product = y, transposed_product = x;
    matrix.multiply_add(x, product);
    matrix.transpose_multiply_add(y, transposed_product);
    EXPECT_LT((product - y - dense * x).norm(), 1e-13);
    EXPECT_LT((transposed_product - x - dense.transpose() * y).norm(), 1e-13);
    VectorX row_by_row = x;
    for (int row = matrix.rows() - 1; row >= 0; --row) {
      matrix.transpose_multiply_add_row(row, y.data() + matrix.row_offset(row), row_by_row.data());
    }
    EXPECT_LT((row_by_row - transposed_product).norm(), 1e-13);
  }
}

TEST(BlockSparseMatrix, RefillingKeepsTheMemory) {
  math::Random random(2);
  const std::vector<int> sizes(20, 3);
  BlockSparseMatrix matrix;
  matrix.reset(sizes);
  for (int pass = 0; pass < 2; ++pass) {
    const double* before = matrix.values().data();
    matrix.reset(sizes);
    for (int i = 0; i < 20; ++i) {
      matrix.begin_row(3);
      for (int j = 0; j < 20; ++j) {
        MutableBlockView block = matrix.append(j);
        EXPECT_TRUE(block.isZero(0)) << "a reused block must be zero";
        block.setOnes();
      }
    }
    if (pass > 0) {
      EXPECT_EQ(matrix.values().data(), before);
    }
  }
  matrix.reset(std::vector<int>{1});
  EXPECT_EQ(matrix.rows(), 0);
  EXPECT_EQ(matrix.scalar_columns(), 1);
}

TEST(BlockSparseMatrixBadInput, IsRejected) {
  BlockSparseMatrix matrix;
  EXPECT_THROW(matrix.reset(std::vector<int>{3, 0}), std::invalid_argument);
  matrix.reset(std::vector<int>{3, 3});
  EXPECT_THROW(matrix.append(0), std::logic_error);
  EXPECT_THROW(matrix.begin_row(0), std::invalid_argument);
  matrix.begin_row(3);
  matrix.append(1);
  EXPECT_THROW(matrix.append(0), std::invalid_argument);
  EXPECT_THROW(matrix.append(1), std::invalid_argument);
  EXPECT_THROW(matrix.append(2), std::invalid_argument);
  EXPECT_THROW(matrix.append(-1), std::invalid_argument);
  VectorX x(6), y(2);
  EXPECT_THROW(matrix.multiply_add(x, y), std::invalid_argument);
  EXPECT_THROW(matrix.transpose_multiply_add(y, x), std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::linalg
