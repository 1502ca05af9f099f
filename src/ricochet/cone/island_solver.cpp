#include "ricochet/cone/island_solver.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/status_enumeration.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::cone {

namespace {

constexpr int kScalarsOfABox = 12;  // on four corners
constexpr int kHandfulOfScalars = 60;
constexpr int kManyScalars = 1200;
constexpr double kExacting = 1e-6;  // tolerances below

constexpr int kShortestStretch = 50;
constexpr int kLongestFirstStretch = 300;
constexpr int kStretchOnBodies = 5;
constexpr int kLongestStretchOnBodies = 100;  // for exacting tolerances
constexpr int kStretches = 4;
constexpr double kDecentReduction = 0.1;  // of the residual in one stretch
constexpr int kStretchGrowth = 4;         // of the stretches after Newton has failed

constexpr int kMostPathScalars = 4000;  // of a path that is not cheap
constexpr double kFurther = 0.2;        // of the tolerance, if the path leads there at once
constexpr double kNearlySolved = 5;     // times the tolerance
constexpr int kSweepsNearSolution = 100;
constexpr int kSweepsAfterPath = 300;
constexpr int kProximalSteps = 1500;
constexpr int kMostHeldRounds = 10;
constexpr double kHeldParts[] = {0, 0.5};  // phi, in turns
constexpr int kSweepsBetween = 300;
constexpr double kPartBetween = 0.3;  // of the tolerance
constexpr int kFirstFocusedSweeps = 300;
constexpr int kMoreFocusedSweeps = 3000;  // where there is something else to try

constexpr int kMostNewtonScalars = 5000;
constexpr int kFewNewtonSteps = 25;   // for a handful of contacts;
constexpr int kOtherStarts = 100;     // for these
constexpr int kSomeNewtonSteps = 60;  // more need more, and the interior-point method costs them more
constexpr int kMostNewtonSteps = 200;
constexpr int kMostInteriorPointScalars = 700;
constexpr int kFewestInteriorPointSteps = 100;
constexpr int kMostInteriorPointSteps = 450;

PathCost path_cost(int scalars) { return scalars <= kMostPathScalars ? PathCost::any : PathCost::cheap; }

// A Newton step costs the cube of the size: large problems get fewer of them.
int newton_steps(int scalars) { return std::clamp(12'000 / std::max(scalars, 1), 40, kMostNewtonSteps); }
int interior_point_steps(int scalars) {
  return std::clamp(30'000 / std::max(scalars, 1), kFewestInteriorPointSteps, kMostInteriorPointSteps);
}

}  // namespace

SolveOptions IslandSolver::Task::at_most(int limit) const {
  SolveOptions some = options;
  some.max_iterations = std::min(limit, left());
  return some;
}

// Takes what a stage has made of the impulses, or goes back to the best point.
void IslandSolver::keep_the_better(Task& task, SolveReport found) {
  const Islands& islands = task.sweeps.islands();
  task.iterations += found.iterations;
  if (found.residual <= task.report.residual || std::isnan(task.report.residual)) {
    task.report = found;
    islands.copy_impulses(task.problem, task.impulses, task.island, best_);
  } else {
    islands.return_impulses(task.problem, best_, task.island, task.impulses);
  }
}

void IslandSolver::sweep(Task& task, int limit) {
  keep_the_better(task, task.sweeps.solve_island(task.problem, task.island, task.impulses, task.at_most(limit),
                                                 workspace_, Sweeps::accelerated));
}

// What a solver on bodies has made of the impulses, judged as everything else is.
SolveReport IslandSolver::judged(const Task& task, SolveReport found) {
  const Residual now = residual(task.problem, task.scales(), task.impulses, task.contacts);
  found.residual = now.value;
  found.worst_contact = now.worst_contact;
  const bool small = now.value <= task.options.tolerance;
  const bool solved = small && credible(task.problem, task.scales(), task.impulses, task.contacts, now.value);
  found.status = solved ? SolveStatus::converged : SolveStatus::iteration_limit;
  // Nobody should have to beat a point that is small by comparison with itself alone.
  if (small && !solved) found.residual = std::numeric_limits<double>::infinity();
  return found;
}

void IslandSolver::follow_path(Task& task) {
  const SolveReport found = judged(task, path_.solve(task.scales(), task.impulses, task.at_most(task.left())));
  const bool goes_on = found.status != SolveStatus::converged && task.left() > found.iterations;
  if (found.residual <= task.report.residual || !goes_on) {
    keep_the_better(task, found);
  } else {  // Sweeps may have little to do where the path ends, also if that is further off than the best point.
    task.iterations += found.iterations;
  }
  if (task.goes_on()) sweep(task, kSweepsAfterPath);
}

// In large islands the last steps of a path are for a few contacts, which sweeps may solve too. If not, it goes on.
void IslandSolver::try_path(Task& task) {
  SolveOptions options = task.at_most(task.left());
  options.tolerance *= kNearlySolved;
  const SolveReport found = path_.solve(task.scales(), task.impulses, options, PathEffort::one_way);
  keep_the_better(task, judged(task, found));
  if (!task.goes_on() || found.status != SolveStatus::converged) return;
  focus(task, kSweepsNearSolution);
  if (!task.goes_on()) return;
  keep_the_better(task, judged(task, path_.go_on(task.scales(), task.impulses, task.at_most(task.left()))));
}

// What the path ends with, if that is a solution. Where it has no end, and tolerances are not exacting, slip is held as
// the impulses have it, again and again: focused sweeps from where that ends take away most of what is wrong there. If
// no end of a path is a solution the last one that sweeps have found is kept, or the impulses stay.
void IslandSolver::solve_inside(Task& task, bool has_bodies) {
  const Islands& islands = task.sweeps.islands();
  islands.copy_impulses(task.problem, task.impulses, task.island, best_);
  task.report = judged(task, {});
  if (!has_bodies || !path_.prepare(task.problem, task.scales(), task.contacts, task.problem.free_velocity,
                                    path_cost(islands.scalars(task.island)))) {
    return;
  }
  const auto take = [&](const SolveReport& found) {
    task.iterations += found.iterations;
    if (found.status == SolveStatus::converged) task.report = found;
    return found.status == SolveStatus::converged;
  };
  SolveOptions further = task.at_most(task.left());
  further.tolerance *= kFurther;
  if (take(judged(task, path_.solve(task.scales(), task.impulses, further, PathEffort::one_way)))) return;
  const bool exacting = task.options.tolerance <= kExacting;  // rounding often keeps held paths from that
  if (exacting && take(judged(task, path_.solve(task.scales(), task.impulses, task.at_most(task.left()))))) return;
  islands.return_impulses(task.problem, best_, task.island, task.impulses);
  if (exacting || !focused_.prepare(task.problem, task.contacts)) return;
  for (int round = 0; round < kMostHeldRounds && task.left() > 0; ++round) {
    const double phi = kHeldParts[round % std::size(kHeldParts)];
    const SolveReport held = path_.solve_held(task.scales(), task.impulses, task.at_most(task.left()), phi);
    SolveReport found = judged(task, held);
    if (held.status != SolveStatus::converged) found.status = SolveStatus::iteration_limit;
    if (take(found)) return;
    SolveOptions between = task.at_most(kSweepsBetween);
    between.tolerance *= kPartBetween;
    between.accept_guess = true;
    const SolveReport swept = focused_.solve(task.problem, task.scales(), task.impulses, between);
    if (take(judged(task, swept))) islands.copy_impulses(task.problem, task.impulses, task.island, best_);
  }
  islands.return_impulses(task.problem, best_, task.island, task.impulses);
}

void IslandSolver::approach(Task& task) {
  keep_the_better(task, judged(task, path_.approach(task.scales(), task.impulses, task.at_most(kProximalSteps))));
}

// In large islands that rest but for a few contacts. True if it has been looked for a path, and there is none.
bool IslandSolver::repair(Task& task) {
  const Islands& islands = task.sweeps.islands();
  task.report = repairs_.solve(task.sweeps, task.problem, task.island, task.impulses, task.options);
  task.iterations = task.report.iterations;
  if (!task.goes_on()) return false;
  islands.copy_impulses(task.problem, task.impulses, task.island, best_);
  if (!repairs_.few_were_wrong() || islands.scalars(task.island) <= kMostPathScalars) return false;
  if (path_.prepare(task.problem, task.scales(), task.contacts, task.problem.free_velocity, PathCost::cheap)) {
    return false;
  }
  if (focused_.prepare(task.problem, task.contacts)) focus(task, kFirstFocusedSweeps);
  return true;
}

// Of large islands where all else creeps.
void IslandSolver::take_the_dear_path(Task& task) {
  if (!path_.prepare(task.problem, task.scales(), task.contacts, task.problem.free_velocity, PathCost::bearable))
    return;
  try_path(task);
  if (task.goes_on()) focus(task, kFirstFocusedSweeps);
  if (task.goes_on()) approach(task);
}

void IslandSolver::focus(Task& task, int limit) {
  SolveOptions options = task.at_most(limit);
  options.accept_guess = true;  // there have been sweeps before
  keep_the_better(task, judged(task, focused_.solve(task.problem, task.scales(), task.impulses, options)));
}

// The direct solvers want a problem of their own.
void IslandSolver::copy_part(const Task& task) {
  if (part_is_known_) return;
  part_is_known_ = true;
  part_is_copied_ = task.sweeps.islands().count() > 1;
  if (part_is_copied_) task.sweeps.islands().copy_problem(task.problem, task.island, part_);
}

template <class Solver>
void IslandSolver::solve_directly(Task& task, Solver& solver, int limit, bool from_zero) {
  part_impulses_ = best_;
  if (from_zero) part_impulses_.setZero();
  solve_from_start(task, solver, limit);
}

// From part_impulses_.
template <class Solver>
void IslandSolver::solve_from_start(Task& task, Solver& solver, int limit) {
  copy_part(task);
  SolveReport found = solver.solve(part_of(task), part_impulses_, task.at_most(limit));
  if (found.worst_contact >= 0) found.worst_contact = task.contacts[found.worst_contact];
  task.sweeps.islands().return_impulses(task.problem, part_impulses_, task.island, task.impulses);
  keep_the_better(task, found);
}

// Where friction is large, small problems may have a solution that cannot be seen from zero, nor from what sweeps go
// round in: Newton starts anywhere in the cones, at the same places each time.
void IslandSolver::try_other_starts(Task& task) {
  copy_part(task);
  const ContactProblem& part = part_of(task);
  math::Random random(1);
  for (int start = 0; start < kOtherStarts && task.goes_on(); ++start) {
    part_impulses_ = best_;
    for (int contact = 0; contact < part.contacts(); ++contact) {
      const BlockLaw law = part.law(contact);
      const double* own = part.delassus.values().data() + diagonal_entry(part.delassus, contact).value_start;
      double trace = 0;
      for (int k = 0; k < law.size; ++k) trace += own[(law.size + 1) * k];
      const double usual = trace > 0 ? law.size * part.free_velocity.lpNorm<Eigen::Infinity>() / trace : 0;
      double* impulse = part_impulses_.data() + part.block_offset(contact);
      for (int k = 0; k < law.size; ++k) impulse[k] = usual * (k == 0 ? random.uniform() : random.normal());
      put_into_law(law, impulse);
    }
    solve_from_start(task, newton_, kFewNewtonSteps);
  }
}

void IslandSolver::enumerate(Task& task) {
  copy_part(task);
  if (!can_enumerate(part_of(task))) return;
  part_impulses_ = best_;
  SolveReport found{SolveStatus::iteration_limit, 1, task.report.residual, task.report.worst_contact};
  if (solve_by_enumeration(part_of(task), part_impulses_, task.options.tolerance)) {
    const Residual now = residual(part_of(task), part_impulses_);
    found = {SolveStatus::converged, 1, now.value, now.worst_contact < 0 ? -1 : task.contacts[now.worst_contact]};
    task.sweeps.islands().return_impulses(task.problem, part_impulses_, task.island, task.impulses);
  }
  keep_the_better(task, found);
}

SolveReport IslandSolver::solve(NonsmoothGaussSeidel& sweeps, const ContactProblem& problem, int island,
                                linalg::ReusableVector& impulses, const SolveOptions& options) {
  const std::span<const int> contacts = sweeps.islands().contacts(island);
  const int scalars = sweeps.islands().scalars(island);
  const bool all_slide =
      std::all_of(contacts.begin(), contacts.end(), [&](int contact) { return is_sliding_contact(problem, contact); });
  const bool has_bodies = problem.bodies != nullptr && all_slide && scalars > kScalarsOfABox;
  const bool large = scalars > kManyScalars;
  part_is_known_ = false;
  // Most problems of a time step end here.
  const bool exacting = options.tolerance < kExacting;
  int longest_stretch = kLongestFirstStretch;
  if (has_bodies) longest_stretch = large ? kShortestStretch : kLongestStretchOnBodies;
  Task task{sweeps, problem, island, impulses, options, contacts, {}};
  if (options.inside) {
    solve_inside(task, has_bodies);
    return task.reported();
  }
  task.report.residual = std::numeric_limits<double>::quiet_NaN();  // whatever comes first is better
  bool has_no_path = false;
  if (has_bodies && large && !exacting) {
    has_no_path = repair(task);
    if (!task.goes_on()) return task.reported();
  }
  const int first_stretch =
      has_bodies && !exacting ? kStretchOnBodies : std::clamp(scalars, kShortestStretch, longest_stretch);
  const SolveReport swept = sweeps.solve_island(problem, island, impulses, task.at_most(task.left()), workspace_,
                                                Sweeps::accelerated, {first_stretch, kDecentReduction, kStretches});
  keep_the_better(task, swept);
  if (!task.goes_on()) return task.reported();

  const bool on_bodies = has_bodies && focused_.prepare(problem, contacts);
  const bool may_use_newton = scalars <= kMostNewtonScalars && !(on_bodies && large);
  const int some_newton_steps = scalars <= kHandfulOfScalars ? kFewNewtonSteps : kSomeNewtonSteps;
  const bool newton_first = may_use_newton && (!on_bodies || exacting);
  if (newton_first) solve_directly(task, newton_, some_newton_steps);
  if (task.goes_on() && on_bodies) {
    const bool has_path =
        !has_no_path && path_.prepare(problem, sweeps.scales(), contacts, problem.free_velocity, path_cost(scalars));
    if (has_path && !large) follow_path(task);
    if (has_path && large) try_path(task);
    if (large && task.goes_on()) focus(task, kFirstFocusedSweeps);
    if (task.goes_on() && has_path && scalars > kHandfulOfScalars) approach(task);
    if (task.goes_on() && !has_path) take_the_dear_path(task);
  }
  if (task.goes_on() && may_use_newton && !newton_first) solve_directly(task, newton_, some_newton_steps);
  if (task.goes_on() && on_bodies) {
    focus(task, scalars <= kMostInteriorPointScalars ? kMoreFocusedSweeps : task.left());
  }
  if (task.goes_on() && !may_use_newton) sweep(task, task.left());
  if (task.goes_on() && all_slide && scalars <= kMostInteriorPointScalars) {
    solve_directly(task, interior_point_, interior_point_steps(scalars));
  }
  if (task.goes_on()) solve_directly(task, newton_, newton_steps(scalars), true);
  if (task.goes_on() && all_slide) enumerate(task);
  const bool rubs_hard =
      std::any_of(contacts.begin(), contacts.end(), [&](int contact) { return problem.friction[contact].sliding > 1; });
  if (task.goes_on() && rubs_hard && scalars <= kHandfulOfScalars) try_other_starts(task);
  for (int stretch = kStretches * first_stretch; task.goes_on();
       stretch = std::min(stretch, task.left()) * kStretchGrowth) {
    solve_directly(task, newton_, newton_steps(scalars));
    if (task.goes_on()) sweep(task, stretch);
  }
  return task.reported();
}

}  // namespace ricochet::cone
