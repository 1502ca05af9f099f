#include "ricochet/linalg/node_inverse.hpp"

#include <Eigen/LU>
#include <cmath>
#include <stdexcept>

namespace ricochet::linalg {

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
  for (int i = 0; i < free_count_; ++i) {
    for (int j = 0; j < free_count_; ++j) inverse_(free_[i], free_[j]) = inverse(i, j);
  }
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

NodeInverse::Product NodeInverse::product(const BlockView& left) const {
  Product result;
  result.rows = static_cast<int>(left.rows());
  for (int i = 0; i < result.rows; ++i) {
    for (int k = 0; k < size_; ++k) {
      double sum = 0;
      for (int l = 0; l < size_; ++l) sum += left(i, l) * inverse_(l, k);
      result.values[i][k] = sum;
    }
  }
  return result;
}

void NodeInverse::add_product(const Product& left, const BlockView& right, MutableBlockView& block) const {
  for (int i = 0; i < left.rows; ++i) {
    for (int j = 0; j < right.rows(); ++j) {
      double sum = 0;
      for (int k = 0; k < size_; ++k) sum += left.values[i][k] * right(j, k);
      block(i, j) += sum;
    }
  }
}

void NodeInverse::add_product(const BlockView& left, const BlockView& right, MutableBlockView& block) const {
  add_product(product(left), right, block);
}

}  // namespace ricochet::linalg
