#include "ricochet/study/level_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ricochet::study {

LevelCrossing::LevelCrossing(const Event& event, double earliest, double latest)
    : event_(event), earliest_(earliest), latest_(latest), largest_(std::abs(event.level)) {
  if (!std::isfinite(event.level)) throw std::invalid_argument("the level of an event must be finite");
  if (event.nth < 1) throw std::invalid_argument("an event counts from 1: nth must be at least 1");
}

void LevelCrossing::add(double time, double value) {
  if (found_) return;
  if (std::isnan(value)) {
    if (time >= earliest_ && time <= latest_) found_ = value;
    side_ = Side::unknown;
    landed_ = false;
    return;
  }
  const double distance = value - event_.level;
  if (std::isfinite(value)) largest_ = std::max(largest_, std::abs(value));
  const bool on_level = std::abs(distance) <= 8 * std::numeric_limits<double>::epsilon() * largest_;

  if (on_level) {
    if (landed_) {
      if (!landing_counted_) cross(landing_time_);
      landing_counted_ = true;
    } else if (side_ != Side::unknown) {
      landed_ = true;
      landing_counted_ = false;
      landing_time_ = time;
    }
  } else {
    const Side side = distance > 0 ? Side::above : Side::below;
    if (side_ != Side::unknown && side != side_) {
      if (!landed_) {
        // The distances have different signs. An infinite one leaves the other end of the step.
        const double fraction = std::isinf(last_distance_) ? 1 : last_distance_ / (last_distance_ - distance);
        cross(last_time_ + fraction * (time - last_time_));
      } else if (!landing_counted_) {
        cross(landing_time_);
      }
    }
    side_ = side;
    landed_ = false;
  }
  last_time_ = time;
  last_distance_ = distance;
}

std::optional<double> LevelCrossing::time() const {
  if (found_) return found_;
  // The run ended on the level: it was reached, and nothing shows a return.
  if (count() == event_.nth) return landing_time_;
  return {};
}

int LevelCrossing::count() const {
  const bool ends_with_landing =
      landed_ && !landing_counted_ && matches() && landing_time_ >= earliest_ && landing_time_ <= latest_ && !found_;
  return count_ + (ends_with_landing ? 1 : 0);
}

bool LevelCrossing::matches() const {
  const Direction direction = side_ == Side::above ? Direction::falling : Direction::rising;
  return event_.direction == Direction::any || event_.direction == direction;
}

void LevelCrossing::cross(double time) {
  if (!matches() || time < earliest_ || time > latest_) return;
  if (++count_ == event_.nth) found_ = time;
}

}  // namespace ricochet::study
