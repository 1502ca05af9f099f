// For a handful of planar or frictionless contacts: try every combination of statuses.
//
// With the status of every contact given (open; closed and sticking; closed and slipping one way or the other) the
// problem is linear. Up to 4^n systems are solved, by least squares because redundant contacts make them singular, and
// the points that satisfy the residual of cone/residual are solutions. Cannot be misled by cycles or bad starts, but
// costs time exponential in n. A solver of its own, the last resort of the default one, and the way to know all
// solutions: where redundant contacts have infinitely many impulses, these all have the same velocities.
#pragma once

#include <vector>

#include "ricochet/cone/dense_problem.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

inline constexpr std::size_t kMostEnumeratedContacts = 6;  // 4096 combinations, some ten milliseconds

enum : int { kOpenStatus, kStickStatus, kSlipForwardStatus, kSlipBackwardStatus };  // forward: r_T = mu r_N

// r_T as a multiple of mu r_N.
inline double slip_share(int status) { return status == kSlipForwardStatus ? 1.0 : -1.0; }

// The next combination, beginning with all open; false after the last one. Without friction a contact is open or
// closed (kStickStatus) only.
bool next_statuses(const DenseProblem& dense, std::vector<int>& status);

// At most 6 contacts, all of size 1 or 2.
bool can_enumerate(const ContactProblem& problem);

// Impulses of solutions, one for each velocity that solves the problem: that which is nearest to the given impulses
// comes first, the others follow in the order of combinations (in the units of cone/dense_problem, and of redundant
// impulses the nearest). Throws std::invalid_argument unless `can_enumerate`.
std::vector<linalg::ReusableVector> solutions_by_status(const ContactProblem& problem, const linalg::VectorView& near,
                                                        double tolerance);

// `impulses`: in, the point near which a solution is sought, of the right size and finite; out, the solution, or
// unchanged if none was found. Returns whether. Throws std::invalid_argument unless `can_enumerate`.
bool solve_by_enumeration(const ContactProblem& problem, linalg::ReusableVector& impulses, double tolerance);

// The same as a solver: island by island, with a report that knows all solutions. Which is taken is the one nearest to
// the first guess; the impulses of the step before, in a run.
class StatusEnumeration {
 public:
  // As NonsmoothGaussSeidel::solve. An island that is too large or not planar stays as it was, with a remark.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options = {});
};

}  // namespace ricochet::cone
