#include "ricochet/mechanics/joints/joint_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet::mechanics {

namespace {

constexpr int kMostPositionSteps = 50;
constexpr int kMostVelocitySteps = 5;
constexpr double kGoodContraction = 1e-3;     // of the error in a step, for its matrix to serve the next
constexpr double kNoMore = 0.01;              // of the rounding of positions: nothing is left to close
constexpr double kNoMatrix = 1;               // a contraction: there is none that could serve
constexpr double kShortestStep = 1.0 / 4096;  // of a step of Gauss-Newton, before it is given up
constexpr double kLongestTurn = 0.5;          // rad, of a body in one step; and half the size of the machine

double projected_energy(const Equations& equations, const State& state) {
  return equations.kinetic_energy(state) + equations.potential_energy(state);
}

// Of the rows of joints: the largest that are lengths (m), and the largest that are angles (rad).
struct LargestRows {
  double length = 0;
  double angle = 0;
  int length_row = -1, angle_row = -1;  // which they are

  int row(double size) const { return length >= size * angle ? length_row : angle_row; }

  double error(double size) const { return std::max(length, size * angle); }
  // Whether lengths or angles are half of what they were. Those that have come out far below all rounding (an axis that
  // happens to be exact squares its error at every step) need no further halving.
  bool is_halved(const LargestRows& earlier, double size) const {
    constexpr double kNothing = 1e-20;
    return (length < 0.5 * earlier.length && earlier.length > kNothing * size) ||
           (angle < 0.5 * earlier.angle && earlier.angle > kNothing);
  }
};

LargestRows largest_rows(const JointSet& joints, const VectorX& rows) {
  LargestRows largest;
  for (int row = 0; row < joints.rows(); ++row) {
    const bool is_angle = joints.unit(row) == JointUnit::angle;
    double& of_unit = is_angle ? largest.angle : largest.length;
    if (!(std::abs(rows[row]) > of_unit)) continue;
    of_unit = std::abs(rows[row]);
    (is_angle ? largest.angle_row : largest.length_row) = row;
  }
  return largest;
}

// The part of a step that turns no body too far and throws none out of the machine: 1 but for very large errors.
double safe_part(const DofMap& map, double size, const VectorX& change) {
  double largest = 0;  // in the largest allowed
  for (int node = 0; node < map.nodes(); ++node) {
    if (map.is_generalised(node)) continue;  // has no joints
    const int start = map.v_start(node);
    largest = std::max(largest, change.segment<3>(start).norm() / (0.5 * size));
    if (map.is_frame(node)) largest = std::max(largest, change.segment<3>(start + 3).norm() / kLongestTurn);
  }
  return largest > 1 ? 1 / largest : 1;
}

}  // namespace

double position_rounding(const Equations& equations, const State& state) {
  constexpr double kOfSize = 1e-12;
  constexpr double kOfPosition = 64 * std::numeric_limits<double>::epsilon();
  double farthest = 0;
  for (int node = 0; node < equations.map().nodes(); ++node) {
    if (equations.map().is_generalised(node)) continue;
    farthest = std::max(farthest, position(equations.map(), state, node).lpNorm<Eigen::Infinity>());
  }
  return kOfSize * equations.size() + kOfPosition * farthest;
}

void JointProjection::factorise(const Equations& equations, const State& state, const linalg::BlockSparseMatrix& held) {
  if (!matrix_) matrix_ = equations.make_effective_mass();
  equations.joints().gradients(state, rows_);
  rows_.append_rows(held);
  equations.assemble(state, 0, 0, rows_, *matrix_);
}

void JointProjection::solve(const Equations& equations) {
  change_.setZero(equations.map().v_total());
  all_right_.setZero(rows_.scalar_rows());
  all_right_.head(right_.size()) = right_;
  matrix_->solve_with_rows(change_, all_right_);
}

JointProjection::Result JointProjection::project(const Equations& equations, State& state,
                                                 const linalg::BlockSparseMatrix& held) {
  if (equations.joints().rows() == 0) return {};
  const double before = projected_energy(equations, state);
  contraction_ = kNoMatrix;
  Result result = close(equations, state, held, Care::quickly);
  if (!result.closed && held.rows() > 0) {  // joints come first
    contraction_ = kNoMatrix;
    result = close(equations, state, no_rows(), Care::quickly);
    contraction_ = kNoMatrix;
  }
  const Result velocities = project_velocity(equations, state, held);
  result.velocity = velocities.velocity;
  result.drivers = velocities.drivers;
  result.energy = projected_energy(equations, state) - before;
  return result;
}

