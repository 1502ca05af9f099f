#include "ricochet/study/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ricochet::study {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// Times are multiples n h of steps, equal up to rounding where they mean the same: a millionth of the interval between
// two rows is far above the rounding of 1e9 steps, and moves a value by a millionth of its change in a step.
constexpr double same_time = 1e-6;

struct Sample {
  double value = no_value;
  bool between = false;  // two rows
};

// `row` is the last one that begins before `at`, or near to it; it only moves forward, so that a walk through a whole
// history is linear in its length.
Sample sample(const std::vector<double>& time, const std::vector<double>& values, double at, std::size_t& row) {
  if (time.empty()) return {};
  while (row + 1 < time.size() && time[row + 1] <= at) ++row;
  // The interval that `at` lies in, or the one before if `at` is after the last row.
  const std::size_t low = row + 1 < time.size() ? row : (row == 0 ? 0 : row - 1);
  const std::size_t high = std::min(low + 1, time.size() - 1);
  const double width = time[high] - time[low];
  const double share = width > 0 ? (at - time[low]) / width : (at == time[low] ? 0.0 : 2.0);
  if (std::abs(share) <= same_time) return {values[low], false};
  if (std::abs(share - 1) <= same_time) return {values[high], false};
  if (share < 0 || share > 1) return {};
  return {values[low] + share * (values[high] - values[low]), true};
}

template <class Reference>  // double -> Sample; of increasing times
Distance distance_from(const Trajectory& run, std::size_t probe, double end, const Reference& reference) {
  Distance result;
  double difference = 0, size = 0;
  long rows = 0;
  for (std::size_t i = 0; i < run.time.size() && run.time[i] <= end * (1 + 1e-9); ++i) {
    const Sample known = reference(run.time[i]);
    difference += std::abs(run.values[probe][i] - known.value);
    size += std::abs(known.value);
    result.interpolated = result.interpolated || known.between;
    ++rows;
  }
  result.absolute = size == 0;
  result.error = rows == 0 ? no_value : difference / (result.absolute ? static_cast<double>(rows) : size);
  return result;
}

}  // namespace

double Trajectory::value_at(std::size_t probe, double at) const {
  const auto after = std::upper_bound(time.begin(), time.end(), at);
  std::size_t row = after == time.begin() ? 0 : static_cast<std::size_t>(after - time.begin()) - 1;
  return sample(time, values[probe], at, row).value;
}

TrajectoryRecorder::TrajectoryRecorder(const simulation::ProbeSet& probes, std::vector<int> chosen)
    : probes_(probes), chosen_(std::move(chosen)) {}

void TrajectoryRecorder::begin(const simulation::Frame& frame) {
  trajectory_.time.clear();
  trajectory_.values.assign(chosen_.size(), {});
  step(frame);
}

void TrajectoryRecorder::step(const simulation::Frame& frame) {
  probes_.evaluate(frame, chosen_, row_);
  trajectory_.time.push_back(frame.state.time);
  for (std::size_t i = 0; i < chosen_.size(); ++i) trajectory_.values[i].push_back(row_[i]);
}

Distance distance(const Trajectory& run, std::size_t probe, const Trajectory& reference, std::size_t reference_probe,
                  double end) {
  if (reference.time.empty()) return {no_value};
  const double last = reference.time.back();
  std::size_t row = 0;
  return distance_from(run, probe, std::min(end, last), [&](double time) {
    return sample(reference.time, reference.values[reference_probe], std::min(time, last), row);
  });
}

Distance distance(const Trajectory& run, std::size_t probe, const std::function<double(double)>& reference,
                  double end) {
  return distance_from(run, probe, end, [&](double time) { return Sample{reference(time), false}; });
}

}  // namespace ricochet::study
