// What `ricochet run` and `ricochet resume` have in common: go to the end, write checkpoints and the summary, report.
#pragma once

#include <optional>

#include "ricochet/io/checkpoint.hpp"
#include "ricochet/io/problem_dump.hpp"
#include "ricochet/io/result_directory.hpp"
#include "ricochet/io/result_recorder.hpp"
#include "ricochet/study/run_case.hpp"

namespace ricochet::app {

struct Execution {
  const study::Case& run_case;  // what the summary tells
  study::Run& run;
  io::ResultDirectory& directory;
  io::ResultRecorder& recorder;
  std::optional<io::CheckpointWriter>& checkpoints;
  const io::CheckpointInfo& info;  // what the run is, also without checkpoints
  io::ProblemDump& dump;           // contact problems to be written
  bool quiet = false;
  bool report = true;                  // write report.html
  std::vector<long> trace_steps = {};  // whose Newton iterations are told
};

// Returns the exit code of the program.
int execute(const Execution& execution);

}  // namespace ricochet::app
