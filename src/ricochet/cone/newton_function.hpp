// The law of a block as an equation F(x, y) = 0 of its impulse x and velocity y, with its generalised derivative: what
// cone/semismooth_newton solves. Units are those of cone/scaled_problem, in which impulses and velocities may be added.
//
// Alart & Curnier (CMAME 92, 1991): each group of friction is projected on a disc of its own, whose radius moves with
// the normal part,
//
//   F_N = x_N - n,      F_g = x_g - P_disc(c_g n)( x_g - y_g ),      n = max(0, x_N - y_N),    c = mu, mu_R, mu_S.
//
// The natural map of cone/residual, with De Saxce's term s(y) = sum c_g |y_g| (cone/contact_law):
//
//   F = x - P_K( z ),      z = x - y - (s(y), 0).
//
// P_K shrinks the groups that leave their discs to c_g n, where n = (z_N + sum c_g |z_g|) / (1 + sum c_g^2) with sums
// over these groups (math/projection). Both have the same zeros. Bilateral blocks have F = y in either case.
//
// Where F is not differentiable any limit of derivatives nearby serves: a contact on the verge counts as open rather
// than closed and as sticking rather than slipping, and |y_g| at 0 has slope 0.
#pragma once

#include "ricochet/cone/contact_law.hpp"

namespace ricochet::cone {

enum class NewtonFunction { alart_curnier, natural_map };

// Pointers to law.size numbers.
void newton_value(NewtonFunction function, const BlockLaw& law, const double* x, const double* y, double* value);

// dF = by_impulse dx + by_velocity dy.
struct BlockDerivative {
  double by_impulse[kLargestBlock * kLargestBlock];  // row by row, law.size columns
  double by_velocity[kLargestBlock * kLargestBlock];
  bool only_impulse;  // by_velocity is zero: the block is open
};

void newton_derivative(NewtonFunction function, const BlockLaw& law, const double* x, const double* y,
                       BlockDerivative& derivative);

}  // namespace ricochet::cone
