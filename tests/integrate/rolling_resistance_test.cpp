// Contacts that resist rolling and spinning, and the coupled law of Coulomb and Contensou, against closed forms in both
// schemes.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

using model::ContactLaw;
using model::SpinningLaw;

constexpr double kBallMass = 1309, kBallRadius = 0.5, kWeightPerMass = 9.8;  // Sánchez 2025, Annex A.6
const double kBallInertia = 0.4 * kBallMass * kBallRadius * kBallRadius;

model::Model ball_on_ground(const ContactLaw& law, const Vector3& velocity, const Vector3& spin, bool planar = false) {
  model::Model model;
  model.planar = planar;
  model.gravity = Vector3(0, -kWeightPerMass, 0);
  test::add_ball(model, kBallMass, kBallRadius, Vector3(0.1, kBallRadius, 0), velocity);
  model.nodes[0].angular_velocity = spin;
  test::put_on_ground(model, law);
  return model;
}

struct ResistingCase {
  const char* name;
  std::unique_ptr<test::Walker> walker;
};

std::vector<ResistingCase> all_resisting(const model::Model& model, double h) {
  std::vector<ResistingCase> cases;
  for (const ImpactLaw impact : {ImpactLaw::newton, ImpactLaw::fremond, ImpactLaw::poisson}) {
    test::RunnerOptions options;
    options.h = h;
    options.scheme.impact = impact;
    cases.push_back({impact_law_names[static_cast<int>(impact)], std::make_unique<test::Runner>(model, options)});
  }
  for (const SubproblemSolver solver : {SubproblemSolver::newton, SubproblemSolver::cone}) {
    NonsmoothGeneralizedAlphaOptions options;
    options.newton.solver = solver;
    cases.push_back(
        {subproblem_solver_names[static_cast<int>(solver)], std::make_unique<test::AlphaRunner>(model, h, options)});
  }
  return cases;
}

Vector3 spin_in_world(const test::Walker& walker, int node = 0) {
  return mechanics::orientation(walker.equations.map(), walker.now.state, node).rotate(walker.angular_velocity(node));
}

// omega falls by rho m g/I until it is zero, and stays there; nothing else moves. (A.6, "Rolling resistance".)
TEST(RollingResistance, StopsABallThatTurnsOnTheSpot) {
  const double h = 1e-3, rolling = 0.01, spinning = 0.0167;
  struct Case {
    ContactLaw law;
    Vector3 spin;
    double stop;
  };
  const double at = kBallMass * kWeightPerMass / kBallInertia;
  const std::vector<Case> all = {{{.rolling = rolling}, {0.4, 0, 0}, 0.4 / (rolling * at)},
                                 {{.rolling = rolling}, {0.24, 0, -0.32}, 0.4 / (rolling * at)},
                                 {{.spinning = spinning}, {0, 1, 0}, 1 / (spinning * at)}};
  for (const Case& each : all) {
    for (const ResistingCase& scheme : all_resisting(ball_on_ground(each.law, Vector3::Zero(), each.spin), h)) {
      SCOPED_TRACE(scheme.name);
      test::Walker& walker = *scheme.walker;
      const int before_stop = static_cast<int>(each.stop / h) - 1;
      for (int i = 0; i < before_stop; ++i) {
        walker.step();
        ASSERT_LE(std::abs(walker.closing_error), 1e-12 * walker.energy_scale);
        const Vector3 expected = (1 - walker.now.state.time / each.stop) * each.spin;
        // The moment acts from the first step on, whose impulse may count half or none.
        ASSERT_LE((spin_in_world(walker) - expected).norm(), 1.01 * h / each.stop * each.spin.norm());
      }
      walker.steps(50);
      const double left = spin_in_world(walker).norm();
      // Frémond's mean angular velocity is zero at rest: omega itself flips its sign.
      if (scheme.name == std::string("fremond")) {
        EXPECT_LE(left, 1.01 * h / each.stop * each.spin.norm());
      } else {
        EXPECT_LE(left, 1e-13);
      }
      EXPECT_LE((walker.position(0) - Vector3(0.1, kBallRadius, 0)).norm(), 1e-9);
    }
  }
}

