#include "ricochet/integrate/nonsmooth_generalized_alpha.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/integrate/stage_clock.hpp"

namespace ricochet::integrate {

using contact::Contact;

namespace {

constexpr int kMostLooks = 20;      // for contacts that a correction of others has closed
constexpr double kTouches = 1e-12;  // of the size of the machine: gaps up to there are closed
constexpr double kSmoothTolerance = 1e-12;
constexpr int kMostSmoothIterations = 50;

bool by_key(const Contact& a, const Contact& b) { return a.key < b.key; }

// Of an end of a limit in JointMemory.
int limit_place(const ActionBlocks::Block& block) { return 2 * block.action + (block.side < 0 ? 1 : 0); }

SubproblemReport& of_level(StepReport& report, SubproblemLevel level) {
  return report.subproblems[static_cast<std::size_t>(level)];
}

}  // namespace

void NonsmoothGeneralizedAlpha::step(const System& system, const Instant& begin, double h, Instant& end,
                                     StepReport& report) {
  has_problem_ = false;
  report.status = StepStatus::done;
  report.impossible.clear();
  report.solver = {};
  report.motion_iterations = 0;
  report.joint_error = 0;
  report.stage_seconds.fill(0);
  for (SubproblemReport& subproblem : report.subproblems) subproblem.clear();
  StageClock clock(report);

  const bool moved = move_smoothly(system, begin, h, report);
  clock.lap(Stage::free_motion);
  if (!moved) return;

  system.contacts.detect(smooth_.state(), 0, contacts_);
  drop_from_behind(system, begin, contacts_);
  clock.lap(Stage::detect);
  const bool corrected = correct_positions(system, begin, h, report);
  clock.lap(Stage::contact_problem);
  if (!corrected) return;

  const bool jumped = jump(system, begin, h, report);
  clock.lap(Stage::solve);
  if (!jumped) return;

  finish(system, begin, h, end, report);
  clock.lap(Stage::update);
  account(system, begin, h, end.state, report);
  clock.lap(Stage::works);
}

bool NonsmoothGeneralizedAlpha::move_smoothly(const System& system, const Instant& begin, double h,
                                              StepReport& report) {
  const bool is_relative = options_.newton.test == StoppingTest::relative;
  const SmoothMotion::Options options{kSmoothTolerance, is_relative ? options_.newton.tolerance : 0,
                                      kMostSmoothIterations};
  const SmoothMotion::Outcome outcome = smooth_.solve(system.equations, begin, h, options);
  SubproblemReport& level = of_level(report, SubproblemLevel::smooth);
  level.iterations = smooth_.iterations();
  level.residuals = smooth_.changes();
  level.residual = level.residuals.empty() ? 0 : level.residuals.back();
  report.motion_iterations = smooth_.iterations();
  if (outcome == SmoothMotion::Outcome::solved) return true;
  level.outcome = SubproblemOutcome::unconverged;
  report.impossible = "the equations of motion";
  report.forget(outcome == SmoothMotion::Outcome::not_finite ? StepStatus::not_finite
                                                             : StepStatus::subproblem_unconverged);
  return false;
}

// Friction and restitution of contacts, at their velocities at the start of the step.
bool NonsmoothGeneralizedAlpha::find_coefficients(const System& system, const Instant& begin,
                                                  const std::vector<Contact>& contacts, StepReport& report) {
  const contact::ContactMotion motion(system.contacts, begin.state);
  at_start_ = contacts;
  for (Contact& contact : at_start_) motion.move(begin.state, contact);
  system.contacts.gradients(begin.state, at_start_, start_gradients_);
  system.contacts.relative_velocities(at_start_, start_gradients_, begin.state.v, start_velocity_);
  if (evaluate_coefficients(system.contacts, contacts, start_velocity_, coefficients_, report.impossible)) return true;
  report.forget(StepStatus::impossible);
  return false;
}

// Solved, or the status that tells what is not, and where.
bool NonsmoothGeneralizedAlpha::judge(const SubproblemReport& subproblem, const std::vector<Contact>& contacts,
                                      const ActionBlocks& actions, const System& system, StepReport& report) {
  if (subproblem.outcome == SubproblemOutcome::solved) return true;
  if (subproblem.outcome == SubproblemOutcome::not_finite) {
    report.forget(StepStatus::not_finite);
    return false;
  }
  report.forget(StepStatus::subproblem_unconverged);
  const int block = subproblem.worst_block;
  const mechanics::JointSet& joints = system.equations.joints();
  if (block >= 0 && block < static_cast<int>(contacts.size())) {
    report.impossible = fmt::format("contact {}", system.contacts.name(contacts[block].key));
  } else if (block >= 0) {
    const int action = actions[block - static_cast<int>(contacts.size())].action;
    report.worst_joint = system.equations.joint_actions().coordinate(action).joint.index;
  } else if (subproblem.worst_row >= 0) {
    report.worst_joint = joints.owner(subproblem.worst_row);
  } else {
    report.impossible = "the balance of momentum";
  }
  return false;
}

// A face has no thickness. What was behind it at the start of the step has come around its edge, and is let through.
void NonsmoothGeneralizedAlpha::drop_from_behind(const System& system, const Instant& begin,
                                                 std::vector<Contact>& contacts) {
  std::erase_if(contacts, [&](const Contact& contact) {
    if (!contact.is_of_face) return false;
    const auto& known = begin.memory.contacts;
    const auto same = std::lower_bound(known.begin(), known.end(), contact.key,
                                       [](const auto& each, const contact::ContactKey& key) { return each.key < key; });
    if (same != known.end() && same->key == contact.key) return false;  // it touched the front a step before
    return system.contacts.gap(contact, begin.state) <
           -std::max(kTouches * system.equations.size(), contact.gap_rounding);
  });
}

// At the corrected positions other features may touch, or other points of those that do. Adds them and returns how
// many.
int NonsmoothGeneralizedAlpha::add_penetrating(const System& system, const Instant& begin) {
  system.contacts.detect(position_.state(), 0, found_);
  drop_from_behind(system, begin, found_);
  const double closed = kTouches * system.equations.size();
  const std::vector<Contact>& known = position_.contacts();
  std::erase_if(found_, [&](const Contact& contact) {
    if (contact.gap >= -std::max(closed, contact.gap_rounding)) return true;
    const auto same = std::lower_bound(known.begin(), known.end(), contact, by_key);
    return same != known.end() && same->key == contact.key && same->gap <= contact.gap + closed;
  });
  if (found_.empty()) return 0;
  const contact::ContactMotion motion(system.contacts, begin.state);
  contacts_ = known;
  motion.add(position_.state(), found_, contacts_);
  return static_cast<int>(found_.size());
}

bool NonsmoothGeneralizedAlpha::correct_positions(const System& system, const Instant& begin, double h,
                                                  StepReport& report) {
  SubproblemReport& level = of_level(report, SubproblemLevel::position);
  position_.begin(system, begin, h, smooth_);
  const contact::ContactMotion motion(system.contacts, begin.state);
  motion.carry(smooth_.state(), contacts_);
  const bool has_joints = system.equations.joints().rows() > 0;
  shift_multipliers_.setZero(system.equations.joints().rows());
  for (int look = 1;; ++look) {
    position_.take(contacts_);
    if (!has_joints && position_.scalars() == 0) return true;
    if (!find_coefficients(system, begin, contacts_, report)) return false;
    problem_.friction.clear();
    problem_.bodies = nullptr;
    for (const model::ContactCoefficients& each : coefficients_) {
      cone::Friction& friction = problem_.friction.emplace_back(friction_of(each));
      if (!options_.position_friction) friction.sliding = friction.rolling = friction.spinning = 0;
    }
    position_.actions().append_friction(problem_);
    // A contact that persists has h/2 times the impulse of the step before.
    contact::recall(system.contacts, begin.memory, contacts_, shift_impulses_);
    shift_impulses_ *= 0.5 * h;
    shift_impulses_.extend(position_.scalars());
    newton_.solve(system.equations, position_, problem_, shift_multipliers_, shift_impulses_, options_.newton, level);
    if (!judge(level, position_.contacts(), position_.actions(), system, report)) return false;
    if (add_penetrating(system, begin) == 0) return true;
    if (look < kMostLooks) continue;
    level.outcome = SubproblemOutcome::unconverged;
    level.worst_block = static_cast<int>(std::lower_bound(contacts_.begin(), contacts_.end(), found_.front(), by_key) -
                                         contacts_.begin());
    return judge(level, contacts_, position_.actions(), system, report);
  }
}

bool NonsmoothGeneralizedAlpha::jump(const System& system, const Instant& begin, double h, StepReport& report) {
  SubproblemReport& level = of_level(report, SubproblemLevel::velocity);
  velocity_.begin(system, begin, h, smooth_, position_.state());
  const double closed = kTouches * system.equations.size();
  const std::vector<Contact>& near = position_.contacts();
  std::vector<Contact>& active = found_;
  active.clear();
  shifts_.clear();
  std::size_t kept = 0;
  Eigen::Index next = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    const contact::ContactBlock& block = system.contacts.block(near[i]);
    const Eigen::Index start = next;
    next += block.size;
    if (!(shift_impulses_[start] > 0) && near[i].gap > std::max(closed, near[i].gap_rounding)) continue;
    active.push_back(near[i]);
    coefficients_[kept++] = coefficients_[i];
    shifts_.push_back(block.linear_part(shift_impulses_.data() + start));
  }
  coefficients_.resize(kept);
  pass_works_.clear();
  ActionBlocks& actions = active_actions_;
  actions.clear();
  if (position_.actions().count() > 0) {
    const std::size_t count = position_.actions().scalars();
    const auto offset = static_cast<std::size_t>(next);
    work_.resize(static_cast<Eigen::Index>(count));
    position_.actions().position_values(system.equations.joint_actions(), begin.state, position_.state(),
                                        {shift_impulses_.data() + offset, count}, {work_.data(), count});
    actions.take_active(position_.actions(), {work_.data(), count}, {shift_impulses_.data() + offset, count}, closed);
  }
  velocity_.take(active, actions);
  velocity_.set_coefficients(coefficients_);
  problem_.friction.clear();
  problem_.bodies = nullptr;
  for (const model::ContactCoefficients& each : coefficients_) problem_.friction.push_back(friction_of(each));
  velocity_.actions().append_friction(problem_);
  contact::recall(system.contacts, begin.memory, velocity_.contacts(), impulses_);
  persists_.resize(active.size());
  for (std::size_t i = 0; i < active.size(); ++i) persists_[i] = impulses_[first_of(i)] > 0 ? 1 : 0;
  impulses_.extend(velocity_.scalars());
  jump_multipliers_.setZero(system.equations.joints().rows());
  has_problem_ = velocity_.scalars() > 0;
  if (has_problem_ || system.equations.joints().rows() > 0 ||
      system.equations.dependence() != mechanics::Dependence::none) {
    if (options_.impacts == ImpactOrder::sequence && has_problem_) return jump_in_sequence(system, begin, h, report);
    newton_.solve(system.equations, velocity_, problem_, jump_multipliers_, impulses_, options_.newton, level);
  }
  level.passes = 1;
  report.solver.iterations = of_level(report, SubproblemLevel::position).iterations + level.iterations;
  report.solver.residual = level.residuals.empty() || level.residuals.front() == 0 ? 0 : level.residual;
  return judge(level, velocity_.contacts(), velocity_.actions(), system, report);
}

