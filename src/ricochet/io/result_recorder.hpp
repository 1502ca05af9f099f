// Writes history.csv, contacts.csv and result.h5 of a run into a directory.
//
// Rows come at t = 0, every `output_every` steps, and at the end of the run, wherever that is. Impulses and works in a
// row are sums since the previous row, also for the probes; everything else is at the row's time.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ricochet/io/contact_tally.hpp"
#include "ricochet/io/csv_writer.hpp"
#include "ricochet/io/result_file.hpp"
#include "ricochet/io/summary.hpp"
#include "ricochet/simulation/recorder.hpp"
#include "ricochet/study/case.hpp"

namespace ricochet::io {

class ResultRecorder final : public simulation::Recorder {
 public:
  // Opens the files. `run_case` must outlive the recorder.
  ResultRecorder(const std::filesystem::path& directory, const study::Case& run_case);

  void begin(const simulation::Frame& frame) override;
  void step(const simulation::Frame& frame) override;
  void end(const simulation::Frame& frame, const simulation::RunResult& result) override;  // closes the files

  void flush();  // all rows so far can be read from the files

  // Visible probes over the rows written so far, for the summary.
  const std::vector<ProbeSummary>& probe_summaries() const { return probe_summaries_; }
  long rows() const { return rows_; }

 private:
  struct KeyHash {
    std::size_t operator()(const contact::ContactKey& key) const;
  };

  void write_row(const simulation::Frame& frame);
  int identity(const contact::ContactSet& contacts, const contact::ContactKey& key);
  void collect_contacts(const contact::ContactSet& contacts);
  void summarize(std::span<const double> values);

  const study::Case& case_;
  std::vector<int> visible_;  // probes that are columns
  std::vector<ProbeSummary> probe_summaries_;
  CsvWriter history_;
  ContactsCsv contacts_csv_;
  ResultFile file_;

  ContactTally tally_;
  integrate::StepReport last_report_;  // of the last step that was taken, without its contacts
  long last_row_step_ = -1;
  long rows_ = 0;
  std::chrono::steady_clock::time_point last_flush_;

  std::unordered_map<contact::ContactKey, int, KeyHash> identities_;
  std::vector<std::string> identity_names_;
  std::vector<RowContact> row_contacts_;  // workspaces
  std::vector<double> values_;
};

}  // namespace ricochet::io
