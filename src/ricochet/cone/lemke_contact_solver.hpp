// Lemke's algorithm as a solver of planar contact problems, through the friction LCP of Flores
// (cone/planar_friction_lcp).
//
// A direct method: finitely many pivots, then the solution to the last digits, whatever the ratio of masses. Islands
// (cone/islands) are solved one after the other. Two things can go wrong on an island. Lemke's path may end in a ray
// although there are solutions (one of 15 000 random planar problems): it is then followed again with other covering
// vectors, eleven irregular but fixed ones. Or there is no solution: then all paths end in rays, and perhaps one of
// them proves it. The report of the complementarity problem says which.
//
// A solved island is also asked whether it has a second solution (cone/planar_uniqueness): of up to four contacts all
// solutions are known, by a proof that there is one or by looking at every combination of statuses; of more, one other
// path is followed, and where it leads to the same velocities there may still be others.
//
// As everywhere, cone/residual judges: a z which solves the complementarity problem is only converged if its impulses
// solve the contact problem, and the first guess is returned where nothing better was found.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ricochet/cone/linear_complementarity.hpp"
#include "ricochet/cone/residual_scales.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

class LemkeContactSolver {
 public:
  // As NonsmoothGaussSeidel::solve; iterations are pivots, of all paths. If the first guess solves an island, it stays.
  // Throws std::invalid_argument, too, for a problem to which there is an objection.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options = {});

  // What the last problem said as a complementarity problem, one report for each island: of the path that came nearest,
  // with the pivots of all paths, and infeasible if any of them proves it. Solved, without pivots and without a
  // residual of its own, where the first guess was good enough.
  std::span<const ComplementarityReport> complementarity() const { return complementarity_; }

 private:
  ResidualScales scales_;
  std::vector<ComplementarityReport> complementarity_;
};

// Why Lemke's algorithm cannot take a problem, the end of a sentence that begins with its name; empty if it can.
std::string objection_to_lemke(const ContactProblem& problem);

// One solution of a planar contact problem out of all.
struct PlanarSolution {
  linalg::ReusableVector impulses;  // N s
  double residual = 0;              // of cone/residual
};

struct PlanarSolutions {
  std::vector<PlanarSolution> solutions;  // distinct ones, that with the fewest closed contacts first
  bool complete = true;                   // false if there were too many cases to look at them all
};

// All solutions of a small planar problem (corners of their set, if there are infinitely many) by cone/lcp_enumeration:
// at most 18 unknowns, three for a contact with friction and one for a contact without. Throws std::invalid_argument
// for others.
PlanarSolutions all_planar_solutions(const ContactProblem& problem, double tolerance = 1e-8);

}  // namespace ricochet::cone
