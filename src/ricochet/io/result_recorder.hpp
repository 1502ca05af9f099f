// Writes history.csv, contacts.csv and result.h5 of a run into a directory.
//
// Rows come at t = 0, every `output_every` steps, and at the end of the run, wherever that is. Impulses and works in a
// row are sums since the previous row, also for the probes; everything else is at the row's time.
//
// For a run that may be resumed the rows also go to a log (row_log.hpp). A recorder that replays the log has written
// the same files and knows the same as the one that wrote it, but for what came after the last row: that is what
// `visit` lists.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ricochet/io/contact_tally.hpp"
#include "ricochet/io/csv_writer.hpp"
#include "ricochet/io/result_file.hpp"
#include "ricochet/io/row_log.hpp"
#include "ricochet/io/summary.hpp"
#include "ricochet/simulation/recorder.hpp"
#include "ricochet/study/case.hpp"

namespace ricochet::io {

class ResultRecorder final : public simulation::Recorder {
 public:
  // Opens the files. `run_case` must outlive the recorder.
  ResultRecorder(const std::filesystem::path& directory, const study::Case& run_case, bool with_log = false);

  void begin(const simulation::Frame& frame) override;
  void step(const simulation::Frame& frame) override;
  void end(const simulation::Frame& frame, const simulation::RunResult& result) override;  // closes the files

  void flush();  // all rows so far can be read from the files

  RowLogExtent sync_log();  // all rows so far are on the disk, in the log
  // Writes the rows of a log again, instead of `begin` and the first steps. `frame` is that of the run to be resumed.
  void replay(RowLogReader& log, const simulation::Frame& frame);

  // What is not in the log, see simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("tally", self.tally_);
    visitor("last_report", self.last_report_);
  }

  // Visible probes over the rows written so far, for the summary.
  const std::vector<ProbeSummary>& probe_summaries() const { return probe_summaries_; }
  long rows() const { return rows_; }

 private:
  struct KeyHash {
    std::size_t operator()(const contact::ContactKey& key) const;
  };

  void write_row(const simulation::Frame& frame);  // from the tally, which is then empty
  void put_row(const simulation::Frame& row);      // in which contacts and report are those of the row
  int identity(const contact::ContactSet& contacts, const contact::ContactKey& key);
  void collect_contacts(const simulation::Frame& row);
  void summarize(std::span<const double> values);

  const study::Case& case_;
  std::vector<int> visible_;  // probes that are columns
  std::vector<ProbeSummary> probe_summaries_;
  CsvWriter history_;
  ContactsCsv contacts_csv_;
  ResultFile file_;
  std::optional<RowLog> log_;

  ContactTally tally_;
  integrate::StepReport last_report_;  // of the last step that was taken, without its contacts
  long last_row_step_ = -1;
  long rows_ = 0;
  std::chrono::steady_clock::time_point last_flush_;

  std::unordered_map<contact::ContactKey, int, KeyHash> identities_;
  std::vector<std::string> identity_names_;
  std::vector<RowContact> row_contacts_;  // workspaces
  std::vector<double> values_;
  std::string log_row_;
};

}  // namespace ricochet::io
