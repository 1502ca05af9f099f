// One sample of a sweep: a run of which the numbers are kept, and so much of the histories as plots need. It writes no
// files, and its memory does not grow with the number of steps.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ricochet/io/row_recorder.hpp"
#include "ricochet/study/case.hpp"
#include "ricochet/study/fact_result.hpp"
#include "ricochet/study/trajectory.hpp"

namespace ricochet::io {

struct SweepSample {
  enum class Status {
    completed,  // it ran to its end
    stopped,    // a step could not be taken
    refused,    // the values make no scene
    crashed,    // its process did not come to an end
  };

  int number = 0;  // from 0 on
  Status status = Status::crashed;
  std::string reason;       // a sentence without a full stop, if it is not completed
  double time = 0;          // s, where the run stopped
  long steps = 0;           // of the run
  double wall_seconds = 0;  // with reading the scene
  std::string state_hash;
  std::vector<ProbeSummary> probes;          // visible ones; none if the run never began
  std::vector<study::FactResult> facts;      // likewise
  std::vector<study::Trajectory> histories;  // one per probe, then one of two columns per portrait; none if not drawn

  // See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("number", self.number);
    visitor("status", self.status);
    visitor("reason", self.reason);
    visitor("time", self.time);
    visitor("steps", self.steps);
    visitor("wall_seconds", self.wall_seconds);
    visitor("state_hash", self.state_hash);
    visitor("probes", self.probes);
    visitor("facts", self.facts);
    visitor("histories", self.histories);
  }
};

std::string_view status_name(SweepSample::Status status);  // "completed", "stopped", "refused", "crashed"

// Makes the case and runs it with one thread. Every history has at most about `plot_rows` rows; none is kept if that
// is 0. Whatever is thrown becomes the reason of the sample.
SweepSample run_sample(int number, const std::function<study::Case()>& make_case, std::size_t plot_rows);

}  // namespace ricochet::io
