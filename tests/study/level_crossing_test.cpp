// What counts as crossing a level, corner by corner.
#include "ricochet/study/level_crossing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace ricochet::study {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// Steps at t = 0, 1, 2, ...
LevelCrossing after(const std::vector<double>& values, const Event& event, double earliest = -unlimited,
                    double latest = unlimited) {
  LevelCrossing crossing(event, earliest, latest);
  for (std::size_t i = 0; i < values.size(); ++i) crossing.add(static_cast<double>(i), values[i]);
  return crossing;
}

std::optional<double> time_of(const std::vector<double>& values, const Event& event) {
  return after(values, event).time();
}

const Event any{0, Direction::any, 1};
const Event rising{0, Direction::rising, 1};
const Event falling{0, Direction::falling, 1};

TEST(LevelCrossing, InterpolatesBetweenSteps) {
  EXPECT_EQ(time_of({3, -1}, any), 0.75);
  EXPECT_EQ(time_of({3, -1}, falling), 0.75);
  EXPECT_FALSE(time_of({3, -1}, rising));
  EXPECT_EQ(time_of({-1, -1, 3}, rising), 1.25);
  EXPECT_EQ(time_of({5, 6, 4}, Event{5.5, Direction::falling, 1}), 1.25);
}

TEST(LevelCrossing, CountsOnlyTheAskedDirection) {
  const std::vector<double> wave = {1, -1, 1, -1, 1};
  EXPECT_EQ(time_of(wave, Event{0, Direction::any, 3}), 2.5);
  EXPECT_EQ(time_of(wave, Event{0, Direction::rising, 2}), 3.5);
  EXPECT_EQ(time_of(wave, Event{0, Direction::falling, 2}), 2.5);
  EXPECT_FALSE(time_of(wave, Event{0, Direction::falling, 3}));
  EXPECT_EQ(after(wave, Event{0, Direction::falling, 3}).count(), 2);
}

TEST(LevelCrossing, StartingOnTheLevelIsNone) {
  EXPECT_FALSE(time_of({0, -1, -2}, any));
  EXPECT_FALSE(time_of({0, 0, 1}, any));
  EXPECT_FALSE(time_of({0, 0, 0}, any));
  EXPECT_EQ(time_of({0, 1, -1}, any), 1.5);
}

TEST(LevelCrossing, TouchingAndReturningIsNone) {
  EXPECT_FALSE(time_of({1, 0, 1, 2}, any));
  EXPECT_FALSE(time_of({-1, 0, -1}, any));
  EXPECT_EQ(time_of({1, 0, 1, -1}, any), 2.5);
}

TEST(LevelCrossing, ThroughAnExactHit) {
  EXPECT_EQ(time_of({1, 0, -1}, falling), 1);
  EXPECT_EQ(time_of({-1, 0, 1}, rising), 1);
  EXPECT_FALSE(time_of({1, 0, -1}, rising));
  EXPECT_EQ(after({1, 0, -1, 2}, Event{0, Direction::any, 9}).count(), 2);
}

TEST(LevelCrossing, LandingAndStaying) {
  EXPECT_EQ(time_of({2, 1, 0, 0, 0}, falling), 2);
  EXPECT_EQ(time_of({-2, -1, 0, 0}, rising), 2);
  EXPECT_EQ(time_of({2, 1, 0, 0, 1}, falling), 2);   // leaves later the way it came
  EXPECT_EQ(time_of({2, 1, 0, 0, -1}, falling), 2);  // leaves later on the other side
  EXPECT_EQ(after({2, 1, 0, 0, -1}, Event{0, Direction::any, 9}).count(), 1);
  EXPECT_EQ(after({2, 1, 0, 0, 1}, Event{0, Direction::any, 9}).count(), 1);
  EXPECT_EQ(time_of({1, 0, 0, 1, 0, 0}, Event{0, Direction::falling, 2}), 4);
  EXPECT_EQ(time_of({1, 0, 0, -1, 0, 0}, rising), 4);
}

TEST(LevelCrossing, LandingAtTheEnd) {
  EXPECT_EQ(time_of({2, 1, 0}, falling), 2);
  EXPECT_FALSE(time_of({2, 1, 0}, rising));
  EXPECT_EQ(after({2, 1, 0}, any).count(), 1);
}

TEST(LevelCrossing, OnTheLevelUpToRounding) {
  EXPECT_EQ(time_of({2, 1, 1e-17, 1e-17, 1e-17}, falling), 2);
  EXPECT_EQ(time_of({2, 1, 1e-17, -1e-17, 1e-17}, falling), 2);
  EXPECT_EQ(after({2, 1, 1e-17, -1e-17, 1e-17}, Event{0, Direction::any, 9}).count(), 1);
  EXPECT_FALSE(time_of({2, 1, 1e-12, 1e-12}, falling));
  EXPECT_EQ(time_of({1, 0.3, 0.1 + 0.2 - 0.2, 0.1}, Event{0.1, Direction::falling, 1}), 2);
}

TEST(LevelCrossing, OnlyInItsWindow) {
  const std::vector<double> wave = {1, -1, 1, -1, 1};
  EXPECT_EQ(after(wave, any, 1, 4).time(), 1.5);
  EXPECT_EQ(after(wave, any, 1.5, 4).time(), 1.5);
  EXPECT_EQ(after(wave, any, 1.6, 4).time(), 2.5);
  EXPECT_EQ(after(wave, Event{0, Direction::any, 9}, 1, 3).count(), 2);
  EXPECT_EQ(after({1, 1, -1}, any, 1.4, 1.6).time(), 1.5);  // between two steps
  EXPECT_FALSE(after({1, 0, 0, 0}, any, 2, 3).time());      // landed before
  EXPECT_FALSE(after({1, 1, 0}, any, 0, 1).time());
  EXPECT_EQ(after({1, 1, 0}, any, 0, 1).count(), 0);
}

TEST(LevelCrossing, NotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(time_of({1, nan, -1}, any).value()));
  EXPECT_TRUE(std::isnan(time_of({1, nan}, any).value()));
  EXPECT_EQ(time_of({1, -1, nan}, any), 0.5);
  EXPECT_TRUE(std::isnan(time_of({1, -1, nan, 1}, Event{0, Direction::any, 2}).value()));
  EXPECT_EQ(after({nan, 1, -1}, any, 1, 2).time(), 1.5);  // outside the window
  EXPECT_FALSE(after({1, nan, -1}, any, 2, 3).time());    // the side before is not known
}

TEST(LevelCrossing, Infinite) {
  EXPECT_EQ(time_of({unlimited, unlimited, -1}, falling), 2);
  EXPECT_EQ(time_of({1, -unlimited}, falling), 0);
  EXPECT_EQ(time_of({unlimited, -unlimited}, falling), 1);
}

TEST(LevelCrossingBadInput, Refused) {
  EXPECT_THROW(LevelCrossing(Event{0, Direction::any, 0}, 0, 1), std::invalid_argument);
  EXPECT_THROW(LevelCrossing(Event{unlimited, Direction::any, 1}, 0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::study
