// Facts judged step by step agree with the same facts read from a stored history.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "ricochet/math/random.hpp"
#include "ricochet/study/fact_accumulator.hpp"

namespace ricochet::study {
namespace {

struct History {
  double step = 1;
  std::vector<double> values;
  double time(std::size_t i) const { return static_cast<double>(i) * step; }
  double end() const { return time(values.size() - 1); }

  double at(double t) const {  // of the piecewise linear function
    const auto last = static_cast<double>(values.size() - 1);
    const auto i = static_cast<std::size_t>(std::clamp(std::floor(t / step), 0.0, last - 1));
    const double fraction = (t - time(i)) / step;
    return values[i] * (1 - fraction) + values[i + 1] * fraction;
  }
};

std::optional<double> read_take(const History& history, const Fact& fact) {
  const double slack = 1e-9 * history.step;
  const auto [begin, end] = fact.over.value_or(std::pair(0.0, history.end()));
  if (fact.take == Take::at) {
    if (fact.at > history.end() + slack) return {};
    return history.at(std::min(fact.at, history.end()));
  }
  std::vector<double> inside;
  std::vector<double> corners = {begin};
  for (std::size_t i = 0; i < history.values.size(); ++i) {
    const double t = history.time(i);
    if (t >= begin - slack && t <= end + slack) inside.push_back(history.values[i]);
    if (t > begin && t < end) corners.push_back(t);
  }
  if (fact.take == Take::first && !inside.empty()) return inside.front();
  if (end > history.end() + slack) return {};
  corners.push_back(end);
  double integral = 0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    integral += (corners[i + 1] - corners[i]) * (history.at(corners[i]) + history.at(corners[i + 1])) / 2;
  }
  if (fact.take == Take::integral && end - begin > slack) return integral;
  if (fact.take == Take::mean && end - begin > slack) return integral / (end - begin);
  if (inside.empty()) return {};
  const auto [min, max] = std::minmax_element(inside.begin(), inside.end());
  switch (fact.take) {
    case Take::last:
      return inside.back();
    case Take::min:
      return *min;
    case Take::max:
      return *max;
    case Take::range:
      return *max - *min;
    case Take::mean:
      return inside.back();
    default:
      return 0;
  }
}

// From every step that is off the level: what happens next?
std::optional<double> read_event(const History& history, const Fact& fact) {
  const std::size_t size = history.values.size();
  const double slack = 1e-9 * history.step;
  const auto side = [&](std::size_t i) {
    const double distance = history.values[i] - fact.event->level;
    return (distance > 0) - (distance < 0);
  };
  int count = 0;
  for (std::size_t i = 0; i + 1 < size; ++i) {
    if (side(i) == 0) continue;
    std::size_t leaves = i + 1;
    while (leaves < size && side(leaves) == 0) ++leaves;
    const std::size_t steps_on_level = leaves - (i + 1);
    double t = history.time(i + 1);
    if (steps_on_level == 0) {
      if (side(i + 1) == side(i)) continue;
      const double from = history.values[i] - fact.event->level;
      const double to = history.values[i + 1] - fact.event->level;
      t = history.time(i) + history.step * from / (from - to);
    } else if (leaves < size && side(leaves) == side(i) && steps_on_level < 2) {
      continue;
    }
    const Direction direction = side(i) > 0 ? Direction::falling : Direction::rising;
    if (fact.event->direction != Direction::any && fact.event->direction != direction) continue;
    if (fact.over && (t < fact.over->first - slack || t > fact.over->second + slack)) continue;
    if (++count == fact.event->nth) return t;
  }
  return {};
}

class RandomFacts {
 public:
  explicit RandomFacts(std::uint64_t seed) : random_(seed) {}

  // Small whole numbers, so that a level is often hit exactly, or any numbers.
  History history() {
    History history;
    history.step = random_.integer(2) == 0 ? 0.1 : random_.uniform(1e-3, 10);
    const bool whole = random_.integer(4) != 0;
    for (std::uint64_t i = 2 + random_.integer(30); i > 0; --i) {
      history.values.push_back(whole ? static_cast<double>(random_.integer(3)) - 1 : random_.normal());
    }
    return history;
  }

