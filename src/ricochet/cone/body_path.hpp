// An interior-point method on bodies, for heaps of some tens or hundreds of contacts on which Gauss-Seidel creeps.
//
// With De Saxce's term the velocities uhat = u + (mu |u_T|, 0) and the impulses r are points of dual cones,
// complementary where Coulomb's law holds (cone/contact_law). In x = (mu r_N, r_T) and z = (uhat_N / mu, uhat_T) both
// cones are that of cone/lorentz_cone, and with P = diag(mu, 1, 1)
//
//   z = P^-1 (W P^-1 x + b + s(u)),      x o z = (tau, 0, 0),       tau -> 0,      s = (mu |u_T|, 0).
//
// If s were given, this would be a convex problem (the one of Acary, Cadoux, Lemarechal & Malick, ZAMM 91, 2011), whose
// central path Newton's steps with the scaling of Nesterov and Todd and the correction of Mehrotra follow to its end in
// some twenty steps, whatever the masses, the friction and the self-stresses are. s follows u from step to step. A step
// takes a part phi of its change into account: for phi = 0 every step is one of a convex problem, but then s creeps
// wherever slip calls for more slip (a block that has to leave a wedge); for phi = 1 it is Newton's, which soon has no
// way to go, because the problem with friction is not monotone. Between the two is a wide range that works.
//
// The matrix of a step is that of the bodies, not that of the contacts. With Theta = F^2 of the scaling,
// block-diagonal, S = 1 + phi ds/du, B = R' R^T (R R^T is the symmetric part of B, and R' = R if B is symmetric), G =
// P^-1 H R and G' = P^-1 H R',
//
//   (S G' G^T + Theta) dx = c      <=>      (1 + G^T Theta^-1 S G') y = G^T Theta^-1 c,     dx = Theta^-1 (c - S G' y):
//
// six unknowns per body, however many contacts it has (linalg/body_lu). Theta gets a proximal shift of 1e-9 of W, which
// damps steps along self-stresses that nothing else determines, and changes no solution.
//
// The first guess plays no part. As in all solvers the residual of cone/residual decides; if it is missed the best
// point is returned, from which Gauss-Seidel often needs few sweeps.
//
// In heaps of hundreds of bodies, much of whose friction is decided by tiny velocities, the path may have no end: tau
// vanishes before the error of z does, and what is left is to creep along the cones. There the path is followed again
// and again from proximal points (R. T. Rockafellar, SIAM J. Control Optim. 14, 1976; for friction V. Acary, M. Bremond
// & O. Huber, 2018, where it is the most robust method for rigid bodies): x_k+1 is the solution of the problem with
//
//   z = P^-1 (W P^-1 x + b + s(u)) + alpha rho^-1 (x - x_k),       rho the mass that the contact feels,
//
// which is monotone enough for Newton's steps (phi = 1) to end in some twenty, and tau is kept above a part of the
// square of the error. alpha is made smaller after each path that ends, larger after one that does not. Where impulses
// have a long way to go along self-stresses solutions follow each other on a line, so the next x_k is ahead of the last
// solution (the momentum of O. Guler, SIAM J. Optim. 2, 1992). Where solutions stay the problem itself is solved; the
// residual tells when that is near enough.
//
// Points of the path have a merit beside their residual: where x o z = (tau, 0, 0), x_T = -(x_0 / z_0) z_T, and z_T is
// u_T itself as soon as z is exact. There friction opposes slip, contact by contact; points beside the path all but do.
// What sweeps leave may have any direction. Impulses that are nearly a solution get this merit, too, where the path has
// no end: s is held as it is there,
//
//   s = mu (|u_T0| + phi d . (u_T - u_T0)),      u_0 of the given impulses, d = u_T0 / |u_T0| where contacts slip,
//
// which for phi = 0 (and symmetric B) is a convex problem: its path has an end, near the given impulses. What s is
// wrong by is then all that is wrong, and an error of normal velocities; the residual tells whether that is too much.
// Rounding ends it at 1e-6 or so where many contacts stick.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ricochet/cone/body_contacts.hpp"
#include "ricochet/cone/lorentz_cone.hpp"
#include "ricochet/cone/residual_scales.hpp"
#include "ricochet/cone/solver.hpp"
#include "ricochet/linalg/body_lu.hpp"

namespace ricochet::cone {

// Whether all values of phi are tried, one after the other, or the first only, and that as long as it goes well.
enum class PathEffort { one_way, all_ways };

// What a step may cost. Cheap ones cost about as much as some tens of sweeps: in heaps of boxes of any size, but not
// among some hundreds of balls that fill space, where the factors fill up. Bearable ones take seconds at most: better
// than no solution.
enum class PathCost { cheap, bearable, any };

class BodyPath {
 public:
  // Some contacts of a problem, with the velocity that they have without their own impulses (b of the problem for whole
  // islands). False if they are not what BodyContacts takes, or if a step costs more than it may.
  bool prepare(const ContactProblem& problem, const ResidualScales& scales, std::span<const int> contacts,
               const linalg::VectorView& free_velocity, PathCost cost = PathCost::any);

