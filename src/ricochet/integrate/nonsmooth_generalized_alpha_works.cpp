// What a step of the nonsmooth generalized-alpha scheme did: records of contacts and joints, and the works of the
// ledger.
//
// Contacts, joints and drivers work along the mean of the velocities before and after the step, loads and dampers with
// the mean of their powers. There is no independent formula for the energy that the method itself takes or gives:
// `numerical` is the remainder of the balance.
#include <algorithm>

#include "ricochet/integrate/driver_account.hpp"
#include "ricochet/integrate/nonsmooth_generalized_alpha.hpp"

namespace ricochet::integrate {

using mechanics::State;

void NonsmoothGeneralizedAlpha::account(const System& system, const Instant& begin, double h, const State& end,
                                        StepReport& report) {
  const mechanics::Equations& equations = system.equations;
  record_contacts(system, begin.state, h, begin.accelerations.empty(), report);
  record_joints(system, begin, h, report);

  const mechanics::Powers before = equations.powers(begin.state), after = equations.powers(end);
  StepWorks& works = report.works;
  works = {};
  works.loads = 0.5 * h * (before.loads + after.loads) + equations.prescribed_work(begin.state, end);
  works.damping = 0.5 * h * (before.damping + after.damping);
  for (const ContactRecord& contact : report.contacts) {
    const double work = contact.work_normal + contact.work_tangential + contact.work_resistance;
    works.contact_normal += contact.work_normal;
    works.contact_tangential += contact.work_tangential;
    works.contact_resistance += contact.work_resistance;
    works.contact_resistance_positive += std::max(contact.work_resistance, 0.0);
    works.contact_normal_positive += std::max(contact.work_normal, 0.0);
    works.contact_tangential_positive += std::max(contact.work_tangential, 0.0);
    works.contact_created += std::max(work, 0.0);
  }
  const auto offset = static_cast<std::size_t>(system.contacts.scalars(velocity_.contacts()));
  const std::size_t count = velocity_.actions().scalars();
  velocity_.actions().account(equations.joint_actions(), {impulses_.data() + offset, count},
                              {velocity_mean_.data() + offset, count}, h, report);
  account_drivers(system, begin, h, report);
  const double change = equations.kinetic_energy(end) + equations.potential_energy(end) -
                        equations.kinetic_energy(begin.state) - equations.potential_energy(begin.state);
  works.numerical = change - (works.loads + works.drivers - works.damping + works.contact_normal +
                              works.contact_tangential + works.contact_resistance + works.joints);
}

void NonsmoothGeneralizedAlpha::record_contacts(const System& system, const State& begin, double h, bool is_first,
                                                StepReport& report) {
  const std::vector<contact::Contact>& contacts = velocity_.contacts();
  velocity_.measure(velocity_after_);
  // Relative to the surface: what a driven one takes is work of its driver.
  velocity_mean_ = velocity_.velocity_before();
  velocity_mean_ += velocity_after_;
  velocity_mean_ *= 0.5;
  report.contacts.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const contact::Contact& contact = contacts[i];
    ContactRecord& record = report.contacts[i];
    const contact::ContactBlock& block = system.contacts.block(contact);
    const int start = velocity_.gradients().row_offset(static_cast<int>(i));
    const double* impulse = impulses_.data() + start;
    record = {};
    record.key = contact.key;
    record.point = contact.point;
    record.axes = contact.axes;
    // Of the features that touch at the end: the others were as far apart at the start as the step before left them.
    const double before = system.contacts.gap(contact, begin);
    record.gap_before = is_first ? before : std::max(before, 0.0);
    record.gap = contact.gap;
    record.velocity_before = block.linear_part(velocity_.velocity_before().data() + start);
    record.velocity = block.linear_part(velocity_after_.data() + start);
    record.impulse = block.linear_part(impulse);
    record.spin_before = block.angular_velocity(velocity_.velocity_before().data() + start);
    record.spin = block.angular_velocity(velocity_after_.data() + start);
    record.moment = block.moment(impulse);
    record.shift = shifts_[i];
    if (persists_[i] != 0) {
      record.force = record.impulse / h;
      record.torque = record.moment / h;
    }
    record.status = cone::contact_status({block.size, false, friction_of(coefficients_[i])}, impulse);
    // Components of a coupled spin work with those of slip; here they are told apart.
    const Vector3 mean = block.linear_part(velocity_mean_.data() + start);
    record.work_normal = mean[0] * record.impulse[0];
    record.work_tangential = mean.tail<2>().dot(record.impulse.tail<2>());
    record.work_resistance = block.angular_velocity(velocity_mean_.data() + start).dot(record.moment);
    if (pass_works_.empty()) continue;
    record.work_normal = pass_works_[i][0];
    record.work_tangential = pass_works_[i][1];
    record.work_resistance = pass_works_[i][2];
  }
}

