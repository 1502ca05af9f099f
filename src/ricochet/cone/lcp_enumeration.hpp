// All solutions of a small linear complementarity problem, by trying everything.
//
// (Murty, "Linear Complementarity, Linear and Nonlinear Programming", 1988, section 1.3; Flores, Leine & Glocker 2010.)
// In a solution one of w_i and z_i is zero for every i. For each of the 2^n ways to choose which, with alpha the rows
// in which w_i = 0,
//
//   M_aa z_a = -q_a,    z_b = 0,    w_b = M_ba z_a + q_b,
//
// is a solution if no number is negative. Where M_aa is singular and the equations can be met at all, they leave a
// polyhedron {z_a >= 0, w_b >= 0} of solutions, and its corners are found by making as many further numbers zero as
// M_aa lacks in rank. So a problem that has solutions has one among those returned; of infinitely many, the corners.
//
// Whatever the equations give is judged by complementarity_residual of the problem. A point counts only once, however
// many bases it belongs to.
#pragma once

#include <vector>

#include "ricochet/cone/linear_complementarity.hpp"

namespace ricochet::cone {

inline constexpr int kLargestEnumeration = 18;  // unknowns: up to some seconds

struct EnumerationOptions {
  double tolerance = 1e-10;        // on complementarity_residual
  double distinct = 1e-8;          // relative distance, after equilibration, within which two solutions are the same
  long system_limit = 20'000'000;  // of linear systems: many singular bases have very many corners
};

struct EnumerationResult {
  std::vector<VectorX> solutions;  // in the order of the bases, that without any z first
  bool complete = true;            // false if the limit ended it
  long systems = 0;                // that were solved
};

// Throws std::invalid_argument for problems that `validate` rejects or that are larger than kLargestEnumeration.
EnumerationResult enumerate_solutions(const LinearComplementarityProblem& problem,
                                      const EnumerationOptions& options = {});

}  // namespace ricochet::cone
