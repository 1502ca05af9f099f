// Large islands that rest: one sweep of Gauss-Seidel, then only what is still wrong, and what that disturbs.
//
// In a heap that lies, the impulses of the last step solve nearly every contact of the next. After one sweep
// (cone/gauss_seidel) the residual of every contact is computed, and in rounds
//
//   - contacts that miss half of the tolerance are visited;
//   - their residuals and those of their neighbours, whose velocities they change, are computed again,
//
// until none misses the tolerance. All other residuals stay what they are, so the last round knows the residual of the
// island. A round costs what it visits, where a sweep costs the whole island. If more than a tenth of the contacts is
// wrong after the sweep, or visits add up to many sweeps, this is not the way.
#pragma once

#include <span>
#include <vector>

#include "ricochet/cone/gauss_seidel.hpp"

namespace ricochet::cone {

class LocalRepairs {
 public:
  // `sweeps` has been prepared with the problem and its impulses; of these the ones of the island change. Iterations
  // are visits per contact, rounded up. Not converged if this is not the way.
  SolveReport solve(const NonsmoothGaussSeidel& sweeps, const ContactProblem& problem, int island,
                    linalg::ReusableVector& impulses, const SolveOptions& options);

  // Of the island that was tried last: no more than a tenth of its contacts were wrong after the sweep.
  bool few_were_wrong() const { return few_were_wrong_; }

 private:
  void find_disturbed(const ContactProblem& problem, const Islands& islands, int island);

  std::vector<double> errors_;   // the residual of each contact of the problem
  std::vector<int> wrong_;       // contacts to be visited, ascending
  std::vector<int> disturbed_;   // these and their neighbours, ascending
  std::vector<char> is_listed_;  // of each contact of the problem: in disturbed_
  bool few_were_wrong_ = false;
};

}  // namespace ricochet::cone
