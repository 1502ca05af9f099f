// Semismooth Newton with dense matrices, for small problems on which Gauss-Seidel creeps.
//
// In the units of cone/dense_problem (unit masses), y = W x + b, the law of every contact is the equation
//
//   x_N - max(0, x_N - y_N) = 0,      x_T - P_disc( mu max(0, x_N - y_N) )( x_T - y_T ) = 0
//
// (Alart & Curnier, CMAME 92, 1991), solved by Newton steps with its generalised Jacobian and a line search on the sum
// of squares. For frictionless and planar contacts it is piecewise linear, and Newton is an active-set method which
// ends after finitely many steps.
//
// W is singular as soon as contacts are redundant, and then the Jacobian says nothing about self-stresses although the
// law may need one of a certain size (a box on two corners, slightly tilted: the corners stick against each other until
// one of them slips). Therefore the iteration is wrapped into the proximal-point method (Rockafellar 1976): solve
//
//   y = W x + b + epsilon (x - x_previous),
//
// take the solution as the next x_previous, and repeat. The matrix is then regular, the fixed points are the solutions
// of the true problem, and an error that only a self-stress can repair moves it by error / epsilon at once, where
// Gauss-Seidel takes as many sweeps. epsilon starts tiny, grows when Newton fails to solve such a problem, and shrinks
// again when it succeeds.
//
// Nothing of this can promise convergence: with friction the problem is not monotone. The solver stops when the
// residual of cone/residual is below the tolerance, at the iteration limit, or when it no longer gets anywhere, and
// returns the best point it has met, the first guess included.
#pragma once

#include "ricochet/cone/dense_problem.hpp"
#include "ricochet/cone/residual_scales.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

class SemismoothNewton {
 public:
  // As NonsmoothGaussSeidel::solve; iterations are Newton steps, each of which factorises a dense matrix. A slipping
  // contact of the result lies on the boundary of its cone to the last bits, an open one has no impulse.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options = {});

 private:
  enum class Outcome { solved, proximal_solved, failed };

  Outcome solve_proximal(const ContactProblem& problem, double epsilon, const SolveOptions& options);
  bool look(const ContactProblem& problem, double tolerance);
  double evaluate(const VectorX& x, double epsilon, VectorX& y, VectorX& value) const;
  void assemble_jacobian(double epsilon);

  ResidualScales scales_;
  DenseProblem dense_;
  SolveReport best_report_;
  linalg::ReusableVector best_, candidate_;
  VectorX x_, centre_, y_, value_, step_;  // the iterate, x_previous, y and the function at x
  VectorX trial_, trial_y_, trial_value_;
  MatrixX regular_delassus_, jacobian_;
  int steps_ = 0;
};

}  // namespace ricochet::cone
