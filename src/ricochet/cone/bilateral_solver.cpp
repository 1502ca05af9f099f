#include "ricochet/cone/bilateral_solver.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "ricochet/cone/contact_law.hpp"

namespace ricochet::cone {

namespace {

using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kLargestBlock, kLargestBlock>;

constexpr double kZeroPivot = 64 * std::numeric_limits<double>::epsilon();  // pivots of a matrix with unit diagonal
constexpr int kCorrections = 2;

}  // namespace

BilateralSolver::BilateralSolver(const double* block, int size) : size_(size) {
  if (size < 1 || size > kLargestBlock) throw std::invalid_argument("BilateralSolver: the block size must be 1 to 6");
  std::copy(block, block + size * size, block_);
  double scale[kLargestBlock] = {};
  double largest = 0;
  for (int k = 0; k < size * size; ++k) largest = std::max(largest, std::abs(block[k]));
  if (!(largest > 0)) return;
  for (int k = 0; k < size; ++k) {
    const double own = block[k * (size + 1)];
    scale[k] = 1 / std::sqrt(own > 0 ? own : largest);
  }
  SmallMatrix scaled(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) scaled(i, j) = scale[i] * block[i * size + j] * scale[j];
  }
  Eigen::FullPivLU<SmallMatrix> factors(size, size);
  factors.setThreshold(kZeroPivot);
  factors.compute(scaled);
  const SmallMatrix inverse = factors.solve(SmallMatrix::Identity(size, size));
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) inverse_[i * size + j] = scale[i] * inverse(i, j) * scale[j];
  }
}

void BilateralSolver::solve(const double* free_velocity, double* impulse) const {
  for (int correction = 0; correction < kCorrections; ++correction) {
    double u[kLargestBlock] = {};
    for (int i = 0; i < size_; ++i) {
      u[i] = free_velocity[i];
      for (int j = 0; j < size_; ++j) u[i] += block_[i * size_ + j] * impulse[j];
    }
    for (int i = 0; i < size_; ++i) {
      double change = 0;
      for (int j = 0; j < size_; ++j) change += inverse_[i * size_ + j] * u[j];
      impulse[i] -= change;
    }
  }
}

}  // namespace ricochet::cone
