// One bilateral block, solved exactly while the others hold still: given W_ii (size 1 to 6) and b_i, find r_i with
//
//   u_i = W_ii r_i + b_i = 0.
//
// The rows may have any units, and some of them may say the same (a hinge that is closed twice). W_ii is scaled to unit
// diagonal and factorised once with full pivoting (Golub & Van Loan, section 3.4.8); what is left below round-off
// counts as zero. A visit corrects the impulse that is there,
//
//   r <- r - G (W r + b),
//
// with G the inverse that the pivots give: redundant components keep the impulse that they have, so a warm start stays
// where it is. Done twice, it is exact to the last digits also for ill-conditioned blocks. Rows that contradict each
// other cannot be satisfied; the residual of cone/residual then says by how much.
#pragma once

namespace ricochet::cone {

class BilateralSolver {
 public:
  BilateralSolver() = default;

  // `block` points to size * size row-major values of W_ii, which are copied.
  BilateralSolver(const double* block, int size);

  // `impulse`: in, finite values; out, r. Does not allocate.
  void solve(const double* free_velocity, double* impulse) const;

 private:
  int size_ = 0;
  double block_[36] = {};
  double inverse_[36] = {};  // G, row-major
};

}  // namespace ricochet::cone
