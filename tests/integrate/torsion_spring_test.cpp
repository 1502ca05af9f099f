// Discs on torsion springs, step by step: frequency, damping, whole turns, energy and angular momentum.
#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

// How a disc is kept on its axis z: by the plane, by fixed components, or not at all (then by symmetry).
enum class Axle { plane, fixed, free };

// A ball of moment of inertia 0.4 kg m^2 on a spring to the world.
model::Model disc(Axle axle, double speed, double stiffness, double damping, double free_angle) {
  model::Model model;
  model.planar = axle == Axle::plane;
  test::add_ball(model, 1, 1, Vector3::Zero());
  if (axle == Axle::fixed) model.nodes[0].fixed = {true, true, true, true, true, false};
  model.nodes[0].angular_velocity.z() = speed;
  test::add_torsion_spring(model, -1, 0, Vector3::UnitZ(), stiffness, damping, free_angle);
  return model;
}

// theta = 1/2 is Cayley's map of the oscillator: phi_n = cos(n alpha), tan(alpha/2) = omega h/2, omega = sqrt(k/J).
TEST(TorsionSpringRun, FrequencyOfADisc) {
  for (const Axle axle : {Axle::plane, Axle::fixed, Axle::free}) {
    const double omega = 2, h = 0.1;
    test::Runner run(disc(axle, 0, 0.4 * omega * omega, 0, -1), {.h = h});
    EXPECT_EQ(run.equations.dependence() == mechanics::Dependence::linear, axle != Axle::free);
    const double alpha = 2 * std::atan(0.5 * omega * h);
    for (int i = 1; i <= 200; ++i) {
      run.step();
      ASSERT_NEAR(run.now.state.angles[0] + 1, std::cos(i * alpha), 1e-12);
      ASSERT_NEAR(run.angular_velocity(0).z(), -omega * std::sin(i * alpha), 1e-12);
      if (axle != Axle::free) {
        ASSERT_EQ(run.report.motion_iterations, 1);
      }
    }
  }
}

// 20 rad, more than three turns, and back, and the other way.
TEST(TorsionSpringRun, ThreeTurnsAndBack) {
  for (const Axle axle : {Axle::plane, Axle::free}) {
    const double omega = 2, h = 0.01, amplitude = 20;
    test::Runner run(disc(axle, amplitude * omega, 0.4 * omega * omega, 0, 0), {.h = h});
    const double alpha = 2 * std::atan(0.5 * omega * h), energy = run.energy();
    double largest = 0, smallest = 0;
    for (int i = 1; i <= 400; ++i) {
      run.step();
      const double angle = run.now.state.angles[0];
      ASSERT_NEAR(angle, amplitude * std::sin(i * alpha), 1e-11);
      ASSERT_LE(std::abs(run.energy() - energy), 1e-12 * energy);
      largest = std::max(largest, angle);
      smallest = std::min(smallest, angle);
    }
    EXPECT_GT(largest, 6 * M_PI);
    EXPECT_LT(smallest, -6 * M_PI);
  }
}

// A damper alone takes the factor (J - h (1 - theta) c)/(J + h theta c) off the speed in every step.
TEST(TorsionSpringRun, DamperSlowsADisc) {
  for (const double theta : {0.5, 0.8, 1.0}) {
    const double damping = 0.3, h = 0.05;
    test::Runner run(disc(Axle::plane, 2, 0, damping, 0), {.h = h, .scheme = {.theta = theta}});
    const double factor = (0.4 - h * (1 - theta) * damping) / (0.4 + h * theta * damping);
    double taken = 0;
    for (int i = 1; i <= 100; ++i) {
      run.step();
      taken += run.report.works.damping;
      ASSERT_NEAR(run.angular_velocity(0).z(), 2 * std::pow(factor, i), 1e-13);
    }
    if (theta == 0.5) {
      EXPECT_NEAR(taken, 0.5 * 0.4 * 4 - run.energy(), 1e-13);
    }
  }
}

