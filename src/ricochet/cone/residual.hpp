// The number that judges every contact solver: how far impulses r are from solving the true Coulomb problem.
//
// With u = W r + b, a contact is solved exactly when r_i is a fixed point of the natural map
//
//   F_i(r) = r_i - P_K( r_i - rho_i ( u_i + (mu |u_T|, 0) ) ) = 0,        rho_i = size_i / trace(W_ii) > 0,
//
// with P_K the projection on Coulomb's cone and mu |u_T| De Saxce's term (Acary & Collins-Craft 2024, eqs 16-19 and
// section 4). The zero set does not depend on rho_i; its value, the inverse of the mean eigenvalue of W_ii, is the mass
// that the contact feels, so that an error of velocity and the error of impulse that repairs it weigh the same. F_i is
// an impulse, N s. F_i / rho_i reads as a velocity: penetration, or slip against the wrong friction. The residual is
//
//   max over contacts of   |F_i| / max( rho_i V, 1e-4 |r_i| ),            V = max over contacts of |b_j|.
//
// Why this scale:
//  - V is the fastest relative velocity the impulses have to deal with. A residual of 1e-8 means that every contact
//    keeps its law to 1e-8 V, the light ones as well as the heavy ones (a common scale for all impulses would let the
//    contacts of small bodies get away with anything).
//  - It has no unit, and units of mass, length and time cancel. Maxima instead of sums: two independent copies of a
//    problem have the residual of one, and large problems are judged like small ones.
//  - |r_i| alone would be gullible: where no solution exists (a block between two closing walls) a solver may drive r
//  to
//    infinity, and F_i / |r_i| to zero. But u is only known to round-off of W_ii r_i, and where impulses are large
//    against rho_i V (a heavy body on a light one, a wedge) no solver can do better than 1e-16 |r_i|. The weight 1e-4
//    is far from both: it matters only once an impulse is 10^4 times what stops V, and then asks for |F_i| <= 1e-12
//    |r_i| at a tolerance of 1e-8.
//
// b = 0 and r = 0 has residual 0. A contact whose block W_ii is zero (nothing there can move) has no mass of its own
// and takes the rho of the whole problem, sum of sizes / sum of traces.
#pragma once

#include "ricochet/cone/contact_problem.hpp"

namespace ricochet::cone {

struct Residual {
  double value = 0;        // dimensionless; NaN if an impulse is
  int worst_contact = -1;  // where it is attained, the first if several; -1 without contacts
};

// The number above. The second form does not allocate once `velocity` has the right size, and leaves u = W r + b there.
Residual residual(const ContactProblem& problem, const linalg::VectorView& impulses);
Residual residual(const ContactProblem& problem, const linalg::VectorView& impulses, linalg::ReusableVector& velocity);

// u = W r + b, m/s.
void contact_velocity(const ContactProblem& problem, const linalg::VectorView& impulses,
                      linalg::ReusableVector& velocity);

// |F|_2 / (1 + |b|_2) with rho_i = 1, the number that FCLIB and Siconos print (Acary & Collins-Craft 2024, section 4).
// It depends on units and on the number of contacts: for comparison with published figures, never to judge a solver.
double fclib_residual(const ContactProblem& problem, const linalg::VectorView& impulses);

}  // namespace ricochet::cone
