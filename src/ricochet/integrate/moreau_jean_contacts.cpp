// Which contacts a step of moreau_jean.cpp has, the problem that they make, and how it is solved.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/cone/residual.hpp"
#include "ricochet/integrate/moreau_jean.hpp"

namespace ricochet::integrate {

using mechanics::State;

namespace {
constexpr int kMostFrictionPasses = 100;  // that follow what joints carry
}  // namespace

// Contacts that are closed at the start of the step, their gradients and relative velocities.
void MoreauJean::detect(const System& system, const Instant& begin, double h) {
  if (is_explicit()) {
    midpoint_ = begin.state;
    midpoint_.time = begin.state.time + 0.5 * h;
    mechanics::advance(system.equations.map(), begin.state.q, begin.state.v, 0.5 * h, midpoint_.q);
  }
  time_after_ = is_explicit() ? midpoint_.time : begin.state.time + h;
  contact::detect_closed(system.contacts, is_explicit() ? midpoint_ : begin.state, begin.memory, contacts_);
  measure_velocity_before(system, begin);
  if (options_.active_set == ActiveSet::approaching) {
    int i = 0;
    const auto leaves = [&](const contact::Contact&) { return velocity_before_[gradients_.row_offset(i++)] > 0; };
    if (std::erase_if(contacts_, leaves) > 0) measure_velocity_before(system, begin);
  }
  // w at t_1, completed when v_1 is known
  system.contacts.surface_velocities(contacts_, time_after_, velocity_before_.size(), velocity_after_);
  joint_blocks_.add_targets(system.equations.joint_actions(), time_after_, velocity_after_);
  contact::recall(system.contacts, begin.memory, contacts_, impulses_);
  held_before_.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    held_before_[i] = impulses_[gradients_.row_offset(static_cast<int>(i))] > 0 ? 1 : 0;
  }
  impulses_.extend(gradients_.scalar_rows());
  joint_blocks_.recall(begin.joint_memory, impulses_);
}

// H(q_0) and u_0 = H v_0 + w of the contacts and of what acts in joints.
void MoreauJean::measure_velocity_before(const System& system, const Instant& begin) {
  const State& at = is_explicit() ? midpoint_ : begin.state;
  system.contacts.gradients(at, contacts_, gradients_);
  joint_blocks_.detect(system.equations, at, begin.joint_memory, gradients_);
  system.contacts.relative_velocities(contacts_, gradients_, begin.state.v, velocity_before_);
  joint_blocks_.add_targets(system.equations.joint_actions(), at.time, velocity_before_);
}

// u_1 + offset = W p + b with b = H v_free + w + offset(u_0). Returns a limit of a joint that cannot be kept, or -1.
int MoreauJean::build_contact_problem(const System& system, double h) {
  if (!matrix_serves_) matrix_->delassus(gradients_, problem_.delassus);
  bodies_ = {&gradients_, matrix_.get(), static_cast<int>(contacts_.size())};
  problem_.bodies = &bodies_;
  problem_.friction.clear();
  problem_.free_velocity = velocity_after_;
  gradients_.multiply_add(free_velocity_, problem_.free_velocity);
  // Those of a sequence change from pass to pass.
  const ImpactLaw impact = in_sequence() ? ImpactLaw::poisson : options_.impact;
  const double resisted = resistance_offset(impact, options_.theta);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    problem_.friction.push_back(friction_of(coefficients_[i]));
    const contact::ContactBlock& block = system.contacts.block(contacts_[i]);
    const int start = gradients_.row_offset(static_cast<int>(i));
    const Vector3 before = block.linear_part(velocity_before_.data() + start);
    Vector3 offset = impact_offset(impact, options_.theta, coefficients_[i], before);
    // Flores, Leine & Glocker 2010, eq 32: with what separates already, too.
    if (is_explicit()) offset[0] = coefficients_[i].restitution * before[0];
    problem_.free_velocity.segment(start, block.linear) += offset.head(block.linear);
    if (!block.resists()) continue;
    problem_.free_velocity.segment(start + 3, block.size - 3) +=
        resisted * velocity_before_.segment(start + 3, block.size - 3);
  }
  const double least = kOpenJoints * system.equations.size() / h;
  return joint_blocks_.complete(system.equations.joint_actions(), impact, options_.theta, least, velocity_before_,
                                problem_);
}

