#include "ricochet/study/trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "ricochet/simulation/simulation.hpp"
#include "study/sliding_case.hpp"

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

// By hand, rows at 0, 1, 2, 3: run 1, 2, 3, 5 and truth 1 + t, so 1, 2, 3, 4. Eq. (64): 1 / 10.
TEST(Trajectory, DistanceFromAFunctionIsThatOfEquation64) {
  const Trajectory run{{0, 1, 2, 3}, {{1, 2, 3, 5}}};
  const Distance found = distance(
      run, 0, [](double t) { return 1 + t; }, 3);
  EXPECT_DOUBLE_EQ(found.error, 0.1);
  EXPECT_FALSE(found.absolute);
  EXPECT_DOUBLE_EQ(distance(
                       run, 0, [](double t) { return 1 + t; }, 2)
                       .error,
                   0);  // the last row is after the end
  // Signs do not cancel.
  EXPECT_DOUBLE_EQ(distance(
                       {{0, 1}, {{1, -1}}}, 0, [](double t) { return t == 0 ? -1 : 1; }, 1)
                       .error,
                   2);
}

TEST(Trajectory, DistanceFromZeroIsAbsolute) {
  const Trajectory run{{0, 1, 2, 3}, {{0, 1, -2, 5}}};
  const Distance found = distance(
      run, 0, [](double) { return 0.0; }, 3);
  EXPECT_DOUBLE_EQ(found.error, 2);
  EXPECT_TRUE(found.absolute);
}

TEST(Trajectory, DistanceFromAFinerRunTakesTheRowsThatFallTogether) {
  const auto cube = [](double t) { return t * t * t; };
  // 0.3 = 3 * 0.1 but for rounding: a parabola between rows would show.
  const Trajectory fine = sampled(cube, 0.1, 12), coarse = sampled(cube, 0.3, 4);
  const Distance found = distance(coarse, 0, fine, 0, 1.2);
  EXPECT_LT(found.error, 1e-15);
  EXPECT_FALSE(found.interpolated);
}

TEST(Trajectory, DistanceBetweenUnevenStepsInterpolatesTheReference) {
  const auto line = [](double t) { return 3 - 2 * t; };
  EXPECT_LT(distance(sampled(line, 0.3, 4), 0, sampled(line, 0.07, 18), 0, 1.2).error, 1e-15);
  // A parabola lies above its chords by at most h^2/8 f'': 0.0025/4 = 6e-4 for h = 0.05, and 2/3 of it on average.
  const auto parabola = [](double t) { return t * t; };
  const Distance found = distance(sampled(parabola, 0.0303, 33), 0, sampled(parabola, 0.05, 20), 0, 1);
  EXPECT_TRUE(found.interpolated);
  EXPECT_NEAR(found.error, 2.0 / 3 * 0.0025 / 4 / (1.0 / 3), 1e-4);
}

TEST(Trajectory, OnlyCommonTimesCount) {
  const Trajectory run = sampled([](double) { return 2.0; }, 0.1, 20);
  const Trajectory shorter = sampled([](double) { return 1.0; }, 0.1, 7);
  EXPECT_DOUBLE_EQ(distance(run, 0, shorter, 0, 2).error, 1);
  EXPECT_TRUE(std::isnan(distance(run, 0, Trajectory{{}, {{}}}, 0, 2).error));
  EXPECT_TRUE(std::isnan(distance(
                             {{0, 1}, {{1, nowhere}}}, 0, [](double) { return 1.0; }, 1)
                             .error));
}

TEST(Trajectory, RecordsEveryStep) {
  const Case study = sliding_case();
  TrajectoryRecorder recorder(study.probes, {1, 0});
  simulation::Simulation simulation(study.model, study.settings);
  std::vector<simulation::Recorder*> recorders = {&recorder};
  EXPECT_EQ(simulation.run(recorders).outcome, simulation::Outcome::completed);
  const Trajectory found = recorder.take();
  ASSERT_EQ(found.time.size(), 501u);
  ASSERT_EQ(found.values.size(), 2u);
  EXPECT_EQ(found.values[1].front(), sliding_speed);
  EXPECT_EQ(found.values[1].size(), 501u);
  EXPECT_NEAR(found.value_at(1, sliding_stop / 2), sliding_speed / 2, 0.02);
  EXPECT_NEAR(found.values[0].back(), sliding_speed * sliding_stop / 2, 0.01);
}

}  // namespace
}  // namespace ricochet::study
