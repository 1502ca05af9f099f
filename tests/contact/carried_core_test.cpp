#include "ricochet/contact/carried_core.hpp"

#include <gtest/gtest.h>

#include "model/test_models.hpp"

namespace ricochet::contact {
namespace {

CoreOfBody core_of(CarriedCore kind, double radius, double rim_radius = 0) {
  return {kind, Vector3(0.1, 0.2, 0.3), Vector3(0, 0.6, 0.8), radius, rim_radius};
}

std::vector<CoreOfBody> cores() {
  return {core_of(CarriedCore::point, 1),  core_of(CarriedCore::point, -3), core_of(CarriedCore::axis, 0),
          core_of(CarriedCore::axis, 0.5), core_of(CarriedCore::axis, -3),  core_of(CarriedCore::rim, 0, 0.7)};
}

TEST(CarriedCore, ByHand) {
  Contact contact;
  const BodyPlace world = in_world();
  // In a bore of radius 3 about z, at (0, -2, 5): from the wall towards the axis.
  set_core_contact({Vector3(0, -2, 5), 0.5}, world, {CarriedCore::axis, Vector3::Zero(), Vector3::UnitZ(), -3, 0},
                   world, true, false, contact);
  EXPECT_EQ(contact.gap, 0.5);
  EXPECT_EQ(contact.axes.normal, Vector3::UnitY());
  EXPECT_EQ(contact.arm_a, Vector3(0, -2.5, 5));
  EXPECT_EQ(contact.arm_b, Vector3(0, -3, 5));
  EXPECT_EQ(contact.point, Vector3(0, -2.75, 5));
  EXPECT_EQ(contact.kind, ContactKind::carried_by_b);
  // 3 to the right of the rim of radius 1 about z and 4 above it, the ball being B.
  set_core_contact({Vector3(4, 0, 4), 2}, world, {CarriedCore::rim, Vector3::Zero(), Vector3::UnitZ(), 0, 1}, world,
                   false, false, contact);
  EXPECT_NEAR(contact.gap, 3, 1e-15);
  EXPECT_LE((contact.axes.normal - Vector3(-0.6, 0, -0.8)).norm(), 1e-15);
  EXPECT_LE((contact.arm_a - Vector3(1, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(contact.kind, ContactKind::carried_by_a);
}

// On the axis no direction leads away from it: any across it will do, and nothing is infinite.
TEST(CarriedCore, OnTheCoreItself) {
  for (const bool planar : {false, true}) {
    Contact contact;
    set_core_contact({Vector3::Zero(), 0.5}, in_world(), {CarriedCore::axis, Vector3::Zero(), Vector3::UnitZ(), -3, 0},
                     in_world(), true, planar, contact);
    EXPECT_EQ(contact.gap, 2.5);
    EXPECT_NEAR(contact.axes.normal.norm(), 1, 1e-15);
    EXPECT_EQ(contact.axes.normal.z(), 0);
    EXPECT_TRUE(core_at(contact, in_world(), in_world()).curvature().isZero(0));
  }
}

// Normal and curvature against differences of gap and normal, in both orders.
TEST(CarriedCoreProperty, Derivatives) {
  math::Random random(31);
  for (const CoreOfBody& core : cores()) {
    for (int run = 0; run < 20; ++run) {
      const bool ball_is_a = run % 2 == 0;
      const BodyPlace carrier = {ricochet::test::random_vector3(random), ricochet::test::random_rotation(random), true};
      BodyPlace ball = {ricochet::test::random_vector3(random), ricochet::test::random_rotation(random), true};
      const BallOfBody round = {ricochet::test::random_vector3(random, 0.2), 0.25};
      Contact contact;
      set_core_contact(round, ball, core, carrier, ball_is_a, false, contact);
      const auto at = [&](const BodyPlace& moved) {
        return ball_is_a ? core_at(contact, moved, carrier) : core_at(contact, carrier, moved);
      };
      const CoreAt here = at(ball);
      if (here.distance < 0.2) continue;  // differences err with its powers
      EXPECT_NEAR(here.gap, contact.gap, 1e-15);
      const double small = 1e-6, sign = ball_is_a ? 1 : -1;
      for (int i = 0; i < 3; ++i) {
        BodyPlace plus = ball, minus = ball;
        plus.position[i] += small;
        minus.position[i] -= small;
        EXPECT_NEAR((at(plus).gap - at(minus).gap) / (2 * small), sign * here.normal[i], 1e-8);
        const Vector3 turned = sign * (at(plus).normal - at(minus).normal) / (2 * small);
        EXPECT_LE((turned - here.curvature().col(i)).norm(), 1e-7);
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::contact
