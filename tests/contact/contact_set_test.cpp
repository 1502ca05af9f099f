#include "ricochet/contact/contact_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

model::Model balls_and_box() {
  model::Model model;
  test::add_ball(model, 1, 1, Vector3(0, 1, 0));
  test::add_ball(model, 1, 1, Vector3(0, 2.5, 0));
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(5, 1, 0));
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_surface(model, Vector3(-3, 0, 0), Vector3::UnitX());
  return model;
}

TEST(ContactSet, TakesEveryPairOnceAndNoBodyWithItself) {
  model::Model model = balls_and_box();
  test::add_contact(model, {test::body(1), test::body(0), test::body(1)}, {test::body(0), test::body(1)});
  test::ContactCase c(model);
  c.detect(10);
  ASSERT_EQ(c.contacts.size(), 1u);
  EXPECT_FALSE(c.set.has_explicit_velocities());
  EXPECT_EQ(c.contacts[0].key, (ContactKey{0, 0, 0, 1, 0}));  // A is the body that comes first in the model
  EXPECT_DOUBLE_EQ(c.contacts[0].gap, -0.5);
}

TEST(ContactSet, TheBodyIsAAndTheSurfaceIsBWhicheverComesFirst) {
  for (const bool swapped : {false, true}) {
    model::Model model = balls_and_box();
    const std::vector<model::Participant> ball = {test::body(0)}, wall = {test::surface(1)};
    test::add_contact(model, swapped ? wall : ball, swapped ? ball : wall);
    test::ContactCase c(model);
    c.detect(10);
    ASSERT_EQ(c.contacts.size(), 1u);
    EXPECT_EQ(c.contacts[0].key, (ContactKey{0, 0, 0, 4, 0}));
    EXPECT_EQ(c.contacts[0].axes.normal, Vector3::UnitX());
  }
}

// Groups of pairs are evaluated one after another; the result is in the order of identities all the same.
TEST(ContactSet, SortsByIdentity) {
  model::Model model = balls_and_box();
  test::add_contact(model, {test::body(0)}, {test::body(1), test::surface(0), test::surface(1)}, {0.1, 0.2, 0.3});
  test::add_contact(model, {test::body(2), test::body(1)}, {test::surface(1), test::surface(0)}, {0.4, 0.5, 0.6});
  test::ContactCase c(model);
  c.detect(100);
  EXPECT_EQ(c.contacts.size(), 3u + 16u + 2u);
  EXPECT_TRUE(std::is_sorted(c.contacts.begin(), c.contacts.end(),
                             [](const Contact& a, const Contact& b) { return a.key < b.key; }));
  for (const Contact& contact : c.contacts) {
    EXPECT_EQ(c.set.gap(contact, c.state), contact.gap);
    EXPECT_EQ(c.set.law(contact).friction.at(0), contact.key.rule == 0 ? 0.1 : 0.4);
  }
  test::expect_consistent_gradients(c);
}

// Two materials on one composite body: each part touches under the law of its own material.
TEST(ContactSet, TheLawIsThatOfThePairOfMaterials) {
  model::Model model = balls_and_box();
  model.materials = {{"steel"}, {"rubber"}, {"ice"}};
  model.bodies[0].parts[0].material = {0};
  model.bodies[0].parts.push_back({model::SphereShape{0.5}, Vector3(3, 0, 0), {}, "second", {1}});
  model.bodies[1].parts[0].material = {1};
  model.surfaces[0].material = {2};
  test::add_contact(model, {test::body(0), test::body(1), test::body(2)}, {test::surface(0), test::surface(1)}, {0.9});
  test::add_contact(model, {test::body(0)}, {test::body(1)}, {0.8});
  model.contacts[0].material_laws = {{{0}, {2}, {0.1}}, {{2}, {1}, {0.2}}};
  model.contacts[1].material_laws = {{{1}, {1}, {0.3}}};
  model::validate(model);
  test::ContactCase c(model);
  c.detect(100);
  ASSERT_EQ(c.contacts.size(), 2u * (2 + 1 + 8) + 2u);
  for (const Contact& contact : c.contacts) {
    const ContactKey& key = contact.key;
    double expected = key.rule == 0 ? 0.9 : 0.8;  // the box and surface 1 have no material
    if (key.rule == 0 && key.participant_b == 3 && key.participant_a == 0) expected = key.feature_a == 0 ? 0.1 : 0.2;
    if (key.rule == 0 && key.participant_b == 3 && key.participant_a == 1) expected = 0.2;
    if (key.rule == 1 && key.feature_a == 1) expected = 0.3;
    EXPECT_EQ(c.set.law(contact).friction.at(0), expected) << c.set.name(key);
  }
}

