#include "ricochet/integrate/position_correction.hpp"

#include <gtest/gtest.h>

#include "runner.hpp"

namespace ricochet::integrate {
namespace {

constexpr double kWeight = 9.81;  // N

// A box of one kilogram that starts `depth` below the ground.
model::Model sunken_box(double depth, double friction, const Vector3& gravity) {
  model::Model model;
  model.gravity = gravity;
  test::add_box(model, 1, Vector3(0.1, 0.1, 0.1), Vector3(0, 0.1 - depth, 0));
  test::put_on_ground(model, {friction, 0, 0});
  return model;
}

TEST(PositionCorrection, ABoxThatRestsTooDeepIsLifted) {
  const double depth = 1e-4;
  test::Runner run(sunken_box(depth, 0.5, Vector3(0, -kWeight, 0)), {.h = 1e-3});
  double projected = 0;
  run.steps(PositionCorrection::steps_at_rest - 1);
  EXPECT_NEAR(run.position(0).y(), 0.1 - depth, 1e-12);  // does not rest yet
  for (int step = 0; step < 60; ++step) {
    projected += run.step().works.projection;
    EXPECT_LE(std::abs(run.closing_error), 1e-13 * run.energy_scale);
  }
  EXPECT_NEAR(run.position(0).y(), 0.1, 1e-9);
  EXPECT_LE(run.velocity(0).norm(), 1e-9);
  EXPECT_NEAR(projected, kWeight * depth, 1e-7);
}

// It is lifted along the normal, and friction keeps it where it is; also where it is nearly too steep.
TEST(PositionCorrection, ABoxOnASlopeDoesNotGlideWhileItIsLifted) {
  const double depth = 1e-4, slope = 0.45;
  test::Runner run(sunken_box(depth, 0.5, kWeight * Vector3(std::sin(slope), -std::cos(slope), 0)), {.h = 1e-3});
  run.steps(100);
  EXPECT_NEAR(run.position(0).y(), 0.1, 1e-9);
  EXPECT_NEAR(run.position(0).x(), 0, 1e-9);
}

// What bounces is left alone: its energy is that of the impact law.
TEST(PositionCorrection, ABallThatBouncesIsNotTouched) {
  model::Model model;
  model.gravity = Vector3(0, -kWeight, 0);
  test::add_ball(model, 1, 0.1, Vector3(0, 0.1, 0), Vector3(0, -1, 0));
  test::put_on_ground(model, {0.5, 0.8, 0});
  test::Runner run(model, {.h = 1e-3});
  for (int step = 0; step < 500; ++step) EXPECT_EQ(run.step().works.projection, 0);
}

TEST(PositionCorrection, NothingIsCorrectedWithoutProjection) {
  const double depth = 1e-4;
  test::Runner run(sunken_box(depth, 0.5, Vector3(0, -kWeight, 0)),
                   {.h = 1e-3, .scheme = {.projection = Projection::none}});
  run.steps(100);
  EXPECT_NEAR(run.position(0).y(), 0.1 - depth, 1e-12);
}

// Also where impulses come from two problems.
TEST(PositionCorrection, UnderPoissonsLaw) {
  test::Runner run(sunken_box(1e-4, 0.5, Vector3(0, -kWeight, 0)),
                   {.h = 1e-3, .scheme = {.impact = ImpactLaw::poisson}});
  run.steps(100);
  EXPECT_NEAR(run.position(0).y(), 0.1, 1e-9);
}

}  // namespace
}  // namespace ricochet::integrate
