#include "ricochet/linalg/node_inverse.hpp"

#include <Eigen/LU>
#include <cmath>
#include <stdexcept>

namespace ricochet::linalg {

namespace {

constexpr int kLargest = NodeInverse::max_size;

// Sizes that are known keep sums in registers; the order of additions is that of the general loops.
template <int kSize>
inline void multiply_row(const double* row, const Matrix6& matrix, double* result) {
  double sums[kSize] = {};
  for (int l = 0; l < kSize; ++l) {
    for (int k = 0; k < kSize; ++k) sums[k] += row[l] * matrix(l, k);
  }
  for (int k = 0; k < kSize; ++k) result[k] = sums[k];
}

template <int kRows, int kOtherRows, int kSize>
inline void add_rows(const double (*left)[kLargest], const double* right, double* block) {
  for (int i = 0; i < kRows; ++i) {
    double sums[kOtherRows] = {};
    for (int k = 0; k < kSize; ++k) {
      for (int j = 0; j < kOtherRows; ++j) sums[j] += left[i][k] * right[j * kSize + k];
    }
    for (int j = 0; j < kOtherRows; ++j) block[i * kOtherRows + j] += sums[j];
  }
}

}  // namespace

NodeInverse::NodeInverse(std::span<const char> free_components) : size_(static_cast<int>(free_components.size())) {
  if (size_ > max_size) throw std::invalid_argument("NodeInverse: a node has more than 6 components");
  for (int i = 0; i < size_; ++i) {
    if (free_components[i] != 0) free_[free_count_++] = i;
  }
}

// Gauss elimination on the free components.
void NodeInverse::invert(const Matrix6& matrix) {
  if (free_count_ == 0) return;
  Matrix6 reduced = Matrix6::Identity();
  for (int i = 0; i < free_count_; ++i) {
    for (int j = 0; j < free_count_; ++j) reduced(i, j) = matrix(free_[i], free_[j]);
  }
  const Eigen::PartialPivLU<Matrix6> factors(reduced);
  // Scale-free test of singularity: the smallest pivot against the largest one would depend on units (kg against
  // kg m^2), so only an exactly vanishing or non-finite pivot is refused.
  for (int i = 0; i < free_count_; ++i) {
    const double pivot = factors.matrixLU()(i, i);
    if (!(std::abs(pivot) > 0) || !std::isfinite(pivot)) throw std::runtime_error("the mass matrix is singular");
  }
  const Matrix6 inverse = factors.inverse();
  is_diagonal_ = true;
  for (int i = 0; i < free_count_; ++i) {
    for (int j = 0; j < free_count_; ++j) {
      inverse_(free_[i], free_[j]) = inverse(i, j);
      is_diagonal_ = is_diagonal_ && (i == j || inverse(i, j) == 0);
    }
  }
  diagonal_ = inverse_.diagonal();
}

void NodeInverse::multiply(double* x) const {
  if (size_ == 6) {
    Eigen::Map<Vector6> segment(x);
    const Vector6 right = segment;
    segment.noalias() = inverse_ * right;
  } else if (size_ == 3) {
    Eigen::Map<Vector3> segment(x);
    const Vector3 right = segment;
    segment.noalias() = inverse_.topLeftCorner<3, 3>() * right;
  } else {
    Eigen::Map<VectorX> segment(x, size_);
    Vector6 right = Vector6::Zero();
    right.head(size_) = segment;
    right = inverse_ * right;
    segment = right.head(size_);
  }
}

void NodeInverse::multiply_rows(const BlockView& left, Product& result) const {
  result.rows = static_cast<int>(left.rows());
  const double* row = left.data();
  for (int i = 0; i < result.rows; ++i, row += size_) {
    double* values = result.values[i];
    if (is_diagonal_) {
      for (int k = 0; k < size_; ++k) values[k] = row[k] * diagonal_[k];
    } else if (size_ == 6) {
      multiply_row<6>(row, inverse_, values);
    } else {
      for (int k = 0; k < size_; ++k) {
        double sum = 0;
        for (int l = 0; l < size_; ++l) sum += row[l] * inverse_(l, k);
        values[k] = sum;
      }
    }
  }
}

void NodeInverse::add_product(const Product& left, const double* right, int right_rows, double* block) const {
  // Nearly all are contacts of bodies, in space or in the plane.
  if (size_ == 6 && left.rows == 3 && right_rows == 3) return add_rows<3, 3, 6>(left.values, right, block);
  if (size_ == 6 && left.rows == 2 && right_rows == 2) return add_rows<2, 2, 6>(left.values, right, block);
  for (int i = 0; i < left.rows; ++i) {
    for (int j = 0; j < right_rows; ++j) {
      double sum = 0;
      for (int k = 0; k < size_; ++k) sum += left.values[i][k] * right[j * size_ + k];
      block[i * right_rows + j] += sum;
    }
  }
}

}  // namespace ricochet::linalg
