#include "ricochet/contact/rim_plane.hpp"

#include <gtest/gtest.h>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

constexpr double kRadius = 0.3, kHalfLength = 0.2;

model::Model cylinder_on_plane(const math::Quaternion& orientation, const Vector3& position) {
  model::Model model;
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = position;
  node.orientation = orientation;
  test::add_body(model, node, 1, model::CylinderShape{kRadius, kHalfLength}, Matrix3::Identity());
  test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  return model;
}

TEST(RimPlane, ACylinderOnItsSideTouchesWithTheLowestPointOfEachRim) {
  test::ContactCase c(
      cylinder_on_plane(math::Quaternion::from_axis_angle(Vector3::UnitX(), std::acos(0.0)), Vector3(0, 0, kRadius)));
  c.detect(0);
  ASSERT_EQ(c.contacts.size(), 2u);
  EXPECT_EQ(c.set.name(c.contacts[0].key), "rule0:body0.rim0.low|surface0.plane");
  EXPECT_EQ(c.set.name(c.contacts[1].key), "rule0:body0.rim1.low|surface0.plane");
  EXPECT_LE((c.contacts[0].point - Vector3(0, kHalfLength, 0)).norm(), 1e-15);
  EXPECT_LE((c.contacts[1].point - Vector3(0, -kHalfLength, 0)).norm(), 1e-15);
}

TEST(RimPlane, ACylinderOnItsEndStandsOnThreePoints) {
  test::ContactCase c(cylinder_on_plane({}, Vector3(0, 0, kHalfLength)));
  c.detect(0);
  ASSERT_EQ(c.contacts.size(), 3u);
  Vector3 sum = Vector3::Zero();
  for (const Contact& contact : c.contacts) {
    EXPECT_EQ(contact.gap, 0);
    EXPECT_NEAR(contact.point.head<2>().norm(), kRadius, 1e-15);
    sum += contact.point;
  }
  EXPECT_LE(sum.norm(), 1e-15);
}

// The gap is the smallest height of the circle, found by walking around it, and H v is its rate.
TEST(RimPlaneProperty, TheLowestPointIsTheLowest) {
  math::Random random(31);
  for (int i = 0; i < 100; ++i) {
    test::ContactCase c(cylinder_on_plane(test::random_rotation(random), test::random_vector3(random)));
    c.state.v = Vector6::NullaryExpr([&](Eigen::Index) { return random.normal(); });
    c.detect(100);
    ASSERT_EQ(c.contacts.size(), 6u);
    const math::Quaternion rotation = mechanics::orientation(c.map, c.state, 0);
    for (const double end : {-kHalfLength, kHalfLength}) {
      double lowest = 1e9;
      for (int step = 0; step < 3600; ++step) {
        const double angle = step * std::acos(-1.0) / 1800;
        const Vector3 point(kRadius * std::cos(angle), kRadius * std::sin(angle), end);
        lowest = std::min(lowest, (c.state.q.head<3>() + rotation.rotate(point)).z());
      }
      const Contact& contact = c.contacts[end < 0 ? 0 : 3];
      EXPECT_LE(contact.gap, lowest + 1e-15);
      EXPECT_NEAR(contact.gap, lowest, 1e-6 * kRadius);
      EXPECT_NEAR(contact.point.z(), contact.gap, 1e-15 * (1 + c.state.q.head<3>().norm()));
    }
    for (const Contact& contact : c.contacts) EXPECT_NEAR(contact.point.z(), contact.gap, 1e-14);
    // The neighbours are true points of the rim, but their rate is not that of their gap: see the header.
    std::erase_if(c.contacts, [](const Contact& contact) { return contact.key.feature_a % 3 != 0; });
    c.set.gradients(c.state, c.contacts, c.gradients);
    test::expect_consistent_gradients(c);
  }
}

}  // namespace
}  // namespace ricochet::contact
