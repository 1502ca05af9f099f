#include "ricochet/study/trajectory.hpp"

#include <algorithm>

namespace ricochet::study {

namespace {

// Times are multiples n h of steps, equal up to rounding where they mean the same: a millionth of the interval between
// two rows is far above the rounding of 1e9 steps, and moves a value by a millionth of its change in a step.
constexpr double same_time = 1e-6;

}  // namespace

void TrajectoryWalk::go_to(double at) {
  const std::vector<double>& time = trajectory_.time;
  between_ = false;
  share_ = std::numeric_limits<double>::quiet_NaN();
  if (time.empty()) return;
  while (low_ + 2 < time.size() && time[low_ + 1] <= at) ++low_;
  high_ = std::min(low_ + 1, time.size() - 1);
  const double width = time[high_] - time[low_];
  const double share = width > 0 ? (at - time[low_]) / width : (at == time[low_] ? 0.0 : -1.0);
  if (std::abs(share) <= same_time) {
    share_ = 0;
  } else if (std::abs(share - 1) <= same_time) {
    share_ = 1;
  } else if (share > 0 && share < 1) {
    share_ = share;
    between_ = true;
  }
}

double TrajectoryWalk::value(std::size_t probe) const {
  if (std::isnan(share_)) return share_;
  const std::vector<double>& values = trajectory_.values[probe];
  if (share_ == 0) return values[low_];
  if (share_ == 1) return values[high_];
  return values[low_] + share_ * (values[high_] - values[low_]);
}

double Trajectory::value_at(std::size_t probe, double at) const {
  // The two rows around, or the last two: the row after `at` may be at the same time but for rounding.
  const auto after = std::upper_bound(time.begin(), time.end(), at);
  if (time.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t last = time.size() - 1;
  const std::size_t high = std::min(static_cast<std::size_t>(after - time.begin()), last);
  const std::size_t low = high == 0 ? 0 : high - 1;
  const Trajectory around{{time[low], time[high]}, {{values[probe][low], values[probe][high]}}};
  TrajectoryWalk walk(around);
  walk.go_to(at);
  return walk.value(0);
}

double distance(const Trajectory& run, const Trajectory& reference, std::size_t probe) {
  DistanceSum sum;
  TrajectoryWalk walk(reference);
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    walk.go_to(run.time[i]);
    if (!reference.time.empty() && run.time[i] > reference.time.back() && std::isnan(walk.value(probe))) break;
    sum.add(run.values[probe][i], walk.value(probe));
  }
  return sum.error();
}

}  // namespace ricochet::study
