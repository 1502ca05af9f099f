// What happens to positions when a step of moreau_jean.cpp is over: what rests is held, joints are closed again.
#include <algorithm>

#include "ricochet/integrate/moreau_jean.hpp"

namespace ricochet::integrate {

using mechanics::State;

namespace {
constexpr double kJump = 0.1;  // of the size: no motion opens joints so far in a step
}  // namespace

// Holds what rests where it rests. A contact that this opens by a little still carries its load: it stays closed.
void MoreauJean::correct_positions(const System& system, double h, Instant& end, StepReport& report) {
  if (contacts_.empty() || report.status != StepStatus::done) return;
  const PositionCorrection::Step step{system,
                                      *matrix_,
                                      contacts_,
                                      gradients_,
                                      end.memory.contacts,
                                      h,
                                      resting_speeds_,
                                      solve_options_,
                                      problem_,
                                      problem_scales().islands(),
                                      impulses_,
                                      options_.impact != ImpactLaw::poisson && !in_sequence()};
  if (!correction_of_positions_.correct(step, solver_, end.state)) return;
  report.works.projection += correction_of_positions_.energy();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!correction_of_positions_.was_corrected(i)) continue;
    report.contacts[i].gap = correction_of_positions_.gaps()[i];
    report.contacts[i].point = system.contacts.point(contacts_[i], end.state);
    double& slack = end.memory.contacts[i].slack;
    if (step.rests(i)) slack = std::max(slack, report.contacts[i].gap);
  }
}

// Closing joints may lift a contact that does not leave by next to nothing: it carries its load and stays closed, or it
// would be without for a step and strike in the next.
void MoreauJean::keep_closed(const System& system, Instant& end, StepReport& report) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactRecord& contact = report.contacts[i];
    if (!(contact.impulse[0] > 0) || contact.velocity[0] > resting_speeds_[i]) continue;
    contact.gap = system.contacts.gap(contacts_[i], end.state);
    double& slack = end.memory.contacts[i].slack;
    slack = std::max(slack, contact.gap);
  }
}

// Joints that contradict each other stay open; a target that jumps leaves them wide open before they are closed.
void MoreauJean::check_joints(const mechanics::Equations& equations, const State& end,
                              const mechanics::JointProjection::Result& closed, StepReport& report) {
  const double size = equations.size();
  const double rounding = mechanics::position_rounding(equations, end);
  const bool is_open = closed.error > std::max(kOpenJoints * size, rounding),
             jumped = closed.error_before > kJump * size;
  if (!is_open && !jumped) return;
  if (jumped) report.joint_error = closed.error_before;
  report.status = StepStatus::joints_open;
  report.worst_joint = closed.worst_joint;
}

// What contacts and joints hold at the end of the step, and held before it already, of those contacts that touch bodies
// with joints: normals that carry something, and slip where they stick. An impact of one step does not count: what it
// leaves moves on anyway.
void MoreauJean::find_held_rows(const System& system, const StepReport& report) {
  held_rows_.reset(system.equations.map().v_sizes());
  for (std::size_t i = 0; i < report.contacts.size(); ++i) {
    const int size = system.contacts.block(contacts_[i]).linear;
    const ContactRecord& contact = report.contacts[i];
    const int row = static_cast<int>(i);
    const auto entries = gradients_.row(row);
    const bool has_joint = std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
      return system.equations.joints().holds_node(entry.column);
    });
    if (!has_joint || held_before_[i] == 0 || !(contact.impulse[0] > 0)) continue;
    held_rows_.append_part_of_row(gradients_, row, 0, contact.status == cone::ContactStatus::stick ? size : 1);
  }
  joint_blocks_.append_held(gradients_, impulses_, held_rows_);
}

}  // namespace ricochet::integrate
