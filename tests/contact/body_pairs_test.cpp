#include "ricochet/contact/body_pairs.hpp"

#include <gtest/gtest.h>

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

// What a set has seen before changes nothing, nor does the number of threads.
TEST(BodyPairsProperty, ContactsDependOnTheStateAlone) {
  const model::Model model = test::heap_of_spheres(300, 4);
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
