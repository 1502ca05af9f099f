#include "ricochet/contact/solid_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "contact/contact_checks.hpp"
#include "ricochet/model/convex_hull.hpp"

namespace ricochet::contact {
namespace {

using testing::ElementsAre;

model::Model two_boxes(const Vector3& upper, const math::Quaternion& turned = {}) {
  model::Model model;
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(0, 1, 0));
  test::add_box(model, 1, Vector3(0.5, 0.5, 0.5), upper, turned);
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  return model;
}

std::vector<std::string> names_of(const test::ContactCase& c) {
  std::vector<std::string> names;
  for (const Contact& contact : c.contacts) names.push_back(c.set.name(contact.key));
  return names;
}

TEST(SolidPair, ABoxOnABoxStandsOnFourCorners) {
  test::ContactCase c(two_boxes(Vector3(0.25, 2.5 + 1e-3, 0.125)));
  c.detect(0);
  EXPECT_TRUE(c.contacts.empty());
  c.detect(1e-2);
  EXPECT_THAT(names_of(c), ElementsAre("rule0:body0.face3|body1.corner0", "rule0:body0.face3|body1.corner1",
                                       "rule0:body0.face3|body1.corner4", "rule0:body0.face3|body1.corner5"));
  for (const Contact& contact : c.contacts) {
    EXPECT_LE((contact.axes.normal + Vector3::UnitY()).norm(), 1e-15);  // from B, the upper one, towards A
    EXPECT_NEAR(contact.gap, 1e-3, 1e-15);
    EXPECT_NEAR(contact.point.y(), 2 + 0.5e-3, 1e-15);
    EXPECT_EQ(contact.node_a.index, 0);
    EXPECT_EQ(contact.node_b.index, 1);
  }
  EXPECT_NEAR(c.set.minimum_gap(c.state, 0), 1e-3, 1e-15);
}

// A small turn about any axis leaves the identities as they are.
TEST(SolidPair, IdentitiesAreStable) {
  math::Random random(3);
  test::ContactCase straight(two_boxes(Vector3(0.25, 2.5, 0.125)));
  straight.detect(1e-3);
  for (int i = 0; i < 100; ++i) {
    const math::Quaternion turned = math::exponential(test::random_vector3(random, 1e-6));
    test::ContactCase c(two_boxes(Vector3(0.25, 2.5, 0.125) + test::random_vector3(random, 1e-6), turned));
    c.detect(1e-3);
    EXPECT_EQ(names_of(c), names_of(straight));
  }
}

TEST(SolidPair, EdgesThatCross) {
  const double half = std::sqrt(0.5);
  model::Model model;
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3::Zero(),
                math::Quaternion::from_axis_angle(Vector3::UnitZ(), M_PI / 4));
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(0, 4 * half + 0.25, 0),
                math::Quaternion::from_axis_angle(Vector3::UnitX(), M_PI / 4));
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  test::ContactCase c(model);
  c.detect(1);
  ASSERT_EQ(c.contacts.size(), 1u);
  EXPECT_NEAR(c.contacts[0].gap, 0.25, 1e-14);
  EXPECT_LE((c.contacts[0].axes.normal + Vector3::UnitY()).norm(), 1e-14);
  EXPECT_THAT(names_of(c)[0], testing::ContainsRegex("body0.edge[0-9]+.body1.edge[0-9]+"));
}

// In a compound features carry the name of the part.
TEST(SolidPair, PartsOfCompounds) {
  model::Model model = two_boxes(Vector3(3, 2.5, 0));
  model.bodies[0].parts.push_back({model::BoxShape{Vector3(1, 1, 1)}, Vector3(3, 0, 0), {}, "right"});
  model.bodies[0].parts[0].name = "left";
  test::ContactCase c(model);
  c.detect(1e-3);
  EXPECT_THAT(names_of(c),
              ElementsAre("rule0:body0.right.face3|body1.corner0", "rule0:body0.right.face3|body1.corner1",
                          "rule0:body0.right.face3|body1.corner4", "rule0:body0.right.face3|body1.corner5"));
}

model::Shape random_solid(math::Random& random, int kind) {
  if (kind == 0)
    return model::BoxShape{Vector3(random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1))};
  std::vector<Vector3> points;
  for (int i = 0; i < 12; ++i) points.push_back(test::random_vector3(random, 0.6));
  return model::convex_hull(points);
}

// Near and apart: the gap changes as H v says, that of each contact and the true distance.
TEST(SolidPairProperty, GradientIsTheRateOfTheGap) {
  math::Random random(7);
  int distances = 0;
  for (int i = 0; i < 300; ++i) {
    model::Model model;
    for (int k = 0; k < 2; ++k) {
      test::add_random_frame(model, random, random_solid(random, (i + k) % 2));
      model.bodies.back().parts[0].position = test::random_vector3(random, 0.3);
      model.bodies.back().parts[0].orientation = test::random_rotation(random);
      model.nodes.back().position *= 0.4;
    }
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    test::ContactCase c(model);
    c.detect(1e3);
    ASSERT_GE(c.contacts.size(), 1u);
    test::expect_consistent_gradients(c);
    const double least = c.set.minimum_gap(c.state, 0);
    const auto by_gap = [](const Contact& a, const Contact& b) { return a.gap < b.gap; };
    const auto deepest = std::min_element(c.contacts.begin(), c.contacts.end(), by_gap);
    EXPECT_NEAR(least, deepest->gap, 1e-12);
    VectorX u = VectorX::Zero(c.gradients.scalar_rows());
    c.gradients.multiply_add(c.state.v, u);
    const double small = 1e-7;
    mechanics::State later = c.state, earlier = c.state;
    mechanics::advance(c.map, c.state.q, c.state.v, small, later.q);
    mechanics::advance(c.map, c.state.q, c.state.v, -small, earlier.q);
    const double after = c.set.minimum_gap(later, 0), before = c.set.minimum_gap(earlier, 0);
    // Where another feature takes over between the two, the rate jumps.
    if (std::abs(after + before - 2 * least) > 1e-11) continue;
    ++distances;
    EXPECT_NEAR(u[3 * (deepest - c.contacts.begin())], (after - before) / (2 * small), 1e-5);
  }
  EXPECT_GT(distances, 250);
}

}  // namespace
}  // namespace ricochet::contact
