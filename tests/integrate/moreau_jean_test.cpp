#include "ricochet/integrate/moreau_jean.hpp"

#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

TEST(MoreauJean, FreeFallIsTheExactParabola) {
  model::Model model;
  model.gravity = Vector3(0.5, -8, 0.25);
  test::add_point(model, 3, Vector3(1, 2, 3), Vector3(4, 5, 6));
  test::add_ball(model, 2, 0.1, Vector3::Zero(), Vector3(1, 0, 0));
  model.nodes[1].angular_velocity = Vector3(1, 2, 3);
  test::Runner run(model, {.h = 0x1p-7});
  run.steps(128);  // one second; powers of two make every operation exact
  EXPECT_EQ(run.position(0), Vector3(1 + 4 + 0.25, 2 + 5 - 4, 3 + 6 + 0.125));
  EXPECT_EQ(run.velocity(0), Vector3(4.5, -3, 6.25));
  EXPECT_EQ(run.angular_velocity(1), Vector3(1, 2, 3));
  EXPECT_EQ(run.now.state.a.head<3>(), model.gravity);
  const Matrix3 expected = math::exponential_matrix(Vector3(1, 2, 3));
  EXPECT_LE((mechanics::orientation(run.equations.map(), run.now.state, 1).matrix() - expected).norm(), 1e-13);
}

// x(t) is off by (theta - 1/2) g h t, v is exact.
TEST(MoreauJean, FreeFallWithThetaOne) {
  model::Model model;
  model.gravity = Vector3(0, -8, 0);
  test::add_point(model, 3, Vector3::Zero());
  test::Runner run(model, {.h = 0x1p-7, .scheme = {.theta = 1}});
  run.steps(128);
  EXPECT_EQ(run.position(0).y(), -4 - 0.5 * 8 * 0x1p-7);
  EXPECT_EQ(run.velocity(0).y(), -8);
}

TEST(MoreauJean, FixedComponentsDoNotMove) {
  model::Model model;
  model.gravity = Vector3(1, 2, 3);
  test::add_ball(model, 1, 1, Vector3::Zero());
  model.nodes[0].fixed = {true, false, true, true, true, true};
  model.loads.push_back({"a",
                         {{0}, Vector3::UnitX()},
                         test::constant_functions(Vector3::Ones()),
                         test::constant_functions(Vector3::Ones())});
  test::Runner run(model);
  run.steps(100);
  EXPECT_EQ(run.velocity(0).x(), 0);
  EXPECT_EQ(run.velocity(0).z(), 0);
  EXPECT_TRUE(run.angular_velocity(0).isZero(0));
  EXPECT_NEAR(run.velocity(0).y(), 3 * 0.1, 1e-14);
}

TEST(MoreauJean, ReboundsWithExactlyETimesTheVelocity) {
  for (const double restitution : {0.0, 0.25, 0.5, 0.8, 1.0}) {
    model::Model model;
    test::add_ball(model, 2, 0.5, Vector3(0, 0.5, 0), Vector3(0, -3, 0));
    test::put_on_ground(model, {0, restitution, 0});
    test::Runner run(model);
    const StepReport& report = run.step();
    EXPECT_NEAR(run.velocity(0).y(), 3 * restitution, 1e-15);
    ASSERT_EQ(report.contacts.size(), 1u);
    EXPECT_NEAR(report.contacts[0].impulse[0], 2 * 3 * (1 + restitution), 1e-14);
    EXPECT_NEAR(report.contacts[0].velocity_before[0], -3, 0);
    EXPECT_NEAR(report.contacts[0].velocity[0], 3 * restitution, 1e-15);
    EXPECT_NEAR(report.works.contact_normal, -0.5 * 2 * 9 * (1 - restitution * restitution), 1e-14);
    EXPECT_EQ(report.works.contact_created, 0);
    EXPECT_LE(std::abs(run.closing_error), 1e-14);
    // Gap and point are recorded at the end of the step.
    EXPECT_EQ(report.contacts[0].gap_before, 0);
    EXPECT_EQ(report.contacts[0].gap, run.position(0).y() - 0.5);
    EXPECT_EQ(report.contacts[0].point, Vector3(run.position(0) - Vector3(0, 0.5, 0)));
  }
}