// Rolling without slip is slowed by (rho/r) m g/(m + I/r^2), if friction is enough (A.6, cases I to III).
TEST(RollingResistance, SlowsABallThatRolls) {
  const double h = 1e-3, rolling = 0.04;
  const double deceleration =
      rolling / kBallRadius * kBallMass * kWeightPerMass / (kBallMass + kBallInertia / (kBallRadius * kBallRadius));
  for (const bool planar : {false, true}) {
    const model::Model model =
        ball_on_ground({.friction = 0.2, .rolling = rolling}, Vector3(2.5, 0, 0), Vector3(0, 0, -5), planar);
    for (const ResistingCase& scheme : all_resisting(model, h)) {
      SCOPED_TRACE(scheme.name);
      test::Walker& walker = *scheme.walker;
      for (int i = 0; i < 500; ++i) {
        walker.step();
        ASSERT_LE(std::abs(walker.closing_error), 1e-12 * walker.energy_scale);
      }
      EXPECT_NEAR(walker.velocity(0).x(), 2.5 - deceleration * 0.5, 2 * deceleration * h);
      EXPECT_NEAR(spin_in_world(walker).z() * kBallRadius, -walker.velocity(0).x(), 2.5 * deceleration * h);
      EXPECT_NEAR(walker.report.contacts[0].torque.tail<2>().norm(), rolling * kBallMass * kWeightPerMass,
                  1e-6 * kBallMass);
      EXPECT_LT(walker.report.works.contact_resistance, 0);
    }
  }
}

// Resistance holds a ball on a slope: it stays where it is, in positions too.
TEST(RollingResistance, HoldsABallOnASlope) {
  const double slope = 0.03;
  for (const bool planar : {false, true}) {
    model::Model model = ball_on_ground({.friction = 0.5, .rolling = 0.04 * kBallRadius, .spinning = 0.1},
                                        Vector3::Zero(), Vector3::Zero(), planar);
    model.gravity = kWeightPerMass * Vector3(std::sin(slope), -std::cos(slope), 0);
    for (const ResistingCase& scheme : all_resisting(model, 1e-3)) {
      SCOPED_TRACE(scheme.name);
      scheme.walker->steps(500);
      EXPECT_LE((scheme.walker->position(0) - Vector3(0.1, kBallRadius, 0)).norm(), 1e-9);
    }
  }
}

// m u' = -mu m g (mu u/s), I w' = -gamma m g (gamma w/s), s = |(mu u, gamma w)|: so ln u and ln w change in the ratio
// I mu^2/(m gamma^2), and both end together, while independent laws stop what has less first.
TEST(RollingResistance, CoupledSlidingAndSpinningEndTogether) {
  const double h = 1e-4, friction = 0.3, spinning = 0.1;
  const double huge = 1e6;  // kg m^2 about the level axes: it does not begin to roll
  for (const bool coupled : {true, false}) {
    ContactLaw law{.friction = friction, .spinning = spinning};
    if (coupled) law.spinning_law = SpinningLaw::contensou;
    model::Model model = ball_on_ground(law, Vector3(1, 0, 0), Vector3(0, 4, 0));
    const double inertia = 40;
    model.bodies[0].inertia = Vector3(huge, inertia, huge).asDiagonal();
    const double exponent = inertia * friction * friction / (kBallMass * spinning * spinning);
    for (const ResistingCase& scheme : all_resisting(model, h)) {
      if (coupled && scheme.name == std::string("fremond")) continue;  // it never stands still
      SCOPED_TRACE(scheme.name);
      test::Walker& walker = *scheme.walker;
      // The last of the spin goes as a high power of the last of the slip.
      const double still = coupled ? 1e-9 : 5e-3;
      double last_slide = 0, last_spin = 0;
      for (int i = 0; i < 6000; ++i) {
        walker.step();
        ASSERT_LE(std::abs(walker.closing_error), 1e-12 * walker.energy_scale);
        const double u = walker.velocity(0).x(), w = walker.angular_velocity(0).y();
        const double slip = walker.report.contacts[0].velocity.tail<2>().norm();
        if (slip > still) last_slide = walker.now.state.time;
        if (std::abs(w) > still) last_spin = walker.now.state.time;
        if (coupled && w > 0.5) {
          EXPECT_NEAR(std::log(u) / (exponent * std::log(w / 4)), 1, 0.01 / (4 - w + 1e-3));
        }
      }
      if (coupled) {
        EXPECT_NEAR(last_slide, last_spin, 0.02 * last_slide);
      } else {
        EXPECT_NEAR(last_slide, 1 / (friction * kWeightPerMass), 5e-3);
        EXPECT_NEAR(last_spin, 4 * inertia / (spinning * kBallMass * kWeightPerMass), 5e-3);
      }
    }
  }
}