  // Of the contacts that have been prepared, whose impulses it writes into those of the whole problem. Iterations are
  // Newton steps.
  SolveReport solve(const ResidualScales& scales, linalg::ReusableVector& impulses, const SolveOptions& options,
                    PathEffort effort = PathEffort::all_ways);
  // The same from where the last solve ended, on its last way.
  SolveReport go_on(const ResidualScales& scales, linalg::ReusableVector& impulses, const SolveOptions& options);
  // The same with slip held as the given impulses have it, which are nearly a solution. Converged if it ends with z
  // exact and the residual below the tolerance.
  SolveReport solve_held(const ResidualScales& scales, linalg::ReusableVector& impulses, const SolveOptions& options,
                         double phi);
  // The same by proximal points, of which the given impulses are the first.
  SolveReport approach(const ResidualScales& scales, linalg::ReusableVector& impulses, const SolveOptions& options);

 private:
  using Columns = Eigen::Matrix<double, 6, 3>;  // of a contact; six is what registers of two numbers like

  struct Contact {
    int contact = 0, offset = 0;
    int size = 0;              // 1 without friction: its tangential rows are zero
    bool slides = false;       // has friction
    double friction = 1;       // mu; 1 without friction
    double response = 0;       // the mean of W_ii in the units of the path
    int bodies[2] = {-1, -1};  // as in BodyContacts
    Columns factors[2];        // G^T
    Vector3 free_velocity;     // P^-1 b
  };
  struct Point {
    Vector3 x, z;
  };
  // What a step needs of a contact, and makes of it.
  struct Frame {
    LorentzScaling scaling;
    Matrix3 inverse;       // (Theta + shift)^-1
    Eigen::Vector2d slip;  // S = 1 + (1, 0, 0)^T (0, slip^T)
    Vector3 error;         // of z
    Vector3 scaled;        // F x = F^-1 z
    Vector3 right, step_x, step_z;
    Vector3 moved;  // S G' y

    Vector3 couple(const Vector3& v) const { return {v[0] + slip.dot(v.tail<2>()), v[1], v[2]}; }  // S v
  };

  // mu |u_T| over mu, near a given u.
  struct HeldSlip {
    double speed = 0;
    Eigen::Vector2d slip, gradient;
  };

  const Columns& other_factor(std::size_t i, int side) const {
    return symmetric_ ? contacts_[i].factors[side] : other_factors_[i][side];
  }
  bool find_pattern(PathCost cost);
  void begin();
  void start(const ResidualScales& scales);
  void hold_slip(const ResidualScales& scales, const linalg::ReusableVector& impulses, double tolerance, double phi);
  bool follow(const ResidualScales& scales, const SolveOptions& options, PathEffort effort);
  bool follow_to_proximal_point(const ResidualScales& scales, const SolveOptions& options);
  bool step_along(double tau, double least_target);
  double frame_contacts(const ResidualScales& scales, double phi);
  template <class ImpulseOf, class Take>
  void respond(ImpulseOf&& impulse_of, Take&& take);
  bool factorise();
  void solve_step();
  void predict_velocities();
  void respond_to_step();
  void add_proximal_steps();
  void find_velocities();
  double step_length(double part) const;
  double look(const ResidualScales& scales);
  double shift(const Contact& contact) const;
  SolveReport report(linalg::ReusableVector& impulses, const SolveOptions& options) const;
  void write_impulse(const Contact& contact, const Vector3& x, double* impulse) const;
  Vector3 read_impulse(const Contact& contact, const linalg::ReusableVector& impulses) const;

  double velocity_unit_ = 1, mass_unit_ = 1;  // m/s and kg, powers of two
  BodyContacts given_;
  std::vector<Contact> contacts_;
  bool symmetric_ = true;                              // every B
  std::vector<std::array<Columns, 2>> other_factors_;  // G'^T of each contact; none if all bodies are symmetric
  std::vector<Matrix6> roots_, other_roots_;           // R and R' of each body, in the units of the path
  std::vector<Point> points_, best_;
  double phi_ = 0;
  double best_residual_ = 0;
  int best_contact_ = -1;  // where it is
  int steps_ = 0;
  double proximity_ = 0;           // alpha; 0 without proximal points
  std::vector<Vector3> proximal_;  // x_k
  std::vector<Vector3> solution_;  // of the last problem
  std::vector<HeldSlip> held_;     // of each contact; none where slip follows u
  std::vector<Frame> frames_;
  std::vector<Vector3> velocity_;  // P^-1 u
  std::vector<Vector6> momenta_;   // R^T times those of the bodies
  linalg::ReusableVector right_;

  std::vector<linalg::Coupling> couplings_;
  std::vector<linalg::BodyLu::Place> places_;  // four for each contact: 2 row + column, for its first and second body
  linalg::BodyLu matrix_;
};

}  // namespace ricochet::cone
