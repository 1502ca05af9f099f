#include "ricochet/contact/rim_legs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

const math::Quaternion kOnItsSide = math::Quaternion::from_axis_angle(Vector3::UnitX(), std::numbers::pi / 2);
const math::Quaternion kLeaning = math::Quaternion::from_axis_angle(Vector3::UnitX(), 0.5);
const double kHeightOfLeaning = 0.4 * std::cos(0.5) + 0.5 * std::sin(0.5);

// Tins of radius 0.5 and half a length of 0.4 next to each other, above a floor.
model::Model tins(int count, const math::Quaternion& orientation, double height) {
  model::Model model;
  std::vector<model::Participant> all;
  for (int i = 0; i < count; ++i) {
    test::add_cylinder(model, 2, 0.5, 0.4, Vector3(2 * i, 0, height), orientation);
    all.push_back(test::body(i));
  }
  const int floor = test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
  test::add_contact(model, all, {test::surface(floor)});
  return model;
}

struct LegCase : test::ContactCase {
  explicit LegCase(const model::Model& source) : ContactCase(source) {
    set.detect(state, 1e-9, contacts);
    fix_legs(map, state, contacts);
  }
  auto legs() const {
    return std::count_if(contacts.begin(), contacts.end(),
                         [](const Contact& contact) { return contact.kind == ContactKind::ball_plane; });
  }
};

TEST(RimLegs, ARimThatStandsFlatHasSixAtPointsOfItsBody) {
  const LegCase c(tins(1, {}, 0.4));
  ASSERT_EQ(c.contacts.size(), 6u);
  EXPECT_EQ(c.legs(), 6);
  for (const Contact& contact : c.contacts) {
    EXPECT_NEAR(contact.center_a.head<2>().norm(), 0.5, 1e-15);
    EXPECT_EQ(contact.center_a.z(), -0.4);
    EXPECT_EQ(contact.radius_a, 0);
  }
}

// Lowest points that touch alone, though others are in the list beside them.
TEST(RimLegs, TinsThatLeanSideBySideHaveNone) {
  const LegCase c(tins(2, kLeaning, kHeightOfLeaning));
  EXPECT_EQ(c.contacts.size(), 2u);
  EXPECT_EQ(c.legs(), 0);
}

TEST(RimLegs, ATinOnItsSideRollsOnBothRims) {
  const LegCase c(tins(1, kOnItsSide, 0.5));
  EXPECT_EQ(c.contacts.size(), 2u);
  EXPECT_EQ(c.legs(), 0);
}

TEST(RimLegs, OneThatLeansOnTwoPlanesHasNone) {
  model::Model model = tins(1, kOnItsSide, 0.5);
  const int wall = test::add_surface(model, Vector3(-0.5, 0, 0), Vector3::UnitX());
  model.contacts[0].second.push_back(test::surface(wall));
  const LegCase c(model);
  EXPECT_EQ(c.contacts.size(), 4u);
  EXPECT_EQ(c.legs(), 0);
}

TEST(RimLegs, OneThatLeansOnAPlaneOfTwoRulesHasNone) {
  model::Model model = tins(1, kLeaning, kHeightOfLeaning);
  model.contacts.push_back(model.contacts.front());
  model.contacts.back().name = "again";
  const LegCase c(model);
  EXPECT_EQ(c.contacts.size(), 2u);
  EXPECT_EQ(c.legs(), 0);
}

// Its six legs are not neighbours in the list, and it leans on the wall with both rims.
TEST(RimLegs, ATinThatStandsAtAWallHasThemOnTheFloorOnly) {
  model::Model model = tins(1, {}, 0.4);
  const int wall = test::add_surface(model, Vector3(-0.5, 0, 0), Vector3::UnitX());
  model.contacts[0].second.push_back(test::surface(wall));
  const LegCase c(model);
  ASSERT_EQ(c.contacts.size(), 8u);
  for (const Contact& contact : c.contacts) {
    const bool is_on_floor = contact.axes.normal.z() == 1;
    EXPECT_EQ(contact.kind, is_on_floor ? ContactKind::ball_plane : ContactKind::rim_plane);
  }
}

TEST(RimLegs, AFurtherPointTakesTheFirstFreeFeature) {
  LegCase c(tins(1, {}, 0.4));
  const Contact low = c.contacts.front();
  std::vector<Contact> known(c.contacts.begin(), c.contacts.begin() + 2);
  Contact found = low;
  found.kind = ContactKind::rim_plane;
  found.arm_a = 0.1 * Vector3::UnitX();
  add_with_legs({found}, known);
  ASSERT_EQ(known.size(), 3u);
  EXPECT_EQ(known[0].center_a, low.center_a);
  EXPECT_EQ(known[2].key.feature_a, 2);
  fix_legs(c.map, c.state, known);
  EXPECT_EQ(known[2].kind, ContactKind::ball_plane);
  EXPECT_EQ(known[2].center_a, found.arm_a);
}

TEST(RimLegs, WhereAllAreTakenItReplacesTheOneThatIsMostOpen) {
  LegCase c(tins(1, {}, 0.4));
  c.contacts[3].gap = 0.1;
  Contact found = c.contacts.front();
  found.gap = -0.1;
  add_with_legs({found}, c.contacts);
  ASSERT_EQ(c.contacts.size(), 6u);
  EXPECT_EQ(c.contacts[3].gap, -0.1);
  EXPECT_EQ(c.contacts[3].key.feature_a, 3);
  EXPECT_EQ(c.contacts[0].gap, 0);
}

// A lowest point that touched alone becomes a leg as another one comes; its own key it would replace.
TEST(RimLegs, ALowestPointThatIsJoinedBecomesOne) {
  LegCase c(tins(1, {}, 0.4));
  std::vector<Contact> known = {c.contacts[0]};
  known[0].kind = ContactKind::rim_plane;
  Contact again = known[0];
  again.gap = -0.1;
  add_with_legs({again}, known);
  ASSERT_EQ(known.size(), 1u);
  EXPECT_EQ(known[0].gap, -0.1);
  add_with_legs({c.contacts[4]}, known);
  fix_legs(c.map, c.state, known);
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(known[0].kind, ContactKind::ball_plane);
}

}  // namespace
}  // namespace ricochet::contact
