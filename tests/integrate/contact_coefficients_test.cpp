// Coefficients that depend on speed: laws of motion in closed form, and functions that leave their range.
#include "ricochet/integrate/contact_coefficients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

model::Coefficient speed_function(const char* text) { return model::Coefficient(math::Expression::parse(text)); }

// A block that slides on a plane with mu(v) = a + (b - a) exp(-v/s):  dv/dt = -g mu(v)  is linear in z = exp(v/s):
//   dz/dt = -(g/s) (a z + b - a),   z(t) = (z_0 + r) exp(-g a t/s) - r,   r = (b - a)/a.
struct Stribeck {
  double dynamic = 0.2, fixed = 0.5, scale = 0.5, gravity = 9.81, start = 2;

  double ratio() const { return (fixed - dynamic) / dynamic; }
  double speed(double t) const {
    return scale * std::log((std::exp(start / scale) + ratio()) * std::exp(-gravity * dynamic * t / scale) - ratio());
  }
  double stop() const {
    return scale / (gravity * dynamic) * std::log((std::exp(start / scale) + ratio()) / (1 + ratio()));
  }
  // Euler's method: h/2 max|v''| (exp(L t) - 1)/L with L = g (b - a)/s and |v''| <= L g b.
  double euler_error(double t, double h) const {
    const double lipschitz = gravity * (fixed - dynamic) / scale;
    return h / 2 * gravity * fixed * (std::exp(lipschitz * t) - 1);
  }
  test::Runner runner(double h, bool planar) const {
    model::Model model;
    model.planar = planar;
    model.gravity = Vector3(0, -gravity, 0);
    test::add_point(model, 1.5, Vector3::Zero(), planar ? Vector3(start, 0, 0) : Vector3(0.6 * start, 0, -0.8 * start));
    test::put_on_ground(model, {speed_function("0.2 + 0.3*exp(-speed/0.5)"), 0, 0});
    return test::Runner(model, {.h = h});
  }
};

TEST(ContactCoefficients, FrictionFollowsTheSpeedOfSlip) {
  const Stribeck law;
  for (const bool planar : {true, false}) {
    double coarse_error = 0;
    for (const int steps : {1000, 2000}) {
      const double end = 0.5, h = end / steps;
      test::Runner run = law.runner(h, planar);
      run.steps(steps);
      const double error = run.velocity(0).norm() - law.speed(end);
      EXPECT_LE(std::abs(error), law.euler_error(end, h));
      EXPECT_GT(std::abs(error), 1e-7);  // the test sees the step at all
      if (coarse_error != 0) {
        EXPECT_NEAR(coarse_error / error, 2, 0.02);
      }
      coarse_error = error;
    }
  }
}

TEST(ContactCoefficients, TheBlockStopsWhereTheLawSaysAndSticks) {
  const Stribeck law;
  const double h = 1e-4;
  test::Runner run = law.runner(h, true);
  while (run.velocity(0).x() > 1e-9 && run.now.state.time < 2) run.step();
  const double lateness = law.euler_error(law.stop(), h) / (law.gravity * law.dynamic) + h;
  EXPECT_NEAR(run.now.state.time, law.stop(), lateness);
  EXPECT_LT(lateness, 0.1 * law.stop());
  run.steps(100);
  EXPECT_NEAR(run.velocity(0).norm(), 0, 1e-12);
  EXPECT_EQ(run.report.contacts[0].status, cone::ContactStatus::stick);
}

TEST(ContactCoefficients, RestitutionFollowsTheSpeedOfApproach) {
  for (const ImpactLaw impact : {ImpactLaw::newton, ImpactLaw::fremond, ImpactLaw::poisson}) {
    for (const double speed : {0.01, 0.5, 3.0, 40.0}) {
      model::Model model;
      test::add_ball(model, 2, 0.5, Vector3(0, 0.5, 0), Vector3(0, -speed, 0));
      test::put_on_ground(model, {0, speed_function("1/(1 + speed)"), 0});
      test::Runner run(model, {.scheme = {.impact = impact}});
      run.step();
      EXPECT_NEAR(run.velocity(0).y(), speed / (1 + speed), 1e-12 * speed);
    }
  }
}

// Dropped from the height H, the ball strikes at V = sqrt(2 g H) and rises to (e(V) V)^2/(2 g). The scheme finds the
// impact up to a step late: within (V + g h) h each for the penetration and for the step of the impact itself, and
// e(V) V, whose slope is at most 1, changes by at most g h.
TEST(ContactCoefficients, HeightsAfterSeveralDrops) {
  const double h = 1e-4, g = 9.81;
  for (const double height : {0.1, 0.5, 2.0}) {
    model::Model model;
    model.planar = true;
    model.gravity = Vector3(0, -g, 0);
    test::add_point(model, 1, Vector3(0, height, 0));
    test::put_on_ground(model, {0, speed_function("1/(1 + speed)"), 0});
    test::Runner run(model, {.h = h});
    const double impact = std::sqrt(2 * g * height), rebound = impact / (1 + impact);
    while (run.velocity(0).y() <= 0 && run.now.state.time < 2) run.step();
    double apex = 0;
    while (run.velocity(0).y() > 0) apex = std::max(apex, (run.step(), run.position(0).y()));
    EXPECT_NEAR(apex, rebound * rebound / (2 * g), 3 * (impact + g * h) * h) << height;
  }
}

struct ImpossibleCase {
  model::ContactLaw law;
  const char* sentence;
};

TEST(ContactCoefficientsBadInput, AFunctionThatLeavesItsRangeEndsTheStep) {
  const ImpossibleCase cases[] = {
      {{speed_function("0.3 - speed"), 0, 0},
       "the friction '0.3 - speed' of contact rule0:body0.point|surface0.plane is -0.2 at the speed 0.5 m/s, but it "
       "must be finite and not negative"},
      {{speed_function("sqrt(0.25 - speed)"), 0, 0}, "is not a number at the speed 0.5 m/s"},
      {{speed_function("1/(speed - 0.5)"), 0, 0}, "is inf at the speed 0.5 m/s"},
      {{0.3, speed_function("0.2*speed"), 0},
       "the restitution '0.2*speed' of contact rule0:body0.point|surface0.plane is 1.6 at the speed 8 m/s, but it must "
       "lie between 0 and 1"},
      {{0.3, speed_function("1 - speed"), 0}, "is -7 at the speed 8 m/s"},
  };
  for (const ImpossibleCase& each : cases) {
    model::Model model;
    test::add_point(model, 1, Vector3::Zero(), Vector3(0.3, -8, 0.4));
    test::put_on_ground(model, each.law);
    test::Runner run(model);
    EXPECT_EQ(run.try_step(), StepStatus::impossible);
    EXPECT_THAT(run.report.impossible, testing::HasSubstr(each.sentence));
    EXPECT_TRUE(run.report.contacts.empty());
    EXPECT_EQ(run.next.state.v.size(), 0);  // nothing was written
  }
}

// What the function gives at speeds that do not occur does not matter.
TEST(ContactCoefficients, OnlySpeedsThatOccurCount) {
  model::Model model;
  test::add_point(model, 1, Vector3::Zero(), Vector3(0.3, -8, 0.4));
  test::put_on_ground(model, {speed_function("speed > 1 ? -1 : 0.1"), speed_function("speed > 9 ? 2 : 0.5"), 0});
  test::Runner run(model);
  EXPECT_EQ(run.try_step(), StepStatus::done);
  EXPECT_TRUE(run.report.impossible.empty());
}

}  // namespace
}  // namespace ricochet::integrate
