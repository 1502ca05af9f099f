// Finds the nth crossing of a level in a stream of (time, value) pairs, with the memory of a few numbers.
//
// A crossing leads from strictly one side of the level to the other, or to the level if the probe stays there:
//
//   above     \           \            \             \   /
//   level   ---x-------   --o-------   --o o o o--   --o--------
//   below       \             \            .             .
//            between      on a step:   lands and     touches and
//            two steps    there        stays: there  returns: none
//
//   - Between two steps the time is interpolated linearly.
//   - Starting on the level and leaving it is no crossing: the probe has to come from the other side.
//   - Landing and staying means that the next step is on the level too, or that there is none: friction stops a body.
//     Whichever way the probe leaves the level later, nothing more is counted.
//
// On the level means: up to rounding, 8 units of roundoff of the largest number seen so far. A body that sticks has the
// speed 1e-19 m/s rather than 0 when its speed is a sum of products.
#pragma once

#include <optional>

#include "ricochet/study/fact.hpp"

namespace ricochet::study {

class LevelCrossing {
 public:
  // Crossings before `earliest` or after `latest` (s) are not counted; the values there still tell the side.
  LevelCrossing(const Event& event, double earliest, double latest);

  // Times must increase. A value between `earliest` and `latest` that is not a number makes the crossing unknown,
  // unless it was found before.
  void add(double time, double value);

  // The time of the nth crossing, if it has happened; NaN if it is unknown.
  std::optional<double> time() const;

  int count() const;  // crossings so far

  // Another end of the window; only the crossings to come look at it.
  void set_latest(double latest) { latest_ = latest; }

  // What it has seen, see simulation/archive.hpp; the event and the window are given.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("last_time", self.last_time_);
    visitor("last_distance", self.last_distance_);
    visitor("largest", self.largest_);
    visitor("side", self.side_);
    visitor("landed", self.landed_);
    visitor("landing_counted", self.landing_counted_);
    visitor("landing_time", self.landing_time_);
    visitor("count", self.count_);
    visitor("found", self.found_);
  }

 private:
  enum class Side { unknown, below, above };

  bool matches() const;  // a crossing that starts on side_ goes in the asked direction
  void cross(double time);

  Event event_;
  double earliest_, latest_;

  double last_time_ = 0, last_distance_ = 0;  // of the last value; distance = value - level
  double largest_ = 0;                        // of |level| and all |values|
  Side side_ = Side::unknown;                 // where the probe was when it was last off the level
  bool landed_ = false;                       // on the level since landing_time_, coming from side_
  bool landing_counted_ = false;
  double landing_time_ = 0;
  int count_ = 0;
  std::optional<double> found_;
};

}  // namespace ricochet::study
