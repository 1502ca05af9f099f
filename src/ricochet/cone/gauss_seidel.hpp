// Nonsmooth Gauss-Seidel: visit the contacts in order, give each its exact impulse while the others hold still, repeat.
//
//   r_i <- solution of the single contact (W_ii, b_i + sum_{j != i} W_ij r_j, mu_i),      see cone/local_solver
//
// (M. Jean, "The non-smooth contact dynamics method", CMAME 177, 1999; Jourdan, Alart & Jean 1998.) Robust, also for
// redundant contacts and where no solution is unique; its convergence is linear and slows down with the length of the
// chains of contacts and the ratio of masses. Of many solutions (hyperstatic problems) it finds one that depends on the
// start and on the order of the contacts, not the one of smallest norm.
//
// It stops only when the residual of cone/residual is below the tolerance. A residual costs about as much as a sweep,
// so it is computed after the first sweep, after every sweep that hardly changed anything, and otherwise after every
// tenth (every one for a handful of contacts). At the iteration limit the best point that was evaluated is returned
// with its true residual.
#pragma once

#include <vector>

#include "ricochet/cone/local_solver.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

class NonsmoothGaussSeidel {
 public:
  // `impulses`: in, the first guess (projected on the cones; zero where not finite, and all zero if its size is wrong);
  // out, the solution. If no contact closes (all b_N >= 0) the answer is r = 0 whatever the guess, without a sweep.
  // Iterations are sweeps. Throws std::invalid_argument for problems that `validate` rejects. Does not allocate once
  // it has solved a problem of the same size.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options = {});

 private:
  void prepare(const ContactProblem& problem);
  bool sweep(const ContactProblem& problem, linalg::ReusableVector& impulses, double tolerance) const;

  std::vector<LocalSolver> local_;
  std::vector<double> impulse_scale_;  // size / trace(W_ii) * V, N s: what a change of impulse is compared with
  linalg::ReusableVector velocity_;
  linalg::ReusableVector best_;
};

}  // namespace ricochet::cone
