#include "ricochet/linalg/block_sparse_matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace ricochet::linalg {

namespace {

// sum += B x and y += B^T x for one row-major block. Sizes known at compile time keep the sums in registers; the order
// of additions is the same for every kernel, so that the fixed and the general kernels give the same bits.
template <int kRows, int kColumns>
inline void add_block_product(const double* block, const double* x, double* sum) {
  for (int i = 0; i < kRows; ++i) {
    double row_sum = 0;
    for (int j = 0; j < kColumns; ++j) row_sum += block[i * kColumns + j] * x[j];
    sum[i] += row_sum;
  }
}

inline void add_block_product(const double* block, int rows, int columns, const double* x, double* sum) {
  for (int i = 0; i < rows; ++i) {
    double row_sum = 0;
    for (int j = 0; j < columns; ++j) row_sum += block[i * columns + j] * x[j];
    sum[i] += row_sum;
  }
}

template <int kRows, int kColumns>
inline void add_transposed_block_product(const double* block, const double* x, double* y) {
  for (int j = 0; j < kColumns; ++j) {
    double column_sum = 0;
    for (int i = 0; i < kRows; ++i) column_sum += block[i * kColumns + j] * x[i];
    y[j] += column_sum;
  }
}

inline void add_transposed_block_product(const double* block, int rows, int columns, const double* x, double* y) {
  for (int j = 0; j < columns; ++j) {
    double column_sum = 0;
    for (int i = 0; i < rows; ++i) column_sum += block[i * columns + j] * x[i];
    y[j] += column_sum;
  }
}

// One block row of a common size: the columns a contact row meets are contacts of the same size (Delassus matrix) or
// rigid bodies of size 6 (gradients). Anything else takes the general kernel.
template <int kRows>
inline void add_row_product(const BlockSparseMatrix& matrix, int row, const double* x, double* y) {
  const double* values = matrix.values().data();
  double sum[kRows];
  for (int i = 0; i < kRows; ++i) sum[i] = y[i];
  for (const BlockSparseMatrix::Entry& entry : matrix.row(row)) {
    const int columns = matrix.column_size(entry.column);
    const double* block = values + entry.value_start;
    const double* x_block = x + matrix.column_offset(entry.column);
    if (columns == 6) {
      add_block_product<kRows, 6>(block, x_block, sum);
    } else if (columns == std::min(kRows, 5)) {  // as many as rows, in other words; 6 was the case above
      add_block_product<kRows, std::min(kRows, 5)>(block, x_block, sum);
    } else {
      add_block_product(block, kRows, columns, x_block, sum);
    }
  }
  for (int i = 0; i < kRows; ++i) y[i] = sum[i];
}

template <int kRows>
inline void add_transposed_row_product(const BlockSparseMatrix& matrix, int row, const double* x, double* y) {
  const double* values = matrix.values().data();
  for (const BlockSparseMatrix::Entry& entry : matrix.row(row)) {
    const int columns = matrix.column_size(entry.column);
    const double* block = values + entry.value_start;
    double* y_block = y + matrix.column_offset(entry.column);
    if (columns == kRows) {
      add_transposed_block_product<kRows, kRows>(block, x, y_block);
    } else if (columns == 6) {
      add_transposed_block_product<kRows, 6>(block, x, y_block);
    } else {
      add_transposed_block_product(block, kRows, columns, x, y_block);
    }
  }
}

}  // namespace

void BlockSparseMatrix::reset(std::span<const int> column_sizes) {
  // clear() and resize() to a smaller size keep the capacity: this is what makes refilling free of allocation.
  entries_.clear();
  values_.clear();
  row_offset_.assign(1, 0);
  row_entry_start_.assign(1, 0);
  column_offset_.assign(1, 0);
  for (const int size : column_sizes) {
    if (size <= 0) throw std::invalid_argument("BlockSparseMatrix: a block column must have a positive size");
    column_offset_.push_back(column_offset_.back() + size);
  }
}

void BlockSparseMatrix::reserve_like(const BlockSparseMatrix& other) {
  column_offset_.reserve(other.column_offset_.size());
  row_offset_.reserve(other.row_offset_.size());
  row_entry_start_.reserve(other.row_entry_start_.size());
  entries_.reserve(other.entries_.size());
  values_.reserve(other.values_.size());
}

void BlockSparseMatrix::begin_row(int size) {
  if (size <= 0) throw std::invalid_argument("BlockSparseMatrix: a block row must have a positive size");
  row_offset_.push_back(row_offset_.back() + size);
  row_entry_start_.push_back(static_cast<int>(entries_.size()));
}

