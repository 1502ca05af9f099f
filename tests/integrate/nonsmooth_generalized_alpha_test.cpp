#include "ricochet/integrate/nonsmooth_generalized_alpha.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "integrate/alpha_models.hpp"

namespace ricochet::integrate {
namespace {

constexpr std::array<double, 4> kRadii = {0, 0.5, 0.8, 1};

NonsmoothGeneralizedAlphaOptions with_radius(double radius) {
  NonsmoothGeneralizedAlphaOptions options;
  options.spectral_radius = radius;
  return options;
}

TEST(NonsmoothGeneralizedAlpha, RestAndSlipOnAnIncline) {
  const double slope = 0.3, weight = 2 * 10;
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 2, Vector3::Zero());
  test::put_on_ground(model, test::alpha_law(0.4), Vector3(-std::sin(slope), std::cos(slope), 0));
  for (const double radius : kRadii) {
    test::AlphaRunner run(model, 1e-3, with_radius(radius));
    const VectorX start = run.now.state.q;
    run.steps(1000);
    EXPECT_LE((run.now.state.q - start).norm(), 1e-15) << radius;  // nothing creeps
    const ContactRecord& contact = run.report.contacts.front();
    EXPECT_NEAR(contact.impulse[0], 1e-3 * weight * std::cos(slope), 1e-14);
    EXPECT_NEAR(contact.impulse[1], -1e-3 * weight * std::sin(slope), 1e-14);
    EXPECT_NEAR(contact.force[0], weight * std::cos(slope), 1e-11);
    EXPECT_NEAR(contact.shift[0], 0.5e-6 * weight * std::cos(slope), 1e-17);
    EXPECT_EQ(contact.status, cone::ContactStatus::stick);
  }
}

// Without friction at the position level the predictor's fall along the slope, g sin(slope) h^2/2, is left in every
// step.
TEST(NonsmoothGeneralizedAlpha, WithoutPositionFrictionItCreeps) {
  const double slope = 0.3, h = 1e-3;
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 2, Vector3::Zero());
  test::put_on_ground(model, test::alpha_law(0.4), Vector3(-std::sin(slope), std::cos(slope), 0));
  NonsmoothGeneralizedAlphaOptions options;
  options.position_friction = false;
  test::AlphaRunner run(model, h, options);
  run.steps(1000);
  const double down = -(run.position(0).x() * std::cos(slope) + run.position(0).y() * std::sin(slope));
  EXPECT_NEAR(down, 1000 * 0.5 * h * h * 10 * std::sin(slope), 1e-12);
  EXPECT_LE(run.velocity(0).norm(), 1e-14);
}

TEST(NonsmoothGeneralizedAlpha, ABallBouncesWithItsRestitution) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_ball(model, 1, 0.1, Vector3(0, 1.1, 0), Vector3(0.5, 0, 0));
  test::put_on_ground(model, test::alpha_law(0, 0.7));
  test::AlphaRunner run(model, 1e-3, with_radius(0.8));
  while (run.report.contacts.empty()) run.step();
  const ContactRecord& contact = run.report.contacts.front();
  EXPECT_NEAR(contact.velocity[0], -0.7 * contact.velocity_before[0], 1e-13);
  EXPECT_EQ(contact.force.norm(), 0);  // an impact has an impulse and no force
  EXPECT_NEAR(contact.gap, 0, 1e-15);
  EXPECT_NEAR(run.velocity(0).x(), 0.5, 1e-15);
}

TEST(NonsmoothGeneralizedAlpha, TangentialRestitutionTurnsTheSlipAround) {
  for (const double tangential : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    model::Model model;
    model.gravity = Vector3(0, -10, 0);
    test::add_ball(model, 1, 0.1, Vector3(0, 1.1, 0), Vector3(0.5, 0, 0));
    test::put_on_ground(model, test::alpha_law(5, 0.7, tangential));
    test::AlphaRunner run(model, 1e-3, with_radius(0.8));
    while (run.report.contacts.empty()) run.step();
    const ContactRecord& contact = run.report.contacts.front();
    EXPECT_LE((contact.velocity.tail<2>() + tangential * contact.velocity_before.tail<2>()).norm(), 1e-12);
  }
}

