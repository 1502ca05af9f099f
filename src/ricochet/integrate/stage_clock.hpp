// Measures how long each named stage of a step takes, if the report asks for it.
#pragma once

#include <chrono>

#include "ricochet/integrate/step_report.hpp"

namespace ricochet::integrate {

class StageClock {
 public:
  explicit StageClock(StepReport& report) : report_(report) {
    if (report.times_stages) last_ = Clock::now();
  }

  // Books the time since the last call (or construction) under a stage.
  void lap(Stage stage) {
    if (!report_.times_stages) return;
    const Clock::time_point now = Clock::now();
    report_.stage_seconds[static_cast<std::size_t>(stage)] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  StepReport& report_;
  Clock::time_point last_;
};

}  // namespace ricochet::integrate
