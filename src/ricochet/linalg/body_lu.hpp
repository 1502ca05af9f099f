// LU factorisation of a sparse matrix of bodies: six unknowns each, and a block of 6 x 6 for every two that touch.
//
//   for each body k, in an order of minimum degree:      A_kk = L_kk U_kk,
//     for all i, j that are coupled with k and come later:
//       L_ik = A_ik U_kk^-1,     U_kj = L_kk^-1 A_kj,     A_ij -= L_ik U_kj
//
// (right-looking block LU: Golub & Van Loan, Matrix Computations, section 3.2.10; minimum degree: A. George & J. Liu,
// SIAM Review 31, 1989, here with explicit fill). Heaps are loose: a body touches a handful of others, and most
// products have a fixed size of 6 and lie in the cache. That is some times faster than a sparse solver of scalars, and
// also than a dense one from three bodies on.
//
// The pattern is symmetric, the values need not be. Pivots stay on the diagonal, as is right for matrices 1 + something
// positive. Pattern and values decide every bit; a pattern that it has seen before needs no memory.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ricochet/linalg/elimination_order.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::linalg {

class BodyLu {
 public:
  static constexpr int kComponents = 6;

  // Where a pair of bodies (row, column) has its block.
  struct Place {
    enum class Part { diagonal, lower, upper } part = Part::diagonal;
    int index = 0;
  };

  // Bodies are numbered from 0 on. Each pair may be named any number of times. False, and there is no pattern, if a
  // factorisation takes more than so many products of blocks.
  bool set_pattern(int bodies, std::span<const Coupling> couplings, std::int64_t most_products);
  // Of bodies that are coupled, or of one with itself.
  Place place(int row, int column) const;

  // A new matrix: the identity, and what is added to it.
  void set_identity();
  template <class Block>
  void add(const Place& to, const Block& block) {
    switch (to.part) {
      case Place::Part::diagonal:
        diagonal_[to.index] += block;
        break;
      case Place::Part::lower:
        lower_[to.index] += block;
        break;
      case Place::Part::upper:
        upper_[to.index] += block;
        break;
    }
  }

  // In place of the matrix. False if a pivot is not a number or smaller than this, in which case digits are lost.
  bool factorise(double smallest_pivot);

  // In place, six numbers for each body.
  void solve(double* right) const;

 private:
  using RowMajor6 = Eigen::Matrix<double, kComponents, kComponents, Eigen::RowMajor>;

  bool order_bodies(int bodies, std::span<const Coupling> couplings, std::int64_t most_products);

  std::vector<int> order_, position_;         // the k-th to be eliminated, and when each is
  std::vector<std::vector<int>> neighbours_;  // of each body among those that are left
  std::vector<std::pair<int, int>> waiting_;  // number of neighbours and body: a heap, see order_bodies
  std::vector<int> merged_;
  std::vector<int> first_;         // of each position, in rows_
  std::vector<int> rows_;          // positions that are coupled with it and come later, ascending
  std::vector<int> targets_;       // for each position and each two of its rows j < i: where (j, i) is
  std::vector<Matrix6> diagonal_;  // of each position; then its factors
  std::vector<Matrix6> lower_;     // L, for each entry of rows_
  std::vector<RowMajor6> upper_;   // U, its mirror image
  std::vector<Vector6> inverse_pivots_;
  mutable std::vector<Vector6> solution_;
};

}  // namespace ricochet::linalg
