// The bookkeeping that every direct solver does: it opens with the first guess, offers points, and closes with the best
// of them all, judged by the residual of cone/residual alone. What it returns is never worse than the first guess.
#pragma once

#include "ricochet/cone/first_guess.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/scaled_problem.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

class BestPoint {
 public:
  // Puts the first guess into the cones. False if nothing is left to do: it solves the problem, no contact needs an
  // impulse, or no iteration is allowed.
  bool open(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options) {
    validate(problem);
    scales_.prepare(problem);
    tolerance_ = options.tolerance;
    const bool needed = admit_first_guess(problem, impulses);
    Residual first = residual(problem, scales_, impulses);
    if (first.value <= tolerance_ && !credible(problem, scales_, impulses, first.value)) {
      impulses.setZero();
      first = residual(problem, scales_, impulses);
    }
    report_ = {SolveStatus::iteration_limit, 0, first.value, first.worst_contact};
    best_ = impulses;
    return needed && !(first.value <= tolerance_) && options.max_iterations > 0;
  }

  // A point in the units of `scaled`, x with its y, is snapped to its statuses and kept if it is the best so far and
  // credible (cone/residual). True if it solves the problem.
  bool offer(const ContactProblem& problem, const ScaledProblem& scaled, const VectorX& x, const VectorX& y) {
    snapped_impulses(scaled, x, y, candidate_);
    const Residual now = residual(problem, scales_, candidate_);
    if (!(now.value < report_.residual) || !credible(problem, scales_, candidate_, now.value)) return false;
    report_.residual = now.value;
    report_.worst_contact = now.worst_contact;
    best_ = candidate_;
    return now.value <= tolerance_;
  }

  SolveReport close(int iterations, linalg::ReusableVector& impulses) {
    impulses = best_;
    report_.iterations = iterations;
    if (report_.residual <= tolerance_) report_.status = SolveStatus::converged;
    return report_;
  }

  bool solved() const { return report_.residual <= tolerance_; }
  double residual_value() const { return report_.residual; }
  const linalg::ReusableVector& impulses() const { return best_; }
  const ResidualScales& scales() const { return scales_; }

 private:
  ResidualScales scales_;
  double tolerance_ = 0;
  SolveReport report_;
  linalg::ReusableVector best_, candidate_;
};

}  // namespace ricochet::cone
