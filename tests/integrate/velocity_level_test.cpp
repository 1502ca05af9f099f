#include "ricochet/integrate/velocity_level.hpp"

#include <gtest/gtest.h>

#include "integrate/alpha_models.hpp"

namespace ricochet::integrate {
namespace {

// A slender rod strikes with one end: the impulse and both velocities in closed form (impulse and momentum).
TEST(VelocityLevel, ARodStrikesWithItsEnd) {
  const double mass = 2, half = 0.5, angle = 0.4, speed = 3, restitution = 0.5, inertia = mass / 12;
  model::Model model;
  model.planar = true;
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = Vector3(0, half * std::sin(angle) + 1e-4, 0);
  node.orientation = math::exponential(Vector3(0, 0, angle));
  node.velocity = Vector3(0, -speed, 0);
  test::add_body(model, node, mass, model::PointShape{}, Vector3(0, inertia, inertia).asDiagonal());
  model.bodies[0].parts[0].position = Vector3(-half, 0, 0);
  test::put_on_ground(model, test::alpha_law(0, restitution));
  test::AlphaRunner run(model, 1e-4);
  while (run.report.contacts.empty()) run.step();
  const ContactRecord& contact = run.report.contacts.front();
  // No gravity: nothing but the impact changes velocities. The arm is taken at the end of the step.
  const double lever =
      half * std::cos(mechanics::orientation(run.equations.map(), run.now.state, 0).z >= 0
                          ? 2 * std::asin(mechanics::orientation(run.equations.map(), run.now.state, 0).z)
                          : angle);
  const double response = 1 / mass + lever * lever / inertia;
  EXPECT_NEAR(contact.impulse[0], (1 + restitution) * speed / response, 1e-9);
  EXPECT_NEAR(run.velocity(0).y(), -speed + contact.impulse[0] / mass, 1e-12);
  EXPECT_NEAR(run.angular_velocity(0).z(), -lever * contact.impulse[0] / inertia, 1e-9);
}

// Joints and impact at once: the tip of a pendulum strikes, and the hinge stays closed in position and velocity.
TEST(VelocityLevel, AHingeAndAnImpact) {
  model::Model model = test::alpha_pendulum();
  test::put_on_ground(model, test::alpha_law(0.2, 0.5), Vector3(1, 0, 0));
  model.surfaces[0].point = Vector3(-0.3, 0, 0);
  test::AlphaRunner run(model, 1e-3);
  VectorX rates;
  linalg::BlockSparseMatrix rows;
  int struck = 0;
  for (int i = 0; i < 2000; ++i) {
    run.step();
    run.equations.joints().rates(run.now.state.time, rates);
    run.equations.joints().gradients(run.now.state, rows);
    rows.multiply_add(run.now.state.v, rates);
    ASSERT_LE(rates.norm(), 1e-12);
    ASSERT_LE(run.report.joint_error, 1e-13);
    for (const ContactRecord& contact : run.report.contacts) {
      if (!(contact.impulse[0] > 0) || contact.force[0] > 0) continue;
      EXPECT_NEAR(contact.velocity[0], -0.5 * std::min(contact.velocity_before[0], 0.0), 1e-11);
      ++struck;
    }
  }
  EXPECT_GE(struck, 2);
}

// Newton's cradle: n balls in, n balls out, in the step of the impact, with energy and momentum to rounding.
TEST(VelocityLevel, ASequenceOfImpacts) {
  for (int moving = 1; moving <= 4; ++moving) {
    model::Model model;
    std::vector<model::Participant> all;
    for (int i = 0; i < 5; ++i) {
      const double x = i < moving ? i * 0.2 - 1e-3 : i * 0.2;
      test::add_ball(model, 1, 0.1, Vector3(x, 0, 0), Vector3(i < moving ? 1.0 : 0.0, 0, 0));
      all.push_back(test::body(i));
    }
    test::add_contact(model, all, all, test::alpha_law(0.2, 1));
    NonsmoothGeneralizedAlphaOptions options;
    options.impacts = ImpactOrder::sequence;
    test::AlphaRunner run(model, 3e-4, options);
    const double energy = run.energy();
    run.steps(20);
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(run.velocity(i).x(), i >= 5 - moving ? 1 : 0, 1e-12) << moving << " " << i;
    EXPECT_NEAR(run.energy(), energy, 1e-12);
    EXPECT_NEAR(run.momentum().x(), moving, 1e-12);
  }
}

// One ball against two that touch: with one problem for both they fly at 30 degrees (Bernoulli), in either order.
TEST(VelocityLevel, ABallAgainstTwo) {
  for (const ImpactOrder order : {ImpactOrder::simultaneous, ImpactOrder::sequence}) {
    model::Model model;
    const double half = 0.1, back = 0.1 * std::sqrt(3.0);
    test::add_ball(model, 1, 0.1, Vector3(-back - 1e-3, 0, 0), Vector3(1, 0, 0));
    test::add_ball(model, 1, 0.1, Vector3(0, half, 0));
    test::add_ball(model, 1, 0.1, Vector3(0, -half, 0));
    test::add_contact(model, {test::body(0)}, {test::body(1), test::body(2)}, test::alpha_law(0, 1));
    NonsmoothGeneralizedAlphaOptions options;
    options.impacts = order;
    test::AlphaRunner run(model, 1e-4, options);
    run.steps(30);
    // e = 1: -1/5, and 6/5 shared along the lines of centres.
    EXPECT_NEAR(run.velocity(0).x(), -0.2, 2e-3);
    EXPECT_NEAR(run.velocity(1).x(), 0.6, 2e-3);
    EXPECT_NEAR(run.velocity(1).y(), 0.6 / std::sqrt(3.0), 2e-3);
    EXPECT_NEAR(run.velocity(1).y(), -run.velocity(2).y(), 1e-9);
  }
}

}  // namespace
}  // namespace ricochet::integrate
