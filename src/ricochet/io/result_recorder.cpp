#include "ricochet/io/result_recorder.hpp"

#include <algorithm>
#include <cstdint>

#include "ricochet/simulation/archive.hpp"

namespace ricochet::io {
namespace {

// A run that is killed leaves rows that are at most this old.
constexpr std::chrono::seconds recorder_flush_interval{10};

std::vector<std::string> probe_columns(const simulation::ProbeSet& probes, bool with_time) {
  std::vector<std::string> columns;
  if (with_time) columns.emplace_back("time");
  for (const int probe : visible_probes(probes)) columns.push_back(probes.name(probe));
  return columns;
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
    : RowRecorder(run_case),
      history_(directory / "history.csv", probe_columns(run_case.probes, true)),
      contacts_csv_(directory / "contacts.csv"),
      file_(directory / "result.h5", run_case, probe_columns(run_case.probes, false)) {
  if (with_log) log_.emplace(directory / row_log_name);
}

void ResultRecorder::begin(const simulation::Frame& frame) {
  RowRecorder::begin(frame);
  flush();
}

void ResultRecorder::end(const simulation::Frame& frame, const simulation::RunResult& result) {
  RowRecorder::end(frame, result);
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

void ResultRecorder::take_row(const simulation::Frame& row, std::span<const double> values) {
  if (log_) {
    log_row_.clear();
    visit_row(row, simulation::ByteWriter(log_row_));
    log_->append(log_row_);
  }
  collect_contacts(row);

  history_.cell(row.state.time);
  for (const double value : values) history_.cell(value);
  history_.end_row();
  for (const RowContact& contact : row_contacts_) {
    contacts_csv_.write(row.state.time, identity_names_[contact.identity], row.contact_set, *contact.record);
  }
  file_.write_row(row, row_contacts_, values);
  if (std::chrono::steady_clock::now() - last_flush_ > recorder_flush_interval) flush();
}

}  // namespace ricochet::io