// (J + h theta c + h^2 theta^2 k)(omega_1 - omega_0) = -h (k (phi_0 + theta h omega_0 - free) + c omega_0).
TEST(TorsionSpringRun, DampedDiscByHand) {
  const double stiffness = 7, damping = 0.3, free_angle = -2, h = 0.05, theta = 0.75;
  test::Runner run(disc(Axle::plane, 3, stiffness, damping, free_angle), {.h = h, .scheme = {.theta = theta}});
  double angle = 0, speed = 3;
  for (int i = 0; i < 100; ++i) {
    run.step();
    const double matrix = 0.4 + h * theta * damping + h * h * theta * theta * stiffness;
    const double change = -h * (stiffness * (angle + theta * h * speed - free_angle) + damping * speed) / matrix;
    angle += h * (speed + theta * change);
    speed += change;
    ASSERT_NEAR(run.now.state.angles[0], angle, 1e-13);
    ASSERT_NEAR(run.angular_velocity(0).z(), speed, 1e-13);
    ASSERT_LE(std::abs(run.closing_error), 1e-12 * run.energy_scale);
  }
}

// A driven shaft winds a spring up by five turns: the work of the driver is what the spring and the disc have got.
TEST(TorsionSpringRun, DrivenShaft) {
  model::Model model = disc(Axle::plane, 0, 0, 0, 0);
  model.torsion_springs.clear();
  test::add_ball(model, 1, 1, Vector3(0, 5, 0));
  model.nodes[1].fixed = {true, true, true, true, true, true};
  test::add_torsion_spring(model, 0, 1, Vector3::UnitZ(), 3, 0.2);
  model::Driver driver;
  driver.name = "shaft";
  driver.node = {0};
  driver.rotation = model::DrivenRotation{};
  driver.rotation->function = math::TimeFunction(math::Expression::parse("10*t"));
  model.drivers.push_back(driver);
  test::Runner run(model, {.h = 5e-3, .scheme = {.theta = 0.6}});
  EXPECT_EQ(run.equations.dependence(), mechanics::Dependence::linear);
  for (int i = 1; i <= 500; ++i) {
    run.step();
    const double time = i * run.h;
    ASSERT_NEAR(run.now.state.angles[0], -5 * time * time, 1e-12);
    ASSERT_LE(std::abs(run.closing_error), 1e-12 * run.energy_scale);
  }
  EXPECT_LT(run.now.state.angles[0], -9 * M_PI);
}

// A chain of discs, the first on the world or not: the accounts close, and without the world nothing changes the
// angular momentum.
TEST(TorsionSpringRunProperty, AccountsOfChainsClose) {
  math::Random random(41);
  for (int i = 0; i < 30; ++i) {
    const bool planar = i % 3 != 0, held = i % 2 == 0;
    const double theta = i % 5 == 0 ? 0.5 : random.uniform(0.5, 1);
    model::Model model;
    model.planar = planar;
    for (int k = 0; k < 4; ++k) {
      test::add_ball(model, random.uniform(0.5, 2), 1, Vector3(3.0 * k, 0, 0));
      model.nodes.back().angular_velocity = test::random_vector3(random, planar ? 5 : 1);
      const Vector3 axis = planar ? Vector3(Vector3::UnitZ()) : Vector3(test::random_vector3(random).normalized());
      if (k > 0) test::add_torsion_spring(model, k - 1, k, axis, random.uniform(1, 10), random.uniform(0, 0.2), k);
    }
    if (held) test::add_torsion_spring(model, -1, 0, Vector3::UnitZ(), 5, 0.1, 2);
    test::Runner run(model, {.h = 5e-3, .scheme = {.theta = theta}});
    ASSERT_EQ(run.equations.dependence(), planar ? mechanics::Dependence::linear : mechanics::Dependence::nonlinear);
    const auto angular_momentum = [&] {
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += model.bodies[k].inertia(2, 2) * run.angular_velocity(k).z();
      return sum;
    };
    const double before = angular_momentum();
    double scale = 0;
    for (int k = 0; k < 300; ++k) {
      run.step();
      scale = std::max(scale, run.energy_scale);
      ASSERT_LE(std::abs(run.closing_error), 1e-12 * scale) << "machine " << i << ", step " << k;
      ASSERT_GE(run.report.works.damping, 0);
      if (planar && !held) {
        ASSERT_NEAR(angular_momentum(), before, 1e-12 * (1 + std::abs(before)));
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::integrate
