// Energy: what the theta scheme conserves, what it adds, and that its accounts close.
#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

TEST(MoreauJeanEnergy, MidpointConservesTheEnergyOfALinearOscillator) {
  model::Model model;
  test::add_point(model, 2, Vector3(1, 0, 0), Vector3(0, 0.5, 0));
  test::add_point(model, 1, Vector3(2, 0, 0));
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 50, 0, 0.5, Vector3::UnitX());
  test::add_spring(model, {{0}, Vector3::Zero()}, {{1}, Vector3::Zero()}, 30, 0, 0.5, Vector3::UnitX());
  test::Runner run(model, {.h = 0.01});
  const double energy = run.energy();
  for (int i = 0; i < 10'000; ++i) {
    run.step();
    ASSERT_LE(std::abs(run.energy() - energy), 1e-12 * energy) << "after step " << i;
  }
}

// theta = 1/2 is Cayley's map of the oscillator: x_n = cos(n phi), tan(phi/2) = omega h/2. theta = 1 is implicit Euler,
// whose amplitude falls by 1/sqrt(1 + omega^2 h^2) in every step.
TEST(MoreauJeanEnergy, LinearOscillatorByHand) {
  for (const double theta : {0.5, 1.0}) {
    model::Model model;
    test::add_point(model, 1, Vector3(1, 0, 0));
    test::add_spring(model, {}, {{0}, Vector3::Zero()}, 4, 0, 0, Vector3::UnitX());
    test::Runner run(model, {.h = 0.1, .scheme = {.theta = theta}});
    const int count = 100;
    run.steps(count);
    const double phi = theta == 0.5 ? 2 * std::atan(0.1) : std::atan(0.2);
    const double amplitude = theta == 0.5 ? 1 : std::pow(1.04, -0.5 * count);
    EXPECT_NEAR(run.position(0).x(), amplitude * std::cos(count * phi), 1e-12);
    EXPECT_NEAR(run.velocity(0).x(), -2 * amplitude * std::sin(count * phi), 1e-12);
  }
}

// A mass in a damped spring, theta = 1: (m + h c + h^2 k) v_1 = m v_0 - h k x_0.
TEST(MoreauJeanEnergy, DampedOscillatorByHand) {
  model::Model model;
  const double mass = 2, stiffness = 7, damping = 3, h = 0.1, theta = 0.75;
  test::add_point(model, mass, Vector3(1, 0, 0), Vector3(0.5, 0, 0));
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, stiffness, damping, 0, Vector3::UnitX());
  test::Runner run(model, {.h = h, .scheme = {.theta = theta}});
  const StepReport& report = run.step();
  const double matrix = mass + h * theta * damping + h * h * theta * theta * stiffness;
  const double x_stage = 1 + theta * h * 0.5, v = 0.5 + h * (-stiffness * x_stage - damping * 0.5) / matrix;
  EXPECT_NEAR(run.velocity(0).x(), v, 1e-15);
  const double v_stage = (1 - theta) * 0.5 + theta * v;
  EXPECT_NEAR(run.position(0).x(), 1 + h * v_stage, 1e-15);
  EXPECT_NEAR(report.works.damping, h * damping * v_stage * v_stage, 1e-15);
  const double dv = v - 0.5, dx = h * v_stage;
  EXPECT_NEAR(report.works.numerical, (0.5 - theta) * (mass * dv * dv + stiffness * dx * dx), 1e-15);
}