// No penetration and no open joint at the end of any step, for all spectral radii.
TEST(NonsmoothGeneralizedAlpha, NothingPenetratesAndNothingOpens) {
  for (const double radius : kRadii) {
    model::Model chain = test::alpha_pendulum(3, false);
    test::put_on_ground(chain, test::alpha_law(0.3, 0.2), Vector3(0.1, 1, 0).normalized());
    chain.surfaces[0].point = Vector3(0, -0.8, 0);
    for (const model::Model& model : {chain, test::tumbling_box(0.3, 0.4)}) {
      test::AlphaRunner run(model, 1e-3, with_radius(radius));
      std::vector<contact::Contact> near;
      int closed = 0;
      for (int i = 0; i < 1500; ++i) {
        run.step();
        run.contacts.detect(run.now.state, 0, near);
        for (const contact::Contact& contact : near) ASSERT_GE(contact.gap, -1e-12) << radius << " " << i;
        ASSERT_LE(run.report.joint_error, 1e-12) << radius << " " << i;
        closed += static_cast<int>(run.report.contacts.size());
      }
      EXPECT_GT(closed, 10);
    }
  }
}

// The last residuals of every step with a contact: r_{k+1} <= C r_k^2, in units of the first residual. Where statuses
// still change, before the last steps, and where rounding has the word, there is no such rule.
TEST(NonsmoothGeneralizedAlpha, NewtonConvergesQuadratically) {
  NonsmoothGeneralizedAlphaOptions options = with_radius(0.8);
  options.newton.solver = SubproblemSolver::newton;
  test::AlphaRunner run(test::tumbling_box(0.3, 0.4), 1e-2, options);
  double constant = 0;
  int counted = 0;
  for (int i = 0; i < 80; ++i) {
    run.step();
    const std::vector<double>& r = run.level(SubproblemLevel::position).residuals;
    for (std::size_t k = r.size() > 3 ? r.size() - 3 : 0; k + 1 < r.size(); ++k) {
      const double now = r[k] / r.front(), next = r[k + 1] / r.front();
      if (now > 1e-2 || next < 1e-11) continue;
      constant = std::max(constant, next / (now * now));
      ++counted;
    }
  }
  std::printf("r_{k+1} <= C r_k^2 with C = %.3g in %d pairs of iterations\n", constant, counted);
  EXPECT_GT(counted, 10);
  EXPECT_LE(constant, 10);
}

// Penalty and scaling factors over four decades.
TEST(NonsmoothGeneralizedAlpha, FactorsDoNotMatter) {
  const auto place = [](double normal, double tangential, double scaling, SubproblemSolver solver) {
    NonsmoothGeneralizedAlphaOptions options;
    options.newton.penalty = {normal, tangential};
    options.newton.scaling = scaling;
    options.newton.solver = solver;
    options.newton.tolerance = 1e-12;
    test::AlphaRunner run(test::tumbling_box(0.3, 0.2), 1e-3, options);
    run.steps(400);  // through the first impacts
    VectorX all(run.now.state.q.size() + run.now.state.v.size());
    all << run.now.state.q, run.now.state.v;
    return all;
  };
  const VectorX reference = place(1, 1, 1, SubproblemSolver::automatic);
  for (const double factor : {1e-2, 1e-1, 1e1, 1e2}) {
    EXPECT_LE((place(factor, 1, 1, SubproblemSolver::automatic) - reference).norm(), 1e-9) << factor;
    EXPECT_LE((place(1, factor, 1, SubproblemSolver::automatic) - reference).norm(), 1e-9) << factor;
    EXPECT_LE((place(1, 1, factor, SubproblemSolver::automatic) - reference).norm(), 1e-9) << factor;
  }
  EXPECT_LE((place(1, 1, 1, SubproblemSolver::cone) - reference).norm(), 1e-9);
  EXPECT_LE((place(1, 1, 1, SubproblemSolver::newton) - reference).norm(), 1e-9);
}

TEST(NonsmoothGeneralizedAlpha, AStackStands) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  for (int i = 0; i < 4; ++i) test::add_box(model, 1, Vector3(0.5, 0.25, 0.5), Vector3(0.02 * i, 0.25 + 0.5 * i, 0));
  test::put_on_ground(model, test::alpha_law(0.5));
  std::vector<model::Participant> all;
  for (int i = 0; i < 4; ++i) all.push_back(test::body(i));
  test::add_contact(model, all, all, test::alpha_law(0.5));
  test::AlphaRunner run(model, 2e-3, with_radius(0.8));
  const VectorX start = run.now.state.q;
  run.steps(500);
  EXPECT_LE((run.now.state.q - start).norm(), 1e-12);
  double carried = 0;
  for (const ContactRecord& contact : run.report.contacts) {
    if (contact.key.rule == 0) carried += contact.impulse[0];
  }
  EXPECT_NEAR(carried, 4 * 10 * 2e-3, 1e-9);
}

