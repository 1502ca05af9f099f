// Contacts that systems of the user tell: who is found, names, rows, curvature, terms explicit in time.
#include "ricochet/contact/system_contacts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contact/motion_checks.hpp"
#include "model/system_models.hpp"

namespace ricochet::contact {
namespace {

model::Model crank_model(const Vector3& angles = Vector3::Zero()) {
  model::Model model;
  model.planar = true;
  test::add_system(model, std::make_shared<model::SliderCrank>(ricochet::test::flores_data()), angles,
                   Vector3(150, -75, 2));
  return model;
}

TEST(SystemContacts, FindsWhatIsWithinReach) {
  // Turned to the left: corners 2 and 3 are nearer by 0.05 sin(0.01).
  test::ContactCase c(crank_model(Vector3(0, 0, 0.01)));
  c.detect(0.0006);
  ASSERT_EQ(c.contacts.size(), 2U);
  EXPECT_EQ(c.set.name(c.contacts[0].key), "mechanism:mechanism.corner2|mechanism.upper");
  EXPECT_EQ(c.set.name(c.contacts[1].key), "mechanism:mechanism.corner3|mechanism.lower");
  EXPECT_EQ(c.set.participant(c.contacts[0].key.participant_a), "mechanism");
  const double gap = 0.001 - 0.05 * std::sin(0.01) + 0.025 * (1 - std::cos(0.01));
  for (const Contact& contact : c.contacts) {
    EXPECT_NEAR(contact.gap, gap, 1e-16);
    EXPECT_EQ(c.set.gap(contact, c.state), contact.gap);
  }
  EXPECT_NEAR(c.set.minimum_gap(c.state, 0), gap, 1e-16);
  EXPECT_EQ(c.contacts[0].axes.normal, Vector3(0, -1, 0));
  c.detect(0.0004);
  EXPECT_TRUE(c.contacts.empty());
}

TEST(SystemContacts, StandAmongThoseOfBodies) {
  model::Model model = crank_model();
  test::add_ball(model, 1, 0.5, Vector3(3, 0.5, 0));
  const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(ground)}, {});
  model.bodies[0].node = {1};
  test::ContactCase c(model);
  c.detect(1);
  ASSERT_EQ(c.contacts.size(), 5U);
  EXPECT_EQ(c.contacts[4].node_a.index, 1);  // rules in their order
  EXPECT_EQ(c.set.participant(c.contacts[0].key.participant_a), "mechanism");
  EXPECT_EQ(c.gradients.rows(), 5);
}

TEST(SystemContactsProperty, RowsAndCurvature) {
  math::Random random(7);
  for (int i = 0; i < 20; ++i) {
    test::MotionCase c(crank_model(0.3 * test::random_vector3(random)));
    c.set.detect(c.state, 10, c.contacts);
    ASSERT_EQ(c.contacts.size(), 4U);
    test::expect_derivatives(c, random);
  }
}

TEST(SystemContacts, TermsExplicitInTimeAreVelocitiesOfSurfaces) {
  model::Model model;
  model.planar = true;
  test::add_system(model, std::make_shared<ricochet::test::DrivenMass>(), Vector2(0.01, 0.5), Vector2(-2, 1));
  test::ContactCase c(model);
  c.state.time = 0.2;
  c.detect(1);
  ASSERT_EQ(c.contacts.size(), 1U);
  EXPECT_NEAR(c.contacts[0].gap, 0.01 - 0.1 * std::sin(1.4), 1e-16);
  linalg::ReusableVector u;
  c.set.relative_velocities(c.contacts, c.gradients, c.state.v, u);
  EXPECT_NEAR(u[0], -2 - 0.7 * std::cos(1.4), 1e-15);
  EXPECT_NEAR(u[1], 1 - 0.3, 1e-15);
}

TEST(SystemContactsBadInput, DirectionsOfSlipMustFitTheScene) {
  model::Model model = crank_model();
  model.planar = false;
  try {
    const test::ContactCase c(model);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("system 'mechanism' have 1 direction of slip"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("planar: true"));
  }
}

}  // namespace
}  // namespace ricochet::contact
