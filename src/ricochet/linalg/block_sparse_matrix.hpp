// A sparse matrix of small dense blocks, stored row by row in flat arrays.
//
// Two matrices of the contact problem have this shape: the contact gradients H (block rows = contacts of size 1 to 6,
// block columns = nodes of size 1, 3 or 6) and the Delassus matrix W = H M^-1 H^T (rows and columns = contacts).
// Rows are appended in order; `reset` keeps the memory, so refilling the matrix every time step does not allocate.
#pragma once

#include <span>
#include <vector>

#include "ricochet/linalg/reusable_vector.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::linalg {

// A block as stored: row-major, because the solvers walk along block rows.
using BlockView = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using MutableBlockView = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

class BlockSparseMatrix {
 public:
  struct Entry {
    int column = 0;       // block column
    int value_start = 0;  // where the block's row-major values start in `values()`
  };

  // Forgets all rows and defines the block columns by their sizes.
  void reset(std::span<const int> column_sizes);

  // Room for as much as another matrix holds, so that parts of it can be copied here without allocation.
  void reserve_like(const BlockSparseMatrix& other);

  // Opens the next block row. Blocks are then appended to it.
  void begin_row(int size);

  // Appends a zero block to the open row; columns must come in ascending order. The view is valid until the next
  // append.
  MutableBlockView append(int column);

  // Appends all rows of a matrix with the same columns, or none if it has no rows.
  void append_rows(const BlockSparseMatrix& other);
  // Appends the rows from `first` on, `count` of them, of one block row of such a matrix.
  void append_part_of_row(const BlockSparseMatrix& other, int row, int first, int count);

  int rows() const { return static_cast<int>(row_entry_start_.size()) - 1; }
  int columns() const { return static_cast<int>(column_offset_.size()) - 1; }
  int row_size(int row) const { return row_offset_[row + 1] - row_offset_[row]; }
  int row_offset(int row) const { return row_offset_[row]; }  // first scalar row of a block row
  int column_size(int column) const { return column_offset_[column + 1] - column_offset_[column]; }
  int column_offset(int column) const { return column_offset_[column]; }
  int scalar_rows() const { return row_offset_.back(); }
  int scalar_columns() const { return column_offset_.back(); }

  std::span<const Entry> row(int row) const;
  std::span<const double> values() const { return values_; }
  BlockView block(int row, const Entry& entry) const;
  MutableBlockView block(int row, const Entry& entry);

  // y += A x and y += A^T x, in the order of storage (the order of additions is part of the result).
  void multiply_add(const VectorView& x, Eigen::Ref<VectorX> y) const;
  void transpose_multiply_add(const VectorView& x, Eigen::Ref<VectorX> y) const;

  // One block row of y += A x: `y` points to row_size(row) entries, `x` to scalar_columns().
  void multiply_add_row(int row, const double* x, double* y) const;

  // What one block row gives to y += A^T x: `x` points to row_size(row) entries, `y` to scalar_columns().
  void transpose_multiply_add_row(int row, const double* x, double* y) const;

  MatrixX dense() const;  // for tests and small problems

 private:
  std::vector<int> column_offset_ = {0};
  std::vector<int> row_offset_ = {0};
  std::vector<int> row_entry_start_ = {0};
  std::vector<Entry> entries_;
  std::vector<double> values_;
};

}  // namespace ricochet::linalg
