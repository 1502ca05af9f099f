// Rigid bodies that rotate in space, without contact: energy, momentum, order, and closed forms.
#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

model::Model free_body(const Vector3& moments, const Vector3& angular_velocity) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  model.bodies[0].inertia = moments.asDiagonal();
  model.nodes[0].angular_velocity = angular_velocity;
  return model;
}

Vector3 world_momentum(const test::Runner& runner) {
  const Vector3 omega = runner.now.state.v.segment<3>(3);
  return mechanics::orientation(runner.equations.map(), runner.now.state, 0)
      .rotate(Vector3(runner.model.bodies[0].inertia * omega));
}

Vector3 angular_velocity_at(const model::Model& model, double h, double end) {
  test::RunnerOptions options;
  options.h = h;
  test::Runner runner(model, options);
  runner.steps(static_cast<int>(std::lround(end / h)));
  return runner.now.state.v.segment<3>(3);
}

// With theta = 1/2 the gyroscopic force has no power on the mean velocity: the energy is exact. The momentum in the
// world is not: its error falls with the square of the step.
TEST(MoreauJeanRotation, AnAsymmetricBodyKeepsItsEnergyAndAlmostItsMomentum) {
  const model::Model model = free_body(Vector3(1, 2, 2.5), Vector3(0.1, 5, 0.1));
  double previous = 0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    test::RunnerOptions options;
    options.h = h;
    test::Runner runner(model, options);
    const double energy = runner.energy();
    const Vector3 momentum = world_momentum(runner);
    double worst = 0;
    for (int i = 0; i < std::lround(8 / h); ++i) {
      runner.step();
      EXPECT_NEAR(runner.energy(), energy, 1e-12 * energy);
      worst = std::max(worst, (world_momentum(runner) - momentum).norm() / momentum.norm());
    }
    EXPECT_LE(worst, 1e-3);
    EXPECT_GT(worst, 1e-9);  // it tumbles: there is something to see
    if (previous > 0) {
      EXPECT_NEAR(previous / worst, 4, 0.2);
    }
    previous = worst;
  }
}

// A symmetric body: Omega precesses about the axis with the rate (J3 - J1)/J1 Omega_3, in closed form.
TEST(MoreauJeanRotation, ASymmetricBodyPrecesses) {
  const Vector3 start(0.3, 0, 4);
  const model::Model model = free_body(Vector3(2, 2, 3), start);
  const double end = 2, rate = 0.5 * 4;
  const Vector3 exact(0.3 * std::cos(rate * end), 0.3 * std::sin(rate * end), 4);
  const double coarse = (angular_velocity_at(model, 2e-3, end) - exact).norm();
  const double fine = (angular_velocity_at(model, 1e-3, end) - exact).norm();
  EXPECT_LE(fine, 1e-5);
  EXPECT_NEAR(coarse / fine, 4, 0.05);
}

// theta = 1 dissipates, by exactly what the ledger calls numerical.
TEST(MoreauJeanRotation, ThetaOneDissipatesAndSaysSo) {
  test::RunnerOptions options;
  options.scheme.theta = 1;
  test::Runner runner(free_body(Vector3(1, 2, 2.5), Vector3(1, 5, 1)), options);
  for (int i = 0; i < 1000; ++i) {
    const StepReport& report = runner.step();
    EXPECT_LE(report.works.numerical, 0);
    EXPECT_LE(std::abs(runner.closing_error), 1e-13 * runner.energy_scale);
  }
}

// A disc held at a point of its axis: the weight on a lever precesses it regularly. For J3 S >> J1 W the rate is
// m g l / (J3 S); the exact steady solution has J1 W^2 cos(a) - J3 S W + m g l = 0 for the tilt a.
TEST(MoreauJeanRotation, AHeavyTopPrecessesRegularly) {
  const double j1 = 0.02, j3 = 0.01, m = 1.5, g = 9.81, l = 0.1, tilt = 0.4, precession = 2.5;
  model::Model model;
  model.gravity = Vector3(0, 0, -g);
  test::add_box(model, m, Vector3::Ones(), Vector3::Zero(), math::Quaternion::from_axis_angle(Vector3::UnitX(), tilt));
  model.bodies[0].center = Vector3(0, 0, l);
  // About the fixed point J1; the body's own inertia is less by the lever.
  model.bodies[0].inertia = Vector3(j1 - m * l * l, j1 - m * l * l, j3).asDiagonal();
  model.nodes[0].fixed = {true, true, true, false, false, false};
  const double spin = (j1 * precession * precession * std::cos(tilt) + m * g * l) / (j3 * precession);
  // Omega_body = W (0, sin a, cos a) + relative spin; S is the total component along the axis.
  model.nodes[0].angular_velocity = Vector3(0, precession * std::sin(tilt), spin);
  test::RunnerOptions options;
  options.h = 1e-4;
  test::Runner runner(model, options);
  const double end = 1;
  for (int i = 0; i < std::lround(end / options.h); ++i) {
    runner.step();
    EXPECT_LE(std::abs(runner.closing_error), 1e-13 * runner.energy_scale);
  }
  const Vector3 axis = mechanics::orientation(runner.equations.map(), runner.now.state, 0).rotate(Vector3::UnitZ());
  // At the start the axis leans towards -y.
  const double turned = precession * end;
  const Vector3 exact(std::sin(tilt) * std::sin(turned), -std::sin(tilt) * std::cos(turned), std::cos(tilt));
  EXPECT_LE((axis - exact).norm(), 2e-5);
}

}  // namespace
}  // namespace ricochet::integrate
