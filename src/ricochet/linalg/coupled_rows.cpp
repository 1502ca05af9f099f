#include "ricochet/linalg/coupled_rows.hpp"

#include <algorithm>

namespace ricochet::linalg {

// Counting sort of (group, row) pairs.
void CoupledRows::collect(const BlockSparseMatrix& matrix, std::span<const int> group_of_column, int groups) {
  group_of_column_ = group_of_column;
  const auto visit = [&](auto&& action) {
    last_row_.assign(groups, -1);
    for (int row = 0; row < matrix.rows(); ++row) {
      for (const auto& entry : matrix.row(row)) {
        const int group = group_of_column[entry.column];
        if (group < 0 || last_row_[group] == row) continue;
        last_row_[group] = row;
        action(group, row, entry.value_start);
      }
    }
  };
  group_start_.assign(groups + 1, 0);
  visit([&](int group, int /*row*/, int /*block*/) { ++group_start_[group + 1]; });
  for (int group = 0; group < groups; ++group) group_start_[group + 1] += group_start_[group];
  rows_.resize(group_start_.back());
  blocks_.resize(group_start_.back());
  group_fill_.assign(group_start_.begin(), group_start_.end() - 1);
  visit([&](int group, int row, int block) {
    rows_[group_fill_[group]] = row;
    blocks_[group_fill_[group]++] = block;
  });
}

std::span<const int> CoupledRows::rows_of(int group) const {
  return {rows_.data() + group_start_[group], rows_.data() + group_start_[group + 1]};
}

std::span<const int> CoupledRows::blocks_of(int group) const {
  return {blocks_.data() + group_start_[group], blocks_.data() + group_start_[group + 1]};
}

std::span<const int> CoupledRows::neighbours(const BlockSparseMatrix& matrix, int row) {
  int groups = 0, last = -1;
  for (const auto& entry : matrix.row(row)) {
    const int group = group_of_column_[entry.column];
    if (group < 0 || group == last) continue;
    ++groups;
    last = group;
  }
  if (groups == 1) return rows_of(last);  // already in order
  neighbours_.clear();
  for (const auto& entry : matrix.row(row)) {
    const int group = group_of_column_[entry.column];
    if (group < 0) continue;
    const std::span<const int> rows = rows_of(group);
    neighbours_.insert(neighbours_.end(), rows.begin(), rows.end());
  }
  if (neighbours_.empty()) neighbours_.push_back(row);  // a contact between fixed things still owns a (zero) block
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  return neighbours_;
}

void CoupledRows::reset_square(const BlockSparseMatrix& matrix, BlockSparseMatrix& square) {
  sizes_.clear();
  for (int row = 0; row < matrix.rows(); ++row) sizes_.push_back(matrix.row_size(row));
  square.reset(sizes_);
}

}  // namespace ricochet::linalg
