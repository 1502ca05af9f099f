// The history of some probes in memory, and the distance between two histories.
//
// The error of a run in a convergence study (Galvez et al., eq. (64)), relative and in the L1 norm:
//
//   error = sum_i |f_i - f(t_i)| / sum_i |f(t_i)|,   i = 0 ... N, t_i the times of the run
//
// The sums blur single instants: where a velocity jumps one step too late, the error is of the order of the step, as it
// should be, while the largest error would not converge at all.
//
// Between its rows a history is linear. Where times of the two fall together, up to rounding, nothing is interpolated.
#pragma once

#include <functional>
#include <vector>

#include "ricochet/simulation/probe.hpp"
#include "ricochet/simulation/recorder.hpp"

namespace ricochet::study {

struct Trajectory {
  std::vector<double> time;                 // s, increasing
  std::vector<std::vector<double>> values;  // one list per probe, as long as `time`

  // Linear between rows. NaN before the first row, after the last one, and beside rows that are not a number.
  double value_at(std::size_t probe, double at) const;
};

// Records probes at t = 0 and after every step.
class TrajectoryRecorder : public simulation::Recorder {
 public:
  // Both must outlive the recorder.
  TrajectoryRecorder(const simulation::ProbeSet& probes, std::vector<int> chosen);

  void begin(const simulation::Frame& frame) override;
  void step(const simulation::Frame& frame) override;
  void end(const simulation::Frame& /*frame*/, const simulation::RunResult& /*result*/) override {}

  Trajectory take() { return std::move(trajectory_); }

 private:
  const simulation::ProbeSet& probes_;
  std::vector<int> chosen_;
  std::vector<double> row_;
  Trajectory trajectory_;
};

struct Distance {
  // Eq. (64). If the reference is zero at all times, there is nothing to be relative to: then the mean of |f_i|. NaN if
  // there is no common time, or if a value is not a number.
  double error = 0;
  bool absolute = false;      // the reference is zero
  bool interpolated = false;  // a time of the run lies between two of the reference
};

// Of the run from the reference, at the times of the run that both have reached, and not after `end` (s). A run whose
// last step goes beyond the end of the case is compared up to the step before.
Distance distance(const Trajectory& run, std::size_t probe, const Trajectory& reference, std::size_t reference_probe,
                  double end);
// The same from a known function of time.
Distance distance(const Trajectory& run, std::size_t probe, const std::function<double(double)>& reference, double end);

}  // namespace ricochet::study
