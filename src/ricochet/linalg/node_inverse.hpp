// The inverse of the matrix of one node, for nodes that nothing couples to others: bodies that neither a spring nor a
// joint holds. Eliminated components have no motion: their rows and columns of the inverse are zero.
#pragma once

#include <array>
#include <span>

#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::linalg {

class NodeInverse {
 public:
  static constexpr int max_size = 6;

  // One entry per component of the node, zero if it is eliminated; at most six.
  explicit NodeInverse(std::span<const char> free_components);

  bool movable() const { return free_count_ > 0; }

  // The matrix stands in the upper left corner. Throws std::runtime_error if it is singular on the free components.
  void invert(const Matrix6& matrix);

  const Matrix6& inverse() const { return inverse_; }
  // x := inverse x, in place; x has one entry per component.
  void multiply(double* x) const;
  // G inverse, for the rows G of a contact: what all its neighbours on this node need. (Not returned: it is large.)
  struct Product {  // NOLINT(cppcoreguidelines-pro-type-member-init)
    int rows = 0;
    double values[max_size][max_size];  // as many as there are rows and components
  };
  void multiply_rows(const BlockView& left, Product& result) const;
  // block += product G_other^T, with the rows G_other of another contact (or of the same), row after row.
  void add_product(const Product& left, const double* right, int right_rows, double* block) const;

 private:
  int size_ = 0;
  int free_count_ = 0;
  bool is_diagonal_ = true;              // the inverse,
  Vector6 diagonal_ = Vector6::Zero();   // and its diagonal, at hand: that is all that contacts of most bodies ask for
  std::array<int, max_size> free_ = {};  // the components that are not eliminated
  Matrix6 inverse_ = Matrix6::Zero();
};

}  // namespace ricochet::linalg