// A face has no back: what comes around its edge from below passes.
TEST(NonsmoothGeneralizedAlpha, NothingIsPulledThroughAFaceFromBehind) {
  model::Model model;
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.fixed.fill(true);
  test::add_body(model, node, 1, model::FaceShape{{0.5, 0.5}}, Matrix3::Identity());
  test::add_point(model, 1, Vector3(-0.6, 0, -0.1), Vector3(1, 0, 0));  // below and beside the face, towards it
  test::add_point(model, 1, Vector3(0, 0, 0.1), Vector3(0, 0, -1));     // from the front
  test::add_contact(model, {test::body(0)}, {test::body(1), test::body(2)}, test::alpha_law(0.2));
  test::AlphaRunner run(model, 1e-3);
  run.steps(500);
  EXPECT_NEAR(run.position(1).x(), -0.1, 1e-12);
  EXPECT_NEAR(run.position(1).z(), -0.1, 1e-15);
  EXPECT_NEAR(run.position(2).z(), 0, 1e-12);
}

// Joint forces right after an impact are those of the new motion, also without numerical dissipation: the centripetal
// force and the weight of a pendulum that bounces off a wall.
TEST(NonsmoothGeneralizedAlpha, AnImpactLeavesNoTraceInJointForces) {
  model::Model model = test::alpha_pendulum();
  test::put_on_ground(model, test::alpha_law(0, 0.8), Vector3(1, 0, 0));
  model.surfaces[0].point = Vector3(-0.3, 0, 0);
  const double inertia = model.bodies[0].inertia(2, 2) + 3 * 0.25;
  test::AlphaRunner run(model, 1e-3, with_radius(1));
  while (run.report.contacts.empty() || run.report.contacts.front().impulse[0] == 0) run.step();
  run.steps(5);
  const math::Quaternion turn = mechanics::orientation(run.equations.map(), run.now.state, 0);
  const Vector3 arm = turn.rotate(Vector3(0.5, 0, 0));
  const double spin = run.angular_velocity(0).z();
  const double angular = math::cross(arm, 3 * model.gravity).z() / inertia;
  const Vector3 acceleration = math::cross(Vector3(0, 0, angular), arm) - spin * spin * arm;
  const Vector3 expected = 3 * (acceleration - model.gravity);
  EXPECT_LE((run.report.joints[0].force - expected).norm(), 0.02 * expected.norm());  // half a step old
}

// A driven support: its force is right from the first step on, also without numerical dissipation.
TEST(NonsmoothGeneralizedAlpha, DriversStartWithTheirAcceleration) {
  model::Model model;
  model.planar = true;
  test::add_point(model, 2, Vector3(0.1, 0, 0));
  model::Driver driver{"shake", {0}, {}, model::DrivenTranslation{}, {}};
  driver.translation->level = model::DriverLevel::position;
  driver.translation->function[0] = math::TimeFunction(math::Expression::parse("0.1*cos(5*t)"));
  model.drivers.push_back(driver);
  for (const double radius : {0.0, 0.8, 1.0}) {
    test::AlphaRunner run(model, 1e-3, with_radius(radius));
    double work = 0;
    for (int i = 1; i <= 200; ++i) {
      run.step();
      const double middle = 1e-3 * (i - 0.5);
      ASSERT_NEAR(run.report.drivers[0].force.x(), -5 * std::cos(5 * middle), 1e-4) << radius << " " << i;
      work += run.report.works.drivers;
    }
    EXPECT_NEAR(work, run.equations.kinetic_energy(run.now.state), 1e-9);
  }
}

// A failed step says where.
TEST(NonsmoothGeneralizedAlpha, WhatDoesNotConvergeIsNamed) {
  NonsmoothGeneralizedAlphaOptions options;
  options.newton.max_iterations = 1;
  options.newton.solver = SubproblemSolver::newton;
  test::AlphaRunner run(test::tumbling_box(0.3, 0.4), 1e-2, options);
  StepStatus status = StepStatus::done;
  for (int i = 0; i < 100 && status == StepStatus::done; ++i) {
    status = run.try_step();
    if (status == StepStatus::done) std::swap(run.now, run.next);
  }
  EXPECT_EQ(status, StepStatus::subproblem_unconverged);
  EXPECT_NE(run.report.impossible.find("contact rule0:body0.corner"), std::string::npos) << run.report.impossible;
}

}  // namespace
}  // namespace ricochet::integrate
