#include "ricochet/integrate/merged_report.hpp"

#include <algorithm>
#include <iterator>

namespace ricochet::integrate {

namespace {

void add_works(const StepWorks& later, StepWorks& works) {
  works.loads += later.loads;
  works.drivers += later.drivers;
  works.damping += later.damping;
  works.contact_normal += later.contact_normal;
  works.contact_tangential += later.contact_tangential;
  works.contact_normal_positive += later.contact_normal_positive;
  works.contact_tangential_positive += later.contact_tangential_positive;
  works.contact_created += later.contact_created;
  works.numerical += later.numerical;
  works.appeared += later.appeared;
  works.projection += later.projection;
  works.joints += later.joints;
}

// Both sorted by key.
std::vector<ContactRecord> merged(const std::vector<ContactRecord>& first, const std::vector<ContactRecord>& second) {
  std::vector<ContactRecord> all;
  std::merge(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(all),
             [](const ContactRecord& a, const ContactRecord& b) { return a.key < b.key; });
  std::size_t kept = 0;
  for (const ContactRecord& record : all) {
    if (kept == 0 || all[kept - 1].key != record.key) {
      all[kept++] = record;
      continue;
    }
    const ContactRecord before = all[kept - 1];
    ContactRecord& sum = all[kept - 1];
    sum = record;
    sum.gap_before = before.gap_before;
    sum.velocity_before = before.velocity_before;
    sum.impulse += before.impulse;
    sum.shift += before.shift;
    sum.work_normal += before.work_normal;
    sum.work_tangential += before.work_tangential;
  }
  all.resize(kept);
  return all;
}

}  // namespace

void merge_later(const StepReport& later, double duration, double duration_before, StepReport& report) {
  const double whole = duration + duration_before;
  const double part = duration / whole, part_before = duration_before / whole;
  const StepReport before = report;
  report.status = later.status;
  report.worst_joint = later.worst_joint;
  report.impossible = later.impossible;
  report.contacts = merged(before.contacts, later.contacts);
  for (std::size_t i = 0; i < std::min(report.drivers.size(), later.drivers.size()); ++i) {
    report.drivers[i].force = part_before * before.drivers[i].force + part * later.drivers[i].force;
    report.drivers[i].torque = part_before * before.drivers[i].torque + part * later.drivers[i].torque;
    report.drivers[i].power = part_before * before.drivers[i].power + part * later.drivers[i].power;
  }
  for (std::size_t i = 0; i < std::min(report.joints.size(), later.joints.size()); ++i) {
    report.joints[i].force = part_before * before.joints[i].force + part * later.joints[i].force;
    report.joints[i].torque = part_before * before.joints[i].torque + part * later.joints[i].torque;
    report.joints[i].effort = part_before * before.joints[i].effort + part * later.joints[i].effort;
  }
  for (std::size_t i = 0; i < std::min(report.joint_actions.size(), later.joint_actions.size()); ++i) {
    report.joint_actions[i].force = part_before * before.joint_actions[i].force + part * later.joint_actions[i].force;
    report.joint_actions[i].power = part_before * before.joint_actions[i].power + part * later.joint_actions[i].power;
  }
  add_works(later.works, report.works);
  report.solver = later.solver;
  report.solver.iterations += before.solver.iterations;
  report.solver.residual = std::max(before.solver.residual, later.solver.residual);
  report.joint_error = std::max(before.joint_error, later.joint_error);
  report.motion_iterations += later.motion_iterations;
  for (std::size_t i = 0; i < report.subproblems.size(); ++i) {
    report.subproblems[i] = later.subproblems[i];
    report.subproblems[i].iterations += before.subproblems[i].iterations;
    report.subproblems[i].line_searches += before.subproblems[i].line_searches;
  }
  for (std::size_t i = 0; i < report.stage_seconds.size(); ++i) report.stage_seconds[i] += later.stage_seconds[i];
}

}  // namespace ricochet::integrate
