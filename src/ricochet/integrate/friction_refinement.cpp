#include "ricochet/integrate/friction_refinement.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "ricochet/cone/residual.hpp"

namespace ricochet::integrate {

namespace {

constexpr double kNextToNothing = 1e-9;      // of the tolerance, as a part of the energy, in a step
constexpr double kRoundingOfEnergy = 1e-16;  // of the energy: less cannot be told

// One after another, on islands that still give more than so many times what is bearable.
struct Attempt {
  double gives;
  bool inside;  // the cones: cone::SolveOptions
  double part;  // of the tolerance
  int most_iterations;
};
constexpr int kNoLimit = std::numeric_limits<int>::max();  // but that of the step
constexpr Attempt kAttempts[] = {
    {1, true, 1, kNoLimit},
    {1, false, 0.02, 100},
    {100, false, 0.02, 2000},
    {1, true, 1, kNoLimit},  // from a better point, where there is one
};

}  // namespace

double FrictionRefinement::given(const cone::ContactProblem& problem, double theta, const linalg::VectorView& impulses,
                                 const linalg::VectorView& velocity, std::span<const int> contacts) {
  double sum = 0;
  for (const int i : contacts) {
    if (problem.is_bilateral(i)) continue;
    const int tangential = std::min(problem.block_size(i), 3) - 1;
    const int start = problem.block_offset(i) + 1;
    sum += std::max(impulses.segment(start, tangential).dot(velocity.segment(start, tangential)), 0.0);
  }
  return theta * sum;
}

// Solves the islands again that give more than is bearable, and takes what is better. Returns the iterations.
int FrictionRefinement::improve(const Task& task, const cone::SolveOptions& better, double bearable) {
  const cone::ResidualScales& scales = task.solver.scales();
  const cone::Islands& islands = scales.islands();
  // Nothing new comes of the same impulses: what has been tried inside needs other ones.
  const auto gives = [&](int island) {
    return given_[island] > bearable * task.energy && !(better.inside && tried_inside_[island] != 0);
  };
  solved_.assign(task.problem.contacts(), 0);
  bool any = false;
  for (int island = 0; island < islands.count(); ++island) {
    if (!gives(island)) continue;
    any = true;
    for (const int contact : islands.contacts(island)) solved_[contact] = 1;
  }
  if (!any) return 0;
  candidate_ = task.impulses;
  const int iterations = task.solver.solve_again(task.problem, candidate_, better, solved_).iterations;
  cone::contact_velocity(task.problem, candidate_, velocity_);
  for (int island = 0; island < islands.count(); ++island) {
    if (!gives(island)) continue;
    if (better.inside) tried_inside_[island] = 1;
    const std::span<const int> contacts = islands.contacts(island);
    const double left = given(task.problem, task.theta, candidate_, velocity_, contacts);
    if (!(left < given_[island])) continue;
    const double residual = cone::residual(task.problem, scales, candidate_, contacts).value;
    if (!(residual <= task.tolerance)) continue;
    if (!cone::credible(task.problem, scales, candidate_, contacts, residual)) continue;
    refined_ = true;
    given_[island] = left;
    if (!better.inside) tried_inside_[island] = 0;
    islands.copy_impulses(task.problem, candidate_, island, part_);
    islands.return_impulses(task.problem, part_, island, task.impulses);
  }
  return iterations;
}

// Inside the cones first, where friction opposes slip all along. Where no solution is found there, or there are too few
// contacts for it, sweeps go on.
cone::SolveReport FrictionRefinement::solve(const cone::ContactProblem& problem, double theta, double energy,
                                            const cone::SolveOptions& options, cone::ContactSolver& solver,
                                            linalg::ReusableVector& impulses) {
  refined_ = false;
  cone::SolveReport report = solver.solve(problem, impulses, options);
  if (report.status != cone::SolveStatus::converged || options.kind != cone::SolverKind::automatic) return report;
  if (problem.contacts() == 0) return report;
  const cone::Islands& islands = solver.scales().islands();
  cone::contact_velocity(problem, impulses, velocity_);
  given_.clear();
  tried_inside_.assign(islands.count(), 0);
  for (int island = 0; island < islands.count(); ++island) {
    given_.push_back(given(problem, theta, impulses, velocity_, islands.contacts(island)));
  }
  const double bearable = std::max(kNextToNothing * options.tolerance, kRoundingOfEnergy);
  const auto is_bearable = [&](double joules) { return joules <= bearable * energy; };
  if (std::all_of(given_.begin(), given_.end(), is_bearable)) return report;
  const Task task{problem, theta, energy, options.tolerance, solver, impulses};
  for (const Attempt& attempt : kAttempts) {
    cone::SolveOptions better = options;
    better.inside = attempt.inside;
    better.accept_guess = false;  // it is what gives
    better.tolerance *= attempt.part;
    better.max_iterations = std::min(options.max_iterations, attempt.most_iterations);
    report.iterations += improve(task, better, attempt.gives * bearable);
  }
  const cone::Residual now = cone::residual(problem, solver.scales(), impulses);
  report.residual = now.value;
  report.worst_contact = now.worst_contact;
  return report;
}

}  // namespace ricochet::integrate