TEST(ContactSet, ExceptedPairsDoNotTouchInEitherOrder) {
  model::Model model = balls_and_box();
  test::add_ball(model, 1, 1, Vector3(0, 5, 0));
  const std::vector<model::Participant> balls = {test::body(0), test::body(1), test::body(3)};
  test::add_contact(model, balls, balls);
  test::add_contact(model, {test::body(0), test::body(2)}, {test::surface(0)});
  model.contacts[0].except = {{test::body(1), test::body(0)}, {test::body(1), test::body(3)}};
  model.contacts[1].except = {{test::surface(0), test::body(2)}};
  test::ContactCase c(model);
  c.detect(100);
  ASSERT_EQ(c.contacts.size(), 2u);
  EXPECT_EQ(c.contacts[0].key, (ContactKey{0, 0, 0, 3, 0}));
  EXPECT_EQ(c.contacts[1].key, (ContactKey{1, 0, 0, 4, 0}));
}

TEST(ContactSet, NamesContacts) {
  model::Model model = balls_and_box();
  test::add_point(model, 1, Vector3::Zero());
  test::add_contact(model, {test::body(0), test::body(2), test::body(3)}, {test::surface(0)});
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  const test::ContactCase c(model);
  EXPECT_EQ(c.set.name({0, 0, 0, 4, 0}), "rule0:body0.sphere|surface0.plane");
  EXPECT_EQ(c.set.name({0, 2, 6, 4, 0}), "rule0:body2.corner6|surface0.plane");
  EXPECT_EQ(c.set.name({0, 3, 0, 4, 0}), "rule0:body3.point|surface0.plane");
  EXPECT_EQ(c.set.name({1, 0, 0, 1, 0}), "rule1:body0.sphere|body1.sphere");
  EXPECT_EQ(c.set.participant(5), "surface1");
}

TEST(ContactSet, MinimumGap) {
  model::Model model = balls_and_box();
  test::add_contact(model, {test::body(0), test::body(1), test::body(2)}, {test::surface(0), test::surface(1)});
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  test::add_contact(model, {}, {});
  const test::ContactCase c(model);
  EXPECT_DOUBLE_EQ(c.set.minimum_gap(c.state, 0), 0);
  EXPECT_DOUBLE_EQ(c.set.minimum_gap(c.state, 0, 1), 1.5);
  EXPECT_DOUBLE_EQ(c.set.minimum_gap(c.state, 0, 2, 4), 7);
  EXPECT_DOUBLE_EQ(c.set.minimum_gap(c.state, 0, -1, 4), 2);
  EXPECT_DOUBLE_EQ(c.set.minimum_gap(c.state, 1), -0.5);
  EXPECT_EQ(c.set.minimum_gap(c.state, 2), std::numeric_limits<double>::infinity());
}

TEST(ContactSet, PlanarBlocksHaveTwoComponents) {
  model::Model model = balls_and_box();
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  test::ContactCase in_space(model);
  in_space.detect(100);
  EXPECT_EQ(in_space.set.block(in_space.contacts.front()).size, 3);
  model.planar = true;
  test::ContactCase c(model);
  c.detect(100);
  EXPECT_EQ(c.set.block(c.contacts.front()).size, 2);
  EXPECT_TRUE(c.set.planar());
}

TEST(ContactSetBadInput, RefusesPairsThatItDoesNotKnow) {
  const auto message = [](const model::Model& model) -> std::string {
    try {
      const test::ContactCase c(model);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  model::Model surfaces = balls_and_box();
  test::add_contact(surfaces, {test::surface(0)}, {test::surface(1)});
  EXPECT_THAT(message(surfaces), testing::HasSubstr("two surfaces"));
  model::Model points = balls_and_box();
  for (int i = 0; i < 2; ++i) test::add_point(points, 1, Vector3::Zero());
  test::add_contact(points, {test::body(3)}, {test::body(4)});
  EXPECT_THAT(message(points), testing::HasSubstr("'body3' (point) with 'body4' (point): two points never touch"));
  model::Model one_node = balls_and_box();
  one_node.bodies[1].node = one_node.bodies[0].node;
  test::add_contact(one_node, {test::body(0)}, {test::body(1)});
  EXPECT_THAT(message(one_node), testing::HasSubstr("same node"));
}

}  // namespace
}  // namespace ricochet::contact