// Several bounces: each impact multiplies the normal velocity just before it by -e. Gravity acts within the step too.
TEST(MoreauJean, BouncingBall) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 1, Vector3(0, 1, 0));
  test::put_on_ground(model, {0, 0.8, 0});
  test::Runner run(model);
  int bounces = 0;
  for (int i = 0; i < 3000; ++i) {
    const double before = run.velocity(0).y();
    const StepReport& report = run.step();
    if (report.contacts.empty() || report.contacts[0].impulse[0] == 0) continue;
    ++bounces;
    EXPECT_NEAR(run.velocity(0).y(), -0.8 * before, 1e-14);
  }
  EXPECT_GE(bounces, 6);  // in 3 s: sqrt(2/10) (1 + 2 (0.8 + ... ))
  EXPECT_LE(bounces, 12);
}

// A point on a slope of angle a: it sticks for tan a < mu, else slides with g (sin a - mu cos a), both exactly.
TEST(MoreauJean, StickAndSlipOnAnIncline) {
  const double angle = 0.3, h = 1e-3, mass = 2;
  const Vector3 normal(-std::sin(angle), std::cos(angle), 0);
  const Vector3 downhill(-std::cos(angle), -std::sin(angle), 0);  // t1 = z x n
  for (const bool planar : {true, false}) {
    for (const double friction : {0.0, 0.1, 0.3, 0.32, 1.0}) {
      model::Model model;
      model.planar = planar;
      model.gravity = Vector3(0, -9.81, 0);
      test::add_point(model, mass, Vector3::Zero());
      test::put_on_ground(model, {friction, 0, 0}, normal);
      test::Runner run(model, {.h = h});
      for (int i = 1; i <= 20; ++i) {
        const StepReport& report = run.step();
        ASSERT_EQ(report.contacts.size(), 1u);
        const ContactRecord& contact = report.contacts[0];
        const Vector3 impulse = contact.impulse[0] * contact.axes.normal + contact.impulse[1] * contact.axes.tangent1 +
                                contact.impulse[2] * contact.axes.tangent2;
        const double weight = mass * 9.81 * h;
        const bool slips = friction < std::tan(angle);
        const double tangential = slips ? friction * weight * std::cos(angle) : weight * std::sin(angle);
        EXPECT_LE((impulse - weight * std::cos(angle) * normal + tangential * downhill).norm(), 1e-14 * weight * i);
        EXPECT_EQ(contact.status, slips ? cone::ContactStatus::slip : cone::ContactStatus::stick);
        const double speed = slips ? 9.81 * h * i * (std::sin(angle) - friction * std::cos(angle)) : 0;
        EXPECT_LE((run.velocity(0) - speed * downhill).norm(), 1e-15);
        EXPECT_TRUE(!planar || std::abs(contact.impulse[1] + tangential) <= 1e-14 * weight * i);
        EXPECT_LE(report.works.contact_tangential, 1e-30);
      }
    }
  }
}

// A ball with spin on a rough floor slides until it rolls at 5/7 of its speed.
TEST(MoreauJean, SlidingBallEndsRollingWithFiveSeventhsOfItsSpeed) {
  for (const bool planar : {true, false}) {
    model::Model model;
    model.planar = planar;
    model.gravity = Vector3(0, -10, 0);
    test::add_ball(model, 3, 0.2, Vector3(0, 0.2, 0), planar ? Vector3(7, 0, 0) : Vector3(5, 0, 4));
    test::put_on_ground(model, {0.5, 0, 0});
    const double speed = model.nodes[0].velocity.norm();
    test::Runner run(model);
    run.steps(1000);
    EXPECT_LE((run.velocity(0) - 5.0 / 7 * model.nodes[0].velocity).norm(), 1e-12);
    const Vector3 spin = mechanics::orientation(run.equations.map(), run.now.state, 0).rotate(run.angular_velocity(0));
    EXPECT_NEAR(spin.norm(), 5.0 / 7 * speed / 0.2, 1e-11);
    EXPECT_EQ(run.report.contacts[0].status, cone::ContactStatus::stick);
  }
}