double pendulum_error(double theta, int count) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 1, Vector3(1, 0, 0));
  test::add_box(model, 1, Vector3(0.3, 0.2, 0.2), Vector3(2, 0, 0));
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 100, 0.5, 0.9);
  test::add_spring(model, {{0}, Vector3::Zero()}, {{1}, Vector3(-0.3, 0.2, 0.1)}, 100, 0.5, 0.9);
  static const VectorX reference = [&] {
    test::Runner fine(model, {.h = 1.0 / 40'960});
    fine.steps(40'960);
    return fine.now.state.q;
  }();
  test::Runner run(model, {.h = 1.0 / count, .scheme = {.theta = theta}});
  run.steps(count);
  return (run.now.state.q - reference).norm();
}

TEST(MoreauJeanEnergy, OrderOfConvergenceOnASmoothPendulum) {
  const double second_order = std::log2(pendulum_error(0.5, 320) / pendulum_error(0.5, 640));
  EXPECT_NEAR(second_order, 2, 0.1);
  const double first_order = std::log2(pendulum_error(1, 1280) / pendulum_error(1, 2560));
  EXPECT_NEAR(first_order, 1, 0.1);
}

// Random machines: points and frames, springs of all kinds, loads, contacts with friction and restitution.
model::Model energetic_machine(math::Random& random, bool linear, bool planar) {
  model::Model model;
  model.planar = planar;
  model.gravity = Vector3(random.normal(), -10, 0);
  for (int i = 0; i < 5; ++i) {
    const Vector3 position(random.uniform(-1, 1), random.uniform(0, 1.5), planar ? 0 : random.uniform(-1, 1));
    const Vector3 velocity = test::random_vector3(random, 2);
    if (linear && i % 2 == 0) {
      test::add_point(model, random.uniform(0.5, 2), position, velocity);
    } else {
      test::add_ball(model, random.uniform(0.5, 2), random.uniform(0.1, 0.4), position, velocity);
      model.nodes.back().angular_velocity = test::random_vector3(random, 2);
    }
  }
  const int nodes = static_cast<int>(model.nodes.size());
  for (int i = 0; i < nodes; ++i) {
    const bool frame = model.nodes[i].kind == model::NodeKind::frame;
    if (linear && frame) continue;
    const int other = static_cast<int>(random.integer(nodes));
    const bool world = other == i || (linear && model.nodes[other].kind == model::NodeKind::frame);
    std::optional<Vector3> axis;
    if (linear || random.integer(2) == 0) axis = test::random_vector3(random).normalized();
    const Vector3 start = test::random_vector3(random, 0.2), end = test::random_vector3(random, 0.2);
    test::add_spring(model, {{world ? -1 : other}, start}, {{i}, end}, random.uniform(1, 100), random.uniform(0, 2),
                     random.uniform(0, 1), axis);
  }
  model.loads.push_back({"load",
                         {{1}, linear ? Vector3(Vector3::Zero()) : Vector3(test::random_vector3(random, 0.2))},
                         {math::TimeFunction(math::Expression::parse("5*sin(9*t)")), {}, {}},
                         {}});
  const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  const model::ContactLaw law{random.uniform(0, 1), random.uniform(0, 1), random.uniform(-1, 1)};
  std::vector<model::Participant> all, balls;
  for (int i = 0; i < nodes; ++i) {
    all.push_back(test::body(i));
    if (model.nodes[i].kind == model::NodeKind::frame) balls.push_back(test::body(i));
  }
  test::add_contact(model, all, {test::surface(ground)}, law);
  test::add_contact(model, balls, balls, law);
  return model;
}

// Acary & Collins-Craft 2024, eq 65, step by step.
TEST(MoreauJeanEnergyProperty, TheAccountsOfEveryStepClose) {
  math::Random random(2);
  long contacts = 0;
  for (int i = 0; i < 60; ++i) {
    const double theta = i % 5 == 0 ? 0.5 : random.uniform(0.5, 1);
    const model::Model model = energetic_machine(random, i % 2 == 0, i % 3 == 0);
    test::Runner run(model, {.h = 2e-3, .scheme = {.theta = theta}, .solver = {.tolerance = 1e-8}});
    ASSERT_EQ(run.equations.dependence() == mechanics::Dependence::nonlinear, i % 2 != 0);
    double scale = 0;
    for (int k = 0; k < 300; ++k) {
      run.step();
      scale = std::max(scale, run.energy_scale);
      ASSERT_LE(std::abs(run.closing_error), 1e-12 * scale) << "machine " << i << ", step " << k;
      contacts += static_cast<long>(run.report.contacts.size());
      ASSERT_GE(run.report.works.damping, 0);
    }
  }
  EXPECT_GT(contacts, 10'000);
}

// At theta = 1/2 the normal work of an impact with Newton's law is -p (1 - e) |u_0|/2. (A contact that separates
// already, u_0 > 0, and that something else closes gets work from Newton's law: no theta prevents it.)
TEST(MoreauJeanEnergyProperty, ImpactsDissipate) {
  math::Random random(3);
  long impacts = 0;
  for (int i = 0; i < 30; ++i) {
    const model::Model model = energetic_machine(random, i % 2 == 0, i % 3 == 0);
    test::Runner run(model, {.h = 2e-3, .solver = {.tolerance = 1e-12}});
    const double restitution = model.contacts[0].law.restitution.at(0);
    for (int k = 0; k < 200; ++k) {
      run.step();
      double created = 0;
      for (const ContactRecord& contact : run.report.contacts) {
        created += std::max(contact.impulse.dot(contact.velocity_before + contact.velocity) / 2, 0.0);
        if (contact.impulse[0] == 0 || contact.velocity_before[0] > 0) continue;
        ++impacts;
        const double work = 0.5 * contact.impulse[0] * (1 - restitution) * contact.velocity_before[0];
        ASSERT_NEAR(contact.work_normal, work, 1e-9 * (1 + run.energy_scale)) << "machine " << i << ", step " << k;
        ASSERT_LE(contact.work_normal, 1e-9 * (1 + run.energy_scale));
      }
      ASSERT_NEAR(created, run.report.works.contact_created, 1e-14 * run.energy_scale);
    }
  }
  EXPECT_GT(impacts, 500);
}

// Contacts conserve what gravity alone changes: the momentum of balls that only touch each other.
TEST(MoreauJeanEnergyProperty, InnerContactsAndSpringsConserveMomentum) {
  math::Random random(4);
  for (int i = 0; i < 20; ++i) {
    model::Model model;
    std::vector<model::Participant> all;
    for (int k = 0; k < 6; ++k) {
      test::add_ball(model, random.uniform(0.5, 2), 0.5, test::random_vector3(random), test::random_vector3(random));
      model.nodes.back().angular_velocity = test::random_vector3(random);
      all.push_back(test::body(k));
      const Vector3 start = test::random_vector3(random, 0.5), end = test::random_vector3(random, 0.5);
      if (k > 0) test::add_spring(model, {{k - 1}, start}, {{k}, end}, 50, 1, 1);
    }
    test::add_contact(model, all, all, {0.5, 0.5, 0});
    test::Runner run(model, {.solver = {.tolerance = 1e-8}});
    const Vector3 momentum = run.momentum();
    for (int k = 0; k < 50; ++k) {
      run.step();
      ASSERT_LE((run.momentum() - momentum).norm(), 1e-12);
    }
  }
}

}  // namespace
}  // namespace ricochet::integrate