// The passes of integrate/impact_sequence. Friction and motors of joints act in the first one.
bool NonsmoothGeneralizedAlpha::jump_in_sequence(const System& system, const Instant& begin, double h,
                                                 StepReport& report) {
  SubproblemReport& level = of_level(report, SubproblemLevel::velocity);
  const mechanics::Equations& equations = system.equations;
  const int contacts = static_cast<int>(velocity_.contacts().size());
  const linalg::BlockSparseMatrix& gradients = velocity_.gradients();
  pass_velocity_ = begin.state.v;
  given_.setZero(pass_velocity_.size());
  pass_impulses_ = impulses_;  // as they were a step before
  impulses_.setZero(velocity_.scalars());
  pass_works_.assign(velocity_.contacts().size(), Vector3::Zero());
  velocity_.measure(pass_before_);
  double fastest = 0;  // of all bodies: what others leave of it by rounding is no approach
  for (int block = 0; block < gradients.rows(); ++block) {
    fastest = std::max(fastest, std::abs(pass_before_[gradients.row_offset(block)]));
  }
  for (int node = 0; node < equations.map().nodes(); ++node) {
    if (equations.map().is_generalised(node)) continue;
    fastest = std::max(fastest, smooth_.state().v.segment<3>(equations.map().v_start(node)).norm());
  }
  const double newton_tolerance = options_.newton.test == StoppingTest::relative ? options_.newton.tolerance : 0;
  const ApproachTolerance tolerance = approach_tolerance(equations, h, fastest, newton_tolerance);
  // What approaches must not be overlooked because its momentum is small by comparison with what others have got.
  AugmentedNewtonOptions newton_options = options_.newton;
  newton_options.min_iterations = 1;
  for (level.passes = 1;; ++level.passes) {
    const bool first = level.passes == 1;
    asleep_.assign(gradients.rows(), 0);
    int awake = 0;
    for (int block = 0; block < gradients.rows(); ++block) {
      const bool acts_once = block >= contacts && velocity_.actions()[block - contacts].side == 0;
      const double velocity = pass_before_[gradients.row_offset(block)];
      asleep_[block] = tolerance.wakes(level.passes, velocity, acts_once) ? 0 : 1;
      awake += 1 - asleep_[block];
    }
    if (awake == 0 && !first) break;
    if (level.passes > options_.max_passes) {
      level.outcome = SubproblemOutcome::unconverged;
      level.worst_block = static_cast<int>(std::find(asleep_.begin(), asleep_.end(), 0) - asleep_.begin());
      judge(level, velocity_.contacts(), velocity_.actions(), system, report);
      report.status = StepStatus::impacts_go_on;
      return false;
    }
    if (!first) pass_impulses_.setZero(velocity_.scalars());
    velocity_.begin_pass(pass_velocity_, given_, asleep_);
    if (first) pass_before_ = velocity_.velocity_before();
    newton_.solve(equations, velocity_, problem_, jump_multipliers_, pass_impulses_, newton_options, level);
    if (!judge(level, velocity_.contacts(), velocity_.actions(), system, report)) return false;
    velocity_.measure(pass_after_);
    for (int i = 0; i < contacts; ++i) {
      const contact::ContactBlock& block = system.contacts.block(velocity_.contacts()[i]);
      const int start = gradients.row_offset(i);
      const auto work = [&](int from, int count) {
        return 0.5 * pass_impulses_.segment(start + from, count)
                         .dot(pass_before_.segment(start + from, count) + pass_after_.segment(start + from, count));
      };
      pass_works_[i] += Vector3(work(0, 1), work(1, block.linear - 1), work(block.linear, block.size - block.linear));
    }
    impulses_ += pass_impulses_;
    gradients.transpose_multiply_add(pass_impulses_, given_);
    pass_velocity_ = begin.state.v + velocity_.state().v - smooth_.state().v;
    pass_before_ = pass_after_;
  }
  --level.passes;  // the last one found nothing to do
  asleep_.clear();
  velocity_.begin_pass(begin.state.v, given_, asleep_);
  report.solver.iterations = of_level(report, SubproblemLevel::position).iterations + level.iterations;
  report.solver.residual = level.residual;
  has_problem_ = false;  // there were several
  return true;
}

