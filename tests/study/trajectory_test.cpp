#include "ricochet/study/trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace ricochet::study {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

Trajectory sampled(const std::function<double(double)>& function, double step, int steps) {
  Trajectory result;
  result.values.resize(1);
  for (int i = 0; i <= steps; ++i) {
    result.time.push_back(i * step);
    result.values[0].push_back(function(i * step));
  }
  return result;
}

TEST(Trajectory, IsLinearBetweenRowsAndNowhereElse) {
  const Trajectory squares = sampled([](double t) { return t * t; }, 1, 4);
  EXPECT_EQ(squares.value_at(0, 0), 0);
  EXPECT_EQ(squares.value_at(0, 3), 9);
  EXPECT_EQ(squares.value_at(0, 4), 16);
  EXPECT_DOUBLE_EQ(squares.value_at(0, 2.25), 4 + 0.25 * 5);
  EXPECT_TRUE(std::isnan(squares.value_at(0, -0.1)));
  EXPECT_TRUE(std::isnan(squares.value_at(0, 4.1)));
  EXPECT_EQ(squares.value_at(0, 3 * (1 + 1e-12)), 9);  // the same time, but for rounding
  EXPECT_TRUE(std::isnan(Trajectory{{}, {{}}}.value_at(0, 0)));
  const Trajectory single{{2}, {{5}}};
  EXPECT_EQ(single.value_at(0, 2), 5);
  EXPECT_TRUE(std::isnan(single.value_at(0, 2.1)));
}

TEST(Trajectory, AGapIsNotBridged) {
  const Trajectory broken{{0, 1, 2}, {{0, nowhere, 4}}};
  EXPECT_TRUE(std::isnan(broken.value_at(0, 0.5)));
  EXPECT_TRUE(std::isnan(broken.value_at(0, 1.5)));
  EXPECT_EQ(broken.value_at(0, 2), 4);
}

TEST(Trajectory, AWalkReadsAsSingleLooksDo) {
  const Trajectory wave = sampled([](double t) { return std::sin(t); }, 0.3, 20);
  TrajectoryWalk walk(wave);
  for (double t = -0.05; t < 6.5; t += 0.05) {
    walk.go_to(t);
    const double single = wave.value_at(0, t);
    EXPECT_EQ(std::isnan(walk.value(0)), std::isnan(single)) << t;
    if (!std::isnan(single)) {
      EXPECT_EQ(walk.value(0), single) << t;
    }
  }
}

// By hand: f = 1, 2, 3, 5 and truth 1, 2, 3, 4. Eq. (64): 1 / 10.
TEST(Trajectory, TheDistanceIsThatOfEquation64) {
  DistanceSum sum;
  EXPECT_TRUE(std::isnan(sum.error()));
  for (const auto& [value, truth] : {std::pair{1., 1.}, {2., 2.}, {3., 3.}, {5., 4.}}) sum.add(value, truth);
  EXPECT_DOUBLE_EQ(sum.error(), 0.1);
  EXPECT_FALSE(sum.truth_is_zero());
  EXPECT_DOUBLE_EQ(sum.mean_difference(), 0.25);
  DistanceSum signs;  // do not cancel
  signs.add(1, -1);
  signs.add(-1, 1);
  EXPECT_DOUBLE_EQ(signs.error(), 2);
}

TEST(Trajectory, DistanceFromZeroIsAbsolute) {
  DistanceSum sum;
  for (const double value : {0, 1, -2, 5}) sum.add(value, 0);
  EXPECT_DOUBLE_EQ(sum.error(), 2);
  EXPECT_TRUE(sum.truth_is_zero());
}

TEST(Trajectory, RowsThatFallTogetherAreNotInterpolated) {
  const auto cube = [](double t) { return t * t * t; };
  // 0.3 = 3 * 0.1 but for rounding: a cube that was interpolated would show.
  EXPECT_LT(distance(sampled(cube, 0.3, 4), sampled(cube, 0.1, 12), 0), 1e-15);
}

TEST(Trajectory, BetweenRowsTheReferenceIsLinear) {
  const auto line = [](double t) { return 3 - 2 * t; };
  EXPECT_LT(distance(sampled(line, 0.3, 4), sampled(line, 0.07, 18), 0), 1e-15);
  // A parabola lies above its chords by h^2/8 f'' in the middle and 2/3 of that on average: h^2/6 for t^2, whose mean
  // is 1/3.
  const auto parabola = [](double t) { return t * t; };
  EXPECT_NEAR(distance(sampled(parabola, 0.00303, 330), sampled(parabola, 0.05, 20), 0), 0.05 * 0.05 / 6 * 3, 3e-5);
}

TEST(Trajectory, OnlyCommonTimesCount) {
  const Trajectory run = sampled([](double) { return 2.0; }, 0.1, 20);
  const Trajectory shorter = sampled([](double) { return 1.0; }, 0.1, 7);
  EXPECT_DOUBLE_EQ(distance(run, shorter, 0), 1);
  EXPECT_DOUBLE_EQ(distance(shorter, run, 0), 0.5);
  EXPECT_TRUE(std::isnan(distance(run, Trajectory{{}, {{}}}, 0)));
  EXPECT_TRUE(std::isnan(distance({{0, 1}, {{1, nowhere}}}, {{0, 1}, {{1, 1}}}, 0)));
}

}  // namespace
}  // namespace ricochet::study
