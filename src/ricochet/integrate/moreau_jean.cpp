#include "ricochet/integrate/moreau_jean.hpp"

#include <cmath>

#include "ricochet/integrate/stage_clock.hpp"
#include "ricochet/mechanics/joints/redundant_rows.hpp"

namespace ricochet::integrate {

using mechanics::Dependence;
using mechanics::State;

namespace {
constexpr int kIterationsBeforeHalving = 10;
// A matrix is used again as long as each correction is smaller than the one before by this factor.
constexpr double kGoodContraction = 0.1;
// G stays where it was taken if velocities were foreseen there but for this part. Joints then turn by less than that
// part of a step, which is far below what the scheme leaves out, and do no work in any case.
constexpr double kGoodForesight = 1e-5;

}  // namespace

void MoreauJean::step(const System& system, const Instant& begin, double h, Instant& end, StepReport& report) {
  has_problem_ = false;
  report.status = StepStatus::done;
  report.impossible.clear();
  report.solver = {};
  report.motion_iterations = 0;
  report.refined = false;
  report.stage_seconds.fill(0);
  StageClock clock(report);

  detect(system, begin, h);
  if (!evaluate_coefficients(system.contacts, contacts_, velocity_before_, coefficients_, report.impossible)) {
    report.forget(StepStatus::impossible);
    return;
  }
  clock.lap(Stage::detect);

  joint_impulses_.setZero(system.equations.joints().rows());
  matrix_serves_ = false;
  velocity_ = begin.state.v;
  const bool nonlinear = system.equations.dependence() == Dependence::nonlinear;
  const bool has_joints = system.equations.joints().rows() > 0;
  // A first guess that is an order better, where no impact is behind or before.
  const bool smooth = contacts_.empty() && begin.memory.contacts.empty() && joint_blocks_.empty();
  if ((nonlinear || has_joints) && smooth) velocity_ += h * begin.state.a;
  system.equations.driven_motion().set_velocity(begin.state.time + h, velocity_);
  set_stage(system, begin.state, h, velocity_);
  if (has_joints) take_joint_rows(system.equations, true);
  for (bool converged = false; !converged;) {
    ++report.motion_iterations;
    last_velocity_ = velocity_;
    const bool finite = free_motion(system, begin.state, h);
    clock.lap(Stage::free_motion);
    if (!finite) {
      report.forget(StepStatus::not_finite);
      return;
    }

    const int blocked = build_contact_problem(system, h);
    if (blocked >= 0) {
      report.forget(StepStatus::limit_blocked);
      report.worst_joint = system.equations.joint_actions().coordinate(blocked).joint.index;
      return;
    }
    has_problem_ = true;
    clock.lap(Stage::contact_problem);

    if (report.motion_iterations == 1) joint_impulses_ = free_joint_impulses_;
    const int iterations_before = report.solver.iterations;
    // The problem changes less and less from one iteration to the next: impulses that still solve it must not change,
    // or they would keep the motion from converging.
    solve_options_.accept_guess = report.motion_iterations > 1;
    report.solver = solve_with_joint_friction(system, begin.state, h, report.status);
    report.solver.iterations += iterations_before;
    report.refined = report.refined || refinement_.refined();
    clock.lap(Stage::solve);

    set_stage(system, begin.state, h, velocity_);
    const bool foreseen =
        is_explicit() || !has_joints || (!joints_turn_on_ && joint_rows_serve(system.equations, begin.state, h));
    if (!foreseen) take_joint_rows(system.equations, false);
    const bool exact = is_explicit() || (!nonlinear && foreseen && (!has_joints || matrix_has_rows_));
    converged = exact || motion_converged(system, begin.state, h);
    clock.lap(Stage::update);
    if (!converged && !std::isfinite(system.equations.mass_norm_squared(stage_, velocity_))) {
      report.forget(StepStatus::not_finite);
      return;
    }
    if (report.status == StepStatus::joint_friction_unconverged) break;
    if (!converged && report.motion_iterations >= options_.max_motion_iterations) {
      report.status = StepStatus::motion_unconverged;
      break;
    }
    // Contacts that open and close from one iteration to the next can make it cycle: half-way there is another start.
    if (!converged && report.motion_iterations >= kIterationsBeforeHalving) {
      velocity_ = 0.5 * (velocity_ + last_velocity_);
      set_stage(system, begin.state, h, velocity_);
      matrix_serves_ = false;
    }
  }

  set_stage(system, begin.state, h, velocity_);
  mechanics::advance(system.equations.map(), begin.state.q, stage_.v, h, end.state.q);
  end.state.v = velocity_;
  drop_next_to_nothing(end.state.v);
  end.state.a = (velocity_ - begin.state.v) / h;
  end.state.time = begin.state.time + h;
  end.state.angles = begin.state.angles;
  end.state.present = begin.state.present;
  system.equations.update_angles(end.state, h);
  find_resting_speeds(h);
  contact::remember(system.contacts, contacts_, impulses_, slacks_, begin.memory, end.memory);
  joint_blocks_.remember(system.equations.joint_actions(), begin.joint_memory, impulses_,
                         std::span<const double>(slacks_).subspan(contacts_.size()), end.joint_memory);
  if (report.solver.status != cone::SolveStatus::converged) report.status = StepStatus::contact_unconverged;
  if (in_sequence() && !sequence_.ended()) report.status = StepStatus::impacts_go_on;
  if (!end.state.q.allFinite() || !end.state.v.allFinite()) report.status = StepStatus::not_finite;
  clock.lap(Stage::update);

  account(system, begin.state, h, end.state, report);
  clock.lap(Stage::works);

  if (options_.projection == Projection::position) {
    correct_positions(system, h, end, report);
    clock.lap(Stage::update);
  }
  report.joint_error = 0;
  if (has_joints && options_.projection == Projection::none) {
    report.joint_error = system.equations.joints().error(end.state, system.equations.size());
  } else if (has_joints) {
    find_held_rows(system, report);
    const mechanics::JointProjection::Result closed = projection_.project(system.equations, end.state, held_rows_);
    report.works.projection += closed.energy - closed.drivers;
    report.works.drivers += closed.drivers;
    report.joint_error = closed.error;
    check_joints(system.equations, end.state, closed, report);
    joint_impulses_ += projection_.impulses();
    keep_closed(system, end, report);
    end.state.a = (end.state.v - begin.state.v) / h;
    if (!end.state.q.allFinite() || !end.state.v.allFinite()) report.status = StepStatus::not_finite;
    clock.lap(Stage::update);
  }
  record_joints(system, h, report);
}

// stage = (t, q, v) at theta when the step ends with `velocity`.
void MoreauJean::set_stage(const System& system, const State& begin, double h, const VectorX& velocity) {
  const double theta = options_.theta;
  stage_.time = begin.time + theta * h;
  stage_.angles = begin.angles;
  stage_.present = begin.present;
  stage_.v = (1 - theta) * begin.v + theta * velocity;
  system.equations.driven_motion().set_mean_velocity(begin, h, stage_.v);
  mechanics::advance(system.equations.map(), begin.q, stage_.v, theta * h, stage_.q);
}

void MoreauJean::assemble_matrix(const System& system, double h) {
  if (!matrix_) matrix_ = system.equations.make_effective_mass();
  const bool constant = system.equations.dependence() != Dependence::nonlinear;
  if (constant && assembled_step_ == h && joint_rows_.rows() == 0) return;
  const double theta = options_.theta;
  if (is_explicit()) {
    system.equations.assemble(midpoint_, 0, 0, joint_rows_, *matrix_);
  } else {
    system.equations.assemble(stage_, h * theta, h * h * theta * theta, joint_rows_, joint_impulses_, h * theta * theta,
                              *matrix_);
  }
  assembled_step_ = h;
  matrix_has_rows_ = true;
  joints_turn_on_ = !joint_impulses_.isZero(0);
}

// One Newton step of the equations of motion without contact: v + matrix^-1 (h f(stage) - M (v - v_0)). False if a
// force or the result is not finite. With the matrix of the iteration before, this step is known but for the contact
// impulses in it.
bool MoreauJean::free_motion(const System& system, const State& begin, double h) {
  if (matrix_serves_) {
    free_velocity_ = velocity_ + correction_ - response_;
    free_joint_impulses_ = joint_impulses_ + joint_correction_ - joint_response_;
    return free_velocity_.allFinite();
  }
  system.equations.force(balance_state(), force_);
  if (!force_.allFinite()) return false;
  work_ = velocity_ - begin.v;
  system.equations.multiply_mass(balance_state(), work_, momentum_);
  free_velocity_ = h * force_ - momentum_;
  add_joints(system.equations, free_velocity_);
  assemble_matrix(system, h);
  matrix_->solve_with_rows(free_velocity_, joint_right_);
  free_velocity_ += velocity_;
  free_joint_impulses_ = joint_impulses_ + joint_right_;
  return free_velocity_.allFinite();
}

// G at the stage. Where rows are redundant they agree only if joints are closed; whether they are redundant is judged
// at the start of the run, so that a restart does the same.
void MoreauJean::take_joint_rows(const mechanics::Equations& equations, bool first_of_step) {
  rows_velocity_ = velocity_;
  matrix_has_rows_ = false;
  if (!has_redundant_rows_) has_redundant_rows_ = mechanics::has_redundant_rows(equations);
  if (!*has_redundant_rows_) {
    equations.joints().gradients(balance_state(), joint_rows_);
    return;
  }
  closed_stage_ = balance_state();
  projection_.close_again(equations, closed_stage_, first_of_step);
  equations.joints().gradients(closed_stage_, joint_rows_);
}

// False if the stage is not where it was foreseen when G was taken.
bool MoreauJean::joint_rows_serve(const mechanics::Equations& equations, const State& begin, double h) {
  work_ = velocity_ - rows_velocity_;
  return equations.mass_norm_squared(stage_, work_) <=
         kGoodForesight * kGoodForesight * motion_size(equations, begin, h);
}

// What the rows of joints still lack at the stage, and what lambda has given so far.
void MoreauJean::add_joints(const mechanics::Equations& equations, VectorX& momentum) {
  const mechanics::JointSet& joints = equations.joints();
  if (joints.rows() == 0) return;
  joints.rates(stage_.time, joint_right_);
  joint_rows_.multiply_add(stage_.v, joint_right_);
  joint_right_ /= -options_.theta;
  joint_rows_.transpose_multiply_add(joint_impulses_, momentum);
}

// v_1 = v_free + matrix^-1 H^T p
void MoreauJean::apply_impulses() {
  velocity_ = free_velocity_;
  joint_impulses_ = free_joint_impulses_;
  response_.setZero(velocity_.size());
  joint_response_.setZero(joint_impulses_.size());
  if (gradients_.rows() == 0) return;
  gradients_.transpose_multiply_add(impulses_, response_);
  matrix_->solve_with_rows(response_, joint_response_);
  velocity_ += response_;
  joint_impulses_ += joint_response_;
}

// Of the energies of the step before they cancel. Zero if that is beyond all numbers: nothing is small beside it.
double MoreauJean::motion_size(const mechanics::Equations& equations, const State& begin, double h) const {
  const double size = equations.mass_norm_squared(stage_, velocity_) +
                      equations.mass_norm_squared(stage_, free_velocity_) +
                      equations.mass_norm_squared(stage_, begin.v) + 2 * equations.energy_size(stage_) +
                      h * h * equations.weight_norm_squared();
  return std::isfinite(size) ? size : 0;
}

// True if one more Newton step with the same impulses would not change the velocity beyond the tolerance. Sizes are
// compared in the kinetic norm, where velocities of translation and rotation, gravity and strain have one unit (the
// root of J); the size is that of the energies before they cancel, where the rounding of forces comes from. The
// correction that proves it is applied as well: it is known anyway, changes contact velocities by less than the
// tolerance, and makes the balance of momentum, and with it that of energy, exact to rounding.
bool MoreauJean::motion_converged(const System& system, const State& begin, double h) {
  const mechanics::Equations& equations = system.equations;
  equations.force(stage_, force_);
  work_ = velocity_ - begin.v;
  equations.multiply_mass(stage_, work_, momentum_);
  work_ = h * force_ - momentum_;
  if (gradients_.rows() > 0) gradients_.transpose_multiply_add(impulses_, work_);
  add_joints(equations, work_);
  matrix_->solve_with_rows(work_, joint_right_);
  correction_ = work_;
  joint_correction_ = joint_right_;
  const double correction = equations.mass_norm_squared(stage_, correction_);
  const double size = motion_size(equations, begin, h);
  const bool converged = correction <= options_.motion_tolerance * options_.motion_tolerance * size;
  if (converged) {
    velocity_ += correction_;
    joint_impulses_ += joint_correction_;
    return true;
  }
  work_ = velocity_ - last_velocity_;
  matrix_serves_ = correction <= kGoodContraction * kGoodContraction * equations.mass_norm_squared(stage_, work_);
  return false;
}

}  // namespace ricochet::integrate
