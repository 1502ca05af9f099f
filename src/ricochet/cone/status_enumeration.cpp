#include "ricochet/cone/status_enumeration.hpp"

#include <Eigen/QR>
#include <limits>
#include <stdexcept>
#include <vector>

#include "ricochet/cone/dense_problem.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {

namespace {

constexpr int kMostContacts = 6;

enum : int { kOpen, kStick, kSlipForward, kSlipBackward };  // forward: x_T = mu x_N

int statuses(const DenseProblem::Block& block) {
  return block.friction.sliding == 0 ? 2 : 4;  // without friction only open and closed
}

// The rows of A x = c that a contact contributes.
void write_rows(const DenseProblem& dense, const DenseProblem::Block& block, int status, MatrixX& a, VectorX& c) {
  const int n = block.offset;
  auto rows = a.middleRows(n, block.size);
  rows.setZero();
  c.segment(n, block.size).setZero();
  if (status == kOpen) {
    rows.middleCols(n, block.size).setIdentity();
    return;
  }
  a.row(n) = dense.delassus.row(n);
  c[n] = -dense.free_velocity[n];
  if (block.size == 1) return;
  if (status == kStick && block.friction.sliding > 0) {
    a.row(n + 1) = dense.delassus.row(n + 1);
    c[n + 1] = -dense.free_velocity[n + 1];
  } else {
    a(n + 1, n + 1) = 1;
    a(n + 1, n) = status == kSlipForward ? -block.friction.sliding : block.friction.sliding;
  }
}

}  // namespace

bool can_enumerate(const ContactProblem& problem) {
  if (problem.contacts() > kMostContacts) return false;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (problem.block_size(i) > 2 || problem.is_bilateral(i)) return false;
  }
  return true;
}

bool solve_by_enumeration(const ContactProblem& problem, linalg::ReusableVector& impulses, double tolerance) {
  if (!can_enumerate(problem)) {
    throw std::invalid_argument("solve_by_enumeration: more than 6 contacts, or a spatial one");
  }
  ResidualScales scales;
  scales.prepare(problem);
  DenseProblem dense;
  assemble_dense(problem, dense);
  const int scalars = static_cast<int>(dense.scale.size());
  const VectorX reference = impulses.cwiseQuotient(dense.scale);
  MatrixX a(scalars, scalars);
  VectorX c(scalars), x(scalars), y(scalars);
  linalg::ReusableVector candidate;
  double nearest = std::numeric_limits<double>::infinity();
  std::vector<int> status(dense.blocks.size(), kOpen);
  for (bool more = true; more;) {
    for (std::size_t i = 0; i < status.size(); ++i) write_rows(dense, dense.blocks[i], status[i], a, c);
    const Eigen::CompleteOrthogonalDecomposition<MatrixX> decomposition(a);
    // The smallest correction of the reference; the second one removes the round-off of the first.
    x = reference;
    for (int repeat = 0; repeat < 2; ++repeat) x += decomposition.solve(c - a * x);
    const double distance = (x - reference).norm();
    if (distance < nearest) {
      y = dense.delassus * x + dense.free_velocity;
      snapped_impulses(dense, x, y, candidate);
      const double now = residual(problem, scales, candidate).value;
      if (now <= tolerance && credible(problem, scales, candidate, now)) {
        nearest = distance;
        impulses = candidate;
      }
    }
    std::size_t digit = 0;  // counts up in the mixed base of the statuses
    while (digit < status.size() && ++status[digit] == statuses(dense.blocks[digit])) status[digit++] = kOpen;
    more = digit < status.size();
  }
  return nearest < std::numeric_limits<double>::infinity();
}

}  // namespace ricochet::cone
