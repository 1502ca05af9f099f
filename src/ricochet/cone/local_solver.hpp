// The contact problem of a single contact, solved exactly: given W_ii (size 1, 2 or 3), b_i and mu, find r_i.
//
// Written out for u = W r + b with blocks N (normal) and T (tangents), Coulomb's law has three branches:
//
//   take-off   b_N >= 0                       r = 0
//   stick      r = -W^-1 b is in K            u = 0
//   slip       u_N = 0, u_T = -lambda r_T,  |r_T| = mu r_N,  lambda >= 0
//
// Eliminating r_N = -(b_N + W_NT r_T)/W_NN leaves, with A = W_TT - W_TN W_NT/W_NN and c = b_T - W_TN b_N/W_NN,
//
//   (A + lambda 1) r_T = -c,
//
// one unknown lambda (m/s per N s): lambda = 0 is stick, lambda -> infinity the frictionless contact. The root is found
// of
//   h(lambda) = mu r_N / |r_T| - 1 = (beta D + a.n) / |n| - 1,     beta = -mu b_N/W_NN > 0,   a = mu W_NT^T/W_NN,
//   D(lambda) = det(A + lambda 1),     n(lambda) = -D r_T = adj(A + lambda 1) c = n(0) + lambda c.
//
// Without stick h(0) < 0, and h >= 0 at lambda = (1 + |a|)|c|/beta - s_min, where s_min is the smallest eigenvalue of
// the symmetric part of A: there is always a bracket, and safeguarded Newton cannot fail. h is linear if A is isotropic
// and W_NT = 0 (one step), and nearly linear otherwise, like the secular equation of trust-region methods (More &
// Sorensen 1983), which is this one for a = 0. Everything is written in the axes of the symmetric part of A,
//
//   A = Q ( diag(s_1, s_2) + kappa [0 1; -1 0] ) Q^T,     D = (s_1 + lambda)(s_2 + lambda) + kappa^2,
//
// where D has no cancellation: the result is exact for a block that differs from W by round-off, however
// ill-conditioned W is. Unsymmetric blocks (W_NT != W_TN^T, kappa != 0) need no other treatment.
//
// Which solution, if there are several:
//  - b_N >= 0 always takes off, although for large mu a second solution with r_N > 0 may exist (Painleve).
//  - Stick is preferred to slip.
//  - Strong coupling with large mu can give up to three slip roots. All solve the true problem. Newton starts at
//    lambda = 0 and normally comes from the left to the smallest root, the one which is connected with sticking; this
//    is a preference, not a guarantee.
//  - Singular A (nothing can move along an axis): the impulse along that axis is undetermined. It is set to zero if the
//    free velocity there is zero to 1e-12 of |b|. Otherwise the contact slips.
//
// If W_NN <= 0, or A is so indefinite that no bracket exists (this cannot happen for W = H M^-1 H^T), damped projected
// iterations give the best point they meet. In every case the result is finite and in K: |r_T| <= mu r_N as evaluated
// in double precision. Everything scales exactly with powers of two of W and b.
#pragma once

#include "ricochet/cone/contact_problem.hpp"

namespace ricochet::cone {

// Whether a contact is one of these; for the others see cone/rolling_solver and cone/bilateral_solver.
bool is_sliding_contact(const ContactProblem& problem, int contact);

// For solvers that know no other blocks: throws std::invalid_argument that names the first contact of another kind.
void require_sliding_contacts(const ContactProblem& problem);

// Prepared once per block, then called for many b: the solvers visit the same contact again and again.
class LocalSolver {
 public:
  LocalSolver() = default;

  // `block` points to size * size row-major values of W_ii, which are copied; mu >= 0 is ignored if size is 1.
  LocalSolver(const double* block, int size, double friction);

  // r from b, both of the block's size. Does not allocate.
  void solve(const double* free_velocity, double* impulse) const;

  // The same from the velocity u that the contact has with the impulse it has: b = u - W r. `impulse`: in and out.
  void solve_again(const double* velocity, double* impulse) const;

 private:
  void solve_planar(const double* free_velocity, double* impulse) const;
  void solve_spatial(const double* free_velocity, double* impulse) const;
  void solve_by_iteration(const double* free_velocity, double* impulse) const;
  bool finish_spatial(double x1, double x2, double frictionless_normal, bool on_boundary, double* impulse) const;

  // The order is that of use: a contact which takes off or sticks touches the first two cache lines only.
  int size_ = 0;
  bool regular_ = false;   // W_NN > 0
  bool singular_ = false;  // A has no inverse
  double friction_ = 0;
  double normal_inverse_ = 0;    // 1 / W_NN
  double to_tangent_[2] = {};    // W_TN / W_NN, like all tangential quantities here in the axes of A
  double from_tangent_[2] = {};  // W_NT / W_NN
  double s_[2] = {};             // eigenvalues of the symmetric part of A
  double kappa_ = 0;             // antisymmetric part of A
  double cosine_ = 1;            // first axis (cosine, -sine), second axis (sine, cosine)
  double sine_ = 0;
  double block_[9] = {};
};

// The same for one call, with vectors: for tests and single contacts.
VectorX solve_single_contact(const MatrixX& block, const VectorX& free_velocity, double friction);

}  // namespace ricochet::cone
