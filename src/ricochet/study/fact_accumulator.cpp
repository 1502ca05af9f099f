#include "ricochet/study/fact_accumulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ricochet::study {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

const char* direction_words(Direction direction) {
  switch (direction) {
    case Direction::rising:
      return " rising";
    case Direction::falling:
      return " falling";
    case Direction::any:
      break;
  }
  return "";
}

}  // namespace

FactAccumulator::FactAccumulator(const Fact& fact, double step)
    : fact_(fact),
      slack_(1e-9 * step),
      window_begin_(fact.over ? fact.over->first : -infinity),
      window_end_(fact.over ? fact.over->second : infinity) {
  if (!(step > 0)) throw std::invalid_argument("facts need a positive time step");
  // A fact that does not apply is only listed: its window and its bounds need not make sense for this run.
  if (!fact.not_applicable.empty()) return;
  // Negated, so that NaN is refused too.
  if (!(window_begin_ <= window_end_)) {
    throw std::invalid_argument(fmt::format("the fact '{}' has a window that ends before it begins", fact.name));
  }
  if (fact.is_bound && !fact.above && !fact.below) {
    throw std::invalid_argument(
        fmt::format("the fact '{}' is a bound, but neither above nor below is given", fact.name));
  }
  if (fact.event) crossing_.emplace(*fact.event, window_begin_ - slack_, window_end_ + slack_);
}

void FactAccumulator::change_to(const Fact& fact) {
  if (!fact_.not_applicable.empty() || !fact.not_applicable.empty()) {
    const std::string why = fact.not_applicable.empty() ? fact_.not_applicable : fact.not_applicable;
    fact_ = fact;
    fact_.not_applicable = why;
    return;
  }
  const FactAccumulator changed(fact, slack_ / 1e-9);
  const bool same = has_seen_the_same(changed);
  fact_ = fact;
  window_begin_ = changed.window_begin_;
  window_end_ = changed.window_end_;
  if (crossing_) crossing_->set_latest(window_end_ + slack_);
  if (!same) {
    fact_.not_applicable =
        "it looks at times that depend on the end of the run, which was changed when they had passed";
  }
}

// Would the other one, with its window, time and level, have treated all steps so far like this one?
bool FactAccumulator::has_seen_the_same(const FactAccumulator& other) const {
  const double now = previous_.time;
  const auto same_or_to_come = [&](double mine, double others) {
    return mine == others || std::min(mine, others) > now + slack_;
  };
  const bool same_end = window_end_ == other.window_end_ || std::min(window_end_, other.window_end_) >= now - slack_;
  const bool same_level = !fact_.event || fact_.event->level == other.fact_.event->level;
  const bool same_begin = fact_.event ? window_begin_ == other.window_begin_  // the crossing has its own
                                      : same_or_to_come(window_begin_, other.window_begin_);
  return same_begin && same_end && same_level && same_or_to_come(fact_.at, other.fact_.at);
}

void FactAccumulator::add(double time, double value) {
  const Sample sample{time, value};
  if (crossing_) crossing_->add(time, value);
  if (fact_.take == Take::at && !at_value_ && time >= fact_.at - slack_) {
    if (time <= fact_.at + slack_) {
      at_value_ = value;
    } else if (started_ && previous_.time < fact_.at) {
      at_value_ = previous_.value + (fact_.at - previous_.time) / (time - previous_.time) * (value - previous_.value);
    }
  }
  if (started_) add_to_integral(sample);
  if (time >= window_begin_ - slack_ && time <= window_end_ + slack_) add_to_window(sample);
  previous_ = sample;
  started_ = true;
}

void FactAccumulator::add_to_window(const Sample& sample) {
  if (samples_ == 0) first_ = sample;
  last_ = sample;
  ++samples_;
  if (std::isnan(sample.value)) {
    not_a_number_ = true;
    return;
  }
  // Negated comparisons: the members start as NaN.
  if (!(min_.value <= sample.value)) min_ = sample;
  if (!(max_.value >= sample.value)) max_ = sample;
}

void FactAccumulator::add_to_integral(const Sample& sample) {
  const double begin = std::max(previous_.time, window_begin_);
  const double end = std::min(sample.time, window_end_);
  // Rounding may leave a sliver of a step that is not in the window; its values must not count.
  if (end - begin <= slack_) return;
  const double fraction = ((begin - previous_.time) + (end - previous_.time)) / (2 * (sample.time - previous_.time));
  const double middle = (1 - fraction) * previous_.value + fraction * sample.value;
  integral_ += (end - begin) * middle;
  duration_ += end - begin;
}

FactResult FactAccumulator::result(bool complete) const {
  if (fact_.order && fact_.not_applicable.empty()) {
    FactResult result = new_result();
    result.status = FactResult::Status::not_applicable;
    result.detail = "an order takes several runs: `ricochet validate` judges it";
    return result;
  }
  if (fact_.not_applicable.empty()) return fact_.is_bound ? judge_bound(complete) : judge_value(complete);
  FactResult result = fact_.is_bound ? new_result() : judge_value(complete);  // its bounds may not exist
  result.status = FactResult::Status::not_applicable;
  result.detail = fact_.not_applicable;
  return result;
}

