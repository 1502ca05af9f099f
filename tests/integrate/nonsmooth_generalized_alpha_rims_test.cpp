// Tins on the flat end: no point of the rim is the lowest for long.
#include <gtest/gtest.h>

#include <cmath>

#include "integrate/alpha_models.hpp"

namespace ricochet::integrate {
namespace {

model::Model tin_above_ground(double height, const math::Quaternion& orientation, const model::ContactLaw& law) {
  model::Model model;
  model.gravity = Vector3(0, 0, -10);
  test::add_cylinder(model, 2, 0.1, 0.1, Vector3(0, 0, height), orientation);
  test::put_on_ground(model, law, Vector3::UnitZ());
  return model;
}

void add_to_rule(model::Model& model, const Vector3& point, const Vector3& normal) {
  model.contacts[0].second.push_back(test::surface(test::add_surface(model, point, normal)));
}

// It slides upright to where friction stops it, and stays there.
void expect_slides_and_stops(model::Model model) {
  const double h = 1e-3, friction = 0.3, speed = 1, stop = speed * speed / (2 * friction * 10);
  model.nodes[0].velocity = Vector3(speed, 0, 0);
  test::AlphaRunner run(model, h, {});
  for (int i = 1; i <= 500; ++i) {
    ASSERT_EQ(run.try_step(), StepStatus::done) << i;
    std::swap(run.now, run.next);
    ASSERT_NEAR(run.position(0).z(), 0.1, 1e-14) << i;
    ASSERT_LE(run.angular_velocity(0).norm(), 1e-10) << i;
    const double left = speed - friction * 10 * i * h;
    ASSERT_NEAR(run.velocity(0).x(), std::max(left, 0.0), 1e-12) << i;
  }
  EXPECT_NEAR(run.position(0).x(), stop, friction * 10 * h * h);
  EXPECT_LE(run.velocity(0).norm(), 1e-14);
  Vector3 carried = Vector3::Zero();
  for (const ContactRecord& contact : run.report.contacts) carried += contact::to_world(contact.axes, contact.impulse);
  EXPECT_LE((carried - Vector3(0, 0, h * 2 * 10)).norm(), 1e-13);
}

TEST(NonsmoothGeneralizedAlpha, ATinThatStandsSlidesAndStops) {
  expect_slides_and_stops(tin_above_ground(0.1, {}, test::alpha_law(0.3)));
}

// Planes of one rule stand between the points of the rim in the list of contacts.
TEST(NonsmoothGeneralizedAlpha, ATinThatStandsSlidesAlongAWall) {
  model::Model model = tin_above_ground(0.1, {}, test::alpha_law(0.3));
  add_to_rule(model, Vector3(0, -0.1, 0), Vector3::UnitY());
  expect_slides_and_stops(model);
}

TEST(NonsmoothGeneralizedAlpha, ATinThatStandsOnTwoFloorsSlidesAndStops) {
  model::Model model = tin_above_ground(0.1, {}, test::alpha_law(0.3));
  add_to_rule(model, Vector3::Zero(), Vector3::UnitZ());
  expect_slides_and_stops(model);
}

// They rock about their rim until they stand; where it sinks in beside its legs, it gets one more.
TEST(NonsmoothGeneralizedAlpha, TinsFallAndComeToStand) {
  for (int seed = 6; seed < 14; ++seed) {
    math::Random random(seed);
    const double tilt = std::pow(10, random.uniform(-4, -0.5));
    const Vector3 axis(std::cos(seed), std::sin(seed), 0);
    model::Model model = tin_above_ground(0.16, math::Quaternion::from_axis_angle(axis, tilt),
                                          test::alpha_law(0.3, seed % 2 == 0 ? 0.0 : 0.5));
    model.nodes[0].velocity = Vector3(random.uniform(-1, 1), 0, 0);
    model.nodes[0].angular_velocity = Vector3(0, 0, random.uniform(-5, 5));
    test::AlphaRunner run(model, 1e-3, {});
    for (int i = 0; i < 600; ++i) {
      const double before = run.energy();
      ASSERT_EQ(run.try_step(), StepStatus::done) << seed << ", " << i;
      std::swap(run.now, run.next);
      ASSERT_GE(run.contacts.minimum_gap(run.now.state, 0), -1e-12) << seed << ", " << i;
      ASSERT_LE(run.energy() - before, 2e-5) << seed << ", " << i;
    }
    EXPECT_LE(run.position(0).z(), 0.12) << seed;
  }
}

}  // namespace
}  // namespace ricochet::integrate
