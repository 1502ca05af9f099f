#include "ricochet/cone/planar_uniqueness.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/status_enumeration.hpp"

namespace ricochet::cone {

namespace {

constexpr double kAddedResponse = 0x1p-36;  // e; diagonal entries of W are about 1
constexpr double kSmallestPivot = 0x1p-44;  // far below e, far above round-off
constexpr double kLargestGain = 0x1p12;     // G
constexpr double kSame = 1e-6;              // of velocities; solutions are far more exact, and far further apart

constexpr int kMostRows = 2 * kMostContactsOfAProof;
using PieceMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostRows, kMostRows>;

// One combination of statuses: for each contact of the closed ones the columns of its unknowns, and the rows that are
// zero for them.
class Piece {
 public:
  Piece(const DenseProblem& dense, const std::vector<int>& status, double added) : added_(added) {
    columns_.resize(dense.scale.size(), 0);
    for (std::size_t i = 0; i < status.size(); ++i) {
      const DenseProblem::Block& block = dense.blocks[i];
      const int n = block.offset;
      const bool sticks = status[i] == kStickStatus && block.size == 2 && block.friction.sliding > 0;
      if (status[i] == kOpenStatus) {
        for (int k = 0; k < block.size; ++k) free_[free_count_++] = n + k;
        continue;
      }
      append(dense, n);
      if (sticks) {
        append(dense, n + 1);
      } else if (block.size == 2) {
        free_[free_count_++] = n + 1;
        const double share = status[i] == kStickStatus ? 0.0 : slip_share(status[i]) * block.friction.sliding;
        const int column = static_cast<int>(columns_.cols()) - 1;
        columns_.col(column) += share * dense.delassus.col(n + 1);
        columns_(n + 1, column) += share * added_;
      }
    }
  }

  // True if its determinant is positive and, with an e, velocities follow b by no more than the largest gain.
  bool is_orderly() const {
    const auto count = static_cast<int>(columns_.cols());
    if (count == 0) return true;
    PieceMatrix matrix(count, count), rest(free_count_, count);
    for (int i = 0; i < count; ++i) matrix.row(i) = columns_.row(held_[i]);
    for (int i = 0; i < free_count_; ++i) rest.row(i) = columns_.row(free_[i]);
    const Eigen::PartialPivLU<PieceMatrix> factors(matrix);
    const auto pivots = factors.matrixLU().diagonal();
    if (!(pivots.cwiseAbs().minCoeff() > kSmallestPivot) || !(factors.determinant() > 0)) return false;
    if (free_count_ == 0 || added_ == 0) return true;
    const PieceMatrix gain = factors.transpose().solve(rest.transpose().eval());
    return gain.cwiseAbs().colwise().sum().maxCoeff() <= kLargestGain;
  }

 private:
  void append(const DenseProblem& dense, int row) {
    const auto count = static_cast<int>(columns_.cols());
    held_[count] = row;
    columns_.conservativeResize(Eigen::NoChange, count + 1);
    columns_.col(count) = dense.delassus.col(row);
    columns_(row, count) += added_;
  }

  double added_;         // e
  PieceMatrix columns_;  // of W + e I, one for each unknown
  std::array<int, kMostRows> held_ = {}, free_ = {};
  int free_count_ = 0;
};

// With W + e I.
bool all_are_orderly(const DenseProblem& dense, double added) {
  std::vector<int> status(dense.blocks.size(), kOpenStatus);
  do {
    if (!Piece(dense, status, added).is_orderly()) return false;
  } while (next_statuses(dense, status));
  return true;
}

}  // namespace

bool proves_unique_velocities(const DenseProblem& dense) {
  if (static_cast<int>(dense.blocks.size()) > kMostContactsOfAProof) {
    throw std::invalid_argument("proves_unique_velocities: too many contacts");
  }
  return all_are_orderly(dense, 0) || all_are_orderly(dense, kAddedResponse);
}

bool same_velocities(const DenseProblem& dense, const linalg::VectorView& impulses, const linalg::VectorView& others) {
  const VectorX x = impulses.cwiseQuotient(dense.scale), z = others.cwiseQuotient(dense.scale);
  const VectorX y = dense.delassus * x + dense.free_velocity, w = dense.delassus * z + dense.free_velocity;
  return (y - w).norm() <= kSame * std::max({y.norm(), w.norm(), dense.free_velocity.norm()});
}

SecondSolution compare_velocities(const ContactProblem& problem, const linalg::VectorView& impulses,
                                  const linalg::VectorView& others) {
  linalg::ReusableVector u, w;
  contact_velocity(problem, impulses, u);
  contact_velocity(problem, others, w);
  const double round_off = 0x1p-40 * std::max(u.cwiseAbs().maxCoeff(), w.cwiseAbs().maxCoeff());
  const auto clean = [&](double velocity) { return std::abs(velocity) <= round_off ? 0.0 : velocity; };
  SecondSolution second;
  double largest = -1;
  for (int i = 0; i < problem.contacts(); ++i) {
    const int offset = problem.block_offset(i), size = problem.block_size(i);
    const double difference = (u.segment(offset, size) - w.segment(offset, size)).norm();
    if (!(difference > largest)) continue;
    largest = difference;
    second = {i,
              {clean(u[offset]), size > 1 ? clean(u[offset + 1]) : 0.0},
              {clean(w[offset]), size > 1 ? clean(w[offset + 1]) : 0.0}};
  }
  return second;
}

bool look_for_others(const ContactProblem& problem, const linalg::VectorView& impulses, double tolerance,
                     SolveReport& report) {
  if (problem.contacts() > kMostContactsOfAProof) return false;
  report.search = SolutionSearch::all;
  report.solutions = 1;
  DenseProblem dense;
  assemble_dense(problem, dense);
  if (proves_unique_velocities(dense)) return true;
  for (const linalg::ReusableVector& other : solutions_by_status(problem, impulses, tolerance)) {
    if (same_velocities(dense, impulses, other)) continue;
    if (report.solutions == 1) report.second = compare_velocities(problem, impulses, other);
    ++report.solutions;
  }
  if (report.solutions > 1) report.remark = SolveRemark::several_solutions;
  return true;
}

}  // namespace ricochet::cone