FactResult FactAccumulator::new_result() const {
  FactResult result;
  result.fact = fact_.name;
  result.source = fact_.source;
  result.expected = fact_.expected;
  result.tolerance = fact_.tolerance;
  result.found = not_a_number;
  return result;
}

FactResult FactAccumulator::judge_value(bool complete) const {
  FactResult result = new_result();
  const Reading reading = read(complete);
  if (!reading.found) {
    result.detail = reading.why_not;
    return result;
  }
  result.found = *reading.found;
  const double error = std::abs(result.found - result.expected);
  const bool holds = error <= result.tolerance;
  result.status = holds ? FactResult::Status::holds : FactResult::Status::fails;
  result.detail =
      std::isnan(result.found)
          ? fmt::format("the probe was not a number; {:.10g} is expected", result.expected)
          : fmt::format("found {:.10g}, expected {:.10g}: the error {:.3g} is {} the tolerance {:.3g}", result.found,
                        result.expected, error, holds ? "within" : "beyond", result.tolerance);
  return result;
}

FactResult FactAccumulator::judge_bound(bool complete) const {
  FactResult result = new_result();
  result.tolerance = 0;
  // How far the probe went beyond each bound; negative within.
  const double beyond_lower = fact_.above ? *fact_.above - min_.value : -infinity;
  const double beyond_upper = fact_.below ? max_.value - *fact_.below : -infinity;
  const bool lower = !fact_.below || (fact_.above && beyond_lower > beyond_upper);
  const double bound = lower ? *fact_.above : *fact_.below;
  const Sample& worst = lower ? min_ : max_;
  result.relation = lower ? FactResult::Relation::at_least : FactResult::Relation::at_most;
  result.expected = bound;
  result.lower = fact_.above;
  result.upper = fact_.below;
  result.found = worst.value;
  const bool violated = (lower ? beyond_lower : beyond_upper) > 0;
  const std::string missing = missing_time(complete);

  if (not_a_number_) {
    result.status = FactResult::Status::fails;
    result.found = not_a_number;
    result.detail = "the probe was not a number";
  } else if (violated) {  // a failure already, whatever the rest of the run may bring
    result.status = FactResult::Status::fails;
    result.detail = fmt::format("{:.10g} at t = {:.6g} s, but the probe must stay {} {:.10g}", worst.value, worst.time,
                                lower ? "above" : "below", bound);
  } else if (samples_ == 0 || !missing.empty()) {
    result.detail = samples_ == 0 && missing.empty() ? "no step lies in the window" : missing;
  } else {
    result.status = FactResult::Status::holds;
    result.detail = fmt::format("stayed {} {:.10g}; the nearest was {:.10g} at t = {:.6g} s", lower ? "above" : "below",
                                bound, worst.value, worst.time);
  }
  return result;
}

std::string FactAccumulator::missing_time(bool complete) const {
  if (!started_) return "the run never started";
  if (fact_.over && previous_.time < window_end_ - slack_) {
    return fmt::format("the run ended at t = {:.6g} s, the window at t = {:.6g} s", previous_.time, window_end_);
  }
  if (!fact_.over && !complete) return fmt::format("the run stopped early, at t = {:.6g} s", previous_.time);
  return {};
}

FactAccumulator::Reading FactAccumulator::read(bool complete) const {
  if (crossing_) return read_event();
  if (fact_.take == Take::at) return read_at();
  if (fact_.take == Take::first && samples_ > 0) return {first_.value, {}};
  if (std::string missing = missing_time(complete); !missing.empty()) return {{}, std::move(missing)};

  const bool over_time = fact_.take == Take::integral || fact_.take == Take::mean;
  if (samples_ == 0 && !(over_time && duration_ > 0)) return {{}, "no step lies in the window"};
  switch (fact_.take) {
    case Take::last:
      return {last_.value, {}};
    case Take::min:
      return {not_a_number_ ? not_a_number : min_.value, {}};
    case Take::max:
      return {not_a_number_ ? not_a_number : max_.value, {}};
    case Take::range:
      return {not_a_number_ ? not_a_number : max_.value - min_.value, {}};
    case Take::integral:
      return {integral_, {}};
    case Take::mean:
      return {duration_ > 0 ? integral_ / duration_ : last_.value, {}};
    case Take::first:
    case Take::at:
      break;  // read above
  }
  return {};
}

FactAccumulator::Reading FactAccumulator::read_event() const {
  if (const std::optional<double> time = crossing_->time()) return {time, {}};
  const int count = crossing_->count();
  return {{},
          fmt::format("the probe crossed {:.10g}{} {} time{}, not {}", fact_.event->level,
                      direction_words(fact_.event->direction), count, count == 1 ? "" : "s", fact_.event->nth)};
}

FactAccumulator::Reading FactAccumulator::read_at() const {
  if (at_value_) return {at_value_, {}};
  if (!started_) return {{}, "the run never started"};
  return {{}, fmt::format("t = {:.6g} s is no time of the run, which ended at t = {:.6g} s", fact_.at, previous_.time)};
}

}  // namespace ricochet::study