// Whether velocities have jumped, and forces or joints take notice.
bool NonsmoothGeneralizedAlpha::struck(const System& system, const Instant& begin) const {
  if (system.equations.dependence() == mechanics::Dependence::none && system.equations.joints().rows() == 0)
    return false;
  for (std::size_t i = 0; i < persists_.size(); ++i) {
    if (persists_[i] == 0 && impulses_[first_of(i)] > 0) return true;
  }
  Eigen::Index offset = system.contacts.scalars(velocity_.contacts());
  for (int k = 0; k < velocity_.actions().count(); ++k) {
    const ActionBlocks::Block& block = velocity_.actions()[k];
    const int place = limit_place(block);
    const bool persists =
        block.side == 0 || (place < begin.joint_memory.impulses.size() && begin.joint_memory.impulses[place] > 0);
    if (!persists && impulses_[offset] > 0) return true;
    offset += block.size();
  }
  return false;
}

// What ends of limits carried, so that the next step knows what persists.
void NonsmoothGeneralizedAlpha::remember_limits(const System& system, JointMemory& memory) const {
  const int limits = system.equations.joint_actions().limits();
  if (limits == 0) return;
  memory.impulses.setZero(2 * limits);
  memory.slack.setZero(2 * limits);
  Eigen::Index offset = system.contacts.scalars(velocity_.contacts());
  for (int k = 0; k < velocity_.actions().count(); ++k) {
    const ActionBlocks::Block& block = velocity_.actions()[k];
    if (block.side != 0) memory.impulses[limit_place(block)] = impulses_[offset];
    offset += block.size();
  }
}

