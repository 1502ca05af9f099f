// Checkpoints: files from which a run that was killed or interrupted goes on, bit for bit.
//
//   checkpoint-<step>.h5    /format, the attributes program, version, kind, step and time, /scene,
//                           /info /run /recorder    archives (simulation/archive.hpp) as lists of 64-bit words
//                           and behind the end of the HDF5 file a mark and a checksum of all bytes before it
//   rows.log                beside it: all rows before the checkpoint, see row_log.hpp
//
// A checkpoint is written to another name, brought to the disk and renamed, and only then the last but two is removed:
// whenever the process is killed, at least the previous one is whole. Reading begins with the checksum, so that
// the HDF5 library never sees a damaged file.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/io/result_recorder.hpp"
#include "ricochet/io/row_log.hpp"
#include "ricochet/study/run_case.hpp"

namespace ricochet::io {

// Where a run comes from and where it goes: what `resume` needs to begin with.
struct CheckpointInfo {
  std::string scene_path;  // absolute
  std::string scene_text;
  std::string variant;
  std::vector<std::string> overrides;
  std::string target;               // the result directory that was asked for, absolute
  double every = 0;                 // s of wall time from one checkpoint to the next
  bool accept_unconverged = false;  // see simulation::Settings
  bool report = true;               // write report.html at the end
  std::vector<std::string>
      sources;  // partial directories of killed runs from which this one was resumed, the first first
  RowLogExtent rows;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("scene_path", self.scene_path);
    visitor("scene_text", self.scene_text);
    visitor("variant", self.variant);
    visitor("overrides", self.overrides);
    visitor("target", self.target);
    visitor("every", self.every);
    visitor("accept_unconverged", self.accept_unconverged);
    visitor("report", self.report);
    visitor("sources", self.sources);
    visitor("rows", self.rows);
  }
};

// Writes the checkpoints of a run into its directory and keeps the last two.
class CheckpointWriter {
 public:
  CheckpointWriter(std::filesystem::path directory, CheckpointInfo info);

  bool due() const { return Clock::now() >= next_; }
  // The state after the step that run and recorder have just seen. Throws WriteError.
  void write(const study::Run& run, ResultRecorder& recorder);

  std::string last() const { return names_.empty() ? "" : names_.back(); }  // name of the newest file

 private:
  using Clock = std::chrono::steady_clock;

  void write_draft(const std::filesystem::path& draft, const study::Run& run, const ResultRecorder& recorder) const;

  std::filesystem::path directory_;
  CheckpointInfo info_;
  Clock::time_point next_;
  std::vector<std::string> names_;  // files that exist, at most two
};

// A checkpoint to resume from. Everything here throws FileError if the file is not a checkpoint, is damaged, or was
// written by another version of the program.
class Checkpoint {
 public:
  explicit Checkpoint(const std::filesystem::path& path);

  const CheckpointInfo& info() const { return info_; }
  // The scene is still there with other words: continuing with the old ones would surprise. A scene that is gone is
  // no obstacle, for the checkpoint has its text.
  void check_scene() const;

  void restore(study::Run& run) const;
  RowLogReader rows() const;
  void restore(ResultRecorder& recorder) const;  // after the rows have been replayed

 private:
  template <class Value>
  void restore_from(const std::string& bytes, Value& value) const;

  std::filesystem::path path_;
  CheckpointInfo info_;
  std::string run_bytes_, recorder_bytes_;
};

bool is_checkpoint_name(std::string_view file_name);        // checkpoint-<digits>.h5
bool is_checkpoint_draft_name(std::string_view file_name);  // one that is, or was, being written

}  // namespace ricochet::io
