#include "ricochet/io/scalar_matrix.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ricochet::io {

namespace {

constexpr int kLargestNaturalBlock = 6;

// For every scalar the block that it belongs to.
std::vector<int> block_of_scalar(std::span<const int> sizes) {
  std::vector<int> owner;
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    owner.insert(owner.end(), static_cast<std::size_t>(sizes[block]), static_cast<int>(block));
  }
  return owner;
}

}  // namespace

void ScalarMatrix::compress() {
  // Stable, so that entries at one place are added in the order in which they were given.
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  std::size_t kept = 0;
  for (const Entry& entry : entries) {
    if (kept > 0 && entries[kept - 1].row == entry.row && entries[kept - 1].column == entry.column) {
      entries[kept - 1].value += entry.value;
    } else {
      entries[kept++] = entry;
    }
  }
  entries.resize(kept);
}

void ScalarMatrix::transpose() {
  std::swap(rows, columns);
  for (Entry& entry : entries) std::swap(entry.row, entry.column);
}

void ScalarMatrix::place(const ScalarMatrix& part, int row, int column) {
  for (const Entry& entry : part.entries) add(row + entry.row, column + entry.column, entry.value);
}

linalg::BlockSparseMatrix to_blocks(ScalarMatrix matrix, std::span<const int> row_sizes,
                                    std::span<const int> column_sizes, bool keep_diagonal) {
  matrix.compress();
  const std::vector<int> block_of_column = block_of_scalar(column_sizes);
  linalg::BlockSparseMatrix blocks;
  blocks.reset(column_sizes);
  std::int64_t stored = 0;
  std::vector<int> used;  // block columns of the row
  std::size_t begin = 0;  // first entry of the block row
  int row_start = 0;
  for (std::size_t block_row = 0; block_row < row_sizes.size(); ++block_row) {
    const int size = row_sizes[block_row];
    std::size_t end = begin;
    used.clear();
    if (keep_diagonal) used.push_back(static_cast<int>(block_row));
    for (; end < matrix.entries.size() && matrix.entries[end].row < row_start + size; ++end) {
      if (matrix.entries[end].value != 0) used.push_back(block_of_column[matrix.entries[end].column]);
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (const int column : used) stored += static_cast<std::int64_t>(size) * column_sizes[column];
    if (stored > std::numeric_limits<int>::max()) throw std::invalid_argument("a matrix is too large");
    blocks.begin_row(size);
    for (const int column : used) {
      linalg::MutableBlockView block = blocks.append(column);
      const int column_start = blocks.column_offset(column);
      // Each row of the block row is sorted: its part within the block begins at a place that can be searched for.
      for (int row = 0; row < size; ++row) {
        const auto first = std::lower_bound(
            matrix.entries.begin() + static_cast<std::ptrdiff_t>(begin),
            matrix.entries.begin() + static_cast<std::ptrdiff_t>(end), std::pair(row_start + row, column_start),
            [](const ScalarMatrix::Entry& entry, const std::pair<int, int>& place) {
              return entry.row != place.first ? entry.row < place.first : entry.column < place.second;
            });
        const auto last = matrix.entries.begin() + static_cast<std::ptrdiff_t>(end);
        for (auto entry = first; entry != last && entry->row == row_start + row; ++entry) {
          if (entry->column >= column_start + column_sizes[column]) break;
          block(row, entry->column - column_start) = entry->value;
        }
      }
    }
    begin = end;
    row_start += size;
  }
  return blocks;
}

ScalarMatrix to_scalars(const linalg::BlockSparseMatrix& blocks) {
  ScalarMatrix matrix;
  matrix.rows = blocks.scalar_rows();
  matrix.columns = blocks.scalar_columns();
  for (int block_row = 0; block_row < blocks.rows(); ++block_row) {
    for (int row = 0; row < blocks.row_size(block_row); ++row) {
      for (const linalg::BlockSparseMatrix::Entry& entry : blocks.row(block_row)) {
        const linalg::BlockView block = blocks.block(block_row, entry);
        for (int column = 0; column < block.cols(); ++column) {
          if (block(row, column) == 0) continue;
          matrix.add(blocks.row_offset(block_row) + row, blocks.column_offset(entry.column) + column,
                     block(row, column));
        }
      }
    }
  }
  return matrix;
}

std::vector<int> natural_blocks(const ScalarMatrix& matrix) {
  // `reach[i]`: one past the furthest row or column that i is coupled to. A block ends where nothing reaches further.
  std::vector<int> reach(static_cast<std::size_t>(matrix.rows));
  for (int i = 0; i < matrix.rows; ++i) reach[i] = i + 1;
  for (const ScalarMatrix::Entry& entry : matrix.entries) {
    if (entry.value == 0) continue;
    const auto [low, high] = std::minmax(entry.row, entry.column);
    reach[low] = std::max(reach[low], high + 1);
  }
  std::vector<int> sizes;
  for (int start = 0; start < matrix.rows;) {
    int end = reach[start];
    for (int i = start; i < end; ++i) end = std::max(end, reach[i]);
    if (end - start <= kLargestNaturalBlock) {
      sizes.push_back(end - start);
    } else {
      sizes.insert(sizes.end(), static_cast<std::size_t>(end - start), 1);
    }
    start = end;
  }
  return sizes;
}

}  // namespace ricochet::io
