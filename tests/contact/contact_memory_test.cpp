#include "ricochet/contact/contact_memory.hpp"

#include <gtest/gtest.h>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

Contact contact_with(int participant, const Vector3& normal, bool planar) {
  Contact contact;
  contact.key = {0, participant, 0, 9, 0};
  contact.axes = axes_for_normal(normal.normalized(), planar);
  return contact;
}

// A set whose only law this is.
ContactSet set_with(const model::ContactLaw& law, bool planar, mechanics::DofMap& map) {
  model::Model model;
  model.planar = planar;
  test::add_ball(model, 1, 0.5, Vector3::Zero());
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(0)}, law);
  map = mechanics::DofMap(model);
  return {model, map};
}

struct LawCase {
  mechanics::DofMap map;
  ContactSet set;
  LawCase(const model::ContactLaw& law, bool planar) : map(model::Model{}), set(set_with(law, planar, map)) {}
};

TEST(ContactMemory, RecallsByIdentity) {
  math::Random random(4);
  const model::ContactLaw resisting{.friction = 0.5, .rolling = 0.1, .spinning = 0.2};
  const model::ContactLaw coupled{
      .friction = 0.5, .rolling = 0.1, .spinning = 0.2, .spinning_law = model::SpinningLaw::contensou};
  for (const bool planar : {true, false}) {
    for (const model::ContactLaw& law : {model::ContactLaw{}, resisting, coupled}) {
      const LawCase c(law, planar);
      std::vector<Contact> before, after;
      for (const int i : {1, 3, 4, 7}) before.push_back(contact_with(i, Vector3(1, i, 0), planar));
      const int size = c.set.block(before[0]).size;
      EXPECT_EQ(size, law.rolling > 0 ? 6 : (planar ? 2 : 3));
      linalg::ReusableVector impulses = VectorX::NullaryExpr(4 * size, [&](Eigen::Index) { return random.normal(); });
      ContactMemory memory;
      remember(c.set, before, impulses, {}, {}, memory);
      ASSERT_EQ(memory.contacts.size(), 4u);
      linalg::ReusableVector same;
      recall(c.set, memory, before, same);
      EXPECT_LE((same - impulses).norm(), 1e-14);
      // Contact 0 is new, 1 and 7 have gone, 5 is new.
      for (const int i : {0, 3, 4, 5}) after.push_back(contact_with(i, Vector3(1, i, 0), planar));
      linalg::ReusableVector recalled;
      recall(c.set, memory, after, recalled);
      ASSERT_EQ(recalled.size(), 4 * size);
      EXPECT_TRUE(recalled.head(size).isZero(0));
      EXPECT_LE((recalled.segment(size, 2 * size) - impulses.segment(size, 2 * size)).norm(), 1e-14);
      EXPECT_TRUE(recalled.tail(size).isZero(0));
    }
  }
}

// The impulse stays where it is in the world when the axes of the contact turn.
TEST(ContactMemory, KeepsWorldComponents) {
  const LawCase c({}, true);
  ContactMemory memory;
  remember(c.set, {contact_with(1, Vector3::UnitY(), true)}, Vector2(3, 4), {}, {}, memory);  // t1 = -x
  EXPECT_EQ(memory.contacts[0].impulse, Vector3(-4, 3, 0));
  linalg::ReusableVector recalled;
  recall(c.set, memory, {contact_with(1, Vector3::UnitX(), true)}, recalled);  // t1 = y
  EXPECT_EQ(Vector2(recalled), Vector2(-4, 3));
}

TEST(ContactMemory, EmptyMemoryGivesZero) {
  const LawCase c({}, false);
  linalg::ReusableVector recalled = VectorX::Ones(7);
  recall(c.set, {}, {contact_with(1, Vector3::UnitY(), false)}, recalled);
  EXPECT_EQ(recalled, VectorX(VectorX::Zero(3)));
  recall(c.set, {}, {}, recalled);
  EXPECT_EQ(recalled.size(), 0);
  ContactMemory memory{{RememberedContact{}}};
  remember(c.set, {}, VectorX(), {}, {}, memory);
  EXPECT_TRUE(memory.contacts.empty());
}

