#include "ricochet/integrate/smooth_motion.hpp"

#include <cmath>

#include "ricochet/integrate/kinetic_norm.hpp"
#include "ricochet/mechanics/joints/redundant_rows.hpp"

namespace ricochet::integrate {

using mechanics::Dependence;
using mechanics::State;

void SmoothMotion::find_consistent_accelerations(const mechanics::Equations& equations, const State& state,
                                                 AccelerationMemory& memory) {
  if (!matrix_) matrix_ = equations.make_effective_mass();
  equations.joints().gradients(state, rows_);
  equations.assemble(state, 0, 0, rows_, *matrix_);
  assembled_step_ = 0;
  // Driven components have the acceleration of their function; the others follow.
  VectorX& driven = mean_velocity_;
  driven.setZero(equations.map().v_total());
  for (const auto& component : equations.driven_motion().components()) {
    const bool by_velocity = component.level == model::DriverLevel::velocity;
    const math::TimeFunction& function = component.function;
    driven[component.index] =
        component.factor * (by_velocity ? function.rate(state.time) : function.acceleration(state.time));
  }
  equations.multiply_mass(state, driven, momentum_);
  equations.force(state, memory.smooth);
  memory.smooth -= momentum_;
  equations.joints().accelerations(state, memory.multipliers);
  if (rows_.rows() > 0) rows_.multiply_add(driven, memory.multipliers);
  memory.multipliers = -memory.multipliers;
  matrix_->solve_with_rows(memory.smooth, memory.multipliers);
  memory.smooth += driven;
  memory.algorithmic = memory.smooth;
}

// q, v and the accelerations that belong to the v of the state.
void SmoothMotion::set_state(const mechanics::Equations& equations, const Instant& begin, double h) {
  const AccelerationMemory& before = start(begin);
  const VectorX &a0 = before.algorithmic, &vdot0 = before.smooth;
  equations.driven_motion().set_velocity(state_.time, state_.v);
  algorithmic_ = (state_.v - begin.state.v - h * (1 - alpha_.gamma) * a0) / (h * alpha_.gamma);
  acceleration_ =
      ((1 - alpha_.alpha_m) * algorithmic_ + alpha_.alpha_m * a0 - alpha_.alpha_f * vdot0) / (1 - alpha_.alpha_f);
  mean_velocity_ = begin.state.v + h * ((0.5 - alpha_.beta) * a0 + alpha_.beta * algorithmic_);
  equations.driven_motion().set_mean_velocity(begin.state, h, mean_velocity_);
  mechanics::advance(equations.map(), begin.state.q, mean_velocity_, h, state_.q);
}

void SmoothMotion::take_rows(const mechanics::Equations& equations, bool first) {
  if (!has_redundant_rows_) has_redundant_rows_ = mechanics::has_redundant_rows(equations);
  if (!*has_redundant_rows_) return equations.joints().gradients(state_, rows_);
  closed_ = state_;
  projection_.close_again(equations, closed_, first);
  equations.joints().gradients(closed_, rows_);
}

void SmoothMotion::changed_inertia(const mechanics::Equations& equations, const State& at, VectorX& change) const {
  equations.multiply_mass(at, acceleration_, change);
  change -= inertia_;
}

// The residuals of both equations. False if one is not finite.
bool SmoothMotion::evaluate(const mechanics::Equations& equations) {
  equations.force(state_, force_);
  equations.multiply_mass(state_, acceleration_, momentum_);
  if (equations.mass_changes()) inertia_ = momentum_;
  residual_ = momentum_ - force_;
  const KineticNorm norm(equations);
  size_ = norm.squared(momentum_) + norm.squared(force_);
  if (rows_.rows() > 0) {
    momentum_.setZero();
    rows_.transpose_multiply_add(multipliers_, momentum_);
    residual_ -= momentum_;
    size_ += norm.squared(momentum_);
    equations.joints().rates(state_.time, row_residual_);
    rows_.multiply_add(state_.v, row_residual_);
  }
  return residual_.allFinite();
}

// Whether both residuals are small: the balance against all that is in it, rates of joints against velocities.
bool SmoothMotion::is_balanced(const mechanics::Equations& equations, double h, double tolerance) const {
  const double squared = tolerance * tolerance;
  const KineticNorm norm(equations);
  if (!(norm.squared(residual_) <= squared * size_)) return false;
  double rates = 0, mass = 0;
  for (int row = 0; row < static_cast<int>(row_residual_.size()); ++row) {
    const bool is_angle = equations.joints().unit(row) == mechanics::JointUnit::angle;
    const double rate = (is_angle ? equations.size() : 1.0) * row_residual_[row];
    rates += rate * rate;
  }
  for (int node = 0; node < equations.map().nodes(); ++node) mass = std::max(mass, equations.node_mass(node));
  return mass * rates <= squared * (equations.mass_norm_squared(state_, state_.v) + h * h * size_);
}

SmoothMotion::Outcome SmoothMotion::solve(const mechanics::Equations& equations, const Instant& begin, double h,
                                          const Options& options) {
  iterations_ = 0;
  if (begin.accelerations.empty()) find_consistent_accelerations(equations, begin.state, start_);
  const AccelerationMemory& before = start(begin);
  state_.time = begin.state.time + h;
  state_.angles = begin.state.angles;
  state_.present = begin.state.present;
  // As if the acceleration stayed.
  state_.v = begin.state.v + h * before.smooth;
  const int rows = equations.joints().rows();
  multipliers_.setZero(rows);  // a step must not depend on what was solved before
  changes_.clear();
  row_residual_.setZero(rows);
  set_state(equations, begin, h);
  if (rows > 0) take_rows(equations, true);
  const double by_velocity = alpha_.acceleration_by_velocity(h), moved = alpha_.displacement_by_velocity(h);
  const bool linear = equations.dependence() != Dependence::nonlinear && rows == 0;
  if (!matrix_) matrix_ = equations.make_effective_mass();
  double last = 0;  // change before
  for (;;) {
    if (!evaluate(equations)) return Outcome::not_finite;
    // The test of the annexes, on momenta over a step: |r| against the sum of its contributions.
    if (iterations_ > 0 && is_balanced(equations, h, options.residual)) return Outcome::solved;
    ++iterations_;
    // Divided by d(vdot)/dv, so that the mass stands alone. The rows are taken as if they did not turn with q: a step
    // turns them little, and the iteration mends it.
    if (!linear || assembled_step_ != h) {
      equations.assemble(state_, 1 / by_velocity, moved / by_velocity, rows_, multipliers_, moved / by_velocity,
                         *matrix_);
      assembled_step_ = h;
    }
    residual_ /= -by_velocity;
    row_residual_ = -row_residual_;
    matrix_->solve_with_rows(residual_, row_residual_);
    state_.v += residual_;
    if (rows > 0) multipliers_ += by_velocity * row_residual_;
    set_state(equations, begin, h);
    if (!state_.q.allFinite() || !state_.v.allFinite()) return Outcome::not_finite;
    if (rows > 0) take_rows(equations, false);
    if (linear) break;
    const double change = equations.mass_norm_squared(state_, residual_);
    changes_.push_back(std::sqrt(change));
    const double size = equations.mass_norm_squared(state_, state_.v) +
                        equations.mass_norm_squared(state_, begin.state.v) + h * h * size_;
    if (!std::isfinite(size)) return Outcome::not_finite;
    const double enough = options.tolerance * options.tolerance * size;
    // What the next change would be is known from how they shrink.
    if (change <= enough || (iterations_ > 1 && change < 0.01 * last && change * (change / last) <= enough)) break;
    if (iterations_ >= options.max_iterations) return Outcome::unconverged;
    last = change;
  }
  equations.force(state_, force_);
  if (equations.mass_changes()) equations.multiply_mass(state_, acceleration_, inertia_);
  return Outcome::solved;
}

}  // namespace ricochet::integrate
