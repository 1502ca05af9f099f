// Rank of rows: which depend on those before them, dense and sparse alike, whatever the units.
#include "ricochet/linalg/row_rank.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/math/random.hpp"

namespace ricochet::linalg {
namespace {

// Rows of `dense` over nodes of three components, one block row each.
BlockSparseMatrix block_rows(const MatrixX& dense) {
  const std::vector<int> sizes(static_cast<std::size_t>(dense.cols() / 3), 3);
  BlockSparseMatrix rows;
  rows.reset(sizes);
  for (Eigen::Index i = 0; i < dense.rows(); ++i) {
    rows.begin_row(1);
    for (Eigen::Index node = 0; node < dense.cols() / 3; ++node) {
      const auto block = dense.block<1, 3>(i, 3 * node);
      if (!block.isZero(0)) rows.append(static_cast<int>(node)) = block;
    }
  }
  return rows;
}

RowRank rank_of(const MatrixX& dense, int most_dense = most_dense_rows) {
  const std::vector<char> free(static_cast<std::size_t>(dense.cols()), 1);
  return row_rank(block_rows(dense), free, VectorX::Ones(dense.cols()), most_dense);
}

TEST(RowRank, TellsWhichRowsFollowFromOthers) {
  MatrixX rows(5, 3);
  rows << 1, 0, 0,  //
      0, 2, 0,      //
      3, 5, 0,      // of the first two
      0, 0, 0,      // nothing
      1, 1, 1;
  for (const int most_dense : {0, 100}) {
    const RowRank result = rank_of(rows, most_dense);
    EXPECT_EQ(result.rank, 3);
    EXPECT_EQ(result.dependent, (std::vector<int>{2, 3}));
    EXPECT_EQ(result.singular_values.size(), most_dense == 0 ? 0 : 3);
  }
  EXPECT_EQ(rank_of(MatrixX::Zero(2, 3)).dependent, (std::vector<int>{0, 1}));
  EXPECT_EQ(rank_of(MatrixX::Zero(0, 3)).rank, 0);
}

// Two rows at an angle a to each other: singular values sqrt(1 +- cos a).
TEST(RowRank, SingularValuesOfTwoRows) {
  for (const double angle : {1.0, 1e-3, 1e-6, 1e-9}) {
    MatrixX rows = MatrixX::Zero(2, 3);
    rows << 1, 0, 0, 5 * std::cos(angle), 5 * std::sin(angle), 0;
    const RowRank result = rank_of(rows);
    EXPECT_EQ(result.rank, 2);
    EXPECT_NEAR(result.singular_values[0], std::sqrt(2) * std::cos(angle / 2), 1e-14);
    EXPECT_NEAR(result.singular_values[1], std::sqrt(2) * std::sin(angle / 2), 1e-15);
  }
  MatrixX rows = MatrixX::Zero(2, 3);
  rows << 1, 0, 0, 5, 1e-11, 0;
  EXPECT_EQ(rank_of(rows).rank, 1);
}

TEST(RowRank, EliminatedComponentsDoNotCount) {
  MatrixX rows(2, 3);
  rows << 1, 0, 1, 2, 0, 0;
  const BlockSparseMatrix blocks = block_rows(rows);
  const std::vector<char> free = {1, 1, 0};
  const RowRank result = row_rank(blocks, free, VectorX::Ones(3));
  EXPECT_EQ(result.rank, 1);
  EXPECT_EQ(result.dependent, std::vector<int>{1});
}

// Random rows with random dependent ones among them: both ways agree, in any units.
TEST(RowRankProperty, DenseAndSparseAgree) {
  math::Random random(61);
  for (int i = 0; i < 100; ++i) {
    const int nodes = 1 + static_cast<int>(random.integer(8)), count = 1 + static_cast<int>(random.integer(20));
    MatrixX rows = MatrixX::Zero(count, 3 * nodes);
    std::vector<int> dependent;
    int rank = 0;
    for (int row = 0; row < count; ++row) {
      if (rank == 3 * nodes || (row > 0 && random.integer(3) == 0)) {
        for (int k = 0; k < row; ++k) rows.row(row) += random.normal() * rows.row(k);
        dependent.push_back(row);
        continue;
      }
      // Two nodes each, as most joints have; a component of its own makes the row independent of those before.
      const int node = static_cast<int>(random.integer(static_cast<std::uint64_t>(nodes)));
      for (int k = 0; k < 3; ++k) rows(row, 3 * node + k) = random.normal();
      rows(row, rank) += 10;
      ++rank;
    }
    const RowRank dense = rank_of(rows), sparse = rank_of(rows, 0);
    EXPECT_EQ(dense.dependent, sparse.dependent);
    EXPECT_EQ(dense.rank, sparse.rank);
    EXPECT_EQ(dense.rank, rank);
    EXPECT_EQ(dense.dependent, dependent);
    VectorX mass(3 * nodes);
    MatrixX scaled = rows;
    for (int k = 0; k < 3 * nodes; ++k) {
      mass[k] = std::exp2(2.0 * static_cast<double>(random.integer(10)));
      scaled.col(k) *= std::sqrt(mass[k]);
    }
    for (int row = 0; row < count; ++row) scaled.row(row) *= std::exp2(static_cast<double>(random.integer(20)) - 10);
    const std::vector<char> free(static_cast<std::size_t>(3 * nodes), 1);
    const RowRank other = row_rank(block_rows(scaled), free, mass);
    EXPECT_EQ(other.dependent, dense.dependent);
    EXPECT_EQ(other.singular_values, dense.singular_values);  // powers of two: to the last bit
  }
}

}  // namespace
}  // namespace ricochet::linalg