  std::optional<std::pair<double, double>> window(const History& history) {
    if (random_.integer(3) == 0) return {};
    double a = time(history), b = time(history);
    return std::pair(std::min(a, b), std::max(a, b));
  }

  // On a step or between steps, sometimes beyond the end.
  double time(const History& history) {
    if (random_.integer(2) == 0) return history.time(random_.integer(history.values.size() + 1));
    return random_.uniform(0, 1.05 * history.end());
  }

  std::uint64_t integer(std::uint64_t count) { return random_.integer(count); }

 private:
  math::Random random_;
};

void expect_agreement(const History& history, const Fact& fact, std::optional<double> expected, int i) {
  FactAccumulator accumulator(fact, history.step);
  for (std::size_t k = 0; k < history.values.size(); ++k) accumulator.add(history.time(k), history.values[k]);
  const FactResult result = accumulator.result(true);
  ASSERT_EQ(result.status != FactResult::Status::not_reached, expected.has_value())
      << "case " << i << ": " << result.detail;
  if (!expected) return;
  ASSERT_NEAR(result.found, *expected, 1e-11 * (1 + history.end())) << "case " << i;
}

TEST(FactAccumulatorProperty, TakesAgreeWithTheStoredHistory) {
  RandomFacts random(1);
  int reached = 0;
  for (int i = 0; i < 4000; ++i) {
    const History history = random.history();
    Fact fact;
    fact.take = static_cast<Take>(random.integer(8));
    fact.over = random.window(history);
    fact.at = random.time(history);
    const std::optional<double> expected = read_take(history, fact);
    expect_agreement(history, fact, expected, i);
    if (HasFatalFailure()) return;
    reached += expected.has_value() ? 1 : 0;
  }
  EXPECT_GT(reached, 2000);  // else nothing was compared
  EXPECT_LT(reached, 4000);
}

TEST(FactAccumulatorProperty, EventsAgreeWithTheStoredHistory) {
  RandomFacts random(2);
  int reached = 0;
  for (int i = 0; i < 8000; ++i) {
    const History history = random.history();
    Fact fact;
    fact.event = Event{0, static_cast<Direction>(random.integer(3)), 1 + static_cast<int>(random.integer(4))};
    fact.over = random.window(history);
    const std::optional<double> expected = read_event(history, fact);
    expect_agreement(history, fact, expected, i);
    if (HasFatalFailure()) return;
    reached += expected.has_value() ? 1 : 0;
  }
  EXPECT_GT(reached, 2000);
  EXPECT_LT(reached, 7000);
}

TEST(FactAccumulatorProperty, BoundsAgreeWithTheStoredHistory) {
  RandomFacts random(3);
  int held = 0;
  for (int i = 0; i < 2000; ++i) {
    const History history = random.history();
    Fact fact;
    fact.is_bound = true;
    if (random.integer(3) != 0) fact.above = 0.5 - static_cast<double>(random.integer(4));
    if (!fact.above || random.integer(2) == 0) fact.below = static_cast<double>(random.integer(4)) - 0.5;
    FactAccumulator accumulator(fact, history.step);
    bool inside = true;
    for (std::size_t k = 0; k < history.values.size(); ++k) {
      accumulator.add(history.time(k), history.values[k]);
      inside = inside && !(fact.above && history.values[k] < *fact.above) &&
               !(fact.below && history.values[k] > *fact.below);
    }
    const FactResult result = accumulator.result(true);
    ASSERT_EQ(result.status == FactResult::Status::holds, inside) << "case " << i << ": " << result.detail;
    held += inside ? 1 : 0;
  }
  EXPECT_GT(held, 200);
  EXPECT_LT(held, 1800);
}

}  // namespace
}  // namespace ricochet::study
