#include "ricochet/contact/sphere_sphere.hpp"

#include <gtest/gtest.h>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

model::Model two_spheres(const Vector3& first, const Vector3& second) {
  model::Model model;
  test::add_ball(model, 1, 0.5, first);
  test::add_ball(model, 1, 1, second);
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  return model;
}

TEST(SphereSphere, ByHand) {
  test::ContactCase c(two_spheres(Vector3(3, 0, 0), Vector3(1, 0, 0)));
  c.detect(0.4);
  EXPECT_TRUE(c.contacts.empty());
  c.detect(0.5);
  ASSERT_EQ(c.contacts.size(), 1u);
  const Contact& contact = c.contacts[0];
  EXPECT_EQ(contact.gap, 0.5);
  EXPECT_EQ(contact.axes.normal, Vector3::UnitX());  // from B towards A
  EXPECT_EQ(contact.point, Vector3(2.25, 0, 0));     // in the middle of the gap
  EXPECT_EQ(contact.arm_a, Vector3(-0.5, 0, 0));
  EXPECT_EQ(contact.arm_b, Vector3(1, 0, 0));
  EXPECT_EQ(c.set.minimum_gap(c.state, 0), 0.5);
}

TEST(SphereSphere, Concentric) {
  test::ContactCase c(two_spheres(Vector3(1, 2, 3), Vector3(1, 2, 3)));
  c.detect(0);
  ASSERT_EQ(c.contacts.size(), 1u);
  EXPECT_EQ(c.contacts[0].gap, -1.5);
  test::expect_right_handed(c.contacts[0].axes);
  EXPECT_TRUE(c.gradients.dense().allFinite());
}

TEST(SphereSphere, RoundingIsNotAGap) {
  for (const double scale : {1.0, 1e-6, 1e6}) {
    for (const double extra : {8e-16, 1e-11}) {
      model::Model model;
      test::add_ball(model, 1, 0.1 * scale, Vector3(0.4 * scale * (1 + extra), 0, 0));
      test::add_ball(model, 1, 0.2 * scale, Vector3(0.1 * scale, 0, 0));
      test::add_contact(model, {test::body(0)}, {test::body(1)});
      test::ContactCase c(model);
      c.detect(0);
      EXPECT_EQ(c.contacts.size(), extra < 1e-12 ? 1u : 0u);
    }
  }
}

TEST(SphereSphereProperty, GradientIsTheRateOfTheGap) {
  math::Random random(3);
  for (int i = 0; i < 300; ++i) {
    model::Model model;
    model.planar = i % 3 == 0;
    for (int k = 0; k < 3; ++k) test::add_random_frame(model, random, model::SphereShape{random.uniform(0.1, 1)});
    test::add_random_point(model, random);
    model.bodies[3].parts = {{model::SphereShape{0.3}}};  // a sphere that cannot turn
    if (model.planar) {
      for (model::Node& node : model.nodes) {
        node.position.z() = 0;
        node.orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(0, 6));
      }
    }
    const std::vector<model::Participant> all = {test::body(3), test::body(0), test::body(2), test::body(1)};
    test::add_contact(model, all, all);
    test::ContactCase c(model);
    c.detect(1e3);
    EXPECT_EQ(c.contacts.size(), 6u);
    test::expect_consistent_gradients(c);
    for (const Contact& contact : c.contacts) {
      const Vector3 between = mechanics::position(c.map, c.state, contact.node_a.index) -
                              mechanics::position(c.map, c.state, contact.node_b.index);
      EXPECT_GT(between.dot(contact.axes.normal), 0);
    }
  }
}

}  // namespace
}  // namespace ricochet::contact
