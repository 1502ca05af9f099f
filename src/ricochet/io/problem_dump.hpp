// Writes the contact problems of chosen steps as FCLIB files, so that each can be solved again on its own with
// `ricochet solve`: problem-<step>.hdf5, where step n goes from t = (n-1) h to n h. The impulses that the run found are
// stored as its solution. Steps without contacts have no problem and leave no file. The problem at which a run ended,
// because it was not solved, is written in any case.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/simulation/recorder.hpp"

namespace ricochet::io {

// When a problem is written.
struct DumpRule {
  enum class Kind { step, every, failed };
  Kind kind = Kind::step;
  long number = 0;  // the step, or how many steps apart
};

// "120", "every:50" or "failed" (steps that did not reach their tolerance). Throws InputError.
DumpRule parse_dump_rule(const std::string& text);

bool is_problem_name(std::string_view file_name);  // problem-<digits>.hdf5

class ProblemDump final : public simulation::Recorder {
 public:
  // Files go to `directory`; `run_name` is written into them.
  ProblemDump(std::filesystem::path directory, std::string run_name, std::vector<DumpRule> rules);

  void begin(const simulation::Frame& frame) override;
  void step(const simulation::Frame& frame) override;
  void end(const simulation::Frame& frame, const simulation::RunResult& result) override;

  bool was_asked() const { return !rules_.empty(); }
  const std::vector<std::string>& written() const { return written_; }  // names of files
  long skipped() const { return skipped_; }                             // steps that were chosen but had no contacts

 private:
  bool chosen(long step, bool failed) const;
  void write(const simulation::Frame& frame, long step, bool failed);

  std::filesystem::path directory_;
  std::string run_name_;
  std::vector<DumpRule> rules_;
  std::vector<std::string> written_;
  long skipped_ = 0;
};

}  // namespace ricochet::io
