#include "ricochet/contact/body_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "contact/contact_checks.hpp"
#include "contact/heap_model.hpp"

namespace ricochet::contact {
namespace {

void expect_same_bits(const std::vector<Contact>& a, const std::vector<Contact>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].key, b[i].key);
    EXPECT_EQ(a[i].gap, b[i].gap);
    EXPECT_EQ(a[i].law, b[i].law);
    EXPECT_EQ(a[i].point, b[i].point);
    EXPECT_EQ(a[i].axes.normal, b[i].axes.normal);
    EXPECT_EQ(a[i].axes.tangent1, b[i].axes.tangent1);
    EXPECT_EQ(a[i].arm_a, b[i].arm_a);
    EXPECT_EQ(a[i].arm_b, b[i].arm_b);
  }
}

// The heap in a corner of two planes: under its first rule bodies touch each other and one plane, two further rules are
// about planes alone, and the last about bodies alone.
model::Model heap_at_planes() {
  model::Model model = test::heap_of_spheres(300, 4);
  test::add_surface(model, Vector3(0, 0, 1), Vector3::UnitZ());
  test::add_surface(model, Vector3(1, 0, 0), Vector3::UnitX());
  const model::ContactRule all = model.contacts[0], odd = model.contacts[1];
  model.contacts.clear();
  auto bodies_and_plane = all.second;
  bodies_and_plane.push_back(test::surface(1));
  test::add_contact(model, all.first, bodies_and_plane);
  test::add_contact(model, odd.first, {test::surface(0), test::surface(1)});
  test::add_contact(model, all.first, {test::surface(0)});
  test::add_contact(model, odd.first, odd.second);
  return model;
}

// Contacts with planes and those of bodies are found in turns, in the order of rules and bodies A.
TEST(BodyPairs, PlanesComeInBetween) {
  const model::Model model = heap_at_planes();
  test::ContactCase together(model), threaded(model);
  const math::Threads two(2);
  threaded.set.use(two);
  std::vector<Contact> expected;
  for (std::size_t rule = 0; rule < model.contacts.size(); ++rule) {
    model::Model alone = model;
    alone.contacts = {model.contacts[rule]};
    for (const bool at_planes : {false, true}) {
      model::ContactRule& of = alone.contacts[0];
      of = model.contacts[rule];
      std::erase_if(of.second, [&](const model::Participant& other) { return other.surface.valid() != at_planes; });
      if (of.second.empty()) continue;
      test::ContactCase c(alone);
      c.detect(1e-3);
      EXPECT_GT(c.contacts.size(), 10u);
      for (Contact& contact : c.contacts) contact.key.rule = static_cast<int>(rule);
      expected.insert(expected.end(), c.contacts.begin(), c.contacts.end());
    }
  }
  std::sort(expected.begin(), expected.end(), [](const Contact& a, const Contact& b) { return a.key < b.key; });
  for (Contact& contact : expected) contact.law = contact.key.rule;
  for (test::ContactCase* c : {&together, &threaded}) {
    c->detect(1e-3);
    expect_same_bits(c->contacts, expected);
  }
}

// What a set has seen before changes nothing, nor does the number of threads.
TEST(BodyPairsProperty, ContactsDependOnTheStateAlone) {
  const model::Model model = heap_at_planes();
  test::ContactCase old(model);
  test::ContactCase threaded(model);
  const math::Threads two(2);
  threaded.set.use(two);
  math::Random random(3);
  for (int step = 0; step < 20; ++step) {
    const double reach = step == 7 ? 2 : 1e-3;
    test::ContactCase fresh(model);
    fresh.state = old.state;
    threaded.state = old.state;
    for (test::ContactCase* c : {&fresh, &old, &threaded}) c->detect(reach);
    EXPECT_GT(fresh.contacts.size(), 100u);
    EXPECT_TRUE(std::is_sorted(fresh.contacts.begin(), fresh.contacts.end(),
                               [](const Contact& a, const Contact& b) { return a.key < b.key; }));
    expect_same_bits(fresh.contacts, old.contacts);
    expect_same_bits(fresh.contacts, threaded.contacts);
    for (Eigen::Index i = 0; i < old.state.v.size(); ++i) old.state.v[i] = random.normal();
    mechanics::advance(old.map, old.state.q, old.state.v, step % 2 == 0 ? 0.001 : 0.1, old.state.q);
  }
}

TEST(BodyPairsProperty, MinimumGapIsThatOfAllPairs) {
  for (const int count : {2, 3, 10, 40}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      model::Model model = test::heap_of_spheres(count, seed);
      if (seed % 2 == 0) {  // nothing touches
        for (model::Node& node : model.nodes) node.position *= 10;
      }
      test::ContactCase c(model);
      c.detect(1e3);
      double all[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
      double pair = all[0], of_first = all[0];
      for (const Contact& contact : c.contacts) {
        all[contact.key.rule] = std::min(all[contact.key.rule], contact.gap);
        if (contact.key.rule == 0 && contact.key.participant_a == 0) {
          of_first = std::min(of_first, contact.gap);
          if (contact.key.participant_b == 1) pair = std::min(pair, contact.gap);
        }
      }
      EXPECT_EQ(c.set.minimum_gap(c.state, 0), all[0]);
      EXPECT_EQ(c.set.minimum_gap(c.state, 1), all[1]);
      EXPECT_EQ(c.set.minimum_gap(c.state, 0, 0, 1), pair);
      EXPECT_EQ(c.set.minimum_gap(c.state, 0, 0), of_first);
    }
  }
}

TEST(BodyPairs, AbsentBodiesTouchNothing) {
  test::ContactCase c(test::heap_of_spheres(30, 5));
  c.detect(0.2);
  const std::size_t before = c.contacts.size();
  c.state.present = VectorX::Ones(c.map.nodes());
  c.state.present[c.contacts[0].key.participant_a] = 0;
  const int absent = c.contacts[0].key.participant_a;
  c.detect(0.2);
  EXPECT_LT(c.contacts.size(), before);
  for (const Contact& contact : c.contacts) {
    EXPECT_NE(contact.key.participant_a, absent);
    EXPECT_NE(contact.key.participant_b, absent);
  }
}

}  // namespace
}  // namespace ricochet::contact