// Slack adds up while a contact is open and loaded, is lost with the load, and no other contact has any.
TEST(ContactMemory, LoadedContactsHaveSlack) {
  std::vector<Contact> contacts;
  for (const int i : {1, 3, 4}) contacts.push_back(contact_with(i, Vector3::UnitY(), true));
  for (Contact& contact : contacts) contact.gap = 1e-4;
  const LawCase c({}, true);
  VectorX impulses(6);
  impulses << 1, 0, 2, 0, 0, 0;
  ContactMemory first, second, third;
  const std::vector<double> slacks = {1e-3, 2e-3, 1e-3};
  remember(c.set, contacts, impulses, slacks, {}, first);
  EXPECT_EQ(first.contacts[0].slack, 1e-3);
  EXPECT_EQ(first.contacts[1].slack, 2e-3);
  EXPECT_EQ(first.contacts[2].slack, 0);
  impulses << 1, 0, 0, 0, 1, 0;
  remember(c.set, contacts, impulses, slacks, first, second);
  EXPECT_EQ(second.contacts[0].slack, 2e-3);
  EXPECT_EQ(second.contacts[1].slack, 0);
  EXPECT_EQ(second.contacts[2].slack, 1e-3);
  contacts.erase(contacts.begin());
  remember(c.set, contacts, impulses.tail(4), std::vector<double>{2e-3, 5e-3}, second, third);
  EXPECT_EQ(third.contacts[0].slack, 0);
  EXPECT_EQ(third.contacts[1].slack, 6e-3);
  // One that closes by itself begins anew: a body that rests for hours has no more slack than one that has come.
  contacts[1].gap = -1e-6;
  remember(c.set, contacts, impulses.tail(4), std::vector<double>{2e-3, 5e-3}, third, second);
  EXPECT_EQ(second.contacts[1].slack, 5e-3);
}

// A box that stands on the corners of another, turned by an eighth and tilted by next to nothing: which of its corners
// touch does not depend on how far other contacts of the scene have been opened.
TEST(ContactMemory, SlackOfOtherContactsChangesNoPatch) {
  model::Model model;
  const math::Quaternion turn = math::exponential(Vector3(0, 0, 0.785398));
  const math::Quaternion tilt = math::exponential(5e-6 * Vector3(std::cos(2.5), std::sin(2.5), 0));
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3::Zero());
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(0, 0, 2 - 1e-6), tilt * turn);
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(100, 0, 0));
  test::add_contact(model, {test::body(0), test::body(2)}, {test::body(1)});
  test::ContactCase c(model);
  for (const double slack : {0.0, 1e-6, 1e-5, 1e-4}) {
    const ContactMemory memory{{{.key = {0, 1, 0, 2, 0}, .slack = slack}}};
    detect_closed(c.set, c.state, memory, c.contacts);
    EXPECT_GE(c.contacts.size(), 4u) << slack;
  }
}

TEST(ContactMemory, SlackKeepsALoadedContactClosedAndNoOther) {
  model::Model model;
  for (int i = 0; i < 3; ++i) test::add_ball(model, 1, 0.5, Vector3(2 * i, 0.5 + 1e-9, 0));
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0), test::body(1), test::body(2)}, {test::surface(0)});
  test::ContactCase c(model);
  ContactMemory memory;
  detect_closed(c.set, c.state, memory, c.contacts);
  EXPECT_TRUE(c.contacts.empty());
  memory.contacts = {{.key = {0, 0, 0, 3, 0}, .slack = 0.5e-9}, {.key = {0, 1, 0, 3, 0}, .slack = 2e-9}};
  detect_closed(c.set, c.state, memory, c.contacts);
  ASSERT_EQ(c.contacts.size(), 1u);
  EXPECT_EQ(c.contacts[0].key.participant_a, 1);
}

}  // namespace
}  // namespace ricochet::contact
