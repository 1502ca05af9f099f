#include "ricochet/simulation/settings.hpp"

#include <gtest/gtest.h>

#include "simulation/test_runs.hpp"

namespace ricochet::simulation {
namespace {

TEST(Settings, CountsWholeSteps) {
  EXPECT_EQ(step_count(test::settings_for(1, 0.1)), 10);
  EXPECT_EQ(step_count(test::settings_for(0.3, 0.1)), 3);  // 0.3/0.1 = 2.9999999999999996
  EXPECT_EQ(step_count(test::settings_for(4, 5e-4)), 8000);
  EXPECT_EQ(step_count(test::settings_for(1e-3, 1e-7)), 10'000);
  EXPECT_EQ(step_count(test::settings_for(1e3, 1e-6)), 1'000'000'000);
  EXPECT_FALSE(end_is_rounded_up(test::settings_for(0.3, 0.1)));
  EXPECT_FALSE(end_is_rounded_up(test::settings_for(1e3, 1e-6)));
}

TEST(Settings, RoundsUpWhatIsNotWhole) {
  EXPECT_EQ(step_count(test::settings_for(1, 0.3)), 4);
  EXPECT_TRUE(end_is_rounded_up(test::settings_for(1, 0.3)));
  EXPECT_EQ(step_count(test::settings_for(0.05, 0.1)), 1);
  EXPECT_TRUE(end_is_rounded_up(test::settings_for(0.05, 0.1)));
}

TEST(Settings, NothingToDo) {
  EXPECT_EQ(step_count(test::settings_for(0, 0.1)), 0);
  EXPECT_FALSE(end_is_rounded_up(test::settings_for(0, 0.1)));
}

// Steps that a function gives: the last one ends at the end, and none is left over by rounding.
TEST(Settings, AStepMayBeAFunctionOfTime) {
  Settings settings = test::settings_for(1, 0.1);
  settings.step_function = math::TimeFunction(math::Expression::parse("t < 0.5 ? 0.1 : 0.2"));
  EXPECT_EQ(step_from(settings, 0), 0.1);
  EXPECT_EQ(step_from(settings, 0.6), 0.2);
  EXPECT_NEAR(step_from(settings, 0.9), 0.1, 1e-15);
  EXPECT_EQ(step_count(settings), 8);
  EXPECT_FALSE(end_is_rounded_up(settings));
  settings.step_function = math::TimeFunction(math::Expression::parse("0.1 - t"));
  EXPECT_THROW(step_count(settings), std::runtime_error);
}

}  // namespace
}  // namespace ricochet::simulation
