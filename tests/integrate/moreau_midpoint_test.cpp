// Moreau's midpoint rule: against closed forms, against the theta scheme, and systems in minimal coordinates against
// bodies.
#include "ricochet/integrate/moreau_midpoint.hpp"

#include <gtest/gtest.h>

#include "integrate/alpha_models.hpp"
#include "model/system_models.hpp"

namespace ricochet::integrate {
namespace {

TEST(MoreauMidpoint, FreeFallIsTheExactParabola) {
  model::Model model;
  model.gravity = Vector3(0.5, -8, 0.25);
  test::add_point(model, 3, Vector3(1, 2, 3), Vector3(4, 5, 6));
  test::MidpointRunner run(model, 0x1p-7);
  run.steps(128);
  EXPECT_EQ(run.position(0), Vector3(1 + 4 + 0.25, 2 + 5 - 4, 3 + 6 + 0.125));
  EXPECT_EQ(run.velocity(0), Vector3(4.5, -3, 6.25));
}

// The gap is looked at half a step ahead: at 0.5 - 3 h/2 < 0.5, closed, although the step starts with a gap.
TEST(MoreauMidpoint, ContactsAreLookedForAtTheMidpoint) {
  model::Model model;
  test::add_ball(model, 2, 0.5, Vector3(0, 0.5 + 0.001, 0), Vector3(0, -3, 0));
  test::put_on_ground(model, {0, 0.5, 0});
  test::MidpointRunner run(model, 1e-3);
  EXPECT_EQ(run.step().contacts.size(), 1U);
  EXPECT_NEAR(run.velocity(0).y(), 1.5, 1e-14);
  EXPECT_NEAR(run.report.contacts[0].impulse[0], 2 * 4.5, 1e-13);
  EXPECT_NEAR(run.position(0).y(), 0.501 + 0.5e-3 * (-3 + 1.5), 1e-15);
}

// Eq 32 as printed: what separates already still has e times its velocity in the law.
TEST(MoreauMidpoint, RestitutionCountsSeparationToo) {
  model::Model model;
  model.gravity = Vector3(0, -4000, 0);
  test::add_ball(model, 2, 0.5, Vector3(0, 0.49, 0), Vector3(0, 1, 0));
  test::put_on_ground(model, {0, 0.5, 0});
  test::MidpointRunner run(model, 1e-3, {.projection = Projection::none});
  run.step();
  EXPECT_NEAR(run.velocity(0).y(), -0.5, 1e-14);
}

double oscillator_error(double h) {
  model::Model model;
  test::add_point(model, 2, Vector3(1, 0, 0));
  model.springs.push_back({"spring", {}, {{0}, Vector3::Zero()}, 50, 0, 0, Vector3(Vector3::UnitX())});
  test::MidpointRunner run(model, h);
  run.steps(static_cast<int>(std::lround(1 / h)));
  return std::abs(run.position(0).x() - std::cos(5.0));
}

TEST(MoreauMidpoint, SecondOrderWithoutContacts) {
  const double coarse = oscillator_error(1.0 / 500), fine = oscillator_error(1.0 / 1000);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.02);
}

// A tumbling box, a pendulum, a damped spring: the balance of energy closes at every step.
TEST(MoreauMidpoint, LedgerCloses) {
  model::Model spring;
  test::add_ball(spring, 2, 0.1, Vector3(1, 0, 0), Vector3(0, 1, 0));
  spring.springs.push_back({"spring", {}, {{0}, Vector3::Zero()}, 50, 0.3, 0.2, {}});
  for (const model::Model& model :
       {test::tumbling_box(0.3, 0.5), test::alpha_pendulum(3), test::alpha_pendulum(2, false), spring}) {
    test::MidpointRunner run(model, 1e-3);
    for (int i = 0; i < 300; ++i) {
      run.step();
      ASSERT_LE(std::abs(run.closing_error), 1e-12 * (1 + run.energy_scale)) << i;
      ASSERT_LE(run.report.joint_error, 1e-12);
    }
  }
}

// The same pendulum with both of Moreau's schemes, against the nonsmooth generalized-alpha scheme with a fine step.
TEST(MoreauMidpoint, JointsMoveAsWithOtherSchemes) {
  const model::Model model = test::alpha_pendulum(2);
  test::MidpointRunner midpoint(model, 1e-3);
  test::AlphaRunner fine(model, 1e-4);
  midpoint.steps(500);
  fine.steps(5000);
  EXPECT_LE((midpoint.position(1) - fine.position(1)).norm(), 1e-5);
}

// The block of Acary & Collins-Craft 2024, sec. 5.2, as a body and as a system: with every scheme the same motion.
model::Model block_body(const model::ContactLaw& law) {
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -10, 0);
  const int box = test::add_box(model, 1, Vector3(0.5, 0.5, 0.5), Vector3(0, 0.6, 0));
  model.bodies[box].inertia = Matrix3::Identity() / 12;
  model.nodes[box].velocity = Vector3(0, -0.2, 0);
  model.nodes[box].angular_velocity = Vector3(0, 0, 1);
  test::put_on_ground(model, law);
  return model;
}

