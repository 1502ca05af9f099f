// Which block rows of a sparse matrix feel each other, when its block columns belong to groups.
//
// Rows are the contacts in H, columns the nodes, groups the nodes that move together: two contacts are coupled exactly
// if both have a column of the same group. A column that cannot move has no group.
#pragma once

#include <span>
#include <vector>

#include "ricochet/linalg/block_sparse_matrix.hpp"

namespace ricochet::linalg {

class CoupledRows {
 public:
  // `group_of_column` is negative for columns without a group. Keeps the memory.
  void collect(const BlockSparseMatrix& matrix, std::span<const int> group_of_column, int groups);

  // The rows of a group, ascending, and where among the values of the matrix the first block of each begins that is of
  // the group.
  std::span<const int> rows_of(int group) const;
  std::span<const int> blocks_of(int group) const;

  // The rows that a row is coupled with, ascending, always with itself. Valid until the next call.
  std::span<const int> neighbours(const BlockSparseMatrix& matrix, int row);

  // An empty square matrix whose block columns have the sizes of the rows of `matrix`.
  void reset_square(const BlockSparseMatrix& matrix, BlockSparseMatrix& square);

 private:
  std::span<const int> group_of_column_;
  std::vector<int> group_start_, group_fill_, rows_, blocks_, neighbours_, sizes_;
  std::vector<int> last_row_;  // of each group, the last row that was counted for it
};

}  // namespace ricochet::linalg
