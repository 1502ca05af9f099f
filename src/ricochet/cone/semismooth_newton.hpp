// Semismooth Newton, for problems of any size and all kinds of blocks on which Gauss-Seidel creeps.
//
// In the units of cone/scaled_problem (unit masses), y = W x + b, the law of every block is an equation F(x, y) = 0:
// that of Alart and Curnier, or the natural map (cone/newton_function). It is solved by Newton steps with its
// generalised Jacobian, dense or sparse (cone/newton_matrix), and a line search on the sum of squares. For frictionless
// and planar contacts the first of the two is piecewise linear, and Newton is an active-set method which ends after
// finitely many steps.
//
// W is singular as soon as contacts are redundant, and then the Jacobian says nothing about self-stresses although the
// law may need one of a certain size (a box on two corners, slightly tilted: the corners stick against each other until
// one of them slips). Therefore the iteration is wrapped into the proximal-point method (Rockafellar 1976): solve
//
//   y = W x + b + epsilon (x - x_previous),
//
// take the solution as the next x_previous, and repeat. The matrix is then regular, the fixed points are the solutions
// of the true problem, and an error that only a self-stress can repair moves it by error / epsilon at once, where
// Gauss-Seidel takes as many sweeps. epsilon grows when Newton fails to solve such a problem, and shrinks again when it
// succeeds. Where it starts depends on the size:
//
//  - Small problems (those with dense matrices) ask for self-stresses more often than for statuses, so epsilon starts
//    tiny. If that leads nowhere, they go the way of the large ones.
//  - In large problems Newton from afar cycles among the statuses of many contacts unless epsilon is large. After a few
//    hopeful steps with a tiny one, which finish what is nearly solved, it starts at a tenth of the diagonal of W. A
//    proximal problem is then solved only until its error is small against epsilon (x - x_previous).
//
// Nothing of this can promise convergence: with friction the problem is not monotone. The solver stops when the
// residual of cone/residual is below the tolerance, at the iteration limit, or when it no longer gets anywhere, and
// returns the best point it has met, the first guess included.
#pragma once

#include <vector>

#include "ricochet/cone/best_point.hpp"
#include "ricochet/cone/newton_matrix.hpp"

namespace ricochet::cone {

class SemismoothNewton {
 public:
  explicit SemismoothNewton(NewtonFunction function = NewtonFunction::alart_curnier) : function_(function) {}

  // As NonsmoothGaussSeidel::solve; iterations are Newton steps, each of which factorises a matrix. A slipping contact
  // of the result lies on the boundary of its cone to the last bits, an open one has no impulse. Islands of the problem
  // are solved together: whoever wants each to go its own way gives them one by one.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options = {});

 private:
  enum class Outcome { solved, proximal_solved, failed };

  struct Path;

  Outcome solve_proximal(const ContactProblem& problem, double epsilon, double inexactness, int most_steps,
                         const SolveOptions& options);
  void follow_proximal_points(const ContactProblem& problem, const Path& path, const SolveOptions& options);
  double evaluate(const VectorX& x, double epsilon, VectorX& y, VectorX& value);
  bool find_step(double epsilon);

  NewtonFunction function_;
  BestPoint best_;
  ScaledProblem scaled_;
  NewtonMatrix matrix_;
  std::vector<BlockDerivative> derivatives_;
  VectorX x_, centre_, y_, value_, step_;  // the iterate, x_previous, y and the function at x
  VectorX trial_, trial_y_, trial_value_;
  int steps_ = 0;
};

}  // namespace ricochet::cone
