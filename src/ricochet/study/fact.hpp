// A fact: one number that must come out of a run, and how it is read from the history of a probe.
//
// A probe is a function of time, known at every step and linear in between. The output interval does not matter.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace ricochet::study {

// How a fact reads a number from its probe, inside its window:
//
//   first last min max   of the steps in the window             range     max - min
//   integral             of the probe over time, trapezoidal    mean      integral / duration
//   at                   the value at a time, which need not be a step (the window is not used)
enum class Take { first, last, min, max, mean, range, integral, at };

enum class Direction { any, rising, falling };

// The nth time at which a probe crosses a level, linearly interpolated between steps. What counts as a crossing is told
// in level_crossing.hpp.
struct Event {
  double level = 0;
  Direction direction = Direction::any;
  int nth = 1;
};

// The order at which the history of a probe converges with the step: see convergence.hpp.
struct OrderSteps {
  double largest = 0;   // s
  double smallest = 0;  // s
  int count = 2;        // steps in equal ratios from the largest to the smallest
};

// One thing that must come out of a run. Exactly one of `order`, `event` and `take` is used; with `bound` instead of an
// expected value the probe must stay within the bound at every step of the window.
struct Fact {
  std::string name;
  std::string source;  // where the value comes from: "derived", or a citation
  int probe = -1;      // index into Case::probes
  Take take = Take::last;
  double at = 0;  // s, for Take::at
  std::optional<Event> event;
  std::optional<OrderSteps> order;
  std::optional<std::pair<double, double>> over;  // s, window, both ends included; the whole run if absent
  bool is_bound = false;
  std::optional<double> above;  // bound: probe >= above
  std::optional<double> below;  // bound: probe <= below
  double expected = 0;          // value
  double tolerance = 0;         // absolute, already combined: max(absolute, relative |expected|)
  std::string not_applicable;   // a sentence if the fact does not apply to this run (then it is listed, not judged)
};

}  // namespace ricochet::study
