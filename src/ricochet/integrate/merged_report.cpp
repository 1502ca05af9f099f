#include "ricochet/integrate/merged_report.hpp"

#include <algorithm>

namespace ricochet::integrate {

namespace {

// All numbers that the visit of a record lists: of doubles and vectors.
struct Numbers {
  std::vector<double*> all;
  void operator()(const char* /*name*/, double& number) { all.push_back(&number); }
  void operator()(const char* /*name*/, Vector3& vector) {
    for (int k = 0; k < 3; ++k) all.push_back(&vector[k]);
  }
};

// record = weight record + weight_later later, number by number.
template <class Record>
void combine(double weight, double weight_later, Record later, Record& record) {
  Numbers from, to;
  Record::visit(later, from);
  Record::visit(record, to);
  for (std::size_t i = 0; i < to.all.size(); ++i) *to.all[i] = weight * *to.all[i] + weight_later * *from.all[i];
}

template <class Record>
void take_means(double part_before, double part, const std::vector<Record>& later, std::vector<Record>& records) {
  for (std::size_t i = 0; i < std::min(records.size(), later.size()); ++i) {
    combine(part_before, part, later[i], records[i]);
  }
}

}  // namespace

void merge_contacts(std::span<const ContactRecord> before, std::span<const ContactRecord> later,
                    std::vector<ContactRecord>& merged) {
  merged.clear();
  merged.reserve(before.size() + later.size());
  auto old = before.begin();
  for (const ContactRecord& now : later) {
    while (old != before.end() && old->key < now.key) merged.push_back(*old++);
    ContactRecord& record = merged.emplace_back(now);
    if (old == before.end() || old->key != now.key) continue;
    record.gap_before = old->gap_before;
    record.velocity_before = old->velocity_before;
    record.spin_before = old->spin_before;
    record.impulse += old->impulse;
    record.moment += old->moment;
    record.shift += old->shift;
    record.work_normal += old->work_normal;
    record.work_tangential += old->work_tangential;
    record.work_resistance += old->work_resistance;
    ++old;
  }
  merged.insert(merged.end(), old, before.end());
}

void merge_later(const StepReport& later, double duration, double duration_before, StepReport& report) {
  const double whole = duration + duration_before;
  const double part = duration / whole, part_before = duration_before / whole;
  const StepReport before = report;
  report.status = later.status;
  report.worst_joint = later.worst_joint;
  report.impossible = later.impossible;
  merge_contacts(before.contacts, later.contacts, report.contacts);
  take_means(part_before, part, later.drivers, report.drivers);
  take_means(part_before, part, later.joints, report.joints);
  take_means(part_before, part, later.joint_actions, report.joint_actions);
  combine(1, 1, later.works, report.works);
  report.solver = later.solver;
  report.solver.iterations += before.solver.iterations;
  report.solver.residual = std::max(before.solver.residual, later.solver.residual);
  report.joint_error = std::max(before.joint_error, later.joint_error);
  report.motion_iterations += later.motion_iterations;
  report.refined = before.refined || later.refined;
  for (std::size_t i = 0; i < report.subproblems.size(); ++i) {
    report.subproblems[i] = later.subproblems[i];
    report.subproblems[i].iterations += before.subproblems[i].iterations;
    report.subproblems[i].line_searches += before.subproblems[i].line_searches;
    report.subproblems[i].passes = std::max(report.subproblems[i].passes, before.subproblems[i].passes);
  }
  for (std::size_t i = 0; i < report.stage_seconds.size(); ++i) report.stage_seconds[i] += later.stage_seconds[i];
}

}  // namespace ricochet::integrate
