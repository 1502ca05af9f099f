#include "ricochet/contact/solid_pair.hpp"

#include <fmt/format.h>
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
  const auto length = [&] { return random.uniform(0.3, 1); };
  switch (kind) {
    case 0:
      return model::BoxShape{Vector3(length(), length(), length())};
    case 1:
      return model::SphereShape{length()};
    case 2:
      return model::CapsuleShape{length(), length()};
    case 3:
      return model::CylinderShape{length(), length()};
    case 4:
      return model::ConeShape{length(), 2 * length()};
    default:
      break;
  }
  std::vector<Vector3> points;
  for (int i = 0; i < 12; ++i) points.push_back(test::random_vector3(random, 0.6));
  return model::convex_hull(points);
}

constexpr int kKinds = 6;

// Of all pairs of shapes, near and apart: the gap changes as H v says, that of each contact and the true distance.
TEST(SolidPairProperty, GradientIsTheRateOfTheGap) {
  math::Random random(7);
  int cases = 0, smooth = 0;
  for (int i = 0; i < 20 * kKinds * kKinds; ++i) {
    model::Model model;
    for (int k = 0; k < 2; ++k) {
      test::add_random_frame(model, random, random_solid(random, k == 0 ? i % kKinds : i / kKinds % kKinds));
      model.bodies.back().parts[0].position = test::random_vector3(random, 0.3);
      model.bodies.back().parts[0].orientation = test::random_rotation(random);
    }
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    test::ContactCase c(model);
    c.state.v *= 0.3;  // differences err with its cube over the square of the distance of centres
    const double least = c.set.minimum_gap(c.state, 0);
    if (least < -0.2) continue;  // so deep that another way out may be shorter
    ++cases;
    c.detect(1e3);
    SCOPED_TRACE(fmt::format("{} and {}, gap {}", model::shape_name(model.bodies[0]),
                             model::shape_name(model.bodies[1]), least));
    ASSERT_GE(c.contacts.size(), 1u);
    test::expect_consistent_gradients(c);
    const auto by_gap = [](const Contact& a, const Contact& b) { return a.gap < b.gap; };
    const auto deepest = std::min_element(c.contacts.begin(), c.contacts.end(), by_gap);
    EXPECT_NEAR(least, deepest->gap, 1e-9);
    VectorX u = VectorX::Zero(c.gradients.scalar_rows());
    c.gradients.multiply_add(c.state.v, u);
    const double small = 1e-5;
    mechanics::State later = c.state, earlier = c.state;
    mechanics::advance(c.map, c.state.q, c.state.v, small, later.q);
    mechanics::advance(c.map, c.state.q, c.state.v, -small, earlier.q);
    const double after = c.set.minimum_gap(later, 0), before = c.set.minimum_gap(earlier, 0);
    // Where another feature takes over between the two, the rate jumps; curvature changes it by far less.
    if (std::abs(after + before - 2 * least) > 1e-7) continue;
    ++smooth;
    EXPECT_NEAR(u[3 * (deepest - c.contacts.begin())], (after - before) / (2 * small), 1e-4);
  }
  EXPECT_GT(cases, 500);
  EXPECT_GT(smooth, cases * 9 / 10);
}

