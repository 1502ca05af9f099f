#include "ricochet/integrate/augmented_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/integrate/kinetic_norm.hpp"

namespace ricochet::integrate {

namespace {

constexpr int kManyContacts = 400;       // from here on the solvers of cone/ do it
constexpr int kPatienceWithNewton = 12;  // iterations before they help with few contacts as well
constexpr int kHalvings = 5;             // of the line search
constexpr double kRoundingOfImpulses = 64 * std::numeric_limits<double>::epsilon();
constexpr double kConeTolerance = 1e-12;  // of their residual

double mean_node_mass(const mechanics::Equations& equations) {
  double sum = 0;
  int count = 0;
  for (int node = 0; node < equations.map().nodes(); ++node) {
    if (!(equations.node_mass(node) > 0)) continue;
    sum += equations.node_mass(node);
    ++count;
  }
  return count > 0 ? sum / count : 1;
}

}  // namespace

// Of the error of a joint: angles count with the size of the machine.
double AugmentedNewton::row_square(const mechanics::Equations& equations, int row) const {
  const bool is_angle = equations.joints().unit(row) == mechanics::JointUnit::angle;
  const double length = (is_angle ? equations.size() : 1.0) * residuals_.rows[row];
  return mean_mass_ * length * length;
}

double AugmentedNewton::measure(const mechanics::Equations& equations, const AugmentedNewtonOptions& options,
                                const linalg::ReusableVector& impulses) {
  const double sum = KineticNorm(equations).squared(residuals_.momentum);
  double constraints = 0;
  for (int row = 0; row < static_cast<int>(residuals_.rows.size()); ++row) constraints += row_square(equations, row);
  if (impulses.size() > 0) {
    step_.value(impulses, residuals_.values, value_);
    constraints += value_.squaredNorm();
  }
  residual_ = std::sqrt(sum + constraints);
  return std::sqrt(sum + options.scaling * options.scaling * constraints);
}

// dr, into impulse_change_.
bool AugmentedNewton::find_impulses(cone::ContactProblem& problem, const linalg::ReusableVector& impulses,
                                    bool by_cone) {
  if (!by_cone) return step_.find(impulses, residuals_.values, drift_, impulse_change_);
  problem.free_velocity = residuals_.values;
  problem.free_velocity += drift_;
  response_ = -impulses;
  problem.delassus.multiply_add(response_, problem.free_velocity);
  trial_ = impulses;
  cone::SolveOptions solve_options;
  solve_options.tolerance = kConeTolerance;
  const cone::SolveReport report = solver_.solve(problem, trial_, solve_options);
  impulse_change_ = trial_ - impulses;
  // What it could not solve to the last digit the next iteration will ask again; far from solved it is no step.
  return report.status == cone::SolveStatus::converged || report.residual < 1e-6;
}

void AugmentedNewton::find_worst(const mechanics::Equations& equations, const cone::ContactProblem& problem,
                                 SubproblemReport& report) const {
  double largest = 0;
  for (int block = 0; block < problem.contacts(); ++block) {
    const double norm = value_.segment(problem.block_offset(block), problem.block_size(block)).squaredNorm();
    if (!(norm > largest)) continue;
    largest = norm;
    report.worst_block = block;
  }
  for (int row = 0; row < static_cast<int>(residuals_.rows.size()); ++row) {
    if (!(row_square(equations, row) > largest)) continue;
    largest = row_square(equations, row);
    report.worst_block = -1;
    report.worst_row = row;
  }
}

void AugmentedNewton::solve(const mechanics::Equations& equations, Subproblem& subproblem,
                            cone::ContactProblem& problem, VectorX& multipliers, linalg::ReusableVector& impulses,
                            const AugmentedNewtonOptions& options, SubproblemReport& report) {
  const int most_iterations = report.iterations + options.max_iterations;
  const int least_iterations = report.iterations + options.min_iterations;
  const int patience = report.iterations + kPatienceWithNewton, first = report.iterations + 1;
  mean_mass_ = mean_node_mass(equations);
  const bool has_blocks = impulses.size() > 0;
  subproblem.evaluate(multipliers, impulses, residuals_);
  bool prepared = false;
  const auto prepare = [&] {
    const bool changed = subproblem.linearise(multipliers, impulses);
    if (!has_blocks || (prepared && !changed)) return;
    subproblem.matrix().delassus(subproblem.gradients(), problem.delassus);
    subproblem.complete(problem);
    step_.prepare(problem, options.penalty);
    prepared = true;
  };
  if (has_blocks) prepare();
  double norm = measure(equations, options, impulses);
  for (;;) {
    report.residuals.push_back(residual_);
    const double enough =
        options.test == StoppingTest::relative ? options.tolerance * residuals_.size : options.tolerance;
    report.residual = residual_;
    if (!std::isfinite(norm)) {
      report.outcome = SubproblemOutcome::not_finite;
      return;
    }
    const double rounding = residuals_.rounding + (has_blocks ? kRoundingOfImpulses * step_.size(impulses) : 0.0);
    if (residual_ <= enough + rounding && report.iterations >= least_iterations) return;
    if (report.iterations >= most_iterations) break;
    ++report.iterations;
    if (!has_blocks || report.iterations > first) prepare();
    change_ = -residuals_.momentum;
    row_change_ = -residuals_.rows;
    subproblem.matrix().solve_with_rows(change_, row_change_);
    if (has_blocks) {
      drift_.setZero(impulses.size());
      subproblem.gradients().multiply_add(change_, drift_);
      const bool may_help = options.solver != SubproblemSolver::newton;
      const bool by_cone = options.solver == SubproblemSolver::cone ||
                           (may_help && (problem.contacts() > kManyContacts || report.iterations > patience));
      bool found = find_impulses(problem, impulses, by_cone);
      if (!found && may_help && !by_cone) found = find_impulses(problem, impulses, true);
      if (!found) break;
      response_.setZero(change_.size());
      subproblem.gradients().transpose_multiply_add(impulse_change_, response_);
      row_response_.setZero(row_change_.size());
      subproblem.matrix().solve_with_rows(response_, row_response_);
      change_ += response_;
      row_change_ += row_response_;
    }
    kept_multipliers_ = multipliers;
    kept_impulses_ = impulses;
    subproblem.keep();
    const double before = norm;
    double part = 1, best_part = 1, best = std::numeric_limits<double>::infinity();
    const auto try_part = [&] {
      subproblem.move(change_, part);
      multipliers = kept_multipliers_ + part * row_change_;
      if (has_blocks) impulses = kept_impulses_ + part * impulse_change_;
      subproblem.evaluate(multipliers, impulses, residuals_);
      norm = measure(equations, options, impulses);
      if (!(norm < best)) return;
      best = norm;
      best_part = part;
    };
    try_part();
    for (int halving = 0; halving < kHalvings && !(norm < before) && !(residual_ <= enough); ++halving) {
      part *= 0.5;
      ++report.line_searches;
      try_part();
    }
    // Statuses change by leaps, and with them the residual: if no part of the step helps, the best of them is taken.
    if (!(norm < before) && part != best_part) {
      part = best_part;
      try_part();
    }
  }
  report.outcome = SubproblemOutcome::unconverged;
  find_worst(equations, problem, report);
}

}  // namespace ricochet::integrate
