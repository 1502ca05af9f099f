#include "ricochet/integrate/joint_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ricochet::integrate {

namespace {

constexpr int kMostPositionSteps = 20;

double energy(const mechanics::Equations& equations, const mechanics::State& state) {
  return equations.kinetic_energy(state.v) + equations.potential_energy(state);
}

// Of the rows of joints: the largest that are lengths (m), and the largest that are angles (rad).
std::pair<double, double> largest(const mechanics::JointSet& joints, const VectorX& rows) {
  double length = 0, angle = 0;
  for (int i = 0; i < joints.joints(); ++i) {
    for (int k = 0; k < joints.joint(i).rows(); ++k) {
      double& of_unit = joints.joint(i).unit(k) == mechanics::JointUnit::angle ? angle : length;
      of_unit = std::max(of_unit, std::abs(rows[joints.row_start(i) + k]));
    }
  }
  return {length, angle};
}

}  // namespace

void JointProjection::solve(const mechanics::Equations& equations, const mechanics::State& state,
                            const linalg::BlockSparseMatrix& held) {
  equations.joints().gradients(state, rows_);
  rows_.append_rows(held);
  equations.assemble(state, 0, 0, rows_, *matrix_);
  change_.setZero(equations.map().v_total());
  all_right_.setZero(rows_.scalar_rows());
  all_right_.head(right_.size()) = right_;
  matrix_->solve_with_rows(change_, all_right_);
}

JointProjection::Result JointProjection::project(const mechanics::Equations& equations, mechanics::State& state,
                                                 const linalg::BlockSparseMatrix& held) {
  Result result;
  const mechanics::JointSet& joints = equations.joints();
  if (joints.rows() == 0) return result;
  if (!matrix_) matrix_ = equations.make_effective_mass();
  const double before = energy(equations, state);
  double length = std::numeric_limits<double>::infinity(), angle = length;
  for (; result.iterations < kMostPositionSteps; ++result.iterations) {
    joints.values(state, right_);
    result.error = right_.lpNorm<Eigen::Infinity>();
    // Until nothing is gained any more: the rest is rounding of the positions.
    // Lengths and angles are not compared with each other: what is small would depend on the unit.
    const auto [length_now, angle_now] = largest(joints, right_);
    if (!(length_now < 0.5 * length) && !(angle_now < 0.5 * angle)) break;
    length = length_now;
    angle = angle_now;
    if (result.error == 0) break;
    right_ = -right_;
    solve(equations, state, held);
    result.moved += std::sqrt(equations.mass_norm_squared(change_));
    mechanics::advance(equations.map(), state.q, change_, 1, moved_);
    state.q.swap(moved_);
  }
  joints.update_coordinates(state);
  const Result velocities = project_velocity(equations, state, held);
  result.velocity = velocities.velocity;
  result.drivers = velocities.drivers;
  result.energy = energy(equations, state) - before;
  return result;
}

JointProjection::Result JointProjection::project_velocity(const mechanics::Equations& equations,
                                                          mechanics::State& state,
                                                          const linalg::BlockSparseMatrix& held) {
  Result result;
  const mechanics::JointSet& joints = equations.joints();
  if (joints.rows() == 0) return result;
  if (!matrix_) matrix_ = equations.make_effective_mass();
  const double before = equations.kinetic_energy(state.v);
  joints.gradients(state, rows_);
  joints.rates(state.time, rates_);
  right_ = rates_;
  rows_.multiply_add(state.v, right_);
  right_ = -right_;
  solve(equations, state, held);
  impulses_ = all_right_.head(joints.rows());
  result.drivers = -impulses_.dot(rates_);
  state.v += change_;
  result.velocity = std::sqrt(equations.mass_norm_squared(change_));
  result.energy = equations.kinetic_energy(state.v) - before;
  return result;
}

}  // namespace ricochet::integrate
