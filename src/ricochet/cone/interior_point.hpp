// An interior-point method with dense matrices, for small problems whose friction is decided by tiny velocities.
//
// A box that lands nearly flat on its four corners with restitution has a b that no motion of a rigid body has: the
// corners cannot all stick, and have to slip by 1e-6 or less of the velocities at hand, each against a friction of full
// size. Which self-stress makes all of them slip the right way is then a question of ratios of tiny velocities.
// Gauss-Seidel answers it in 1e6 sweeps, since a sweep moves impulses by no more than the mass times what is wrong with
// the velocities. Newton's method on the projections of Alart and Curnier has to turn impulses along the arc of a disc
// whose edge is 1e-6 thick: it may turn by 1e-3 in a step. Here neither the disc nor the half-line has an edge. In the
// units of cone/scaled_problem, u = W x + b, with the mobilised part w of the friction and an outward velocity kappa,
//
//   u_N = y,                   x_N y = tau                    y, x_N > 0
//   u_T + kappa w = 0,         kappa (1 - |w|^2) = tau        kappa > 0,  |w| < 1,      w = x_T / (mu x_N)
//
// is Coulomb's law for tau = 0 (stick kappa = 0, slip |w| = 1 and kappa = |u_T|), and smooth for tau > 0. As tau goes
// to zero its solutions are a curve, the central path, that ends in the middle of the set of solutions: where contacts
// are redundant the loads are spread evenly and no status is on the verge of another. Slipping at 1e-6 and at 1 are the
// same thing to it, only decided at different tau. The path is followed by Newton's steps with a second-order
// correction (Mehrotra, SIAM J. Optim. 2, 1992); tau is lowered as soon as the point is near the path, by a factor that
// adapts: if a lower tau cannot be reached in a few steps, the last point near the path is restored and tau lowered by
// less. For a given bound mu x_N of the friction and a symmetric W these are the optimality conditions of a convex
// problem, whose path always goes on to tau = 0. With a bound that moves with x the problem is not monotone and there
// is no such proof; for thrown rigid bodies it nearly always does.
//
// What double precision asks for:
//  - y and kappa stay above a tenth of the tolerance, 1 - |w|^2 above 1e-13. Smaller values would be round-off of u.
//  - The unknowns of a step are dx and dkappa with rows scaled to about 1: eliminating dkappa would bring entries
//    kappa/(1 - |w|^2), whose round-off hides the stiffness of self-stresses.
//  - Self-stresses near the end have no stiffness but y/x_N and kappa/(mu x_N). A proximal term (1e-10 of W) keeps
//    their round-off from moving them; it damps steps and changes no solution.
// If that fails there are further attempts, with less of both.
//
// The first guess plays no part, except that it is returned if nothing better is met. As in all solvers the residual of
// cone/residual decides, on impulses snapped to their statuses (cone/scaled_problem).
#pragma once

#include <memory>

#include "ricochet/cone/best_point.hpp"
#include "ricochet/cone/dense_problem.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

class InteriorPoint {
 public:
  InteriorPoint();
  InteriorPoint(const InteriorPoint&) = delete;
  InteriorPoint& operator=(const InteriorPoint&) = delete;
  InteriorPoint(InteriorPoint&&) noexcept;
  InteriorPoint& operator=(InteriorPoint&&) noexcept;
  ~InteriorPoint();

  // As NonsmoothGaussSeidel::solve; iterations are Newton steps, each of which factorises a dense matrix. A slipping
  // contact of the result lies on the boundary of its cone to the last bits, an open one has no impulse.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options = {});

 private:
  struct Point {
    VectorX impulse;    // x
    VectorX mobilised;  // w, at the tangential components
    VectorX slip;       // kappa, of each contact
    VectorX opening;    // y
    VectorX room;       // 1 - |w|^2
  };
  struct Factorisation;

  bool frictional(int contact) const {
    return dense_.blocks[contact].size > 1 && dense_.blocks[contact].friction.sliding > 0;
  }
  void start();
  bool follow_path(const ContactProblem& problem, double proximity, const SolveOptions& options);
  void update_velocity();
  double opening_target(int contact) const;  // of y
  double slip_target(int contact) const;     // of kappa (1 - |w|^2)
  double distance_from_path() const;
  void assemble(double proximity);
  void add_second_order(VectorX& right_side) const;
  double try_step(const VectorX& step, Point& next);
  bool move(double proximity, double& length);

  BestPoint best_;
  DenseProblem dense_;
  double tau_ = 0;
  VectorX floor_;  // of y and kappa of each contact
  int steps_ = 0;
  Point point_, next_, corrected_, saved_;
  VectorX velocity_, opening_step_, row_scale_, right_side_, step_;
  MatrixX matrix_;
  std::unique_ptr<Factorisation> factorisation_;  // LU
};

}  // namespace ricochet::cone