model::Model block_system(const model::ContactLaw& law) {
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -10, 0);
  test::add_system(model, model::make_rocking_block(1, 1, 1, 1.0 / 12, {0, -10}), Vector3(0, 0.6, 0),
                   Vector3(0, -0.2, 1), law, "block");
  return model;
}

template <class MakeRunner>
void expect_same_motion(const MakeRunner& make, int steps, double tolerance) {
  const model::ContactLaw law = test::alpha_law(0.1, 0.7);
  auto body = make(block_body(law));
  auto system = make(block_system(law));
  int impacts = 0;
  for (int i = 0; i < steps; ++i) {
    body.step();
    system.step();
    const auto& q = system.now.state.q;
    ASSERT_LE((q.template head<2>() - body.position(0).template head<2>()).norm(), tolerance) << i;
    const double turned = mechanics::orientation(body.equations.map(), body.now.state, 0).rotate(Vector3::UnitX()).y();
    ASSERT_NEAR(std::sin(q[2]), turned, tolerance) << i;
    ASSERT_EQ(system.report.contacts.size(), body.report.contacts.size()) << i;
    for (std::size_t k = 0; k < system.report.contacts.size(); ++k) {
      const ContactRecord &one = system.report.contacts[k], &other = body.report.contacts[k];
      ASSERT_LE((one.impulse - other.impulse).norm(), tolerance) << i;
      ASSERT_LE((one.point - other.point).norm(), tolerance) << i;
      if (one.impulse[0] > 0.1) ++impacts;
    }
    ASSERT_LE(std::abs(system.closing_error), 1e-12 * system.energy_scale) << i;
  }
  EXPECT_GE(impacts, 3);
}

TEST(MoreauMidpoint, SystemsMoveAsBodiesDo) {
  expect_same_motion([](const model::Model& model) { return test::MidpointRunner(model, 1e-3); }, 500, 1e-11);
}

TEST(MoreauJeanSystems, SystemsMoveAsBodiesDo) {
  for (const ImpactLaw impact : {ImpactLaw::newton, ImpactLaw::fremond}) {
    expect_same_motion(
        [&](const model::Model& model) { return test::Runner(model, {.h = 1e-3, .scheme = {.impact = impact}}); }, 500,
        1e-11);
  }
}

TEST(NonsmoothGeneralizedAlphaSystems, SystemsMoveAsBodiesDo) {
  expect_same_motion([](const model::Model& model) { return test::AlphaRunner(model, 1e-3); }, 500, 1e-8);
}

// The slider-crank without contact conserves energy: the midpoint rule to first order, because it takes the forces of
// inertia with the velocity of the start, Moreau-Jean to second. The ledger tells how much.
TEST(MoreauMidpoint, MassThatChangesIsAccounted) {
  model::Model model;
  model.planar = true;
  test::add_system(model, std::make_shared<model::SliderCrank>(ricochet::test::flores_data(1)), Vector3::Zero(),
                   Vector3(150, -75, 0));
  const auto drift = [&](auto&& run, int steps) {
    const double start = run.energy();
    for (int i = 0; i < steps; ++i) {
      run.step();
      EXPECT_LE(std::abs(run.closing_error), 1e-12 * run.energy_scale);
      EXPECT_LE(std::abs(run.report.works.loads), 1e-9);
    }
    return std::abs(run.energy() - start) / start;
  };
  const double coarse = drift(test::MidpointRunner(model, 1e-5), 200);
  const double fine = drift(test::MidpointRunner(model, 5e-6), 400);
  EXPECT_NEAR(coarse / fine, 2, 0.1);
  const double theta_coarse = drift(test::Runner(model, {.h = 1e-5}), 200);
  const double theta_fine = drift(test::Runner(model, {.h = 5e-6}), 400);
  EXPECT_NEAR(theta_coarse / theta_fine, 4, 0.2);
}

