// The number that judges every contact solver: how far impulses r are from solving the true Coulomb problem.
//
// With u = W r + b, a contact is solved exactly when r_i is a fixed point of the natural map
//
//   F_i(r) = r_i - P_K( r_i - rho_i ( u_i + (s(u_i), 0) ) ) = 0,
//
// with P_K the projection on the cone of its law and s(u) = mu |u_T| + ... De Saxce's term (cone/contact_law; Acary &
// Collins-Craft 2024, eqs 16-19 and section 4). The zero set does not depend on rho_i > 0; its value is the mass that
// the contact feels, so that an error of velocity and the error of impulse that repairs it weigh the same. F_i is an
// impulse, N s; moments are divided by arms. F_i / rho_i reads as a velocity: penetration, or slip against the wrong
// friction; for a bilateral block it is the velocity that should be zero. The residual is
//
//   max over contacts of   max( |F_i|, -rho_i u_Ni ) / max( rho_i V_i, 1e-4 |r_i| ),   V_i = max |b_j| over the
//                                                                                      island of i.
//
// (Penetration at a contact that slips counts in F_i by 1/sqrt(1 + mu^2) only, hence the second term: for large mu the
// natural map would be satisfied by anything.)
//
// Why this scale (cone/residual_scales):
//  - V_i is the fastest relative velocity the impulses have to deal with, among the contacts that feel each other. A
//    residual of 1e-8 means that every contact keeps its law to 1e-8 V_i, the light ones as well as the heavy ones (a
//    common scale for all impulses would let the contacts of small bodies get away with anything).
//  - It has no unit, and units of mass, length and time cancel. Maxima instead of sums, and islands each on their own
//    scale: the residual of two independent problems in one is the larger of the residuals that they have alone, and
//    large problems are judged like small ones.
//  - |r_i| alone would be gullible: where no solution exists (a block between two closing walls) a solver may drive r
//    to infinity, and F_i / |r_i| to zero. But u is only known to round-off of W_ii r_i, and where impulses are large
//    against rho_i V_i (a heavy body on a light one, a wedge) no solver can do better than 1e-16 |r_i|. The weight
//    1e-4 is far from both: it matters only once an impulse is 10^4 times what stops V_i, and then asks for
//    |F_i| <= 1e-12 |r_i| at a tolerance of 1e-8.
//
// b = 0 and r = 0 has residual 0.
#pragma once

#include <span>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/cone/residual_scales.hpp"

namespace ricochet::cone {

struct Residual {
  double value = 0;        // dimensionless; NaN if an impulse is
  int worst_contact = -1;  // where it is attained, the first if several; -1 without contacts
};

// The number above; the contacts of whole islands only, if they are given. With the scales of the problem at hand
// nothing is allocated.
Residual residual(const ContactProblem& problem, const linalg::VectorView& impulses);
Residual residual(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses);
Residual residual(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses,
                  std::span<const int> contacts);

// False for impulses so large that their residual is small by comparison with them alone, while velocities are wrong by
// more than a hundredth of V_i. A solver that jumps can reach such a point at once where no solution exists (a block
// between two closing walls) and must not take it for one.
bool credible(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses,
              double residual_value);
bool credible(const ContactProblem& problem, const ResidualScales& scales, const linalg::VectorView& impulses,
              std::span<const int> contacts, double residual_value);

// u = W r + b, m/s.
void contact_velocity(const ContactProblem& problem, const linalg::VectorView& impulses,
                      linalg::ReusableVector& velocity);

// The residual of one contact, from pointers to its r and u: what a solver that keeps u up to date can ask for.
double contact_residual(const ResidualScales& scales, int contact, const double* impulse, const double* velocity);

// The same from the impulses of the whole problem.
double contact_residual(const ContactProblem& problem, const ResidualScales& scales, int contact,
                        const double* impulses);

// What the residual of a contact is relative to, as a velocity: max( V_i, 1e-4 |r_i| / rho_i ), m/s. A contact whose
// residual is a tolerance keeps its law up to the tolerance times this.
double velocity_scale(const ContactProblem& problem, const ResidualScales& scales, int contact,
                      const linalg::VectorView& impulses);

// |F|_2 / (1 + |b|_2) with rho_i = 1 and no arms, the number that FCLIB and Siconos print (Acary & Collins-Craft 2024,
// section 4). It depends on units and on the number of contacts: for comparison with published figures, never to judge
// a solver.
double fclib_residual(const ContactProblem& problem, const linalg::VectorView& impulses);

// Its numerator for one contact: |F_i|^2 with any rho, from pointers to r_i and u_i.
double natural_map_square(const BlockLaw& law, double rho, const double* impulse, const double* velocity);

}  // namespace ricochet::cone
