#include "ricochet/cone/lemke_contact_solver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ricochet/cone/first_guess.hpp"
#include "ricochet/cone/lcp_enumeration.hpp"
#include "ricochet/cone/lemke.hpp"
#include "ricochet/cone/planar_friction_lcp.hpp"
#include "ricochet/cone/planar_uniqueness.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {

namespace {

constexpr int kLargestPlanarLcp = 900;  // rows: 300 contacts with friction, about a second
constexpr int kCoverings = 12;
constexpr double kDistinctImpulses = 1e-8;  // relative distance of two solutions

// Of the island that has most.
int planar_lcp_rows(const ContactProblem& problem) {
  Islands islands;
  islands.find(problem.delassus);
  int most = 0;
  for (int island = 0; island < islands.count(); ++island) {
    int rows = 0;
    for (const int i : islands.contacts(island)) {
      rows += problem.block_size(i) == 2 && problem.friction[i].sliding > 0 ? 3 : 1;
    }
    most = std::max(most, rows);
  }
  return most;
}

// Weights of the artificial unknown, see the header: at first equal, then between 1/8 and 8 without regularity.
VectorX covering_vector(int attempt, int size) {
  VectorX covering(size);
  constexpr double golden_ratio = 0.6180339887498949;
  for (int i = 0; i < size; ++i) {
    const double turns = golden_ratio * (i + 1) * attempt;
    covering[i] = attempt == 0 ? 1 : std::exp2(6 * (turns - std::floor(turns)) - 3);
  }
  return covering;
}

// One more path, with the next covering vector: does it end elsewhere?
void look_for_others_by_path(const ContactProblem& problem, const PlanarFrictionLcp& lcp, const ResidualScales& scales,
                             const linalg::ReusableVector& impulses, int attempt, const SolveOptions& options,
                             SolveReport& report) {
  report.search = SolutionSearch::some;
  report.solutions = 1;
  LemkeOptions lemke;
  lemke.covering = covering_vector(attempt, lcp.problem().size());
  linalg::ReusableVector other;
  lcp.impulses(solve_lemke(lcp.problem(), lemke).z, other);
  const double reached = residual(problem, scales, other).value;
  if (!(reached <= options.tolerance) || !credible(problem, scales, other, reached)) return;
  if (same_velocities(lcp.dense(), impulses, other)) return;
  report.solutions = 2;
  report.second = compare_velocities(problem, impulses, other);
  report.remark = SolveRemark::several_solutions;
}

// One island, as if it were alone.
SolveReport solve_island_by_lemke(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                  const SolveOptions& options, ComplementarityReport& complementarity) {
  ResidualScales scales;
  scales.prepare(problem);
  const bool closing = admit_first_guess(problem, impulses);
  const Residual first = residual(problem, scales, impulses);
  SolveReport report{SolveStatus::iteration_limit, 0, first.value, first.worst_contact};
  const PlanarFrictionLcp lcp(problem);
  const auto solved = [&] { return report.residual <= options.tolerance; };
  linalg::ReusableVector candidate;
  int attempt = 0;
  for (; closing && !solved() && attempt < kCoverings; ++attempt) {
    if (report.iterations >= options.max_iterations) break;
    LemkeOptions lemke;
    lemke.covering = covering_vector(attempt, lcp.problem().size());
    lemke.pivot_limit = std::min(100 + 50 * lcp.problem().size(), options.max_iterations - report.iterations);
    const LemkeResult found = solve_lemke(lcp.problem(), lemke);
    report.iterations += found.report.pivots;
    lcp.impulses(found.z, candidate);
    const Residual now = residual(problem, scales, candidate);
    const bool better = now.value < report.residual && credible(problem, scales, candidate, now.value);
    if (attempt == 0 || better) complementarity = found.report;
    complementarity.infeasible = complementarity.infeasible || found.report.infeasible;
    if (better) {
      report.residual = now.value;
      report.worst_contact = now.worst_contact;
      impulses = candidate;
    }
    if (complementarity.infeasible) break;
  }
  complementarity.pivots = report.iterations;
  if (solved()) {
    report.status = SolveStatus::converged;
    if (report.iterations == 0) complementarity.status = ComplementarityStatus::solved;
    if (!look_for_others(problem, impulses, options.tolerance, report)) {
      look_for_others_by_path(problem, lcp, scales, impulses, attempt, options, report);
    }
  }
  if (!solved() && complementarity.infeasible) {
    report.remark = SolveRemark::no_solution;
  } else if (!solved() && complementarity.status == ComplementarityStatus::ray) {
    report.remark = SolveRemark::ray;
  }
  return report;
}

}  // namespace

std::string objection_to_lemke(const ContactProblem& problem) {
  for (int i = 0; i < problem.contacts(); ++i) {
    if (problem.is_bilateral(i)) return fmt::format("takes no bilateral blocks, but contact {} is one", i);
    if (problem.block_size(i) > 2) {
      return fmt::format(
          "takes planar and frictionless contacts only (blocks of size 1 and 2), but contact {} has size {}", i,
          problem.block_size(i));
    }
  }
  const int rows = planar_lcp_rows(problem);
  if (rows <= kLargestPlanarLcp) return {};
  return fmt::format("needs a dense matrix of contacts that feel each other: at most {} rows, but there are {}",
                     kLargestPlanarLcp, rows);
}

SolveReport LemkeContactSolver::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                      const SolveOptions& options) {
  validate(problem);
  if (const std::string objection = objection_to_lemke(problem); !objection.empty()) {
    throw std::invalid_argument("lemke " + objection);
  }
  if (impulses.size() != problem.delassus.scalar_rows()) impulses.setZero(problem.delassus.scalar_rows());
  scales_.prepare(problem);
  const Islands& islands = scales_.islands();
  complementarity_.assign(islands.count(), {});
  SolveReport all;
  ContactProblem part;
  linalg::ReusableVector part_impulses;
  for (int island = 0; island < islands.count(); ++island) {
    islands.copy_problem(problem, island, part);
    islands.copy_impulses(problem, impulses, island, part_impulses);
    SolveReport report = solve_island_by_lemke(part, part_impulses, options, complementarity_[island]);
    renumber(report, [&](int contact) { return islands.contacts(island)[contact]; });
    islands.return_impulses(problem, part_impulses, island, impulses);
    add_island(report, all);
  }
  return all;
}

PlanarSolutions all_planar_solutions(const ContactProblem& problem, double tolerance) {
  validate(problem);
  ResidualScales scales;
  scales.prepare(problem);
  const PlanarFrictionLcp lcp(problem);
  const EnumerationResult found = enumerate_solutions(lcp.problem());
  PlanarSolutions all{{}, found.complete};
  for (const VectorX& z : found.solutions) {
    PlanarSolution solution;
    lcp.impulses(z, solution.impulses);
    solution.residual = residual(problem, scales, solution.impulses).value;
    if (!(solution.residual <= tolerance) || !credible(problem, scales, solution.impulses, solution.residual)) {
      continue;
    }
    // In units in which impulses of different contacts compare; slip that z leaves open makes equal ones.
    const VectorX x = solution.impulses.cwiseQuotient(lcp.dense().scale);
    const bool known = std::any_of(all.solutions.begin(), all.solutions.end(), [&](const PlanarSolution& other) {
      const VectorX y = other.impulses.cwiseQuotient(lcp.dense().scale);
      return (x - y).norm() <= kDistinctImpulses * std::max(x.norm(), y.norm());
    });
    if (!known) all.solutions.push_back(solution);
  }
  return all;
}

}  // namespace ricochet::cone
