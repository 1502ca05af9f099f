#include "ricochet/integrate/joint_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet::integrate {

namespace {

constexpr int kMostPositionSteps = 20;

double energy(const mechanics::Equations& equations, const mechanics::State& state) {
  return equations.kinetic_energy(state.v) + equations.potential_energy(state);
}

}  // namespace

JointProjection::Result JointProjection::project(const mechanics::Equations& equations, mechanics::State& state) {
  Result result;
  const mechanics::JointSet& joints = equations.joints();
  if (joints.rows() == 0) return result;
  if (!matrix_) matrix_ = equations.make_effective_mass();
  const double before = energy(equations, state);
  double last = std::numeric_limits<double>::infinity();
  for (; result.iterations < kMostPositionSteps; ++result.iterations) {
    joints.values(state, right_);
    result.error = right_.lpNorm<Eigen::Infinity>();
    // Until nothing is gained any more: the rest is rounding of the positions.
    if (result.error == 0 || !(result.error < 0.5 * last)) break;
    last = result.error;
    joints.gradients(state, rows_);
    equations.assemble(state, 0, 0, rows_, *matrix_);
    change_.setZero(equations.map().v_total());
    right_ = -right_;
    matrix_->solve_with_rows(change_, right_);
    result.moved += std::sqrt(equations.mass_norm_squared(change_));
    mechanics::advance(equations.map(), state.q, change_, 1, moved_);
    state.q.swap(moved_);
  }
  joints.update_coordinates(state);
  result.velocity = project_velocity(equations, state).velocity;
  result.energy = energy(equations, state) - before;
  return result;
}

JointProjection::Result JointProjection::project_velocity(const mechanics::Equations& equations,
                                                          mechanics::State& state) {
  Result result;
  const mechanics::JointSet& joints = equations.joints();
  if (joints.rows() == 0) return result;
  if (!matrix_) matrix_ = equations.make_effective_mass();
  const double before = equations.kinetic_energy(state.v);
  joints.gradients(state, rows_);
  equations.assemble(state, 0, 0, rows_, *matrix_);
  joints.rates(state.time, right_);
  rows_.multiply_add(state.v, right_);
  right_ = -right_;
  change_.setZero(equations.map().v_total());
  matrix_->solve_with_rows(change_, right_);
  state.v += change_;
  result.velocity = std::sqrt(equations.mass_norm_squared(change_));
  result.energy = equations.kinetic_energy(state.v) - before;
  return result;
}

}  // namespace ricochet::integrate
