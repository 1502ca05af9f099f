// Conditions on velocities about and along axes of the world, in both schemes: they hold at the end of every step, with
// contacts and impacts, do no work unless they drive, and act on impacts as the closed form says.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

constexpr double kRowRadius = 0.03;

model::VelocityRow held_spin(int node) {
  return {.name = "upright" + std::to_string(node),
          .kind = model::VelocityKind::rotation,
          .first = {},
          .second = {{node}, Vector3::Zero()},
          .axis = Vector3::UnitY(),
          .speed = {}};
}

std::vector<std::unique_ptr<test::Walker>> both_schemes(const model::Model& model, double h) {
  std::vector<std::unique_ptr<test::Walker>> walkers;
  for (const double theta : {0.5, 0.7}) {
    walkers.push_back(std::make_unique<test::Runner>(model, test::RunnerOptions{.h = h, .scheme = {.theta = theta}}));
  }
  for (const double radius : {0.0, 0.8, 1.0}) {
    NonsmoothGeneralizedAlphaOptions options;
    options.spectral_radius = radius;
    walkers.push_back(std::make_unique<test::AlphaRunner>(model, h, options));
  }
  return walkers;
}

double vertical_spin(const test::Walker& walker, int node) {
  return mechanics::orientation(walker.equations.map(), walker.now.state, node)
      .rotate(walker.angular_velocity(node))
      .y();
}

// A ball rolls on the floor, and another strikes it half full from the side: friction between them would make it spin.
model::Model struck_ball(bool held, double gap) {
  model::Model model;
  model.gravity = Vector3(0, -9.8, 0);
  test::add_ball(model, 0.17, kRowRadius, Vector3(0, kRowRadius, 0), Vector3(0.3, 0, 0));
  model.nodes[0].angular_velocity = Vector3(0, 0, -0.3 / kRowRadius);
  const double reach = 2 * kRowRadius + gap;
  test::add_ball(model, 0.17, kRowRadius, Vector3(0.6 * reach, kRowRadius, 0.8 * reach), Vector3(0, 0, -1));
  test::put_on_ground(model, {.friction = 0.2, .restitution = 0.5});
  test::add_contact(model, {test::body(0)}, {test::body(1)}, {.friction = 0.3, .restitution = 0.9});
  if (held) model.velocity_rows.push_back(held_spin(0));
  return model;
}

TEST(VelocityRowInSchemes, ABallThatIsStruckFromTheSideDoesNotSpin) {
  for (const auto& walker : both_schemes(struck_ball(true, 0.0123), 1e-3)) {
    double fastest_of_other = 0;
    for (int i = 0; i < 300; ++i) {
      walker->step();
      ASSERT_LE(std::abs(vertical_spin(*walker, 0)), 1e-12) << i;
      ASSERT_LE(std::abs(walker->closing_error), 1e-12 * walker->energy_scale) << i;
      fastest_of_other = std::max(fastest_of_other, std::abs(vertical_spin(*walker, 1)));
    }
    EXPECT_GT(fastest_of_other, 1);                              // there was friction, and the other ball is free
    EXPECT_LT(walker->velocity(0).z(), -0.1);                    // it was pushed away
    EXPECT_GT(std::abs(walker->angular_velocity(0).norm()), 3);  // and rolls
  }
  for (const auto& walker : both_schemes(struck_ball(false, 0.0123), 1e-3)) {
    walker->steps(100);
    EXPECT_GT(std::abs(vertical_spin(*walker, 0)), 1);
  }
}

// Two balls stick where they touch. In the plane of their centres a free ball counts as 7/(2 m) against the tangential
// impulse, one that cannot spin as 1/m: J_t = u_t/(9/(2 m)), while the normal impulse is that of two masses.
TEST(VelocityRowInSchemes, AHeldBallIsHarderToPushAside) {
  const double mass = 0.5, h = 1e-5;
  model::Model model;
  test::add_ball(model, mass, kRowRadius, Vector3::Zero());
  test::add_ball(model, mass, kRowRadius, Vector3(2 * kRowRadius, 0, 0), Vector3(-1, 0, 0.3));
  test::add_contact(model, {test::body(0)}, {test::body(1)}, {.friction = 1, .restitution = 0});
  model.velocity_rows.push_back(held_spin(0));
  for (const auto& walker : both_schemes(model, h)) {
    walker->step();
    const double turned = 2 * h / kRowRadius;  // of the line of centres, where the end of the step tells it
    EXPECT_NEAR(walker->velocity(0).x(), -0.5, turned);
    EXPECT_NEAR(walker->velocity(0).z(), 0.3 * 2 / 9, turned);
    EXPECT_NEAR(walker->velocity(1).z(), 0.3 * 7 / 9, turned);
    EXPECT_NEAR(vertical_spin(*walker, 1), -0.3 * 2 / 9 * 2.5 / kRowRadius, turned * 2.5 / kRowRadius);
    EXPECT_LE(std::abs(vertical_spin(*walker, 0)), 1e-12);
  }
}

// A corner of a box that tumbles freely is driven along a direction: the box gains what the condition gives.
TEST(VelocityRowInSchemes, APointFollowsASpeed) {
  model::Model model;
  test::add_box(model, 2, Vector3(0.3, 0.2, 0.1), Vector3(1, 2, 3), math::exponential(Vector3(0.4, 0.2, 0.7)));
  test::add_box(model, 1, Vector3(0.1, 0.2, 0.1), Vector3(2, 2, 3));
  const Vector3 corner(0.3, 0.2, 0.1), axis(0.6, 0, 0.8);
  model.velocity_rows.push_back({.name = "corner",
                                 .kind = model::VelocityKind::translation,
                                 .first = {{1}, Vector3(0, 0.2, 0)},
                                 .second = {{0}, corner},
                                 .axis = axis,
                                 .speed = math::TimeFunction(math::Expression::parse("3*sin(2*t)"))});
  for (const auto& walker : both_schemes(model, 1e-3)) {
    const auto velocity_of = [&](int node, const Vector3& point) {
      const math::Quaternion turn = mechanics::orientation(walker->equations.map(), walker->now.state, node);
      return Vector3(walker->velocity(node) + turn.rotate(math::cross(walker->angular_velocity(node), point)));
    };
    double given = 0;
    for (int i = 0; i < 700; ++i) {
      given += walker->step().works.drivers;
      const Vector3 relative = velocity_of(0, corner) - velocity_of(1, Vector3(0, 0.2, 0));
      ASSERT_NEAR(axis.dot(relative), 3 * std::sin(2 * walker->now.state.time), 1e-12) << i;
      ASSERT_LE(std::abs(walker->closing_error), 1e-12 * (1 + walker->energy_scale)) << i;
    }
    EXPECT_GT(walker->energy(), 0.5);
    EXPECT_NEAR(given, walker->energy(), 0.01 * walker->energy());
    EXPECT_LE(walker->momentum().norm(), 1e-11);  // the forces on both sides are opposite
  }
}

}  // namespace
}  // namespace ricochet::integrate
