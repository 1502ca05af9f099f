// A recorder watches a run: history tables, result files and facts are recorders.
#pragma once

#include <string>

#include "ricochet/simulation/frame.hpp"

namespace ricochet::simulation {

enum class Outcome { completed, interrupted, failed };

struct RunResult {
  Outcome outcome = Outcome::completed;
  double time = 0;  // s, where the run stopped
  long steps = 0;
  std::string reason;  // a sentence if the run did not complete
};

class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  virtual ~Recorder() = default;

  virtual void begin(const Frame& frame) = 0;  // t = 0, no impulses yet
  virtual void step(const Frame& frame) = 0;   // after every step
  virtual void end(const Frame& frame, const RunResult& result) = 0;
};

}  // namespace ricochet::simulation
