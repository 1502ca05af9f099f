#include "ricochet/integrate/action_blocks.hpp"

#include <gtest/gtest.h>

#include "integrate/alpha_models.hpp"

namespace ricochet::integrate {
namespace {

double angle_of(const test::Walker& run) {
  return 2 * std::asin(mechanics::orientation(run.equations.map(), run.now.state, 0).z);
}

// The inertia of the rod of alpha_pendulum about its hinge.
double inertia_of(const model::Model& model) { return model.bodies[0].inertia(2, 2) + 3 * 0.25; }

TEST(ActionBlocks, ALimitHoldsExactly) {
  model::Model model = test::alpha_pendulum();
  model.joint_limits.push_back({{{0}, 0}, -0.5, 10, 0.3});
  test::AlphaRunner run(model, 1e-3);
  double lowest = 0;
  for (int i = 0; i < 3000; ++i) {
    run.step();
    lowest = std::min(lowest, angle_of(run));
  }
  EXPECT_NEAR(lowest, -0.5, 1e-12);
  EXPECT_NEAR(angle_of(run), -0.5, 1e-12);
  EXPECT_LE(run.angular_velocity(0).norm(), 1e-12);
  // It carries the weight: m g l/2 cos(angle), against falling.
  EXPECT_NEAR(run.report.joint_actions[0].force, 3 * 10 * 0.5 * std::cos(0.5), 1e-8);
}

TEST(ActionBlocks, FrictionSlowsAtAConstantRateAndHolds) {
  model::Model model = test::alpha_pendulum();
  model.gravity = Vector3::Zero();
  model.nodes[0].angular_velocity = Vector3(0, 0, 1);
  model.nodes[0].velocity = Vector3(0, 0.5, 0);
  model::JointFriction friction;
  friction.coordinate = {{0}, 0};
  friction.constant = 2;  // N m
  model.joint_frictions.push_back(friction);
  test::AlphaRunner run(model, 1e-3);
  const double slowing = 2 / inertia_of(model);
  run.steps(200);
  EXPECT_NEAR(run.angular_velocity(0).z(), 1 - 0.2 * slowing, 1e-6);  // second order in the step, as the scheme
  EXPECT_NEAR(angle_of(run), 0.2 - 0.5 * slowing * 0.04, 1e-6);
  run.steps(800);
  const double rest = angle_of(run);
  EXPECT_NEAR(rest, 0.5 / slowing, 1e-3);
  EXPECT_LE(run.angular_velocity(0).norm(), 1e-13);
  run.steps(100);
  EXPECT_NEAR(angle_of(run), rest, 1e-13);
}

TEST(ActionBlocks, AMotorReachesItsSpeedWithItsLargestTorque) {
  model::Model model = test::alpha_pendulum();
  model.gravity = Vector3::Zero();
  model::JointMotor motor;
  motor.coordinate = {{0}, 0};
  motor.speed = math::TimeFunction::constant(0.5);
  motor.largest = 2;
  model.joint_motors.push_back(motor);
  test::AlphaRunner run(model, 1e-3);
  run.steps(100);
  EXPECT_NEAR(run.angular_velocity(0).z(), 0.1 * 2 / inertia_of(model), 1e-7);
  EXPECT_NEAR(run.report.joint_actions[0].force, 2, 1e-9);
  run.steps(900);
  EXPECT_NEAR(run.angular_velocity(0).z(), 0.5, 1e-12);
  EXPECT_NEAR(run.report.joint_actions[0].force, 0, 1e-8);
}

}  // namespace
}  // namespace ricochet::integrate