// The same in the plane, where a capsule lies in it, a cylinder is a disc and a polyhedron its outline.
TEST(SolidPairProperty, GradientIsTheRateOfTheGapInThePlane) {
  math::Random random(11);
  const math::Quaternion lying = math::Quaternion::from_axis_angle(Vector3::UnitY(), std::acos(0.0));
  int cases = 0, smooth = 0;
  for (int i = 0; i < 20 * kKinds * kKinds; ++i) {
    model::Model model;
    model.planar = true;
    for (int k = 0; k < 2; ++k) {
      const int kind = k == 0 ? i % kKinds : i / kKinds % kKinds;
      test::add_random_frame(model, random, random_solid(random, kind));
      model::Node& node = model.nodes.back();
      node.position.z() = 0;
      node.orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(0, 6));
      node.velocity.z() = 0;
      node.angular_velocity = Vector3(0, 0, random.normal());
      model::ShapePart& part = model.bodies.back().parts[0];
      part.position = Vector3(random.normal(), random.normal(), 0);
      part.orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(0, 6));
      if (kind == 2) part.orientation = part.orientation * lying;
    }
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    test::ContactCase c(model);
    c.state.v *= 0.3;  // differences err with its cube over the square of the distance of centres
    const double least = c.set.minimum_gap(c.state, 0);
    if (least < -0.2) continue;  // so deep that another way out may be shorter
    ++cases;
    c.detect(1e3);
    SCOPED_TRACE(fmt::format("{} and {}", model::shape_name(model.bodies[0]), model::shape_name(model.bodies[1])));
    ASSERT_GE(c.contacts.size(), 1u);
    EXPECT_LE(c.contacts.size(), 2u);
    for (const Contact& contact : c.contacts) EXPECT_EQ(contact.axes.normal.z(), 0);
    test::expect_consistent_gradients(c);
    const auto by_gap = [](const Contact& a, const Contact& b) { return a.gap < b.gap; };
    const auto deepest = std::min_element(c.contacts.begin(), c.contacts.end(), by_gap);
    EXPECT_NEAR(least, deepest->gap, 1e-12);
    VectorX u = VectorX::Zero(c.gradients.scalar_rows());
    c.gradients.multiply_add(c.state.v, u);
    const double small = 1e-5;
    mechanics::State later = c.state, earlier = c.state;
    mechanics::advance(c.map, c.state.q, c.state.v, small, later.q);
    mechanics::advance(c.map, c.state.q, c.state.v, -small, earlier.q);
    const double after = c.set.minimum_gap(later, 0), before = c.set.minimum_gap(earlier, 0);
    if (std::abs(after + before - 2 * least) > 1e-7) continue;
    ++smooth;
    EXPECT_NEAR(u[2 * (deepest - c.contacts.begin())], (after - before) / (2 * small), 1e-6);
  }
  EXPECT_GT(cases, 500);
  EXPECT_GT(smooth, cases * 9 / 10);
}

TEST(SolidPair, ABoxOnABoxInThePlane) {
  model::Model model;
  model.planar = true;
  test::add_box(model, 1, Vector3(1, 0.5, 0.1), Vector3(0, 0.5, 0));
  test::add_box(model, 1, Vector3(0.5, 0.5, 3), Vector3(0.75, 1.5, 0));
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  test::ContactCase c(model);
  c.detect(1e-6);
  EXPECT_THAT(names_of(c), ElementsAre("rule0:body0.corner3|body1.edge0", "rule0:body0.edge2|body1.corner0"));
  EXPECT_NEAR(c.contacts[0].gap, 0, 1e-15);
  EXPECT_NEAR(c.contacts[0].point.x(), 1, 1e-15);
  EXPECT_NEAR(c.contacts[1].point.x(), 0.25, 1e-15);
}

// A ball, a capsule and a cylinder roll over a box: their gap is exact also after a finite step.
TEST(SolidPair, RoundBodiesRoll) {
  const std::vector<model::Shape> shapes = {model::SphereShape{0.25}, model::CapsuleShape{0.25, 0.5},
                                            model::CylinderShape{0.25, 0.5}};
  for (const model::Shape& shape : shapes) {
    model::Model model;
    test::add_box(model, 1, Vector3(5, 0.5, 5), Vector3(0, -0.5, 0));
    test::add_ball(model, 1, 0.25, Vector3(0, 0.25, 0));
    model.bodies[1].parts[0].shape = shape;  // the axis is z
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    test::ContactCase c(model);
    c.detect(1e-6);
    ASSERT_EQ(c.contacts.size(), std::holds_alternative<model::SphereShape>(shape) ? 1u : 2u);
    mechanics::State later = c.state;
    c.state.v.setZero();
    c.state.v.segment<6>(6) << -0.25 * 7, 0, 0, 0, 0, 7;  // rolls
    mechanics::advance(c.map, c.state.q, c.state.v, 0.1, later.q);
    for (const Contact& contact : c.contacts) {
      EXPECT_NEAR(c.set.gap(contact, later), 0, 1e-14);
      EXPECT_NEAR(c.set.point(contact, later).x(), -0.0875, 1e-14);  // half way: A's point has stayed
    }
  }
}

}  // namespace
}  // namespace ricochet::contact
