#include "ricochet/integrate/friction_refinement.hpp"

#include <algorithm>

#include "ricochet/cone/residual.hpp"

namespace ricochet::integrate {

namespace {

constexpr double kNextToNothing = 1e-13;  // of the energy, in a step
constexpr double kALot = 100;             // times that
constexpr double kRefinement = 0.02;      // of the tolerance
constexpr int kSomeIterations = 100;
constexpr int kManyIterations = 2000;  // where it is a lot

}  // namespace

double FrictionRefinement::given(const cone::ContactProblem& problem, double theta, const linalg::VectorView& impulses,
                                 linalg::ReusableVector& velocity) {
  cone::contact_velocity(problem, impulses, velocity);
  double sum = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (problem.is_bilateral(i)) continue;
    const int tangential = std::min(problem.block_size(i), 3) - 1;
    const int start = problem.block_offset(i) + 1;
    sum += std::max(impulses.segment(start, tangential).dot(velocity.segment(start, tangential)), 0.0);
  }
  return theta * sum;
}

// The path first: it leads through the middle of the cones, where friction opposes slip all along. Where it has no end,
// or there are too few contacts for it, sweeps go on.
cone::SolveReport FrictionRefinement::solve(const cone::ContactProblem& problem, double theta, double energy,
                                            const cone::SolveOptions& options, cone::ContactSolver& solver,
                                            linalg::ReusableVector& impulses) {
  refined_ = false;
  cone::SolveReport report = solver.solve(problem, impulses, options);
  if (report.status != cone::SolveStatus::converged || options.kind != cone::SolverKind::automatic) return report;
  double least = given(problem, theta, impulses, velocity_);
  if (least > kNextToNothing * energy) scales_.prepare(problem);
  const auto improve = [&](const cone::SolveOptions& better, double bearable) {
    if (!(least > bearable * energy)) return;
    candidate_ = impulses;
    const cone::SolveReport found = solver.solve(problem, candidate_, better);
    report.iterations += found.iterations;
    const double left = given(problem, theta, candidate_, velocity_);
    if (!(found.residual <= options.tolerance && left < least)) return;
    if (!cone::credible(problem, scales_, candidate_, found.residual)) return;
    refined_ = true;
    least = left;
    report.residual = found.residual;
    report.worst_contact = found.worst_contact;
    impulses = candidate_;
  };
  cone::SolveOptions better = options;
  better.path_only = true;
  improve(better, kNextToNothing);
  better.path_only = false;
  better.accept_guess = true;
  better.tolerance *= kRefinement;
  better.max_iterations = std::min(options.max_iterations, kSomeIterations);
  improve(better, kNextToNothing);
  better.max_iterations = std::min(options.max_iterations, kManyIterations);
  improve(better, kALot * kNextToNothing);
  return report;
}

}  // namespace ricochet::integrate
