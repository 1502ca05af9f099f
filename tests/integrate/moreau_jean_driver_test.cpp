// Prescribed motion: where it goes, what force it takes, and that its work explains the energy.
#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

using model::DriverLevel;

math::TimeFunction time_function(const char* text) { return math::TimeFunction(math::Expression::parse(text)); }

// A mass on a linear spring whose other end is shaken.
model::Model shaken_spring(double damping) {
  model::Model model;
  test::add_point(model, 5, Vector3::Zero());
  test::add_point(model, 2, Vector3(1, 0, 0));
  model.springs.push_back({"s", {{0}, Vector3::Zero()}, {{1}, Vector3::Zero()}, 300, damping, 1, Vector3::UnitX()});
  model::Driver driver{"shaker", {0}, {}, model::DrivenTranslation{}, {}};
  driver.translation->level = DriverLevel::position;
  driver.translation->function[0] = time_function("0.1*sin(7*t)");
  model.drivers = {driver};
  return model;
}

TEST(MoreauJeanDriver, ArrivesExactlyAndTheLedgerCloses) {
  for (const double theta : {0.5, 0.75, 1.0}) {
    test::RunnerOptions options;
    options.h = 1e-2;
    options.scheme.theta = theta;
    test::Runner runner(shaken_spring(3), options);
    double work = 0;
    for (int i = 1; i <= 500; ++i) {
      const StepReport& report = runner.step();
      EXPECT_NEAR(runner.now.state.q[0], 0.1 * std::sin(7 * runner.now.state.time), 1e-15);
      EXPECT_NEAR(runner.now.state.v[0], 0.7 * std::cos(7 * runner.now.state.time), 1e-15);
      EXPECT_LE(std::abs(runner.closing_error), 1e-13 * runner.energy_scale);
      EXPECT_NEAR(report.works.drivers, report.drivers[0].power * runner.h, 1e-14);
      work += report.works.drivers;
    }
    EXPECT_GT(work, 0.1);  // the damper has been fed
  }
}

// The steady state of the undamped oscillator has a closed form: the driver moves its own mass and, through the spring,
// the other one.
TEST(MoreauJeanDriver, TheForceIsTheReactionOfTheMachine) {
  model::Model model = shaken_spring(0);
  // Start on the steady state x2 = 1 + A sin(7 t), A = 0.1 k/(k - m w^2).
  const double k = 300, m = 2, w = 7, amplitude = 0.1 * k / (k - m * w * w);
  model.nodes[1].velocity = Vector3(amplitude * w, 0, 0);
  test::RunnerOptions options;
  options.h = 1e-4;
  test::Runner runner(model, options);
  for (int i = 0; i < 5000; ++i) {
    const StepReport& report = runner.step();
    const double middle = runner.now.state.time - 0.5 * options.h;
    const double force = -(5 * 0.1 + m * amplitude) * w * w * std::sin(w * middle);
    EXPECT_NEAR(report.drivers[0].force.x(), force, 1e-4);
    EXPECT_NEAR(report.drivers[0].power, force * 0.7 * std::cos(w * middle), 1e-4);
  }
}

// A rotor with unequal moments driven at constant speed about an axis that is not a principal one: the torque is
// Omega x (J Omega), normal to the axis, turning with the body, and has no power.
TEST(MoreauJeanDriver, AnUnbalancedRotorShakesItsBearings) {
  math::Random random(4);
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  model.bodies[0].inertia = test::random_inertia(random);
  model.nodes[0].fixed = {true, true, true, false, false, false};
  model::Driver driver{"motor", {0}, {}, {}, model::DrivenRotation{}};
  driver.rotation->function = math::TimeFunction::constant(20);
  driver.rotation->axis = Vector3(1, 2, 2) / 3;
  model.drivers = {driver};
  test::Runner runner(model);
  const Vector3 omega = 20 * driver.rotation->axis;
  const Vector3 body_torque = math::cross(omega, model.bodies[0].inertia * omega);
  for (int i = 0; i < 200; ++i) {
    const StepReport& report = runner.step();
    EXPECT_NEAR(report.drivers[0].torque.norm(), body_torque.norm(), 1e-11 * body_torque.norm());
    EXPECT_NEAR(report.drivers[0].power, 0, 1e-10);
    const double middle = 20 * (runner.now.state.time - 0.5 * runner.h);
    const Vector3 expected = math::Quaternion::from_axis_angle(driver.rotation->axis, middle).rotate(body_torque);
    EXPECT_LE((report.drivers[0].torque - expected).norm(), 1e-11 * body_torque.norm());
  }
}

