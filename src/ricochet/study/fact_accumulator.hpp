// Judges one fact while the run goes on: it is shown the (time, value) pairs of the fact's probe, one per step, keeps a
// few numbers and no history, and says in the end what became of the fact.
//
//   window          a step counts if its time is in the window, both ends included, up to 1e-9 of the time step
//   integral, mean  of the piecewise linear function through all steps, cut at the exact ends of the window, which may
//                   lie between steps
//   at T            linear between the two steps around T
//   bound           the worst of the steps in the window
//
// A value in the window that is not a number makes all results not a number but those that do not depend on it (first,
// last, at, an event found before it), and NaN never holds.
#pragma once

#include <limits>
#include <optional>

#include "ricochet/study/fact.hpp"
#include "ricochet/study/fact_result.hpp"
#include "ricochet/study/level_crossing.hpp"

namespace ricochet::study {

class FactAccumulator {
 public:
  // `step` is the time step (s). Throws std::invalid_argument with a sentence if the fact makes no sense: a bound
  // without bounds, a window that ends before it begins.
  FactAccumulator(const Fact& fact, double step);

  // Times must increase.
  void add(double time, double value);

  // The verdict. `complete` tells that the run went to its end; else all facts that needed more of it are not reached.
  FactResult result(bool complete) const;

  // Goes on with the same fact for another end of the run, which may have changed its window, time, level or value. If
  // the steps that were added would have been judged otherwise, the fact is not applicable.
  void change_to(const Fact& fact);

  // What it has seen, see simulation/archive.hpp; the fact is given, but for what `change_to` has made of it.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    if (self.crossing_) visitor("crossing", *self.crossing_);
    visitor("started", self.started_);
    visitor("previous", self.previous_);
    visitor("samples", self.samples_);
    visitor("first", self.first_);
    visitor("last", self.last_);
    visitor("min", self.min_);
    visitor("max", self.max_);
    visitor("not_a_number", self.not_a_number_);
    visitor("integral", self.integral_);
    visitor("duration", self.duration_);
    visitor("at_value", self.at_value_);
    visitor("not_applicable", self.fact_.not_applicable);
  }

 private:
  struct Sample {
    double time = std::numeric_limits<double>::quiet_NaN();
    double value = std::numeric_limits<double>::quiet_NaN();

    template <class Self, class Visitor>
    static void visit(Self& self, Visitor&& visitor) {
      visitor("time", self.time);
      visitor("value", self.value);
    }
  };
  // A number found in the run, or a sentence that tells why there is none.
  struct Reading {
    std::optional<double> found;
    std::string why_not;
  };

  bool has_seen_the_same(const FactAccumulator& other) const;
  void add_to_window(const Sample& sample);
  void add_to_integral(const Sample& sample);
  Reading read(bool complete) const;
  Reading read_event() const;
  Reading read_at() const;
  std::string missing_time(bool complete) const;  // empty if the window has been seen to its end
  FactResult judge_value(bool complete) const;
  FactResult judge_bound(bool complete) const;
  FactResult new_result() const;

  Fact fact_;
  double slack_;                      // s
  double window_begin_, window_end_;  // s, infinite without a window
  std::optional<LevelCrossing> crossing_;

  bool started_ = false;
  Sample previous_;
  long samples_ = 0;  // in the window
  Sample first_, last_, min_, max_;
  bool not_a_number_ = false;  // some value in the window
  double integral_ = 0, duration_ = 0;
  std::optional<double> at_value_;
};

}  // namespace ricochet::study
