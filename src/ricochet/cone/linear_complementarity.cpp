#include "ricochet/cone/linear_complementarity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ricochet::cone {

namespace {

constexpr int kEquilibrationRounds = 20;
constexpr double kNoExponent = -std::numeric_limits<double>::infinity();

double binary_exponent(double number) { return number == 0 ? kNoExponent : std::ilogb(number); }

double power_of_two(double exponent) { return std::ldexp(1.0, static_cast<int>(exponent)); }

// Halfway to where the largest exponent is zero.
void lower_by_half(const VectorX& largest, VectorX& exponents) {
  for (int i = 0; i < largest.size(); ++i) {
    if (largest[i] != kNoExponent) exponents[i] -= 0.5 * largest[i];
  }
}

}  // namespace

void validate(const LinearComplementarityProblem& problem) {
  const Eigen::Index rows = problem.matrix.rows(), columns = problem.matrix.cols(), entries = problem.offset.size();
  if (rows != columns) {
    throw std::invalid_argument(
        fmt::format("linear complementarity: the matrix has {} rows and {} columns", rows, columns));
  }
  if (entries != rows) {
    throw std::invalid_argument(
        fmt::format("linear complementarity: q has {} entries, the matrix {} rows", entries, rows));
  }
  for (Eigen::Index i = 0; i < rows; ++i) {
    if (!std::isfinite(problem.offset[i])) {
      throw std::invalid_argument(fmt::format("linear complementarity, row {}: q is not finite", i));
    }
    if (!problem.matrix.row(i).allFinite()) {
      throw std::invalid_argument(fmt::format("linear complementarity, row {}: the matrix is not finite", i));
    }
  }
}

double complementarity_residual(const LinearComplementarityProblem& problem, const linalg::VectorView& z) {
  if (z.size() != problem.size()) {
    throw std::invalid_argument(
        fmt::format("linear complementarity: z has {} entries, the problem {}", z.size(), problem.size()));
  }
  if (z.hasNaN()) return std::numeric_limits<double>::quiet_NaN();
  double worst = 0;
  for (int i = 0; i < z.size(); ++i) {
    if (z[i] < 0) return std::numeric_limits<double>::infinity();
    double w = problem.offset[i], size = std::abs(w);
    for (int j = 0; j < z.size(); ++j) {
      const double term = z[j] == 0 ? 0.0 : problem.matrix(i, j) * z[j];
      w += term;
      size += std::abs(term);
    }
    if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
    const double error = z[i] > 0 ? std::abs(w) : std::max(-w, 0.0);
    if (error > 0) worst = std::max(worst, error / size);
  }
  return worst;
}

ScaledComplementarity equilibrated(const LinearComplementarityProblem& problem) {
  const int size = problem.size();
  const MatrixX exponents = problem.matrix.unaryExpr(&binary_exponent);
  const double largest_exponent = size == 0 ? kNoExponent : exponents.maxCoeff();
  // The common factor of M goes to the columns: what remains does not depend on it.
  const double common = largest_exponent == kNoExponent ? 0.0 : largest_exponent;
  VectorX rows = VectorX::Zero(size), columns = VectorX::Constant(size, -common);
  VectorX largest_of_row(size), largest_of_column(size);
  for (int round = 0; round < kEquilibrationRounds; ++round) {
    largest_of_row.setConstant(kNoExponent);
    largest_of_column.setConstant(kNoExponent);
    for (int j = 0; j < size; ++j) {
      for (int i = 0; i < size; ++i) {
        const double now = exponents(i, j) + rows[i] + columns[j];
        largest_of_row[i] = std::max(largest_of_row[i], now);
        largest_of_column[j] = std::max(largest_of_column[j], now);
      }
    }
    lower_by_half(largest_of_row, rows);
    lower_by_half(largest_of_column, columns);
  }
  ScaledComplementarity scaled;
  scaled.row_scale.resize(size);
  scaled.unknown_scale.resize(size);
  double largest_offset = kNoExponent;
  for (int i = 0; i < size; ++i) {
    // A row of zeros says w_i = q_i: it is measured by that.
    const double offset = binary_exponent(problem.offset[i]);
    if (largest_of_row[i] == kNoExponent) rows[i] = offset == kNoExponent ? 0.0 : -offset;
    rows[i] = std::floor(rows[i]);
    columns[i] = std::floor(columns[i]);
    largest_offset = std::max(largest_offset, offset + rows[i]);
  }
  const double offset_scale = largest_offset == kNoExponent ? 0.0 : -largest_offset;
  for (int i = 0; i < size; ++i) {
    scaled.row_scale[i] = power_of_two(rows[i]);
    scaled.unknown_scale[i] = power_of_two(columns[i] - offset_scale);
  }
  scaled.problem.matrix.resize(size, size);
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      scaled.problem.matrix(i, j) = std::ldexp(problem.matrix(i, j), static_cast<int>(rows[i] + columns[j]));
    }
  }
  scaled.problem.offset.resize(size);
  for (int i = 0; i < size; ++i) {
    scaled.problem.offset[i] = std::ldexp(problem.offset[i], static_cast<int>(rows[i] + offset_scale));
  }
  return scaled;
}

}  // namespace ricochet::cone
