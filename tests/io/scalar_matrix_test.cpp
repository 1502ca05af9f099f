#include "ricochet/io/scalar_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ricochet/math/random.hpp"

namespace ricochet::io {
namespace {

using testing::ElementsAre;

ScalarMatrix matrix_of(const MatrixX& dense) {
  ScalarMatrix matrix;
  matrix.rows = static_cast<int>(dense.rows());
  matrix.columns = static_cast<int>(dense.cols());
  for (int j = matrix.columns; j-- > 0;) {
    for (int i = 0; i < matrix.rows; ++i) matrix.add(i, j, dense(i, j));
  }
  return matrix;
}

TEST(ScalarMatrix, EntriesAtOnePlaceAddUp) {
  ScalarMatrix matrix;
  matrix.rows = matrix.columns = 2;
  matrix.add(1, 0, 3);
  matrix.add(0, 1, 1);
  matrix.add(1, 0, 4);
  matrix.compress();
  EXPECT_THAT(matrix.entries, ElementsAre(ScalarMatrix::Entry{0, 1, 1}, ScalarMatrix::Entry{1, 0, 7}));
}

TEST(ScalarMatrixProperty, BlocksAndBack) {
  math::Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> row_sizes, column_sizes;
    int rows = 0, columns = 0;
    for (std::uint64_t k = random.integer(6); k > 0; --k) {
      row_sizes.push_back(static_cast<int>(1 + random.integer(6)));
      rows += row_sizes.back();
    }
    for (std::uint64_t k = random.integer(6); k > 0; --k) {
      column_sizes.push_back(static_cast<int>(1 + random.integer(6)));
      columns += column_sizes.back();
    }
    MatrixX dense = MatrixX::Zero(rows, columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) dense(i, j) = random.uniform() < 0.1 ? random.uniform(-1, 1) : 0.0;
    }
    const linalg::BlockSparseMatrix blocks = to_blocks(matrix_of(dense), row_sizes, column_sizes, false);
    ASSERT_EQ(blocks.dense(), dense);
    for (int i = 0; i < blocks.rows(); ++i) {
      for (const auto& entry : blocks.row(i)) EXPECT_FALSE(blocks.block(i, entry).isZero(0));
    }
    ScalarMatrix back = to_scalars(blocks);
    EXPECT_EQ(back.rows, rows);
    EXPECT_EQ(to_blocks(back, row_sizes, column_sizes, false).dense(), dense);
  }
}

TEST(ScalarMatrix, DiagonalBlocksAreKeptEvenIfZero) {
  const std::vector<int> sizes = {2, 1};
  const linalg::BlockSparseMatrix blocks = to_blocks(matrix_of(MatrixX::Zero(3, 3)), sizes, sizes, true);
  EXPECT_EQ(blocks.row(0).size(), 1u);
  EXPECT_EQ(blocks.row(1).front().column, 1);
}

TEST(ScalarMatrix, NaturalBlocks) {
  MatrixX dense = MatrixX::Identity(13, 13);
  EXPECT_THAT(natural_blocks(matrix_of(dense)), testing::SizeIs(13));
  dense(0, 2) = 1;   // 0, 1, 2 belong together
  dense(5, 3) = 1;   // 3, 4, 5
  dense(6, 12) = 1;  // too large for one: single rows
  EXPECT_THAT(natural_blocks(matrix_of(dense)), ElementsAre(3, 3, 1, 1, 1, 1, 1, 1, 1));
}

}  // namespace
}  // namespace ricochet::io
