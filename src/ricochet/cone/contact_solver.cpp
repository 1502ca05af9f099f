#include "ricochet/cone/contact_solver.hpp"

#include <algorithm>

#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/status_enumeration.hpp"

namespace ricochet::cone {

namespace {

constexpr int kMostDenseScalars = 300;
constexpr int kShortestStretch = 50;
constexpr int kStretches = 4;
constexpr double kDecentReduction = 0.1;  // of the residual in one stretch
constexpr int kStretchGrowth = 4;         // of the stretches after Newton has failed
constexpr int kMostNewtonSteps = 200;

// A Newton step costs the cube of the size: large problems get fewer of them.
int newton_steps(int scalars) { return std::clamp(12'000 / std::max(scalars, 1), 40, kMostNewtonSteps); }

}  // namespace

SolveReport ContactSolver::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                 const SolveOptions& options) {
  const int scalars = problem.delassus.scalar_rows();
  if (options.kind == SolverKind::gauss_seidel || scalars > kMostDenseScalars) {
    return gauss_seidel_.solve(problem, impulses, options);
  }
  const int first_stretch = std::max(kShortestStretch, scalars);
  SolveReport report;
  int iterations = 0;
  const auto left = [&] { return options.max_iterations - iterations; };
  const auto go_on = [&] { return report.status != SolveStatus::converged && left() > 0; };
  const auto run = [&](auto& solver, int limit) {
    SolveOptions some = options;
    some.max_iterations = std::min(limit, left());
    report = solver.solve(problem, impulses, some);
    iterations += report.iterations;
  };

  run(gauss_seidel_, first_stretch);
  for (int stretch = 1; stretch < kStretches && go_on(); ++stretch) {
    const double before = report.residual;
    run(gauss_seidel_, first_stretch);
    if (!(report.residual <= kDecentReduction * before)) break;
  }

  bool first_failure = true;
  for (int stretch = kStretches * first_stretch; go_on(); stretch = std::min(stretch, left()) * kStretchGrowth) {
    // The best point of all is kept aside: Gauss-Seidel on its way to a solution may have to pass worse ones, and so
    // may Newton from zero.
    run(newton_, newton_steps(scalars));
    SolveReport best = report;
    best_ = impulses;
    const auto keep_the_better = [&] {
      if (!(report.residual <= best.residual)) {
        report = best;
        impulses = best_;
      }
    };
    if (first_failure && go_on()) {
      first_failure = false;
      impulses.setZero();
      run(newton_, newton_steps(scalars));
      keep_the_better();
      if (go_on() && can_enumerate(problem)) {
        ++iterations;
        if (solve_by_enumeration(problem, impulses, options.tolerance)) {
          const Residual found = residual(problem, impulses);
          report = {SolveStatus::converged, iterations, found.value, found.worst_contact};
        }
      }
      best = report;
      best_ = impulses;
    }
    if (go_on()) {
      run(gauss_seidel_, stretch);
      keep_the_better();
    }
  }
  report.iterations = iterations;
  return report;
}

}  // namespace ricochet::cone