JointProjection::Result JointProjection::project_position(const Equations& equations, State& state,
                                                          const linalg::BlockSparseMatrix& held) {
  const Result result = close(equations, state, held, Care::to_the_last_bit);
  contraction_ = kNoMatrix;
  return result;
}

JointProjection::Result JointProjection::close_again(const Equations& equations, State& state, bool first) {
  if (first) contraction_ = kNoMatrix;
  return close(equations, state, no_rows(), Care::quickly);
}

JointProjection::Result JointProjection::close(const Equations& equations, State& state,
                                               const linalg::BlockSparseMatrix& held, Care care) {
  Result result;
  const JointSet& joints = equations.joints();
  if (joints.rows() == 0) return result;
  const double size = equations.size(), rounding = position_rounding(equations, state);
  const bool quickly = care == Care::quickly;
  const double enough = quickly ? kNoMore * rounding : 0;
  joints.values(state, right_);
  LargestRows now = largest_rows(joints, right_);
  result.error_before = now.error(size);
  int worst_row = now.row(size);
  while (result.iterations < kMostPositionSteps && now.error(size) > enough) {
    right_ = -right_;
    if (!quickly || contraction_ > kGoodContraction) factorise(equations, state, held);
    solve(equations);
    LargestRows next;
    const auto shrinks = [&](double part) {
      advance(equations.map(), state.q, change_, part, moved_);
      state.q.swap(moved_);
      joints.values(state, right_);
      next = largest_rows(joints, right_);
      if (next.error(size) <= std::max((1 - 0.1 * part) * now.error(size), rounding)) return true;
      state.q.swap(moved_);
      return false;
    };
    double part = safe_part(equations.map(), size, change_);
    while (part >= kShortestStep && !shrinks(part)) part *= 0.5;
    if (part < kShortestStep) break;
    ++result.iterations;
    result.moved += part * std::sqrt(equations.mass_norm_squared(state, change_));
    // Until nothing is gained any more: the rest is rounding of the positions.
    const bool gains = next.is_halved(now, size);
    contraction_ = next.error(size) / now.error(size);
    now = next;
    if (!gains && now.error(size) <= rounding) break;
  }
  joints.update_coordinates(state);
  result.error = now.error(size);
  if (result.error > rounding) worst_row = now.row(size);
  if (worst_row >= 0) result.worst_joint = joints.owner(worst_row);
  result.closed = result.error <= rounding;
  return result;
}

JointProjection::Result JointProjection::project_velocity(const Equations& equations, State& state,
                                                          const linalg::BlockSparseMatrix& held) {
  Result result;
  const JointSet& joints = equations.joints();
  if (joints.rows() == 0) return result;
  const double before = equations.kinetic_energy(state);
  const bool exact = contraction_ > kGoodContraction;
  if (exact) factorise(equations, state, held);
  contraction_ = kNoMatrix;
  joints.gradients(state, joint_rows_);
  joints.rates(state.time, rates_);
  impulses_.setZero(joints.rows());
  const double rounding =
      std::numeric_limits<double>::epsilon() * std::sqrt(equations.mass_norm_squared(state, state.v));
  const auto find_rest = [&] {  // of the velocities along the rows, m/s
    right_ = rates_;
    joint_rows_.multiply_add(state.v, right_);
    right_ = -right_;
    return largest_rows(joints, right_).error(equations.size());
  };
  double rest = find_rest();
  for (int pass = 0; pass < kMostVelocitySteps; ++pass) {
    solve(equations);
    impulses_ += all_right_.head(joints.rows());
    state.v += change_;
    const double change = std::sqrt(equations.mass_norm_squared(state, change_));
    result.velocity += change;
    if (exact) break;
    const double last = rest;
    rest = find_rest();
    if (rest * change <= rounding * last) break;  // as the rest shrinks, so does the next change
  }
  result.drivers = -impulses_.dot(rates_);
  result.energy = equations.kinetic_energy(state) - before;
  return result;
}

}  // namespace ricochet::mechanics
