#include "ricochet/cone/newton_matrix.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ricochet::cone {

namespace {

// Measured: on one rigid body of 25 contacts both take the same time, on heaps the sparse one is faster from there on.
// A full W (contacts of one flexible body) is better left to the blocked factorisation of a dense matrix.
constexpr int kMostDenseRows = 60;
constexpr double kFullMatrix = 0.5;         // part of W that is stored
constexpr int kMostFullRows = 2000;         // beyond, even a full matrix is left to the sparse solver: memory
constexpr double kAccurateSolution = 1e-9;  // of J x = right, relative to |J| |x| + |right|, with kept pivots

}  // namespace

struct NewtonMatrix::DenseFactors {
  Eigen::PartialPivLU<MatrixX> lu;
};

NewtonMatrix::NewtonMatrix() = default;
NewtonMatrix::NewtonMatrix(NewtonMatrix&&) noexcept = default;
NewtonMatrix& NewtonMatrix::operator=(NewtonMatrix&&) noexcept = default;
NewtonMatrix::~NewtonMatrix() = default;

void NewtonMatrix::prepare(const ContactProblem& problem, const ScaledProblem& scaled, Storage storage) {
  problem_ = &problem;
  scaled_ = &scaled;
  const double stored = static_cast<double>(problem.delassus.values().size());
  const bool full = stored > kFullMatrix * size() * size() && size() <= kMostFullRows;
  const bool small_or_full = size() <= kMostDenseRows || full;
  dense_ = storage == Storage::automatic ? small_or_full : storage == Storage::dense;
  pivots_of_this_solve_ = false;
  const linalg::BlockSparseMatrix& delassus = problem.delassus;
  delassus_.resize(delassus.values().size());
  for (int i = 0; i < problem.contacts(); ++i) {
    const double* row_scale = scaled.velocity_scale.data() + delassus.row_offset(i);
    for (const linalg::BlockSparseMatrix::Entry& entry : delassus.row(i)) {
      const double* column_scale = scaled.scale.data() + delassus.column_offset(entry.column);
      const double* from = delassus.values().data() + entry.value_start;
      double* to = delassus_.data() + entry.value_start;
      for (int k = 0; k < delassus.row_size(i); ++k) {
        for (int l = 0; l < delassus.column_size(entry.column); ++l) {
          *to++ = *from++ * (row_scale[k] * column_scale[l]);
        }
      }
    }
  }
}

void NewtonMatrix::multiply(const VectorX& x, VectorX& y) const {
  const linalg::BlockSparseMatrix& delassus = problem_->delassus;
  y.resize(size());
  for (int i = 0; i < problem_->contacts(); ++i) {
    double sum[kLargestBlock] = {};
    const int rows = delassus.row_size(i);
    for (const linalg::BlockSparseMatrix::Entry& entry : delassus.row(i)) {
      const double* block = delassus_.data() + entry.value_start;
      const double* from = x.data() + delassus.column_offset(entry.column);
      const int columns = delassus.column_size(entry.column);
      for (int k = 0; k < rows; ++k) {
        for (int l = 0; l < columns; ++l) sum[k] += *block++ * from[l];
      }
    }
    std::copy(sum, sum + rows, y.data() + delassus.row_offset(i));
  }
}

// Calls store(row, column, value) for the entries of a block row of J, row by row, columns ascending.
template <class Store>
void NewtonMatrix::assemble_row(int contact, const BlockDerivative& derivative, double epsilon, Store&& store) {
  const linalg::BlockSparseMatrix& delassus = problem_->delassus;
  const int size = delassus.row_size(contact), offset = delassus.row_offset(contact);
  for (int k = 0; k < size; ++k) {
    const double* by_impulse = derivative.by_impulse + k * size;
    const double* by_velocity = derivative.by_velocity + k * size;
    if (derivative.only_impulse) {
      for (int l = 0; l < size; ++l) store(offset + k, offset + l, by_impulse[l]);
      continue;
    }
    for (const linalg::BlockSparseMatrix::Entry& entry : delassus.row(contact)) {
      const int columns = delassus.column_size(entry.column), first = delassus.column_offset(entry.column);
      const double* block = delassus_.data() + entry.value_start;
      for (int l = 0; l < columns; ++l) {
        double value = entry.column == contact ? by_impulse[l] + by_velocity[l] * epsilon : 0.0;
        for (int m = 0; m < size; ++m) value += by_velocity[m] * block[m * columns + l];
        store(offset + k, first + l, value);
      }
    }
  }
}

void NewtonMatrix::assemble(const std::vector<BlockDerivative>& derivatives, double epsilon) {
  if (dense_) {
    matrix_.setZero(size(), size());
    for (int i = 0; i < problem_->contacts(); ++i) {
      assemble_row(i, derivatives[i], epsilon,
                   [&](int row, int column, double value) { matrix_(row, column) = value; });
    }
    return;
  }
  starts_.assign(static_cast<std::size_t>(size()) + 1, 0);
  columns_.clear();
  values_.clear();
  for (int i = 0; i < problem_->contacts(); ++i) {
    assemble_row(i, derivatives[i], epsilon, [&](int row, int column, double value) {
      columns_.push_back(column);
      values_.push_back(value);
      starts_[row + 1] = static_cast<int>(columns_.size());
    });
  }
  if (sparse_factors_.set_pattern(starts_, columns_)) pivots_of_this_solve_ = false;
}

bool NewtonMatrix::accurate(const VectorX& right, const VectorX& x) {
  double worst = 0, scale = 0;
  for (int i = 0; i < size(); ++i) {
    double error = right[i], terms = std::abs(right[i]);
    for (int k = starts_[i]; k < starts_[i + 1]; ++k) {
      const double term = values_[k] * x[columns_[k]];
      error -= term;
      terms += std::abs(term);
    }
    if (!std::isfinite(error)) return false;
    worst = std::max(worst, std::abs(error));
    scale = std::max(scale, terms);
  }
  return worst <= kAccurateSolution * scale;
}

bool NewtonMatrix::solve(const VectorX& right, VectorX& x) {
  if (dense_) {
    if (!dense_factors_) dense_factors_ = std::make_unique<DenseFactors>();
    dense_factors_->lu.compute(matrix_);
    x = dense_factors_->lu.solve(right);
    return x.allFinite();
  }
  if (pivots_of_this_solve_ && sparse_factors_.refactorise(values_)) {
    x = right;
    sparse_factors_.solve_transposed(x.data());
    if (accurate(right, x)) return true;
  }
  pivots_of_this_solve_ = sparse_factors_.factorise(values_);
  if (!pivots_of_this_solve_) return false;
  x = right;
  sparse_factors_.solve_transposed(x.data());
  return x.allFinite();
}

MatrixX NewtonMatrix::jacobian() const {
  if (dense_) return matrix_;
  MatrixX result = MatrixX::Zero(size(), size());
  for (int i = 0; i < size(); ++i) {
    for (int k = starts_[i]; k < starts_[i + 1]; ++k) result(i, columns_[k]) = values_[k];
  }
  return result;
}

}  // namespace ricochet::cone