// u_T = -e_T u_T0 while the contact sticks.
TEST(MoreauJean, TangentialRestitution) {
  for (const double tangential : {-0.5, 0.0, 0.5, 1.0}) {
    model::Model model;
    model.planar = true;
    test::add_ball(model, 1, 0.5, Vector3(0, 0.5, 0), Vector3(0.3, -2, 0));
    test::put_on_ground(model, {10, 0.5, tangential});
    test::Runner run(model);
    const StepReport& report = run.step();
    EXPECT_NEAR(report.contacts[0].velocity_before[1], -0.3, 1e-15);  // t1 = -x
    EXPECT_NEAR(report.contacts[0].velocity[1], tangential * 0.3, 1e-15);
    EXPECT_NEAR(report.contacts[0].velocity[0], 1, 1e-15);
  }
}

TEST(MoreauJean, TwoSpheresConserveMomentumAndSeparateWithE) {
  math::Random random(1);
  for (int i = 0; i <= 20; ++i) {
    const double restitution = 0.05 * i;
    model::Model model;
    const Vector3 direction = test::random_vector3(random).normalized();
    test::add_ball(model, random.uniform(0.5, 2), 0.5, 0.5 * direction, -direction + test::random_vector3(random, 0.1));
    test::add_ball(model, random.uniform(0.5, 2), 0.5, -0.5 * direction, direction);
    test::add_contact(model, {test::body(1)}, {test::body(0)}, {i % 2 == 0 ? 0.0 : 0.3, restitution, 0});
    test::Runner run(model);
    const Vector3 momentum = run.momentum();
    const double before = direction.dot(run.velocity(0) - run.velocity(1));
    run.step();
    ASSERT_EQ(run.report.contacts.size(), 1u);
    EXPECT_LE((run.momentum() - momentum).norm(), 2e-15);
    EXPECT_NEAR(direction.dot(run.velocity(0) - run.velocity(1)), -restitution * before, 3e-15);
    if (i % 2 == 0) {
      const double reduced =
          model.bodies[0].mass * model.bodies[1].mass / (model.bodies[0].mass + model.bodies[1].mass);
      EXPECT_NEAR(run.report.works.contact_normal, -0.5 * reduced * before * before * (1 - restitution * restitution),
                  1e-14);
    }
  }
}

model::Model two_balls_on_the_ground(double lower_mass, double upper_mass) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_ball(model, lower_mass, 0.5, Vector3(0, 0.5, 0));
  test::add_ball(model, upper_mass, 0.5, Vector3(0, 1.5, 0));
  test::put_on_ground(model, {0.5, 0, 0});
  test::add_contact(model, {test::body(0)}, {test::body(1)}, {0.5, 0, 0});
  return model;
}