// Means over the step: of the smooth motion from its beginning and its end, and what the jump added.
void NonsmoothGeneralizedAlpha::record_joints(const System& system, const Instant& begin, double h,
                                              StepReport& report) {
  const mechanics::JointSet& joints = system.equations.joints();
  report.joints.assign(joints.joints(), {});
  if (joints.rows() == 0) return;
  joint_impulses_ = 0.5 * h * (smooth_.start(begin).multipliers + smooth_.multipliers()) + jump_multipliers_;
  mechanics::Joint::Rows lambda;
  for (int i = 0; i < joints.joints(); ++i) {
    const mechanics::Joint& joint = joints.joint(i);
    lambda = joint_impulses_.segment(joints.row_start(i), joint.rows()) / h;
    const mechanics::Joint::Reaction reaction = joint.reaction(velocity_.state(), lambda);
    report.joints[i] = {reaction.force, reaction.torque, lambda[joint.rows() - 1]};
  }
}

// What keeps driven components on their way, R = M (v_1 - v_0) - h f - H^T Lambda - G^T lambda, with f and lambda as
// means of both ends of the step; what holds driven surfaces against their contacts; and what driven joints give.
void NonsmoothGeneralizedAlpha::account_drivers(const System& system, const Instant& begin, double h,
                                                StepReport& report) {
  const mechanics::Equations& equations = system.equations;
  StepWorks& works = report.works;
  const mechanics::JointSet& joints = equations.joints();
  const State& end = velocity_.state();
  if (joints.rows() > 0) {
    joints.rates(begin.state.time, joint_rates_);
    works.drivers -= 0.5 * joint_impulses_.dot(joint_rates_);
    joints.rates(end.time, joint_rates_);
    works.drivers -= 0.5 * joint_impulses_.dot(joint_rates_);
  }
  report.drivers.assign(equations.driven_motion().drivers(), {});
  for (std::size_t i = 0; i < velocity_.contacts().size(); ++i) {
    const contact::Contact& contact = velocity_.contacts()[i];
    const Vector3 mean = 0.5 * (contact.surface_velocity + system.contacts.surface_velocity(contact, begin.state.time));
    const Vector3 spin = 0.5 * (contact.surface_spin + system.contacts.surface_spin(contact, begin.state.time));
    account_driven_surface(system.contacts, contact, report.contacts[i], mean, spin, end.time, h, report);
  }
  if (report.drivers.empty()) return;
  VectorX& reaction = work_;
  momentum_ = end.v - begin.state.v;
  equations.multiply_mass(end, momentum_, reaction);
  equations.force(begin.state, force_);
  reaction -= 0.5 * h * force_;
  equations.force(end, force_);
  reaction -= 0.5 * h * force_;
  momentum_.setZero();
  if (velocity_.scalars() > 0) velocity_.gradients().transpose_multiply_add(impulses_, momentum_);
  if (joints.rows() > 0) velocity_.joint_rows().transpose_multiply_add(joint_impulses_, momentum_);
  reaction -= momentum_;
  for (const auto& component : equations.driven_motion().components()) {
    const int i = component.index;
    const double work = 0.5 * (begin.state.v[i] + end.v[i]) * reaction[i];
    account_driven_component(equations.map(), end, component, reaction[i], work, h, report);
  }
}

}  // namespace ricochet::integrate
