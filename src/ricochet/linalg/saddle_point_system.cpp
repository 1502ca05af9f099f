#include "ricochet/linalg/saddle_point_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "ricochet/linalg/all_finite.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::linalg {

namespace {

constexpr double kRowRegularisation = 1e-9;  // delta, against a diagonal of one
constexpr int kMostRefinements = 10;
// A residual of this size, against the solution, is what rounding leaves of an exact one: entries are at most one.
constexpr double kRoundingOfResidual = 4 * std::numeric_limits<double>::epsilon();
constexpr double kCertain = 1e-3;  // of the rounding

double norm(const double* values, std::ptrdiff_t size) { return Eigen::Map<const VectorX>(values, size).norm(); }

}  // namespace

int SaddlePointPattern::place(int row, int column) const {
  const auto begin = indices.begin() + starts[column], end = indices.begin() + starts[column + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - indices.begin());
}

void SaddlePointSystem::set_pattern(SaddlePointPattern pattern) {
  if (pattern == pattern_) return;
  pattern_ = std::move(pattern);
  diagonal_.clear();
  for (int i = 0; i < pattern_.unknowns(); ++i) diagonal_.push_back(pattern_.place(i, i));
  ordered_.set_pattern(pattern_.starts, pattern_.indices, pattern_.order);
  inverse_scale_.resize(pattern_.unknowns());
  right_.resize(static_cast<std::size_t>(kTogether) * pattern_.unknowns());
  error_.resize(right_.size());
}

void SaddlePointSystem::factorise(std::span<double> values) {
  find_scales(values);
  scale(values);
  for (int i = pattern_.components; i < pattern_.unknowns(); ++i) values[diagonal_[i]] = -kRowRegularisation;
  values_ = values;
  searches_pivots_ = !ordered_.factorise(values);
  if (!searches_pivots_) return;
  pivoting_.set_pattern(pattern_.starts, pattern_.indices);
  if (!all_finite(values) || !pivoting_.factorise(values))
    throw std::runtime_error("the mass and stiffness matrix is singular");
}

void SaddlePointSystem::find_scales(std::span<const double> values) {
  const double first = std::abs(values[diagonal_[0]]);
  reference_ = first > 0 ? first : 1.0;
  for (int i = 0; i < pattern_.components; ++i) {
    const double diagonal = std::abs(values[diagonal_[i]]);
    inverse_scale_[i] = diagonal > 0 ? 1 / std::sqrt(diagonal / reference_) : 1.0;
  }
  for (int column = pattern_.components; column < pattern_.unknowns(); ++column) {
    double response = 0;  // G diag(matrix)^-1 G^T, times the reference
    for (int k = pattern_.starts[column]; k < diagonal_[column]; ++k) {
      const double value = values[k] * inverse_scale_[pattern_.indices[k]];
      response += value * value;
    }
    // A row that moves nothing says nothing; the regularisation alone stands in its place.
    inverse_scale_[column] = response > 0 ? 1 / std::sqrt(response) : 1.0;
  }
}

void SaddlePointSystem::scale(std::span<double> values) const {
  const double inverse_reference = 1 / reference_;
  for (int column = 0; column < pattern_.unknowns(); ++column) {
    const double of_row = inverse_scale_[column];
    const double of_component = column < pattern_.components ? of_row * inverse_reference : of_row;
    for (int k = pattern_.starts[column]; k < pattern_.starts[column + 1]; ++k) {
      const int row = pattern_.indices[k];
      values[k] *= inverse_scale_[row] * (row < pattern_.components ? of_component : of_row);
    }
  }
}

void SaddlePointSystem::solve(double* right, int columns) const {
  for (int start = 0; start < columns; start += kTogether) {
    solve_together(right + static_cast<std::ptrdiff_t>(start) * pattern_.unknowns(),
                   std::min(kTogether, columns - start));
  }
}

void SaddlePointSystem::solve_together(double* right, int columns) const {
  const int size = pattern_.unknowns();
  for (int column = 0; column < columns; ++column) {
    double* x = right + static_cast<std::ptrdiff_t>(column) * size;
    for (int i = 0; i < size; ++i) x[i] *= inverse_scale_[i];
    for (int i = 0; i < pattern_.components; ++i) x[i] /= reference_;
  }
  if (pattern_.rows == 0) {
    solve_factors(right, columns);
  } else {
    refine(right, columns);
  }
  for (int column = 0; column < columns; ++column) {
    double* x = right + static_cast<std::ptrdiff_t>(column) * size;
    for (int i = 0; i < size; ++i) x[i] *= inverse_scale_[i];
    for (int i = pattern_.components; i < size; ++i) x[i] *= reference_;
  }
}

void SaddlePointSystem::solve_factors(double* right, int columns) const {
  if (searches_pivots_) {
    pivoting_.solve(right, columns);
  } else {
    ordered_.solve(right, columns);
  }
}

// error = right - (system without delta) x, and its size.
double SaddlePointSystem::find_error(const double* x, const double* right, double* error) const {
  const int size = pattern_.unknowns();
  for (int i = 0; i < pattern_.components; ++i) error[i] = right[i];
  for (int i = pattern_.components; i < size; ++i) error[i] = right[i] - kRowRegularisation * x[i];
  for (int column = 0; column < size; ++column) {
    const double factor = x[column];
    for (int k = pattern_.starts[column]; k < pattern_.starts[column + 1]; ++k) {
      error[pattern_.indices[k]] -= values_[k] * factor;
    }
  }
  return norm(error, size);
}

// Solves, then corrects until the regularisation has no part in the result or nothing is gained.
void SaddlePointSystem::refine(double* x, int columns) const {
  const std::ptrdiff_t size = pattern_.unknowns();
  std::copy(x, x + columns * size, right_.begin());
  solve_factors(x, columns);
  std::array<double, kTogether> last = {};
  std::array<bool, kTogether> done = {};
  for (int pass = 0; pass < kMostRefinements; ++pass) {
    std::array<int, kTogether> corrected = {};
    int count = 0;
    for (int column = 0; column < columns; ++column) {
      if (done[column]) continue;
      const double* now = x + column * size;
      const double* right = right_.data() + column * size;
      const double error = find_error(now, right, error_.data() + count * size);
      const double rounding = kRoundingOfResidual * norm(now, size);
      done[column] = error <= rounding || (pass > 0 && !(error < 0.5 * last[column]));
      if (done[column]) continue;
      corrected[count++] = column;
      // Each correction shrinks the error as the one before did; where that leaves nothing to see, nobody looks.
      const double shrinks = error / (pass > 0 ? last[column] : norm(right, size));
      done[column] = error * shrinks <= kCertain * rounding;
      last[column] = error;
    }
    if (count == 0) return;
    solve_factors(error_.data(), count);
    for (int i = 0; i < count; ++i) {
      Eigen::Map<VectorX>(x + corrected[i] * size, size) += Eigen::Map<const VectorX>(error_.data() + i * size, size);
    }
  }
}

}  // namespace ricochet::linalg