cone::SolveReport MoreauJean::solve_contact_problem(const System& system, const State& begin, double h) {
  if (options_.impact == ImpactLaw::fremond) {
    // Of the motion, and of what may yet fall. (Solved again in every iteration of the motion, if need be: the first
    // guess of the next one gives next to nothing.)
    const double energy = motion_size(system.equations, begin, h) + system.equations.weight() * system.equations.size();
    return refinement_.solve(problem_, options_.theta, energy, solve_options_, solver_, impulses_);
  }
  if (options_.impact == ImpactLaw::newton && !in_sequence()) return solver_.solve(problem_, impulses_, solve_options_);
  restitution_.clear();
  tangential_restitution_.clear();
  for (const model::ContactCoefficients& each : coefficients_) {
    restitution_.push_back(each.restitution);
    tangential_restitution_.push_back(each.tangential_restitution);
  }
  joint_blocks_.append_restitution(system.equations.joint_actions(), restitution_);
  if (in_sequence()) {
    double fastest = 0;
    for (int i = 0; i < problem_.contacts(); ++i) {
      fastest = std::max(fastest, std::abs(problem_.free_velocity[problem_.block_offset(i)]));
    }
    const ApproachTolerance tolerance = approach_tolerance(system.equations, h, fastest, solve_options_.tolerance);
    return sequence_.solve({problem_, velocity_before_, restitution_, tangential_restitution_, tolerance,
                            options_.max_passes, options_.theta, solve_options_.accept_guess},
                           solve_options_, solver_, impulses_);
  }
  return poisson_.solve(problem_, velocity_before_, restitution_, solve_options_, solver_, impulses_);
}

// How much joints rub depends on what they carry, and that on how much they rub: W, H and the free motion stay, only
// the bounds of friction follow until they change no velocity beyond the tolerance. With coefficient times radius well
// below the arms of the machine this is a strong contraction; where it is not, half-way steps help, and a joint that
// jams has no solution.
cone::SolveReport MoreauJean::solve_with_joint_friction(const System& system, const State& begin, double h,
                                                        StepStatus& status) {
  constexpr int kPassesBeforeHalving = 10;
  const mechanics::JointActions& actions = system.equations.joint_actions();
  joint_blocks_.update(actions, stage_, joint_impulses_, h, false, problem_);
  cone::SolveReport report;
  double last = 0;  // change
  bool shrinks = true;
  for (int pass = 1;; ++pass) {
    const int iterations = report.iterations;
    report = solve_contact_problem(system, begin, h);
    report.iterations += iterations;
    apply_impulses();
    if (actions.frictions() == 0) break;
    const bool half_way = pass >= kPassesBeforeHalving && !shrinks;
    const double change = joint_blocks_.update(actions, stage_, joint_impulses_, h, half_way, problem_);
    const double tolerance = options_.motion_tolerance;
    if (change <= tolerance * tolerance * motion_size(system.equations, begin, h)) break;
    shrinks = change < 0.7 * last;
    last = change;
    if (pass < kMostFrictionPasses) continue;
    status = StepStatus::joint_friction_unconverged;
    break;
  }
  return report;
}

StepProblem MoreauJean::last_problem() const {
  if (!has_problem_) return {};
  if (in_sequence() && sequence_.passes() == 0) return {};
  if (in_sequence()) return {&sequence_.problem(), &sequence_.problem_impulses()};
  const bool decompresses = options_.impact == ImpactLaw::poisson && poisson_.problem() != nullptr;
  if (decompresses) return {poisson_.problem(), &poisson_.problem_impulses()};
  return {&problem_, &impulses_};
}

// Whether problem_ is what the solver has solved last when the velocities of a step are known.
bool MoreauJean::solver_knows_problem() const {
  return cone::goes_by_islands(solve_options_.kind) && options_.impact != ImpactLaw::poisson && !in_sequence();
}

// The errors of contact velocities that the solver's residual allows, and never less than rounding.
void MoreauJean::find_resting_speeds(double h) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  if (!solver_knows_problem()) scales_.prepare(problem_);
  const cone::ResidualScales& scales = problem_scales();
  resting_speeds_.resize(problem_.contacts());
  slacks_.resize(problem_.contacts());
  for (int i = 0; i < problem_.contacts(); ++i) {
    const double scale = cone::velocity_scale(problem_, scales, i, impulses_);
    resting_speeds_[i] = std::max(solve_options_.tolerance, rounding) * scale;
    slacks_[i] = h * resting_speeds_[i];
  }
}

}  // namespace ricochet::integrate
