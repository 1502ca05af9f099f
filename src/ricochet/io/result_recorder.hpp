// Writes history.csv, contacts.csv and result.h5 of a run into a directory: the rows of row_recorder.hpp.
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

#include "ricochet/io/csv_writer.hpp"
#include "ricochet/io/result_file.hpp"
#include "ricochet/io/row_log.hpp"
#include "ricochet/io/row_recorder.hpp"
#include "ricochet/study/case.hpp"

namespace ricochet::io {

class ResultRecorder final : public RowRecorder {
 public:
  // Opens the files. `run_case` must outlive the recorder.
  ResultRecorder(const std::filesystem::path& directory, const study::Case& run_case, bool with_log = false);

  void begin(const simulation::Frame& frame) override;
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

 private:
  struct KeyHash {
    std::size_t operator()(const contact::ContactKey& key) const;
  };

  void take_row(const simulation::Frame& row, std::span<const double> values) override;
  int identity(const contact::ContactSet& contacts, const contact::ContactKey& key);
  void collect_contacts(const simulation::Frame& row);

  CsvWriter history_;
  ContactsCsv contacts_csv_;
  ResultFile file_;
  std::optional<RowLog> log_;

  std::chrono::steady_clock::time_point last_flush_;

  std::unordered_map<contact::ContactKey, int, KeyHash> identities_;
  std::vector<std::string> identity_names_;
  std::vector<RowContact> row_contacts_;  // workspaces
  std::string log_row_;
};

}  // namespace ricochet::io