TEST(MoreauJean, MassRatioOfAMillion) {
  const double h = 1e-3;
  test::Runner light_on_heavy(two_balls_on_the_ground(1e6, 1));
  const StepReport& report = light_on_heavy.step();
  ASSERT_EQ(report.contacts.size(), 2u);
  EXPECT_NEAR(report.contacts[0].impulse[0] / (1.000001e6 * 10 * h), 1, 1e-13);
  EXPECT_NEAR(report.contacts[1].impulse[0] / (10 * h), 1, 1e-7);  // found as a small difference
  // A light ball against a heavy one that comes with unit speed: it leaves with (1 + e) m/(m + 1).
  model::Model strike;
  test::add_ball(strike, 1e6, 0.5, Vector3(0, 0, 0), Vector3(1, 0, 0));
  test::add_ball(strike, 1, 0.5, Vector3(1, 0, 0));
  test::add_contact(strike, {test::body(0)}, {test::body(1)}, {0, 0.5, 0});
  test::Runner run(strike);
  run.step();
  EXPECT_NEAR(run.velocity(1).x(), 1.5 * 1e6 / (1e6 + 1), 1e-14);
  EXPECT_NEAR(run.velocity(0).x(), 1 - 1.5 / (1e6 + 1), 1e-14);
}

// Gauss-Seidel needs about a million sweeps for a heavy ball on a light one. It must say so, not return something else.
TEST(MoreauJean, HeavyOnLightIsSolvedOrRefused) {
  const cone::SolveOptions sweeps_only{
      .tolerance = 1e-8, .max_iterations = 1000, .kind = cone::SolverKind::gauss_seidel};
  test::Runner heavy(two_balls_on_the_ground(1, 1e6), {.solver = sweeps_only});
  EXPECT_EQ(heavy.try_step(), StepStatus::contact_unconverged);
  EXPECT_GT(heavy.report.solver.residual, 1e-8);
  // The default solver takes Newton steps.
  test::Runner solved(two_balls_on_the_ground(1, 1e6), {.solver = {.tolerance = 1e-10, .max_iterations = 1000}});
  EXPECT_EQ(solved.try_step(), StepStatus::done);
  EXPECT_NEAR(solved.report.contacts[0].impulse[0] / (1000001 * 10 * 1e-3), 1, 1e-4);
  test::Runner heavier(two_balls_on_the_ground(1, 1e3), {.solver = {.tolerance = 1e-8, .max_iterations = 100'000}});
  const StepReport& report = heavier.step();
  EXPECT_NEAR(report.contacts[0].impulse[0] / (1001 * 10 * 1e-3), 1, 1e-4);
  EXPECT_NEAR(report.contacts[1].impulse[0] / (1000 * 10 * 1e-3), 1, 1e-4);
}

// Two corners carry a planar box: the sum of the normal impulses is the weight, each corner has its share by the lever.
TEST(MoreauJean, BoxOnTwoCorners) {
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -10, 0);
  test::add_box(model, 2, Vector3(1, 0.5, 0.5), Vector3(3, 0.5, 0));
  test::put_on_ground(model, {0.4, 0, 0});
  model.loads.push_back({"push", {{0}, Vector3::Zero()}, test::constant_functions(Vector3(4, 0, 0)), {}});
  test::Runner run(model);
  const StepReport& report = run.step();
  ASSERT_EQ(report.contacts.size(), 2u);
  const double weight = 2 * 10 * 1e-3, push = 4 * 1e-3;
  // Moments about the left corner: 2 p_right = weight * 1 + push * 0.5.
  EXPECT_NEAR(report.contacts[0].impulse[0] + report.contacts[1].impulse[0], weight, 1e-12 * weight);
  EXPECT_NEAR(report.contacts[1].impulse[0], 0.5 * (weight + 0.5 * push), 1e-12 * weight);
  // t1 = -x: the sum of the tangential impulses is +push; its split between the corners is not determined.
  EXPECT_NEAR(report.contacts[0].impulse[1] + report.contacts[1].impulse[1], push, 1e-12 * weight);
  EXPECT_LE(run.now.state.v.norm(), 1e-15);
}

TEST(MoreauJean, ReportsTheTimeOfEveryStage) {
  model::Model model;
  test::add_ball(model, 1, 0.5, Vector3(0, 0.5, 0), Vector3(0, -1, 0));
  test::put_on_ground(model, {});
  test::Runner run(model);
  const StepReport& report = run.step();
  for (const double seconds : report.stage_seconds) EXPECT_GE(seconds, 0);
  EXPECT_GT(report.stage_seconds[0] + report.stage_seconds[3], 0);
  EXPECT_EQ(report.motion_iterations, 1);
  EXPECT_DOUBLE_EQ(run.now.state.time, 1e-3);
}

// A step writes only its end: it can be repeated, also with another duration.
TEST(MoreauJean, StepsCanBeRepeated) {
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -10, 0);
  test::add_box(model, 2, Vector3(1, 0.5, 0.5), Vector3(3, 0.5, 0));
  test::add_point(model, 1, Vector3(0, 3, 0));
  test::add_spring(model, {{0}, Vector3::UnitX()}, {{1}, Vector3::Zero()}, 100, 1, 1, Vector3::UnitY());
  test::put_on_ground(model, {0.4, 0, 0});
  test::Runner run(model);
  run.steps(5);
  run.try_step();
  const VectorX v = run.next.state.v, q = run.next.state.q;
  run.h *= 0.5;
  run.try_step();
  EXPECT_GT((v - run.next.state.v).norm(), 0);
  run.h *= 2;
  run.try_step();
  EXPECT_EQ(v, run.next.state.v);
  EXPECT_EQ(q, run.next.state.q);
}

// The matrix of a linear model is kept from step to step, but not for another duration.
TEST(MoreauJean, AnotherDurationNeedsAnotherMatrix) {
  model::Model model;
  test::add_point(model, 1, Vector3(1, 0, 0));
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 100, 1, 0, Vector3::UnitX());
  test::Runner run(model, {.h = 0.1}), fresh(model, {.h = 0.05});
  run.try_step();
  run.h = 0.05;
  run.step();
  fresh.step();
  EXPECT_EQ(run.now.state.v, fresh.now.state.v);
}

