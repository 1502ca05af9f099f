// Lemke's algorithm: complementary pivoting for linear complementarity problems.
//
// (C. E. Lemke, Management Science 11, 1965; Cottle, Pang & Stone 1992, section 4.4; Flores, Leine & Glocker 2010.) An
// artificial unknown z_0 makes any q feasible,
//
//   w = M z + q + d z_0,      d > 0,
//
// and is as large as it must be at the start: one w_i then vanishes, and w and z are complementary except for that
// pair, none of which is in the basis. The complement of the unknown that has just left the basis enters it, and the
// first basic unknown which it drives to zero leaves. The path that this makes has no choices and no branches. It ends
//
//  - when z_0 leaves the basis: the problem is solved;
//  - when nothing stops the entering unknown: a ray. If M is copositive-plus (positive semidefinite, for instance) the
//    direction y of z along the ray then proves that there is no solution: y >= 0, M'y <= 0 and q'y < 0, so no z >= 0
//    has M z + q >= 0. Whatever M is, this proof is tried and the report says whether it holds.
//
// Ties in the ratio test would allow cycles. They are broken lexicographically, as if q had been perturbed by
// (e, e^2, e^3, ...) with an infinitely small e: no basis then comes back (Cottle, Pang & Stone, section 4.9).
//
// In floating point: the problem is equilibrated first (d is all ones there); the inverse of the basis is updated by
// pivots, and computed anew at times and before anything is concluded from a small number; numbers below their own
// round-off count as zero; and the final basis is factorised and its solution refined with residuals in extended
// precision. What is reported is the residual of the final z in the problem as it was given.
//
// The cost is one rank-one update (n^2) per pivot, and mostly some n pivots; there are problems that need 2^n.
#pragma once

#include "ricochet/cone/linear_complementarity.hpp"

namespace ricochet::cone {

struct LemkeOptions {
  double tolerance = 1e-10;  // on complementarity_residual
  int pivot_limit = -1;      // negative: 100 + 50 n
  VectorX covering;          // d > 0, in the units of w; empty: ones after equilibration. Another d is another path
};

struct LemkeResult {
  VectorX z;  // the solution; the last point of the path if none was found
  ComplementarityReport report;
};

// Throws std::invalid_argument for problems that `validate` rejects, and for a d that does not fit or is not positive.
LemkeResult solve_lemke(const LinearComplementarityProblem& problem, const LemkeOptions& options = {});

}  // namespace ricochet::cone
