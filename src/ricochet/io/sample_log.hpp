// samples.log: the finished samples of a sweep that is not complete, in a file that only grows, so that the same
// command goes on where it was stopped, also by `kill -9`.
//
// A line that names the format, then records: length and checksum (8 bytes each), and the bytes of an archive. The
// first record says which sweep it is, each other is a sample. A record that was being written when the process was
// killed has no valid checksum: it, and whatever follows, is cut off. The file is locked while a process works on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/io/file_error.hpp"
#include "ricochet/io/sweep_sample.hpp"

namespace ricochet::io {

inline constexpr const char* sample_log_name = "samples.log";

// What two sweeps must have in common to be the same one.
struct SweepIdentity {
  std::string version;  // of the program
  std::string scene_text;
  std::string variant;
  std::vector<std::string> overrides;   // --set, in order
  std::vector<std::string> variations;  // --vary, in order
  std::uint64_t seed = 0;

  // See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("version", self.version);
    visitor("scene_text", self.scene_text);
    visitor("variant", self.variant);
    visitor("overrides", self.overrides);
    visitor("variations", self.variations);
    visitor("seed", self.seed);
  }
};

class SampleLog {
 public:
  // Opens the log in the directory, or makes it. OutputError, with a sentence what to do, if it is of another sweep, if
  // it is no log, or if another process works on it.
  SampleLog(const std::filesystem::path& directory, const SweepIdentity& identity);
  SampleLog(const SampleLog&) = delete;
  SampleLog& operator=(const SampleLog&) = delete;
  ~SampleLog();

  // The samples that were there, in the order in which they finished.
  std::vector<SweepSample> take_finished() { return std::move(finished_); }

  // With the operating system when it returns, on the disk about a second later. WriteError if the disk is full.
  void append(const SweepSample& sample);

  void remove();  // the sweep is complete

 private:
  std::uint64_t read_records(const SweepIdentity& identity);  // returns where the good part ends
  void write_bytes(const std::string& bytes);
  void write_record(const std::string& bytes);
  void forget_the_rest(std::uint64_t good);

  std::filesystem::path path_;
  int file_ = -1;
  std::vector<SweepSample> finished_;
  double last_sync_ = 0;   // s of a steady clock
  bool is_ahead_ = false;  // of the disk
};

}  // namespace ricochet::io