// The contact step as a linear complementarity problem, by pivoting or by trying all statuses, and as a cone problem:
// the same motion, beyond the first impact of two corners at once.
TEST(MoreauMidpoint, SolversAgree) {
  model::Model model;
  model.planar = true;
  test::add_system(model, std::make_shared<model::SliderCrank>(ricochet::test::flores_data()), Vector3::Zero(),
                   Vector3(150, -75, -0.01), test::alpha_law(0.01, 0.4));
  const auto with = [&](cone::SolverKind kind) {
    return test::MidpointRunner(model, 1e-6, {}, {.tolerance = 1e-12, .max_iterations = 10'000, .kind = kind});
  };
  auto by_cone = with(cone::SolverKind::automatic), by_lemke = with(cone::SolverKind::lemke),
       by_enumeration = with(cone::SolverKind::enumeration);
  int most_contacts = 0;
  for (int i = 0; i < 5600; ++i) {
    by_cone.step();
    by_lemke.step();
    by_enumeration.step();
    most_contacts = std::max(most_contacts, static_cast<int>(by_cone.report.contacts.size()));
    ASSERT_LE((by_lemke.now.state.q - by_cone.now.state.q).norm(), 1e-8) << i;
    ASSERT_LE((by_enumeration.now.state.q - by_cone.now.state.q).norm(), 1e-8) << i;
  }
  EXPECT_EQ(most_contacts, 2);
}

// Lengths times 1024, masses by 128: angles keep every bit.
TEST(MoreauMidpoint, ScalesExactly) {
  const auto crank = [](double length, double mass) {
    model::SliderCrankData data = ricochet::test::flores_data();
    for (double* each :
         {&data.crank_length, &data.rod_length, &data.slider_length, &data.slider_width, &data.clearance}) {
      *each *= length;
    }
    for (double* each : {&data.crank_mass, &data.rod_mass, &data.slider_mass}) *each *= mass;
    for (double* each : {&data.crank_inertia, &data.rod_inertia, &data.slider_inertia}) *each *= mass * length * length;
    data.gravity *= length;
    model::Model model;
    model.planar = true;
    test::add_system(model, std::make_shared<model::SliderCrank>(data), Vector3::Zero(), Vector3(150, -75, -0.01),
                     test::alpha_law(0.01, 0.4));
    return model;
  };
  const auto compare = [](auto&& plain, auto&& large) {
    for (int i = 0; i < 1000; ++i) {
      plain.step();
      large.step();
      ASSERT_EQ(plain.now.state.q, large.now.state.q) << i;
      ASSERT_EQ(plain.now.state.v, large.now.state.v) << i;
    }
    EXPECT_GT(plain.now.state.q[0], 0.5);  // beyond the first impact
  };
  compare(test::MidpointRunner(crank(1, 1), 1e-5), test::MidpointRunner(crank(0x1p10, 0x1p-7), 1e-5));
  compare(test::Runner(crank(1, 1), {.h = 1e-5}), test::Runner(crank(0x1p10, 0x1p-7), {.h = 1e-5}));
}

// A wall that moves and a belt along it: what is explicit in time pays for what it does.
TEST(MoreauMidpoint, WallsThatMoveGiveWork) {
  model::Model model;
  model.planar = true;
  test::add_system(model, std::make_shared<ricochet::test::DrivenMass>(), Vector2(0.02, 0), Vector2(0, 0),
                   test::alpha_law(0.3, 0.5));
  const auto check = [&](auto&& run) {
    double given = 0;
    for (int i = 0; i < 1000; ++i) {
      run.step();
      ASSERT_LE(std::abs(run.closing_error), 1e-12 * run.energy_scale) << i;
      given += run.report.works.drivers;
    }
    EXPECT_GT(given, 0.01);
    EXPECT_GT(run.now.state.v[1], 0.01);  // the belt drags it along
  };
  check(test::MidpointRunner(model, 1e-3));
  check(test::Runner(model, {.h = 1e-3}));
  check(test::AlphaRunner(model, 1e-3));
}

}  // namespace
}  // namespace ricochet::integrate