void NonsmoothGeneralizedAlpha::finish(const System& system, const Instant& begin, double h, Instant& end,
                                       StepReport& report) {
  end.state = velocity_.state();
  drop_next_to_nothing(end.state.v);
  end.state.a = smooth_.acceleration() + (end.state.v - smooth_.state().v) / h;
  system.equations.update_angles(end.state, h);
  if (struck(system, begin)) {  // accelerations and joint forces of the velocities before belong to the past
    smooth_.find_consistent_accelerations(system.equations, end.state, end.accelerations);
  } else {
    end.accelerations.smooth = smooth_.acceleration();
    end.accelerations.algorithmic = smooth_.algorithmic();
    end.accelerations.multipliers = smooth_.multipliers();
  }
  contact::remember(system.contacts, velocity_.contacts(), impulses_, {}, begin.memory, end.memory);
  remember_limits(system, end.joint_memory);
  if (!end.state.q.allFinite() || !end.state.v.allFinite()) report.status = StepStatus::not_finite;
  report.joint_error =
      system.equations.joints().rows() > 0 ? system.equations.joints().error(end.state, system.equations.size()) : 0;
}

StepProblem NonsmoothGeneralizedAlpha::last_problem() const {
  return has_problem_ ? StepProblem{&problem_, &impulses_} : StepProblem{};
}

}  // namespace ricochet::integrate
