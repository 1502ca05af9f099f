#include "ricochet/cone/status_enumeration.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ricochet/cone/first_guess.hpp"
#include "ricochet/cone/planar_uniqueness.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/solve_by_islands.hpp"

namespace ricochet::cone {

namespace {

int statuses(const DenseProblem::Block& block) {
  return block.size == 1 || block.friction.sliding == 0 ? 2 : 4;  // without friction only open and closed
}

// The rows of A x = c that a contact contributes.
void write_rows(const DenseProblem& dense, const DenseProblem::Block& block, int status, MatrixX& a, VectorX& c) {
  const int n = block.offset;
  auto rows = a.middleRows(n, block.size);
  rows.setZero();
  c.segment(n, block.size).setZero();
  if (status == kOpenStatus) {
    rows.middleCols(n, block.size).setIdentity();
    return;
  }
  a.row(n) = dense.delassus.row(n);
  c[n] = -dense.free_velocity[n];
  if (block.size == 1) return;
  if (status == kStickStatus && block.friction.sliding > 0) {
    a.row(n + 1) = dense.delassus.row(n + 1);
    c[n + 1] = -dense.free_velocity[n + 1];
  } else {
    a(n + 1, n + 1) = 1;
    a(n + 1, n) = -slip_share(status) * block.friction.sliding;
  }
}

SolveReport enumerate_island(const ContactProblem& problem, linalg::ReusableVector& impulses,
                             const SolveOptions& options) {
  admit_first_guess(problem, impulses);  // zero where nothing approaches: then no impulse is the solution that is taken
  const Residual first = residual(problem, impulses);
  SolveReport report{SolveStatus::iteration_limit, 1, first.value, first.worst_contact};
  if (!can_enumerate(problem)) {
    report.remark = problem.is_planar() ? SolveRemark::too_large : SolveRemark::not_planar;
    return report;
  }
  const std::vector<linalg::ReusableVector> all = solutions_by_status(problem, impulses, options.tolerance);
  if (all.empty()) {
    report.remark = SolveRemark::no_combination;
    return report;
  }
  impulses = all.front();
  const Residual reached = residual(problem, impulses);
  report = {SolveStatus::converged, 1, reached.value, reached.worst_contact};
  report.search = SolutionSearch::all;
  report.solutions = static_cast<int>(all.size());
  if (all.size() > 1) {
    report.remark = SolveRemark::several_solutions;
    report.second = compare_velocities(problem, impulses, all[1]);
  }
  return report;
}

}  // namespace

bool next_statuses(const DenseProblem& dense, std::vector<int>& status) {
  std::size_t digit = 0;  // counts up in the mixed base of the statuses
  while (digit < status.size() && ++status[digit] == statuses(dense.blocks[digit])) status[digit++] = kOpenStatus;
  return digit < status.size();
}

bool can_enumerate(const ContactProblem& problem) {
  return problem.contacts() <= static_cast<int>(kMostEnumeratedContacts) && problem.is_planar();
}

std::vector<linalg::ReusableVector> solutions_by_status(const ContactProblem& problem, const linalg::VectorView& near,
                                                        double tolerance) {
  if (!can_enumerate(problem)) {
    throw std::invalid_argument("solutions_by_status: more than 6 contacts, or a spatial one");
  }
  struct Found {
    linalg::ReusableVector impulses;
    double distance = 0;
  };
  std::vector<Found> all;
  ResidualScales scales;
  scales.prepare(problem);
  DenseProblem dense;
  assemble_dense(problem, dense);
  const int scalars = static_cast<int>(dense.scale.size());
  const VectorX reference = near.cwiseQuotient(dense.scale);
  MatrixX a(scalars, scalars);
  VectorX c(scalars), x(scalars), y(scalars);
  linalg::ReusableVector candidate;
  std::vector<int> status(dense.blocks.size(), kOpenStatus);
  do {
    for (std::size_t i = 0; i < status.size(); ++i) write_rows(dense, dense.blocks[i], status[i], a, c);
    const Eigen::CompleteOrthogonalDecomposition<MatrixX> decomposition(a);
    // The smallest correction of the reference; the second one removes the round-off of the first.
    x = reference;
    for (int repeat = 0; repeat < 2; ++repeat) x += decomposition.solve(c - a * x);
    y = dense.delassus * x + dense.free_velocity;
    snapped_impulses(dense, x, y, candidate);
    const double now = residual(problem, scales, candidate).value;
    if (!(now <= tolerance) || !credible(problem, scales, candidate, now)) continue;
    const double distance = (x - reference).norm();
    const auto known = std::find_if(
        all.begin(), all.end(), [&](const Found& other) { return same_velocities(dense, other.impulses, candidate); });
    if (known == all.end()) {
      all.push_back({candidate, distance});
    } else if (distance < known->distance) {
      *known = {candidate, distance};
    }
  } while (next_statuses(dense, status));
  const auto nearest = std::min_element(all.begin(), all.end(),
                                        [](const Found& one, const Found& two) { return one.distance < two.distance; });
  if (nearest != all.end()) std::rotate(all.begin(), nearest, nearest + 1);
  std::vector<linalg::ReusableVector> impulses;
  impulses.reserve(all.size());
  for (Found& each : all) impulses.push_back(std::move(each.impulses));
  return impulses;
}

bool solve_by_enumeration(const ContactProblem& problem, linalg::ReusableVector& impulses, double tolerance) {
  const std::vector<linalg::ReusableVector> all = solutions_by_status(problem, impulses, tolerance);
  if (!all.empty()) impulses = all.front();
  return !all.empty();
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): solvers are objects
SolveReport StatusEnumeration::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                     const SolveOptions& options) {
  validate(problem);
  const int scalars = problem.delassus.scalar_rows();
  if (impulses.size() != scalars) impulses.setZero(scalars);
  if (problem.contacts() == 0) return {};
  struct OneIsland {
    // NOLINTNEXTLINE(readability-convert-member-functions-to-static): solvers are objects
    SolveReport solve(const ContactProblem& island, linalg::ReusableVector& its_impulses, const SolveOptions& some) {
      return enumerate_island(island, its_impulses, some);
    }
  } one;
  return solve_by_islands(one, problem, impulses, options);
}

}  // namespace ricochet::cone