// A block on a belt at speed V: friction mu g until it moves with the belt. The belt does the work m V^2, half of which
// is lost in the sliding.
TEST(MoreauJeanDriver, ABeltCarriesABlockAway) {
  model::Model model;
  model.gravity = Vector3(0, 0, -10);
  test::add_point(model, 2, Vector3::Zero());
  test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  model.contacts[0].law.friction = 0.3;
  model.drivers.push_back({"belt", {}, {0}, model::DrivenTranslation{}, {}});
  model.drivers[0].translation->function[0] = math::TimeFunction::constant(1.5);
  test::RunnerOptions options;
  options.h = 1e-3;
  test::Runner runner(model, options);
  double drivers = 0, tangential = 0;
  for (int i = 1; i <= 1000; ++i) {
    const StepReport& report = runner.step();
    EXPECT_NEAR(runner.now.state.v[0], std::min(3 * runner.now.state.time, 1.5), 1e-10);
    EXPECT_LE(std::abs(runner.closing_error), 1e-13 * (runner.energy_scale + 1));
    const double force = i <= 500 ? 6 : 0;
    EXPECT_NEAR(report.drivers[0].force.x(), force, 1e-9);
    EXPECT_NEAR(report.drivers[0].force.z(), 20, 1e-9);  // the block pushes down, the driver holds
    EXPECT_NEAR(report.drivers[0].power, 1.5 * force, 1e-9);
    drivers += report.works.drivers;
    tangential += report.works.contact_tangential;
  }
  EXPECT_NEAR(drivers, 2 * 1.5 * 1.5, 1e-9);
  EXPECT_NEAR(tangential, -0.5 * 2 * 1.5 * 1.5, 1e-9);
}

// A floor that rises and falls carries a mass as long as its acceleration does not exceed gravity: then the mass flies.
TEST(MoreauJeanDriver, AShakenFloorCarriesOrThrows) {
  for (const double acceleration : {0.9, 1.5}) {  // in g
    model::Model model;
    model.gravity = Vector3(0, 0, -10);
    test::add_point(model, 2, Vector3::Zero());
    test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
    test::add_contact(model, {test::body(0)}, {test::surface(0)});
    model.drivers.push_back({"shaker", {}, {0}, model::DrivenTranslation{}, {}});
    model.drivers[0].translation->level = DriverLevel::position;
    // z = A (1 - cos 10 t): starts with the acceleration 100 A upwards, -100 A at the top.
    model.drivers[0].translation->function[2] = acceleration / 10 * time_function("1 - cos(10*t)");
    test::RunnerOptions options;
    options.h = 1e-4;
    test::Runner runner(model, options);
    double highest = 0, deepest = 0;
    while (runner.now.state.time < 0.6) {
      runner.step();
      const double floor = acceleration / 10 * (1 - std::cos(10 * runner.now.state.time));
      highest = std::max(highest, runner.now.state.q[2] - floor);
      deepest = std::max(deepest, floor - runner.now.state.q[2]);
      EXPECT_LE(std::abs(runner.closing_error), 1e-12 * (runner.energy_scale + 1));
    }
    EXPECT_LE(deepest, 1e-3);
    if (acceleration < 1) {
      EXPECT_LE(highest, 1e-6);
    } else {
      EXPECT_GE(highest, 0.01);
    }
  }
}

}  // namespace
}  // namespace ricochet::integrate
