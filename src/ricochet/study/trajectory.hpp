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

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace ricochet::study {

struct Trajectory {
  std::vector<double> time;                 // s, increasing
  std::vector<std::vector<double>> values;  // one list per probe, as long as `time`

  // Linear between rows. NaN before the first row, after the last one, and beside rows that are not a number.
  double value_at(std::size_t probe, double at) const;

  // See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("time", self.time);
    visitor("values", self.values);
  }
};

// Reads a history at times that do not decrease: a walk through all of it takes time in proportion to its length.
class TrajectoryWalk {
 public:
  explicit TrajectoryWalk(const Trajectory& trajectory) : trajectory_(trajectory) {}

  void go_to(double at);
  double value(std::size_t probe) const;             // where it is, as Trajectory::value_at
  bool is_between_rows() const { return between_; }  // the value is interpolated

 private:
  const Trajectory& trajectory_;
  std::size_t low_ = 0, high_ = 0;  // the rows around
  double share_ = 0;                // 0: at the lower one, 1: at the upper one; NaN: outside
  bool between_ = false;
};

// The sums of eq. (64), term by term.
class DistanceSum {
 public:
  void add(double value, double truth) {
    difference_ += std::abs(value - truth);
    size_ += std::abs(truth);
    ++count_;
  }
  // NaN if there is no term, or if a value was not a number. If the truth is zero at all times, there is nothing to be
  // relative to: then it is the mean difference.
  double error() const { return truth_is_zero() ? mean_difference() : difference_ / size_; }
  bool truth_is_zero() const { return size_ == 0; }
  double mean_difference() const { return difference_ / static_cast<double>(count_); }

 private:
  double difference_ = 0, size_ = 0;
  long count_ = 0;
};

// Of a probe of a run from that of a reference, at the times of the run that both have reached.
double distance(const Trajectory& run, const Trajectory& reference, std::size_t probe);

}  // namespace ricochet::study
