#include "ricochet/cone/contact_solver.hpp"

#include <algorithm>
#include <span>

#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/status_enumeration.hpp"

namespace ricochet::cone {

namespace {

constexpr int kFewestFocusedScalars = 1200;     // beyond, most of an island is at rest long before all of it is
constexpr int kMostNewtonScalars = 5000;        // beyond, a factorisation costs thousands of sweeps
constexpr int kMostInteriorPointScalars = 700;  // its matrix is dense
constexpr int kFewestScalarsOfAPiece = 300;     // of the work of a thread: less is not worth giving away
constexpr int kShortestStretch = 50;
constexpr int kLongestFirstStretch = 300;
constexpr int kStretches = 4;
constexpr double kDecentReduction = 0.1;  // of the residual in one stretch
constexpr int kStretchGrowth = 4;         // of the stretches after Newton has failed
constexpr int kSweepsAfterPath = 300;
constexpr int kFewNewtonSteps = 25;   // for a handful of contacts;
constexpr int kSomeNewtonSteps = 60;  // more need more, and the interior-point method costs them more
constexpr int kHandfulOfScalars = 60;
constexpr int kMostNewtonSteps = 200;
constexpr int kFewestInteriorPointSteps = 100;
constexpr int kMostInteriorPointSteps = 450;

// A Newton step costs the cube of the size: large problems get fewer of them.
int newton_steps(int scalars) { return std::clamp(12'000 / std::max(scalars, 1), 40, kMostNewtonSteps); }
int interior_point_steps(int scalars) {
  return std::clamp(30'000 / std::max(scalars, 1), kFewestInteriorPointSteps, kMostInteriorPointSteps);
}

}  // namespace

SolveReport ContactSolver::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                 const SolveOptions& options) {
  // Most steps of a few bodies that bounce.
  if (problem.contacts() == 0 && problem.free_velocity.size() == 0 && impulses.size() == 0) return {};
  gauss_seidel_.prepare(problem, impulses);
  const Islands& islands = gauss_seidel_.islands();
  const int threads = threads_ == nullptr || islands.has_zero_couplings() ? 1 : threads_->count();
  while (static_cast<int>(workers_.size()) < threads) workers_.push_back(std::make_unique<Worker>());
  SolveReport all;
  if (threads == 1) {
    for (int island = 0; island < islands.count(); ++island) {
      add_island(solve_island(problem, island, impulses, options, *workers_.front()), all);
    }
    return all;
  }
  cut_into_pieces(islands);
  reports_.resize(islands.count());
  threads_->for_each(static_cast<int>(first_island_.size()) - 1, [&](int piece) {
    // As many workers as threads: one of them is free.
    std::size_t w = 0;
    while (workers_[w]->busy.test_and_set(std::memory_order_acquire)) w = (w + 1) % workers_.size();
    for (int island = first_island_[piece]; island < first_island_[piece + 1]; ++island) {
      reports_[island] = solve_island(problem, island, impulses, options, *workers_[w]);
    }
    workers_[w]->busy.clear(std::memory_order_release);
  });
  for (const SolveReport& report : reports_) add_island(report, all);
  return all;
}

void ContactSolver::cut_into_pieces(const Islands& islands) {
  first_island_.clear();
  int scalars = kFewestScalarsOfAPiece;
  for (int island = 0; island < islands.count(); ++island) {
    if (scalars >= kFewestScalarsOfAPiece) {
      first_island_.push_back(island);
      scalars = 0;
    }
    scalars += islands.scalars(island);
  }
  first_island_.push_back(islands.count());
}

SolveReport ContactSolver::solve_island(const ContactProblem& problem, int island, linalg::ReusableVector& impulses,
                                        const SolveOptions& options, Worker& worker) {
  const Islands& islands = gauss_seidel_.islands();
  const int scalars = islands.scalars(island);
  const std::span<const int> members = islands.contacts(island);
  if (options.kind == SolverKind::gauss_seidel) {
    return gauss_seidel_.solve_island(problem, island, impulses, options, worker.sweeps);
  }
  if (scalars > kFewestFocusedScalars && worker.focused.prepare(problem, members)) {
    return worker.focused.solve(problem, gauss_seidel_.scales(), impulses, options);
  }
  if (scalars > kMostNewtonScalars) {
    return gauss_seidel_.solve_island(problem, island, impulses, options, worker.sweeps, Sweeps::accelerated);
  }
  const bool all_slide =
      std::all_of(members.begin(), members.end(), [&](int contact) { return is_sliding_contact(problem, contact); });
  // Most problems of a time step end here.
  const int first_stretch = std::clamp(scalars, kShortestStretch, kLongestFirstStretch);
  SolveReport report = gauss_seidel_.solve_island(problem, island, impulses, options, worker.sweeps,
                                                  Sweeps::accelerated, {first_stretch, kDecentReduction, kStretches});
  int iterations = report.iterations;
  const auto left = [&] { return options.max_iterations - iterations; };
  const auto go_on = [&] { return report.status != SolveStatus::converged && left() > 0; };
  const auto at_most = [&](int limit) {
    SolveOptions some = options;
    some.max_iterations = std::min(limit, left());
    return some;
  };
  if (!go_on()) return report;
  const bool on_bodies = scalars > kHandfulOfScalars &&
                         worker.body_path.prepare(problem, gauss_seidel_.scales(), members, problem.free_velocity);
  if (on_bodies) {
    follow_body_path(problem, island, impulses, options, worker, report, iterations);
    if (!go_on()) {
      report.iterations = iterations;
      return report;
    }
  }

  // The direct solvers want a problem of their own.
  const bool alone = islands.count() == 1;
  if (!alone) islands.copy_problem(problem, island, worker.part);
  const ContactProblem& part = alone ? problem : worker.part;
  const auto in_the_whole = [&](int contact) { return contact < 0 ? -1 : islands.contacts(island)[contact]; };
  islands.copy_impulses(problem, impulses, island, worker.best);
  // Takes what a stage has made of worker.part_impulses, unless it is worse than the best point so far.
  const auto keep_the_better = [&](const SolveReport& found) {
    if (!(found.residual <= report.residual)) return;
    report = found;
    worker.best = worker.part_impulses;
  };
  const auto directly = [&](auto& solver, int limit) {  // from worker.part_impulses
    SolveReport found = solver.solve(part, worker.part_impulses, at_most(limit));
    iterations += found.iterations;
    found.worst_contact = in_the_whole(found.worst_contact);
    keep_the_better(found);
  };
  worker.part_impulses = worker.best;
  directly(worker.newton, scalars <= kHandfulOfScalars ? kFewNewtonSteps : kSomeNewtonSteps);
  if (go_on() && on_bodies && worker.focused.prepare(problem, members)) {
    islands.return_impulses(problem, worker.best, island, impulses);
    const SolveReport found = worker.focused.solve(problem, gauss_seidel_.scales(), impulses, at_most(left()));
    iterations += found.iterations;
    if (found.residual <= report.residual) {
      report = found;
      report.iterations = iterations;
      return report;
    }
  }
  if (go_on() && all_slide && scalars <= kMostInteriorPointScalars) {
    worker.part_impulses = worker.best;
    directly(worker.interior_point, interior_point_steps(scalars));
  }
  if (go_on()) {
    worker.part_impulses.setZero();
    directly(worker.newton, newton_steps(scalars));
  }
  if (go_on() && all_slide && can_enumerate(part)) {
    ++iterations;
    worker.part_impulses = worker.best;
    if (solve_by_enumeration(part, worker.part_impulses, options.tolerance)) {
      const Residual found = residual(part, worker.part_impulses);
      keep_the_better({SolveStatus::converged, iterations, found.value, in_the_whole(found.worst_contact)});
    }
  }
  for (int stretch = kStretches * first_stretch; go_on(); stretch = std::min(stretch, left()) * kStretchGrowth) {
    worker.part_impulses = worker.best;
    directly(worker.newton, newton_steps(scalars));
    if (!go_on()) break;
    islands.return_impulses(problem, worker.best, island, impulses);
    const SolveReport found =
        gauss_seidel_.solve_island(problem, island, impulses, at_most(stretch), worker.sweeps, Sweeps::accelerated);
    iterations += found.iterations;
    islands.copy_impulses(problem, impulses, island, worker.part_impulses);
    keep_the_better(found);
  }
  islands.return_impulses(problem, worker.best, island, impulses);
  report.iterations = iterations;
  return report;
}

// For what has been prepared, from wherever sweeps have led: the better of that and of what the path, and sweeps from
// its end, lead to.
void ContactSolver::follow_body_path(const ContactProblem& problem, int island, linalg::ReusableVector& impulses,
                                     const SolveOptions& options, Worker& worker, SolveReport& report,
                                     int& iterations) {
  const Islands& islands = gauss_seidel_.islands();
  const ResidualScales& scales = gauss_seidel_.scales();
  islands.copy_impulses(problem, impulses, island, worker.best);
  SolveOptions rest = options;
  rest.max_iterations = options.max_iterations - iterations;
  SolveReport found = worker.body_path.solve(scales, impulses, rest);
  iterations += found.iterations;
  const Residual checked = residual(problem, scales, impulses, islands.contacts(island));
  found.residual = checked.value;
  found.worst_contact = checked.worst_contact;
  const bool solved = checked.value <= options.tolerance &&
                      credible(problem, scales, impulses, islands.contacts(island), checked.value);
  found.status = solved ? SolveStatus::converged : SolveStatus::iteration_limit;
  rest.max_iterations = std::min(options.max_iterations - iterations, kSweepsAfterPath);
  if (found.status != SolveStatus::converged && rest.max_iterations > 0) {
    found = gauss_seidel_.solve_island(problem, island, impulses, rest, worker.sweeps, Sweeps::accelerated);
    iterations += found.iterations;
  }
  if (found.residual <= report.residual) {
    report = found;
  } else {
    islands.return_impulses(problem, worker.best, island, impulses);
  }
}

}  // namespace ricochet::cone