// Loads are taken at t + theta h: the impulse of a linear load is exact at theta = 1/2, and h^2/2 per step too large
// at 1.
TEST(MoreauJean, LoadsAreTakenAtTheStage) {
  for (const double theta : {0.5, 1.0}) {
    model::Model model;
    test::add_point(model, 2, Vector3::Zero());
    model.loads.push_back(
        {"ramp",
         {{0}, Vector3::Zero()},
         {math::TimeFunction(math::Expression::parse("8*t")), math::TimeFunction(), math::TimeFunction()},
         {}});
    test::Runner run(model, {.h = 0x1p-4, .scheme = {.theta = theta}});
    run.steps(16);
    EXPECT_EQ(run.velocity(0).x(), theta == 0.5 ? 2 : 2 + 4 * 0x1p-5);
  }
}

// The warm start: with the impulses of the last step a resting chain needs far fewer sweeps than from zero.
TEST(MoreauJean, StartsFromTheImpulsesOfTheLastStep) {
  model::Model model;
  model.planar = true;
  model.gravity = Vector3(0, -10, 0);
  for (int i = 0; i < 10; ++i) test::add_ball(model, 1, 0.5, Vector3(0, 0.5 + i, 0));
  test::add_contact(model, {test::body(0)},
                    {test::surface(test::add_surface(model, Vector3::Zero(), Vector3::UnitY()))});
  for (int i = 1; i < 10; ++i) test::add_contact(model, {test::body(i - 1)}, {test::body(i)});
  test::Runner run(model, {.solver = {.tolerance = 1e-10, .max_iterations = 100'000}});
  run.step();
  const int cold = run.report.solver.iterations;
  ASSERT_EQ(run.now.memory.contacts.size(), 10u);
  EXPECT_NEAR(run.now.memory.contacts[0].impulse.y(), 10 * 10 * 1e-3, 1e-8);
  run.try_step();
  EXPECT_LE(run.report.solver.iterations, cold / 10);
  run.now.memory.contacts.clear();
  run.try_step();
  EXPECT_GE(run.report.solver.iterations, cold / 2);
}

}  // namespace
}  // namespace ricochet::integrate
