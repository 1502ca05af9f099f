#include "ricochet/contact/contact.hpp"

#include <gtest/gtest.h>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

TEST(ContactAxesProperty, AreRightHanded) {
  math::Random random(1);
  for (int i = 0; i < 1000; ++i)
    test::expect_right_handed(axes_for_normal(test::random_vector3(random).normalized(), false));
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {-1.0, 1.0}) test::expect_right_handed(axes_for_normal(sign * Vector3::Unit(i), false));
  }
}

TEST(ContactAxes, PlanarTangentIsZCrossN) {
  const ContactAxes ground = axes_for_normal(Vector3::UnitY(), true);
  EXPECT_EQ(ground.tangent1, Vector3(-1, 0, 0));
  EXPECT_EQ(ground.tangent2, Vector3::UnitZ());
  // On a slope that rises in +x the tangent points down the slope.
  const ContactAxes slope = axes_for_normal(Vector3(-0.6, 0.8, 0), true);
  EXPECT_EQ(slope.tangent1, Vector3(-0.8, -0.6, 0));
  test::expect_right_handed(slope);
}

TEST(ContactKey, OrdersByRuleThenAThenB) {
  const ContactKey key{1, 2, 3, 4, 5};
  EXPECT_LT((ContactKey{0, 9, 9, 9, 9}), key);
  EXPECT_LT((ContactKey{1, 1, 9, 9, 9}), key);
  EXPECT_LT((ContactKey{1, 2, 2, 9, 9}), key);
  EXPECT_LT((ContactKey{1, 2, 3, 3, 9}), key);
  EXPECT_LT((ContactKey{1, 2, 3, 4, 4}), key);
  EXPECT_EQ((ContactKey{1, 2, 3, 4, 5}), key);
}

}  // namespace
}  // namespace ricochet::contact
