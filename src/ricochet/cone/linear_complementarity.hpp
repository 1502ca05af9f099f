// The linear complementarity problem: a question, the ways in which it may be answered, and the number that judges.
//
//   w = M z + q,      w >= 0,   z >= 0,   w_i z_i = 0 for every i
//
// (Cottle, Pang & Stone, "The Linear Complementarity Problem", 1992; Flores, Leine & Glocker 2010, eqs 1-3.) Planar
// contact with friction is such a problem: cone/planar_friction_lcp. Two solvers: cone/lemke, cone/lcp_enumeration.
//
//   M is                      then
//   a P-matrix                exactly one solution for every q; Lemke finds it
//   positive semidefinite     a convex set of solutions, empty only if no z >= 0 has M z + q >= 0; Lemke decides
//   copositive                Lemke decides as well if M is copositive-plus (z >= 0, z'M z = 0 imply (M + M')z = 0)
//   anything else             none, one, several or infinitely many; Lemke may miss those there are
#pragma once

#include "ricochet/linalg/reusable_vector.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::cone {

struct LinearComplementarityProblem {
  MatrixX matrix;  // M
  VectorX offset;  // q

  int size() const { return static_cast<int>(offset.size()); }
};

enum class ComplementarityStatus {
  solved,  // z solves the problem: its residual is below the tolerance
  ray,     // Lemke's path leads to infinity: no solution was found, and for the classes above there is none
  limit,   // too many pivots, or round-off ended the search
};

struct ComplementarityReport {
  ComplementarityStatus status = ComplementarityStatus::limit;
  double residual = 0;  // complementarity_residual of the z that was returned
  int pivots = 0;
  bool infeasible = false;  // with a ray: proved (up to round-off) that no z >= 0 has M z + q >= 0, see cone/lemke
};

// Throws std::invalid_argument with a sentence if M is not square, q does not fit or a number is not finite.
void validate(const LinearComplementarityProblem& problem);

// How far z is from a solution: the smallest relative change of the entries of M and q which makes z one. With
// w = M z + q and the size of what w_i is the sum of,
//
//   max over i of   |w_i| / s_i  if z_i > 0,   max(0, -w_i) / s_i  if z_i = 0,      s_i = |q_i| + sum_j |M_ij| z_j
//
// (the componentwise backward error of Oettli & Prager 1964, for complementarity). Dimensionless, and independent of
// the units of every single row and column. Infinite if some z_i is negative, NaN if one is.
double complementarity_residual(const LinearComplementarityProblem& problem, const linalg::VectorView& z);

// The same problem with rows and columns multiplied by powers of two, which loses no bit:
//
//   M' = R M C,   q' = t R q,   z = C z' / t,   w = R^-1 w' / t,
//
// so that the largest entry of every row and column of M' is about 1 (Ruiz 2001, on binary exponents), and that of q'.
// Problems that differ by powers of two in M and in q become the same.
struct ScaledComplementarity {
  LinearComplementarityProblem problem;  // M', q'
  VectorX row_scale;                     // R
  VectorX unknown_scale;                 // C / t
};
ScaledComplementarity equilibrated(const LinearComplementarityProblem& problem);

}  // namespace ricochet::cone
