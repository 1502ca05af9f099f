#include "ricochet/integrate/velocity_level.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/contact/contact_motion.hpp"
#include "ricochet/integrate/impact_law.hpp"
#include "ricochet/integrate/kinetic_norm.hpp"

namespace ricochet::integrate {

namespace {

constexpr double kRoundingOfVelocities = 64 * std::numeric_limits<double>::epsilon();

}  // namespace

void VelocityLevel::begin(const System& system, const Instant& begin, double h, const SmoothMotion& smooth,
                          const mechanics::State& position) {
  system_ = &system;
  smooth_ = &smooth;
  begin_ = &begin.state;
  h_ = h;
  state_ = position;
  state_.v = smooth.state().v;
  const mechanics::JointSet& joints = system.equations.joints();
  if (joints.rows() > 0) {
    joints.gradients(state_, rows_);
    smooth_joints_.setZero(system.equations.map().v_total());
    smooth.rows().transpose_multiply_add(smooth.multipliers(), smooth_joints_);
  }
  if (system.equations.dependence() == mechanics::Dependence::nonlinear || joints.rows() > 0) assembled_step_ = 0;
}

void VelocityLevel::take(const std::vector<contact::Contact>& closed, const ActionBlocks& actions) {
  contacts_ = closed;
  actions_ = actions;
  const contact::ContactSet& set = system_->contacts;
  const contact::ContactMotion motion(set, *begin_);
  at_start_ = contacts_;
  for (contact::Contact& contact : at_start_) motion.move(*begin_, contact);
  set.gradients(*begin_, at_start_, gradients_at_start_);
  actions_.append_rows(system_->equations, *begin_, gradients_at_start_);
  set.gradients(state_, contacts_, gradients_);
  actions_.append_rows(system_->equations, state_, gradients_);
  asleep_.clear();
  given_.resize(0);
  set_velocity_before(begin_->v);
}

// H(q_0) v + w, at the start of the step.
void VelocityLevel::set_velocity_before(const VectorX& velocity) {
  system_->contacts.relative_velocities(at_start_, gradients_at_start_, velocity, velocity_before_);
}

void VelocityLevel::begin_pass(const VectorX& before, const VectorX& given, const std::vector<char>& asleep) {
  asleep_ = asleep;
  given_ = given;
  set_velocity_before(before);
}

void VelocityLevel::measure(linalg::ReusableVector& velocities) const {
  system_->contacts.relative_velocities(contacts_, gradients_, state_.v, velocities);
}

void VelocityLevel::evaluate(const VectorX& multipliers, const linalg::ReusableVector& impulses, Residuals& residuals) {
  const mechanics::Equations& equations = system_->equations;
  const KineticNorm norm(equations);
  jump_ = state_.v - smooth_->state().v;
  equations.multiply_mass(state_, jump_, residuals.momentum);
  residuals.size = norm(residuals.momentum);
  if (equations.dependence() != mechanics::Dependence::none) {
    equations.force(state_, force_);
    force_ = h_ * (force_ - smooth_->force());
    if (equations.mass_changes()) {
      smooth_->changed_inertia(equations, state_, part_);
      force_ -= h_ * part_;
    }
    residuals.momentum -= force_;
    residuals.size += norm(force_);
  }
  residuals.rows.resize(0);
  if (equations.joints().rows() > 0) {
    equations.joints().rates(state_.time, residuals.rows);
    rows_.multiply_add(state_.v, residuals.rows);
    all_multipliers_ = multipliers + h_ * smooth_->multipliers();
    part_ = -h_ * smooth_joints_;
    rows_.transpose_multiply_add(all_multipliers_, part_);
    residuals.momentum -= part_;
    residuals.size += norm(part_);
  }
  measure(residuals.values);
  if (scalars() > 0) {
    Eigen::Index offset = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const contact::ContactBlock& block = system_->contacts.block(contacts_[i]);
      const Vector3 before = block.linear_part(velocity_before_.data() + offset);
      residuals.values.segment(offset, block.linear) +=
          impact_offset(ImpactLaw::newton, 1, (*coefficients_)[i], before).head(block.linear);
      offset += block.size;
    }
    if (actions_.count() > 0) {
      const mechanics::JointActions& actions = equations.joint_actions();
      const std::size_t count = actions_.scalars();
      part_ = smooth_->multipliers() + multipliers / h_;
      actions_.set_bounds(actions, state_, part_, h_);
      actions_.velocity_values(actions, state_.time, {velocity_before_.data() + offset, count},
                               {impulses.data() + offset, count}, {residuals.values.data() + offset, count});
    }
    put_asleep(residuals.values);
    part_.setZero(residuals.momentum.size());
    gradients_.transpose_multiply_add(impulses, part_);
    if (given_.size() > 0) part_ += given_;
    residuals.momentum -= part_;
    residuals.size += norm(part_);
  }
  // Of everything that cancels in the velocities of the end.
  const double velocities = std::sqrt(equations.mass_norm_squared(state_, state_.v)) +
                            std::sqrt(equations.mass_norm_squared(state_, begin_->v)) + h_ * norm(smooth_->force());
  residuals.rounding = kRoundingOfVelocities * velocities;
}

// A block that leaves faster than anything moves has no impulse.
void VelocityLevel::put_asleep(linalg::ReusableVector& values) const {
  if (asleep_.empty()) return;
  double fast = 0;  // without units of its own
  for (int block = 0; block < gradients_.rows(); ++block) {
    fast = std::max(fast, 1e3 * std::abs(values[gradients_.row_offset(block)]));
  }
  if (!(fast > 0)) fast = 1;  // nothing moves
  for (int block = 0; block < gradients_.rows(); ++block) {
    if (asleep_[block] == 0) continue;
    values.segment(gradients_.row_offset(block), gradients_.row_size(block)).setZero();
    values[gradients_.row_offset(block)] = fast;
  }
}

bool VelocityLevel::linearise(const VectorX& /*multipliers*/, const linalg::ReusableVector& /*impulses*/) {
  const mechanics::Equations& equations = system_->equations;
  const bool linear = equations.dependence() != mechanics::Dependence::nonlinear;
  if (!matrix_) matrix_ = equations.make_effective_mass();
  if (assembled_step_ == h_ && linear) return false;
  equations.begin_matrix(state_, equations.dependence() != mechanics::Dependence::none ? h_ : 0, 0, *matrix_);
  if (equations.joints().rows() > 0) matrix_->set_rows(rows_);
  matrix_->factorise();
  assembled_step_ = h_;
  return true;
}

void VelocityLevel::complete(cone::ContactProblem& problem) const {
  actions_.complete(static_cast<int>(contacts_.size()), problem);
}

}  // namespace ricochet::integrate
