// The contact problem of a single contact with rolling (size 5) or rolling and spinning resistance (size 6), or with
// coupled sliding and spinning (size 4, with rolling 6), solved to round-off: given W_ii, b_i and the coefficients,
// find r_i. The counterpart of cone/local_solver for larger blocks.
//
// A contact with b_N >= 0 takes off, r = 0. Otherwise it closes, and with the groups g of cone/contact_law (sliding,
// rolling, spinning) its law is the zero of Alart and Curnier's function,
//
//   F_N = r_N - max(0, n),                  n   = r_N - rho_N u_N,           u = W r + b,
//   F_g = r_g - P_D( y_g ),                 y_g = r_g - rho_g u_g,           D the disc of radius c_g max(0, n)
//
// (P. Alart & A. Curnier, CMAME 92, 1991): every group sticks (|y_g| within the disc, u_g = 0) or moves against the
// largest resistance that it has, independently of the others but for W and r_N. F is piecewise smooth, and semismooth
// Newton ends at round-off after a few steps of size 6, because the combination of sticking and moving groups is found
// after a few. A step is halved until |F| falls. Newton starts at the impulse of the visit before, which is nearly the
// answer in all sweeps but the first; then, if that fails, at sticking, at the frictionless impulse, at full
// resistance against b, along the path on which the coefficients grow from zero, and after every failure at what damped
// projected steps r <- P_K(r - (u + (s(u), 0))) have made of the best point.
//
// Everything is computed in scaled quantities: rho = size / trace of the block of forces, moments divided by the arms
// sqrt(1 / (rho mean(W_RR))) and sqrt(1 / (rho W_SS)) as in cone/residual_scales (where nothing can roll, mu_R is the
// arm), velocities divided by the largest of b. So nothing depends on units. If all fails the best point is returned:
// there is no bracket as in cone/local_solver, and about one of 20,000 random blocks with coefficients up to 1 fails.
// In every case the result is finite and in K.
#pragma once

#include "ricochet/cone/contact_law.hpp"

namespace ricochet::cone {

class RollingSolver {
 public:
  RollingSolver() = default;

  // `block` points to the row-major values of W_ii, which are copied; law.size is 5 or 6, or 4 if it is coupled.
  RollingSolver(const double* block, const BlockLaw& law);

  // `impulse`: in, a finite first guess; out, r. Does not allocate.
  void solve(const double* free_velocity, double* impulse) const;

 private:
  struct Point;
  void evaluate(const double* b, Point& point) const;
  bool newton(const double* b, Point& point, Point& best) const;
  void damped_steps(const double* b, Point& point, Point& best) const;
  void stick(const double* b, Point& point) const;
  void project_onto_groups(double* r) const;

  BlockLaw law_;              // coefficients divided by arms
  double mass_ = 0;           // rho
  double normal_factor_ = 0;  // rho_N / rho
  double arms_[kLargestBlock] = {};
  double block_[36] = {};  // scaled
};

}  // namespace ricochet::cone
