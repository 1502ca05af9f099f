#include "ricochet/io/row_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet::io {

namespace {

// The report of a step without the contacts, which are many and kept in the tally.
void copy_report(const integrate::StepReport& from, integrate::StepReport& to) {
  to.status = from.status;
  to.impossible = from.impossible;
  to.drivers = from.drivers;
  to.joints = from.joints;
  to.joint_actions = from.joint_actions;
  to.works = from.works;
  to.solver = from.solver;
  to.motion_iterations = from.motion_iterations;
  to.joint_error = from.joint_error;
  to.stage_seconds = from.stage_seconds;
  to.worst_joint = from.worst_joint;
  to.subproblems = from.subproblems;
}

}  // namespace

std::vector<int> visible_probes(const simulation::ProbeSet& probes) {
  std::vector<int> visible;
  for (int probe = 0; probe < probes.size(); ++probe) {
    if (!probes.hidden(probe)) visible.push_back(probe);
  }
  return visible;
}

RowRecorder::RowRecorder(const study::Case& run_case) : case_(run_case), visible_(visible_probes(run_case.probes)) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const int probe : visible_) probe_summaries_.push_back({run_case.probes.name(probe), none, none, none, none});
}

void RowRecorder::begin(const simulation::Frame& frame) {
  copy_report(frame.report, last_report_);
  make_row(frame);
}

void RowRecorder::step(const simulation::Frame& frame) {
  tally_.add(frame.contacts);
  copy_report(frame.report, last_report_);
  if (frame.step_index % std::max(case_.output_every, 1) == 0) make_row(frame);
}

void RowRecorder::end(const simulation::Frame& frame, const simulation::RunResult&) {
  // Only here it is known that no more steps come: a row that the end makes is not one of a run that is resumed for
  // longer. After a failed step the frame has the state before that step, but the report of the failure.
  if (frame.step_index != last_row_step_) make_row(frame);
}

void RowRecorder::summarize(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    ProbeSummary& probe = probe_summaries_[i];
    if (rows_ == 0) probe.first = values[i];
    probe.last = values[i];
    probe.min = std::fmin(probe.min, values[i]);  // fmin and fmax pass over NaN
    probe.max = std::fmax(probe.max, values[i]);
  }
}

void RowRecorder::make_row(const simulation::Frame& frame) {
  put_row({frame.model, frame.equations, frame.contact_set, frame.initial_state, frame.state, frame.ledger,
           last_report_, tally_.records(), frame.step_index, frame.step_count});
  tally_.clear();
}

void RowRecorder::put_row(const simulation::Frame& row) {
  case_.probes.evaluate(row, visible_, values_);
  take_row(row, values_);
  summarize(values_);
  last_row_step_ = row.step_index;
  ++rows_;
}

}  // namespace ricochet::io