MutableBlockView BlockSparseMatrix::append(int column) {
  if (rows() == 0) throw std::logic_error("BlockSparseMatrix: append needs an open row, call begin_row first");
  if (column < 0 || column >= columns()) {
    throw std::invalid_argument("BlockSparseMatrix: block column " + std::to_string(column) + " does not exist");
  }
  const int last_row = rows() - 1;
  const bool row_has_entries = row_entry_start_[last_row + 1] > row_entry_start_[last_row];
  if (row_has_entries && entries_.back().column >= column) {
    throw std::invalid_argument("BlockSparseMatrix: block columns of a row must be appended in ascending order");
  }
  if (values_.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) - 36) {
    throw std::length_error("BlockSparseMatrix: more than 2^31 values; use a form that does not store the matrix");
  }
  const int value_start = static_cast<int>(values_.size());
  const int size = row_size(last_row);
  entries_.push_back({column, value_start});
  row_entry_start_[last_row + 1] = static_cast<int>(entries_.size());
  values_.resize(values_.size() + static_cast<std::size_t>(size) * column_size(column), 0.0);
  return MutableBlockView(values_.data() + value_start, size, column_size(column));
}

std::span<const BlockSparseMatrix::Entry> BlockSparseMatrix::row(int row) const {
  return {entries_.data() + row_entry_start_[row], entries_.data() + row_entry_start_[row + 1]};
}

BlockView BlockSparseMatrix::block(int row, const Entry& entry) const {
  return BlockView(values_.data() + entry.value_start, row_size(row), column_size(entry.column));
}

void BlockSparseMatrix::append_rows(const BlockSparseMatrix& other) {
  for (int row = 0; row < other.rows(); ++row) append_part_of_row(other, row, 0, other.row_size(row));
}

void BlockSparseMatrix::append_part_of_row(const BlockSparseMatrix& other, int row, int first, int count) {
  begin_row(count);
  for (const Entry& entry : other.row(row)) append(entry.column) = other.block(row, entry).middleRows(first, count);
}

MutableBlockView BlockSparseMatrix::block(int row, const Entry& entry) {
  return MutableBlockView(values_.data() + entry.value_start, row_size(row), column_size(entry.column));
}

void BlockSparseMatrix::multiply_add(const VectorView& x, Eigen::Ref<VectorX> y) const {
  if (x.size() != scalar_columns() || y.size() != scalar_rows()) {
    throw std::invalid_argument("BlockSparseMatrix: sizes of the vectors in y += A x do not fit the matrix");
  }
  for (int i = 0; i < rows(); ++i) multiply_add_row(i, x.data(), y.data() + row_offset(i));
}

void BlockSparseMatrix::multiply_add_row(int row, const double* x, double* y) const {
  switch (row_size(row)) {
    case 1:
      return add_row_product<1>(*this, row, x, y);
    case 2:
      return add_row_product<2>(*this, row, x, y);
    case 3:
      return add_row_product<3>(*this, row, x, y);
    case 5:
      return add_row_product<5>(*this, row, x, y);
    case 6:
      return add_row_product<6>(*this, row, x, y);
    default:
      for (const Entry& entry : this->row(row)) {
        add_block_product(values_.data() + entry.value_start, row_size(row), column_size(entry.column),
                          x + column_offset(entry.column), y);
      }
  }
}

void BlockSparseMatrix::transpose_multiply_add(const VectorView& x, Eigen::Ref<VectorX> y) const {
  if (x.size() != scalar_rows() || y.size() != scalar_columns()) {
    throw std::invalid_argument("BlockSparseMatrix: sizes of the vectors in y += A^T x do not fit the matrix");
  }
  for (int i = 0; i < rows(); ++i) transpose_multiply_add_row(i, x.data() + row_offset(i), y.data());
}

void BlockSparseMatrix::transpose_multiply_add_row(int row, const double* x, double* y) const {
  switch (row_size(row)) {
    case 1:
      return add_transposed_row_product<1>(*this, row, x, y);
    case 2:
      return add_transposed_row_product<2>(*this, row, x, y);
    case 3:
      return add_transposed_row_product<3>(*this, row, x, y);
    default:
      for (const Entry& entry : this->row(row)) {
        add_transposed_block_product(values_.data() + entry.value_start, row_size(row), column_size(entry.column), x,
                                     y + column_offset(entry.column));
      }
  }
}

MatrixX BlockSparseMatrix::dense() const {
  MatrixX result = MatrixX::Zero(scalar_rows(), scalar_columns());
  for (int i = 0; i < rows(); ++i) {
    for (const Entry& entry : row(i)) {
      result.block(row_offset(i), column_offset(entry.column), row_size(i), column_size(entry.column)) =
          block(i, entry);
    }
  }
  return result;
}

}  // namespace ricochet::linalg
