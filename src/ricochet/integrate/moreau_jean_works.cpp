// What a step of Moreau-Jean did: records of contacts and joints, and the works of the ledger.
#include <algorithm>

#include "ricochet/integrate/driver_account.hpp"
#include "ricochet/integrate/moreau_jean.hpp"

namespace ricochet::integrate {

using mechanics::State;

void MoreauJean::account(const System& system, const State& begin, double h, const State& end, StepReport& report) {
  gradients_.multiply_add(end.v, velocity_after_);
  record_contacts(system, h, end, report);

  const mechanics::Powers powers = system.equations.powers(stage_);
  StepWorks& works = report.works;
  works = {};
  works.loads = h * powers.loads + system.equations.prescribed_work(begin, end);
  works.damping = h * powers.damping;
  double created_at_mean = 0, created_at_stage = 0;
  for (const ContactRecord& contact : report.contacts) {
    works.contact_normal += contact.work_normal;
    works.contact_tangential += contact.work_tangential;
    works.contact_resistance += contact.work_resistance;
    works.contact_normal_positive += std::max(contact.work_normal, 0.0);
    works.contact_tangential_positive += std::max(contact.work_tangential, 0.0);
    works.contact_resistance_positive += std::max(contact.work_resistance, 0.0);
    created_at_mean += std::max(0.5 * (contact.impulse.dot(contact.velocity_before + contact.velocity) +
                                       contact.moment.dot(contact.spin_before + contact.spin)),
                                0.0);
    created_at_stage += std::max(contact.work_normal + contact.work_tangential + contact.work_resistance, 0.0);
  }
  const mechanics::JointActions& actions = system.equations.joint_actions();
  const JointBlocks::Created in_joints =
      joint_blocks_.created(actions, impulses_, velocity_before_, velocity_after_, velocity_mean_);
  if (in_sequence()) {  // known pass by pass
    created_at_mean = 0;
    for (const double work : sequence_.works_at_mean()) created_at_mean += std::max(work, 0.0);
  }
  works.contact_created = std::min(created_at_mean + in_joints.at_mean, created_at_stage + in_joints.at_stage);
  joint_blocks_.account(actions, impulses_, velocity_mean_, h, report);
  // Acary & Collins-Craft 2024, eq 65: (1/2 - theta)(|dv|^2_M + |dq|^2_K).
  work_ = end.v - begin.v;
  works.numerical = (0.5 - options_.theta) * system.equations.mass_norm_squared(stage_, work_) +
                    system.equations.stage_excess(begin, stage_, end, options_.theta, h);
  if (is_explicit()) works.numerical += explicit_excess(system, begin, h);
  account_drivers(system, begin, h, report);
  account_driven_joints(system, report);
}

// Forces and masses were taken at the midpoint, the ledger counts those of the stage: what the first do more along
// v_theta is the scheme's own.
double MoreauJean::explicit_excess(const System& system, const State& begin, double h) {
  const mechanics::Equations& equations = system.equations;
  equations.force(midpoint_, force_);
  double sum = h * stage_.v.dot(force_);
  equations.force(stage_, force_);
  sum -= h * stage_.v.dot(force_);
  if (!equations.mass_changes()) return sum;
  work_ = velocity_ - begin.v;
  equations.multiply_mass(midpoint_, work_, momentum_);
  sum -= stage_.v.dot(momentum_);
  equations.multiply_mass(stage_, work_, momentum_);
  return sum + stage_.v.dot(momentum_);
}

// What driven joints give, lambda . G v_theta = -lambda . g_t, is work of drivers.
void MoreauJean::account_driven_joints(const System& system, StepReport& report) {
  const mechanics::JointSet& joints = system.equations.joints();
  if (joints.rows() == 0) return;
  joints.rates(stage_.time, joint_right_);
  report.works.drivers -= joint_impulses_.dot(joint_right_);
}

// Reactions of joints: lambda, with what closing them added.
void MoreauJean::record_joints(const System& system, double h, StepReport& report) {
  const mechanics::JointSet& joints = system.equations.joints();
  report.joints.assign(joints.joints(), {});
  if (joints.rows() == 0) return;
  mechanics::Joint::Rows lambda;
  for (int i = 0; i < joints.joints(); ++i) {
    const mechanics::Joint& joint = joints.joint(i);
    lambda = joint_impulses_.segment(joints.row_start(i), joint.rows()) / h;
    const mechanics::Joint::Reaction reaction = joint.reaction(stage_, lambda);
    report.joints[i] = {reaction.force, reaction.torque, lambda[joint.rows() - 1]};
  }
}

// The impulses that keep driven components on their way, R = M (v_1 - v_0) - h f - H^T p, and those that hold driven
// surfaces against their contacts. Forces and contacts work along the mean velocity v_mean of a driven component; what
// its mass takes up is exactly (v_0 + v_1)/2 . M (v_1 - v_0), also where a driver makes the velocity jump. So the
// driver gives (v_0 + v_1)/2 . M (v_1 - v_0) - v_mean . (h f + H^T p), and driven components have no numerical
// dissipation.
void MoreauJean::account_drivers(const System& system, const State& begin, double h, StepReport& report) {
  const mechanics::Equations& equations = system.equations;
  report.drivers.assign(equations.driven_motion().drivers(), {});
  account_surfaces(system, begin, h, report);
  if (report.drivers.empty()) return;
  work_ = velocity_ - begin.v;
  equations.multiply_mass(balance_state(), work_, momentum_);
  equations.force(balance_state(), force_);
  work_ = h * force_ - momentum_;  // with contacts and joints: -R
  if (gradients_.rows() > 0) gradients_.transpose_multiply_add(impulses_, work_);
  if (joint_impulses_.size() > 0) joint_rows_.transpose_multiply_add(joint_impulses_, work_);
  for (const auto& component : equations.driven_motion().components()) {
    const int i = component.index;
    const double reaction = -work_[i];
    const double middle = 0.5 * (begin.v[i] + velocity_[i]);
    const double work = middle * momentum_[i] - stage_.v[i] * (momentum_[i] - reaction);
    account_driven_component(equations.map(), stage_, component, reaction, work, h, report);
    report.works.numerical -= (0.5 - options_.theta) * (velocity_[i] - begin.v[i]) * momentum_[i];
  }
}

// What holds driven surfaces against their contacts, and what systems put into gaps that change with time.
void MoreauJean::account_surfaces(const System& system, const State& begin, double h, StepReport& report) {
  if (!system.contacts.has_explicit_velocities()) return;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const contact::Contact& contact = contacts_[i];
    if (system.contacts.driver(contact.key) < 0 && contact.kind != contact::ContactKind::generalised) continue;
    const Vector3 after = system.contacts.surface_velocity(contact, time_after_);
    const Vector3 spin_after = system.contacts.surface_spin(contact, time_after_);
    const Vector3 mean = (1 - options_.theta) * contact.surface_velocity + options_.theta * after;
    const Vector3 mean_spin = (1 - options_.theta) * contact.surface_spin + options_.theta * spin_after;
    account_driven_surface(system.contacts, contact, report.contacts[i], mean, mean_spin, begin.time, h, report);
  }
}

