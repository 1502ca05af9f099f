// Facts judged on (time, value) pairs: every take, window, bound and event in closed form.
#include "ricochet/study/fact_accumulator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "ricochet/simulation/archive.hpp"

namespace ricochet::study {
namespace {

using Verdict = FactResult::Status;
using Window = std::pair<double, double>;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// Shows values at t = 0, step, 2 step, ...
FactResult judged(const Fact& fact, const std::vector<double>& values, double step = 1, bool complete = true) {
  FactAccumulator accumulator(fact, step);
  for (std::size_t i = 0; i < values.size(); ++i) accumulator.add(static_cast<double>(i) * step, values[i]);
  return accumulator.result(complete);
}

Fact take_fact(Take take, std::optional<Window> over = {}) {
  Fact fact;
  fact.take = take;
  fact.over = over;
  return fact;
}

Fact at_fact(double time) {
  Fact fact = take_fact(Take::at);
  fact.at = time;
  return fact;
}

Fact event_fact(const Event& event, std::optional<Window> over = {}) {
  Fact fact;
  fact.event = event;
  fact.over = over;
  return fact;
}

Fact bound_fact(std::optional<double> above, std::optional<double> below, std::optional<Window> over = {}) {
  Fact fact;
  fact.is_bound = true;
  fact.above = above;
  fact.below = below;
  fact.over = over;
  return fact;
}

double found(const Fact& fact, const std::vector<double>& values, double step = 1) {
  return judged(fact, values, step).found;
}

TEST(FactAccumulator, EveryTake) {
  const std::vector<double> values = {3, -1, 4, 1, 5};
  EXPECT_EQ(found(take_fact(Take::first), values), 3);
  EXPECT_EQ(found(take_fact(Take::last), values), 5);
  EXPECT_EQ(found(take_fact(Take::min), values), -1);
  EXPECT_EQ(found(take_fact(Take::max), values), 5);
  EXPECT_EQ(found(take_fact(Take::range), values), 6);
  EXPECT_EQ(found(take_fact(Take::integral), values), 8);
  EXPECT_EQ(found(take_fact(Take::integral), values, 0.5), 4);
  EXPECT_EQ(found(take_fact(Take::mean), values), 2);
  EXPECT_EQ(found(take_fact(Take::mean), values, 0.5), 2);
  EXPECT_EQ(found(at_fact(2), values), 4);
}

TEST(FactAccumulator, OneStepOnly) {
  for (const Take take : {Take::first, Take::last, Take::min, Take::max, Take::mean}) {
    EXPECT_EQ(found(take_fact(take), {7}), 7);
  }
  EXPECT_EQ(found(take_fact(Take::range), {7}), 0);
  EXPECT_EQ(found(take_fact(Take::integral), {7}), 0);
}

TEST(FactAccumulator, WindowsIncludeTheirEnds) {
  const std::vector<double> values = {9, 1, 4, 2, -9};
  const Window window{1, 3};
  EXPECT_EQ(found(take_fact(Take::first, window), values), 1);
  EXPECT_EQ(found(take_fact(Take::last, window), values), 2);
  EXPECT_EQ(found(take_fact(Take::min, window), values), 1);
  EXPECT_EQ(found(take_fact(Take::max, window), values), 4);
  EXPECT_EQ(found(take_fact(Take::range, window), values), 3);
  EXPECT_EQ(found(take_fact(Take::integral, window), values), 5.5);
  EXPECT_EQ(found(take_fact(Take::mean, window), values), 2.75);
  EXPECT_EQ(found(take_fact(Take::mean, Window{2, 2}), values), 4);
}

TEST(FactAccumulator, WindowEndsUpToRounding) {
  const std::vector<double> values = {9, 1, 4, 2, -9};
  ASSERT_GT(3 * 0.1, 0.3);  // n h is just outside
  EXPECT_EQ(found(take_fact(Take::last, Window{0.1, 0.3}), values, 0.1), 2);
  EXPECT_EQ(found(take_fact(Take::first, Window{1 + 0.9e-9, 3}), values), 1);
  EXPECT_EQ(found(take_fact(Take::first, Window{1 + 1.1e-9, 3}), values), 4);
  EXPECT_EQ(found(take_fact(Take::last, Window{1, 3 - 0.9e-9}), values), 2);
  EXPECT_EQ(found(take_fact(Take::last, Window{1, 3 - 1.1e-9}), values), 4);
}

// The integral of a linear function is exact, wherever its window begins and ends.
TEST(FactAccumulator, IntegralsAreCutAtTheExactEnds) {
  std::vector<double> line;
  for (int i = 0; i <= 10; ++i) line.push_back(2 + 3 * 0.1 * i);
  const auto exact = [](double a, double b) { return 2 * (b - a) + 1.5 * (b * b - a * a); };
  for (const Window& window : {Window{0.25, 0.77}, {0, 1}, {0.31, 0.39}, {0.3, 0.35}, {0.95, 1}}) {
    const double integral = exact(window.first, window.second);
    EXPECT_NEAR(found(take_fact(Take::integral, window), line, 0.1), integral, 1e-14);
    EXPECT_NEAR(found(take_fact(Take::mean, window), line, 0.1), integral / (window.second - window.first), 1e-13);
  }
}

TEST(FactAccumulator, AtInterpolates) {
  EXPECT_EQ(found(at_fact(0.25), {1, 3}), 1.5);
  EXPECT_EQ(found(at_fact(0), {1, 3}), 1);
  EXPECT_EQ(found(at_fact(1), {1, 3}), 3);
  EXPECT_EQ(found(at_fact(1 + 0.9e-9), {1, 3}), 3);
  EXPECT_EQ(found(at_fact(0.3), {0, 1, 2, 5, 7}, 0.1), 5);
}

TEST(FactAccumulator, AtBeyondTheRunIsNotReached) {
  for (const double time : {1.1, 1 + 1.1e-9, -0.5}) {
    const FactResult result = judged(at_fact(time), {1, 3});
    EXPECT_EQ(result.status, Verdict::not_reached) << time;
    EXPECT_TRUE(std::isnan(result.found));
    EXPECT_NE(result.detail.find("is no time of the run"), std::string::npos) << result.detail;
  }
}

TEST(FactAccumulator, ToleranceIsInclusive) {
  Fact fact = take_fact(Take::last);
  fact.name = "end";
  fact.source = "derived";
  fact.expected = 2;
  fact.tolerance = 0.5;
  EXPECT_EQ(judged(fact, {1.5}).status, Verdict::holds);
  EXPECT_EQ(judged(fact, {2.5}).status, Verdict::holds);
  EXPECT_EQ(judged(fact, {2.51}).status, Verdict::fails);
  const FactResult result = judged(fact, {1.25});
  EXPECT_EQ(result.status, Verdict::fails);
  EXPECT_EQ(result.fact, "end");
  EXPECT_EQ(result.source, "derived");
  EXPECT_EQ(result.expected, 2);
  EXPECT_EQ(result.tolerance, 0.5);
  EXPECT_EQ(result.detail, "found 1.25, expected 2: the error 0.75 is beyond the tolerance 0.5");
  fact.tolerance = 0;
  EXPECT_EQ(judged(fact, {2}).status, Verdict::holds);
}

TEST(FactAccumulator, NotANumberNeverHolds) {
  for (const Take take : {Take::min, Take::max, Take::range, Take::mean, Take::integral}) {
    Fact fact = take_fact(take);
    fact.tolerance = std::numeric_limits<double>::infinity();
    EXPECT_EQ(judged(fact, {0, no_number, 0}).status, Verdict::fails);
    EXPECT_TRUE(std::isnan(judged(fact, {0, no_number, 0}).found));
    EXPECT_EQ(judged(fact, {no_number, 0, 0}).status, Verdict::fails);
    // Outside its window a fact does not look.
    fact.over = Window{1, 2};
    EXPECT_EQ(judged(fact, {no_number, 0, 0, no_number}).status, Verdict::holds);
  }
  EXPECT_EQ(judged(take_fact(Take::last), {0, no_number}).status, Verdict::fails);
  EXPECT_EQ(judged(take_fact(Take::last), {no_number, 0}).status, Verdict::holds);
  EXPECT_EQ(judged(at_fact(0.5), {no_number, 0}).status, Verdict::fails);
  EXPECT_EQ(judged(bound_fact(-1, 1), {0, no_number, 0}).status, Verdict::fails);
  EXPECT_EQ(judged(event_fact({0, Direction::any, 1}), {1, no_number, -1}).status, Verdict::fails);
  Fact fact = take_fact(Take::last);
  fact.expected = no_number;
  EXPECT_EQ(judged(fact, {0}).status, Verdict::fails);
}

TEST(FactAccumulator, Events) {
  Fact fact = event_fact({0, Direction::falling, 1});
  fact.expected = 1.5;
  EXPECT_EQ(judged(fact, {2, 1, -1}).status, Verdict::holds);
  EXPECT_EQ(judged(fact, {2, 1, 0}).found, 2);
  const FactResult missing = judged(fact, {2, 1, 1});
  EXPECT_EQ(missing.status, Verdict::not_reached);
  EXPECT_EQ(missing.detail, "the probe crossed 0 falling 0 times, not 1");
  EXPECT_EQ(judged(event_fact({0, Direction::any, 2}), {1, -1}).detail, "the probe crossed 0 1 time, not 2");
  // The windows of events have the same slack as all windows.
  EXPECT_EQ(judged(event_fact({0, Direction::any, 1}, Window{1 + 0.9e-9, 2}), {1, 0, -1}).found, 1);
  EXPECT_EQ(judged(event_fact({0, Direction::any, 1}, Window{1 + 1.1e-9, 2}), {1, 0, -1}).status, Verdict::not_reached);
  // What was found stays found, even if the run stops early.
  EXPECT_EQ(judged(fact, {2, 1, -1}, 1, false).status, Verdict::holds);
}

TEST(FactAccumulator, Bounds) {
  FactResult result = judged(bound_fact(-1, {}), {0, -1, 5});
  EXPECT_EQ(result.status, Verdict::holds);
  EXPECT_EQ(result.expected, -1);
  EXPECT_EQ(result.found, -1);
  EXPECT_EQ(result.tolerance, 0);
  EXPECT_EQ(result.detail, "stayed above -1; the nearest was -1 at t = 1 s");

  result = judged(bound_fact(-1, {}), {0, -1.5, 5, -1.25});
  EXPECT_EQ(result.status, Verdict::fails);
  EXPECT_EQ(result.found, -1.5);
  EXPECT_EQ(result.detail, "-1.5 at t = 1 s, but the probe must stay above -1");

  result = judged(bound_fact({}, 2), {0, 3, 1});
  EXPECT_EQ(result.status, Verdict::fails);
  EXPECT_EQ(result.expected, 2);
  EXPECT_EQ(result.found, 3);

  // Of two bounds, the one that is violated more or came nearer.
  result = judged(bound_fact(-1, 2), {-0.5, 1.75});
  EXPECT_EQ(result.status, Verdict::holds);
  EXPECT_EQ(result.expected, 2);
  EXPECT_EQ(result.found, 1.75);
  EXPECT_EQ(result.lower, -1);
  EXPECT_EQ(result.upper, 2);
  result = judged(bound_fact(-1, 2), {-4, 3});
  EXPECT_EQ(result.status, Verdict::fails);
  EXPECT_EQ(result.expected, -1);
  EXPECT_EQ(result.found, -4);

  EXPECT_EQ(judged(bound_fact(-1, 2, Window{1, 2}), {9, 0, 0, 9}).status, Verdict::holds);
  EXPECT_EQ(judged(bound_fact(0, {}), {std::numeric_limits<double>::infinity()}).status, Verdict::holds);
}

TEST(FactAccumulator, EarlyEnd) {
  const std::vector<double> values = {0, 0, 0};  // to t = 2
  for (const Take take : {Take::last, Take::min, Take::max, Take::mean, Take::range, Take::integral}) {
    EXPECT_EQ(judged(take_fact(take), values, 1, true).status, Verdict::holds);
    EXPECT_EQ(judged(take_fact(take), values, 1, false).status, Verdict::not_reached);
    EXPECT_EQ(judged(take_fact(take, Window{0, 2}), values, 1, false).status, Verdict::holds);
    EXPECT_EQ(judged(take_fact(take, Window{0, 2.5}), values, 1, false).status, Verdict::not_reached);
    EXPECT_EQ(judged(take_fact(take, Window{0, 2.5}), values, 1, true).status, Verdict::not_reached);
  }
  EXPECT_EQ(judged(take_fact(Take::last), values, 1, false).detail, "the run stopped early, at t = 2 s");
  EXPECT_EQ(judged(take_fact(Take::last, Window{0, 2.5}), values).detail,
            "the run ended at t = 2 s, the window at t = 2.5 s");
  EXPECT_EQ(judged(take_fact(Take::first), values, 1, false).status, Verdict::holds);
  EXPECT_EQ(judged(take_fact(Take::first, Window{3, 4}), values, 1, false).status, Verdict::not_reached);
  EXPECT_EQ(judged(at_fact(1.5), values, 1, false).status, Verdict::holds);
  EXPECT_EQ(judged(bound_fact(-1, 1), values, 1, false).status, Verdict::not_reached);
  EXPECT_EQ(judged(bound_fact(1, {}), values, 1, false).status, Verdict::fails);  // whatever follows
  EXPECT_EQ(judged(take_fact(Take::last), {}).status, Verdict::not_reached);
  EXPECT_EQ(judged(bound_fact(-1, 1), {}).status, Verdict::not_reached);
}

TEST(FactAccumulator, WindowWithoutAStep) {
  const Window window{0.4, 0.6};
  EXPECT_EQ(judged(take_fact(Take::max, window), {0, 0, 0}).status, Verdict::not_reached);
  EXPECT_EQ(judged(take_fact(Take::max, window), {0, 0, 0}).detail, "no step lies in the window");
  EXPECT_EQ(judged(bound_fact(-1, 1, window), {0, 0, 0}).status, Verdict::not_reached);
  EXPECT_DOUBLE_EQ(found(take_fact(Take::mean, window), {0, 2, 0}), 1);
}

TEST(FactAccumulator, NotApplicableIsListedNotJudged) {
  Fact fact = take_fact(Take::last);
  fact.expected = 100;
  fact.not_applicable = "friction was changed";
  FactResult result = judged(fact, {0, 1});
  EXPECT_EQ(result.status, Verdict::not_applicable);
  EXPECT_EQ(result.detail, "friction was changed");
  EXPECT_EQ(result.expected, 100);
  EXPECT_EQ(result.found, 1);
  EXPECT_FALSE(fails(result));
  EXPECT_EQ(judged(fact, {0, 1}, 1, false).status, Verdict::not_applicable);
  fact.is_bound = true;  // without bounds, and with a window that is empty for these parameters: both do not matter
  fact.over = {2, 1};
  EXPECT_EQ(judged(fact, {0, 1}).status, Verdict::not_applicable);
}

TEST(FactAccumulatorBadInput, Refused) {
  EXPECT_THROW(FactAccumulator(bound_fact({}, {}), 1), std::invalid_argument);
  EXPECT_THROW(FactAccumulator(take_fact(Take::last, Window{2, 1}), 1), std::invalid_argument);
  EXPECT_THROW(FactAccumulator(take_fact(Take::last, Window{no_number, 1}), 1), std::invalid_argument);
  EXPECT_THROW(FactAccumulator(take_fact(Take::last), 0), std::invalid_argument);
  EXPECT_THROW(FactAccumulator(event_fact({0, Direction::any, 0}), 1), std::invalid_argument);
}

// Values 0, 1, 2, ... up to `change`, where the fact becomes another one, then on to `end`.
FactResult judged_with_change(const Fact& before, const Fact& after, int change, int end) {
  FactAccumulator accumulator(before, 1);
  for (int i = 0; i <= end; ++i) {
    accumulator.add(i, i);
    if (i == change) accumulator.change_to(after);
  }
  return accumulator.result(true);
}

// A fact that changes with the end of the run is the same as if it had always been the new one, or it says that it
// does not apply.
TEST(FactAccumulator, ChangesToAnotherEndOfTheRun) {
  const auto mean = [](double from, double to) { return take_fact(Take::mean, Window{from, to}); };
  const auto applies = [](const FactResult& result) { return result.status != Verdict::not_applicable; };
  // The window ends later than both: it grows and shrinks as if nothing had been seen.
  EXPECT_EQ(judged_with_change(mean(2, 8), mean(2, 12), 5, 20).found, 7);
  EXPECT_EQ(judged_with_change(mean(2, 8), mean(2, 6), 5, 20).found, 4);
  EXPECT_EQ(judged_with_change(mean(2, 8), mean(2, 12), 8, 20).found, 7);
  EXPECT_FALSE(applies(judged_with_change(mean(2, 8), mean(2, 12), 9, 20)));
  EXPECT_FALSE(applies(judged_with_change(mean(2, 8), mean(2, 6), 7, 20)));
  EXPECT_EQ(judged_with_change(mean(6, 8), mean(7, 9), 5, 20).found, 8);
  EXPECT_FALSE(applies(judged_with_change(mean(6, 8), mean(7, 9), 6, 20)));
  EXPECT_EQ(judged_with_change(at_fact(6.5), at_fact(7.5), 5, 20).found, 7.5);
  EXPECT_FALSE(applies(judged_with_change(at_fact(6.5), at_fact(4.5), 5, 20)));
  EXPECT_EQ(judged_with_change(event_fact({.level = 9.5}), event_fact({.level = 9.5}), 5, 20).found, 9.5);
  EXPECT_FALSE(applies(judged_with_change(event_fact({.level = 9.5}), event_fact({.level = 4.5}), 5, 20)));
  EXPECT_EQ(
      judged_with_change(event_fact({.level = 9.5}, Window{0, 7}), event_fact({.level = 9.5}, Window{0, 12}), 5, 20)
          .found,
      9.5);
  Fact other = take_fact(Take::last);
  other.expected = 20;
  EXPECT_EQ(judged_with_change(take_fact(Take::last), other, 5, 20).status, Verdict::holds);
  other.not_applicable = "not here";
  EXPECT_EQ(judged_with_change(take_fact(Take::last), other, 5, 20).detail, "not here");
}

// A run that was made longer and then killed: the fact of the new end cannot know that it was changed too late.
TEST(FactAccumulator, AChangeThatCameTooLateIsArchived) {
  FactAccumulator before(at_fact(2), 1);
  for (int i = 0; i <= 3; ++i) before.add(i, i);
  before.change_to(at_fact(5));
  std::string bytes;
  simulation::ByteWriter writer(bytes);
  writer("fact", before);
  FactAccumulator after(at_fact(5), 1);
  simulation::ByteReader reader(bytes);
  reader("fact", after);
  for (int i = 4; i <= 6; ++i) after.add(i, i);
  EXPECT_EQ(after.result(true).status, Verdict::not_applicable);
}

}  // namespace
}  // namespace ricochet::study