// A turntable takes along what resists spinning on it, without sliding friction; its driver feels the moment.
TEST(RollingResistance, ATurntableTakesABallAlong) {
  model::Model model = ball_on_ground({.spinning = 0.02}, Vector3::Zero(), Vector3::Zero());
  model.drivers.push_back({"motor", {}, {0}, {}, model::DrivenRotation{}});
  model.drivers[0].rotation->function = math::TimeFunction::constant(2);
  model.drivers[0].rotation->axis = Vector3::UnitY();
  const double acceleration = 0.02 * kBallMass * kWeightPerMass / kBallInertia;
  for (const ResistingCase& scheme : all_resisting(model, 1e-3)) {
    SCOPED_TRACE(scheme.name);
    test::Walker& walker = *scheme.walker;
    for (int i = 0; i < 300; ++i) {
      walker.step();
      ASSERT_LE(std::abs(walker.closing_error), 1e-12 * walker.energy_scale);
    }
    EXPECT_NEAR(spin_in_world(walker).y(), 0.3 * acceleration, 1.1e-3 * acceleration);
    EXPECT_NEAR(std::abs(walker.report.drivers[0].torque.y()), kBallInertia * acceleration, 1e-6 * kBallInertia);
    EXPECT_NEAR(walker.report.drivers[0].power, 2 * kBallInertia * acceleration, 1e-6 * kBallInertia);
    walker.steps(1200);
    if (scheme.name != std::string("fremond")) {
      EXPECT_NEAR(spin_in_world(walker).y(), 2, 1e-12);
    }
  }
}

// Frémond's law with friction, rolling and spinning, coupled or not: no contact gives energy.
TEST(RollingResistanceProperty, FremondNeverGivesEnergy) {
  math::Random random(31);
  for (int trial = 0; trial < 40; ++trial) {
    model::Model model;
    model.gravity = Vector3(0, -9.8, 0);
    ContactLaw law{.friction = random.uniform(0, 1),
                   .restitution = random.uniform(0, 1),
                   .rolling = random.uniform(0, 0.1),
                   .spinning = random.uniform(0, 0.1)};
    if (trial % 2 == 0) law.spinning_law = SpinningLaw::contensou;
    std::vector<model::Participant> all;
    for (int i = 0; i < 4; ++i) {
      const int ball =
          test::add_ball(model, random.uniform(0.5, 2), 0.1, Vector3(0.19 * (i % 2), 0.099 + 0.19 * (i / 2), 0.01 * i),
                         Vector3(random.normal(), random.normal(), random.normal()));
      model.nodes[ball].angular_velocity = 10 * Vector3(random.normal(), random.normal(), random.normal());
      all.push_back(test::body(ball));
    }
    test::put_on_ground(model, law);
    test::add_contact(model, all, all, law);
    test::RunnerOptions options;
    options.scheme.impact = ImpactLaw::fremond;
    options.solver.tolerance = 1e-10;
    test::Runner runner(model, options);
    for (int i = 0; i < 100; ++i) {
      const StepReport& report = runner.step();
      EXPECT_LE(report.works.contact_created, 1e-8 * runner.energy_scale);
      EXPECT_LE(std::abs(runner.closing_error), 1e-11 * runner.energy_scale);
      for (const ContactRecord& contact : report.contacts) {
        const double normal = contact.impulse[0], bound = 1e-9 * std::abs(normal) + 1e-12;
        EXPECT_LE(contact.moment.tail<2>().norm(), law.rolling * normal + bound);
        EXPECT_LE(std::abs(contact.moment[0]), law.spinning * normal + bound);
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::integrate