void MoreauJean::record_contacts(const System& system, double h, const State& end, StepReport& report) {
  velocity_mean_.resize(gradients_.scalar_rows());
  velocity_mean_.setZero();
  gradients_.multiply_add(stage_.v, velocity_mean_);
  const double theta = options_.theta;
  report.contacts.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const contact::Contact& contact = contacts_[i];
    ContactRecord& record = report.contacts[i];
    const contact::ContactBlock& block = system.contacts.block(contact);
    const int start = gradients_.row_offset(static_cast<int>(i));
    record.key = contact.key;
    record.point = system.contacts.point(contact, end);
    record.axes = contact.axes;
    record.gap_before = contact.gap;
    record.gap = system.contacts.gap(contact, end);
    record.velocity_before = block.linear_part(velocity_before_.data() + start);
    record.velocity = block.linear_part(velocity_after_.data() + start);
    record.impulse = block.linear_part(impulses_.data() + start);
    record.spin_before = block.angular_velocity(velocity_before_.data() + start);
    record.spin = block.angular_velocity(velocity_after_.data() + start);
    record.moment = block.moment(impulses_.data() + start);
    record.force = held_before_[i] != 0 ? Vector3(record.impulse / h) : Vector3::Zero();
    record.torque = held_before_[i] != 0 ? Vector3(record.moment / h) : Vector3::Zero();
    record.status = cone::contact_status(problem_, impulses_, static_cast<int>(i));
    // Where several contacts hold a body at rest, some carry all the friction they can; nothing slips there.
    if (record.status == cone::ContactStatus::slip && record.velocity.tail<2>().norm() <= resting_speeds_[i]) {
      record.status = cone::ContactStatus::stick;
    }
    Vector3 mean =
        (1 - theta) * contact.surface_velocity + theta * system.contacts.surface_velocity(contact, time_after_);
    mean += block.linear_part(velocity_mean_.data() + start);
    record.work_normal = mean[0] * record.impulse[0];
    record.work_tangential = mean.tail<2>().dot(record.impulse.tail<2>());
    record.work_resistance = 0;
    if (!block.resists()) continue;
    Vector3 spin = (1 - theta) * contact.surface_spin + theta * system.contacts.surface_spin(contact, time_after_);
    spin += block.angular_velocity(velocity_mean_.data() + start);
    record.work_resistance = spin.dot(record.moment);
  }
  if (!in_sequence()) return;
  report.subproblems[static_cast<std::size_t>(SubproblemLevel::velocity)].passes = sequence_.passes();
  for (std::size_t i = 0; i < contacts_.size() && i < sequence_.works().size(); ++i) {
    const Vector3& work = sequence_.works()[i];
    ContactRecord& record = report.contacts[i];
    record.work_normal = work[0];
    record.work_tangential = work[1];
    record.work_resistance = work[2];
  }
}

}  // namespace ricochet::integrate
