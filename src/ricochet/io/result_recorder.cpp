#include "ricochet/io/result_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ricochet/simulation/archive.hpp"

namespace ricochet::io {
namespace {

// A run that is killed leaves rows that are at most this old.
constexpr std::chrono::seconds recorder_flush_interval{10};

std::vector<int> visible_probes(const simulation::ProbeSet& probes) {
  std::vector<int> visible;
  for (int probe = 0; probe < probes.size(); ++probe) {
    if (!probes.hidden(probe)) visible.push_back(probe);
  }
  return visible;
}

std::vector<std::string> probe_columns(const simulation::ProbeSet& probes, bool with_time) {
  std::vector<std::string> columns;
  if (with_time) columns.emplace_back("time");
  for (const int probe : visible_probes(probes)) columns.push_back(probes.name(probe));
  return columns;
}

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

// A row as the log has it.
struct LoggedRow {
  long step_index = 0;
  mechanics::State state;
  simulation::Ledger ledger;
  integrate::StepReport report;
  std::vector<integrate::ContactRecord> contacts;
};

// What of a frame, or of a LoggedRow, makes a row: all else follows from the model.
template <class Row, class Visitor>
void visit_row(Row& row, Visitor&& visitor) {
  visitor("step_index", row.step_index);
  visitor("state", row.state);
  visitor("ledger", row.ledger);
  visitor("report", row.report);
  visitor("contacts", row.contacts);
}

}  // namespace

std::size_t ResultRecorder::KeyHash::operator()(const contact::ContactKey& key) const {
  std::uint64_t hash = 0;
  for (const int part : {key.rule, key.participant_a, key.feature_a, key.participant_b, key.feature_b}) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

ResultRecorder::ResultRecorder(const std::filesystem::path& directory, const study::Case& run_case, bool with_log)
    : case_(run_case),
      visible_(visible_probes(run_case.probes)),
      history_(directory / "history.csv", probe_columns(run_case.probes, true)),
      contacts_csv_(directory / "contacts.csv"),
      file_(directory / "result.h5", run_case, probe_columns(run_case.probes, false)) {
  if (with_log) log_.emplace(directory / row_log_name);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const int probe : visible_) probe_summaries_.push_back({run_case.probes.name(probe), none, none, none, none});
}

void ResultRecorder::begin(const simulation::Frame& frame) {
  copy_report(frame.report, last_report_);
  write_row(frame);
  flush();
}

void ResultRecorder::step(const simulation::Frame& frame) {
  tally_.add(frame.contacts);
  copy_report(frame.report, last_report_);
  if (frame.step_index % std::max(case_.output_every, 1) == 0) write_row(frame);
}

void ResultRecorder::end(const simulation::Frame& frame, const simulation::RunResult&) {
  // Only here it is known that no more steps come: a row that the end makes is not one of a run that is resumed for
  // longer. After a failed step the frame has the state before that step, but the report of the failure.
  if (frame.step_index != last_row_step_) write_row(frame);
  history_.close();
  contacts_csv_.close();
  file_.close();
}

void ResultRecorder::flush() {
  history_.flush();
  contacts_csv_.flush();
  file_.flush();
  last_flush_ = std::chrono::steady_clock::now();
}

RowLogExtent ResultRecorder::sync_log() {
  if (!log_) throw std::logic_error("this recorder keeps no log of its rows");
  return log_->sync();
}

void ResultRecorder::replay(RowLogReader& log, const simulation::Frame& frame) {
  std::string bytes;
  LoggedRow row;
  while (log.next(bytes)) {
    visit_row(row, simulation::ByteReader(bytes));
    put_row({frame.model, frame.equations, frame.contact_set, frame.initial_state, row.state, row.ledger, row.report,
             row.contacts, row.step_index, frame.step_count});
  }
  flush();
}

int ResultRecorder::identity(const contact::ContactSet& contacts, const contact::ContactKey& key) {
  const auto [entry, is_new] = identities_.try_emplace(key, static_cast<int>(identity_names_.size()));
  if (is_new) {
    identity_names_.push_back(contacts.name(key));
    file_.add_identity(identity_names_.back());
  }
  return entry->second;
}

// The tally is sorted by numbers, which follow the order of the scene; a row is sorted by what the reader sees, the
// names.
void ResultRecorder::collect_contacts(const simulation::Frame& row) {
  row_contacts_.clear();
  for (const integrate::ContactRecord& record : row.contacts) {
    row_contacts_.push_back({&record, identity(row.contact_set, record.key)});
  }
  const auto by_name = [this](const RowContact& a, const RowContact& b) {
    return identity_names_[a.identity] < identity_names_[b.identity];
  };
  if (!std::is_sorted(row_contacts_.begin(), row_contacts_.end(), by_name)) {
    std::sort(row_contacts_.begin(), row_contacts_.end(), by_name);
  }
}

void ResultRecorder::summarize(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    ProbeSummary& probe = probe_summaries_[i];
    if (rows_ == 0) probe.first = values[i];
    probe.last = values[i];
    probe.min = std::fmin(probe.min, values[i]);  // fmin and fmax pass over NaN
    probe.max = std::fmax(probe.max, values[i]);
  }
}

void ResultRecorder::write_row(const simulation::Frame& frame) {
  put_row({frame.model, frame.equations, frame.contact_set, frame.initial_state, frame.state, frame.ledger,
           last_report_, tally_.records(), frame.step_index, frame.step_count});
  tally_.clear();
  if (std::chrono::steady_clock::now() - last_flush_ > recorder_flush_interval) flush();
}

void ResultRecorder::put_row(const simulation::Frame& row) {
  if (log_) {
    log_row_.clear();
    visit_row(row, simulation::ByteWriter(log_row_));
    log_->append(log_row_);
  }
  case_.probes.evaluate(row, visible_, values_);
  collect_contacts(row);

  history_.cell(row.state.time);
  for (const double value : values_) history_.cell(value);
  history_.end_row();
  for (const RowContact& contact : row_contacts_) {
    contacts_csv_.write(row.state.time, identity_names_[contact.identity], row.contact_set, *contact.record);
  }
  file_.write_row(row, row_contacts_, values_);
  summarize(values_);
  last_row_step_ = row.step_index;
  ++rows_;
}

}  // namespace ricochet::io
