// A run that is made in pieces, so that runs with different steps can go side by side and be compared on the way: the
// histories of millions of steps need not be kept.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ricochet/simulation/recorder.hpp"
#include "ricochet/simulation/simulation.hpp"
#include "ricochet/study/case.hpp"
#include "ricochet/study/trajectory.hpp"

namespace ricochet::study {

// What became of a run of a study.
struct StudyRun {
  double step = 0;  // s
  bool completed = false;
  bool interrupted = false;
  std::string failure;  // a sentence if it did not complete
  long steps = 0;       // that were made
  double wall_seconds = 0;
  int contacts_max = 0;  // active at a time
};

class PausedRun : private simulation::Recorder {
 public:
  // The case with another step, constant even if that of the case is not, on one thread. Both must outlive the run. A
  // model that cannot be run is a failure, not an exception.
  PausedRun(const Case& study_case, double step, const std::vector<int>& probes);

  // Goes on to the first row at `until` (s) or after it, or to the end. `keep_going` is asked after every step; a no
  // ends the run for good, as a failure does. Does nothing if the run is over.
  void advance(double until, const std::function<bool()>& keep_going);

  bool is_over() const { return over_; }
  const StudyRun& result() const { return result_; }  // complete when the run is over

  Trajectory& rows() { return rows_; }  // at t = 0 and after every step; whoever has read them may remove them

 private:
  void begin(const simulation::Frame& frame) override { step(frame); }
  void step(const simulation::Frame& frame) override;
  void end(const simulation::Frame& /*frame*/, const simulation::RunResult& /*result*/) override {}

  const Case& case_;
  const std::vector<int>& probes_;
  std::unique_ptr<simulation::Simulation> simulation_;  // null after a failure to make it
  StudyRun result_;
  Trajectory rows_;
  std::vector<double> row_;
  bool begun_ = false, over_ = false;
};

// How many steps such a run has.
long steps_of(const Case& study_case, double step);

}  // namespace ricochet::study
