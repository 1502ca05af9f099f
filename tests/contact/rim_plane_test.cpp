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

TEST(RimPlane, ACylinderOnItsEndStandsOnSixPoints) {
  test::ContactCase c(cylinder_on_plane({}, Vector3(0, 0, kHalfLength)));
  c.detect(0);
  ASSERT_EQ(c.contacts.size(), 6u);
  Vector3 sum = Vector3::Zero();
  for (const Contact& contact : c.contacts) {
    EXPECT_EQ(contact.gap, 0);
    EXPECT_NEAR(contact.point.head<2>().norm(), kRadius, 1e-15);
    sum += contact.point;
  }
  EXPECT_LE(sum.norm(), 1e-15);
}

// Standing flat in any orientation, also turned about its axis and with the axis along the body's x.
TEST(RimPlaneProperty, AFlatRimStandsOnSixPointsHoweverItIsTurned) {
  math::Random random(32);
  for (int i = 0; i < 50; ++i) {
    const Vector3 normal = test::random_vector3(random).normalized();
    model::Model model = cylinder_on_plane({}, Vector3::Zero());
    model::ShapePart& part = model.bodies[0].parts[0];
    part.orientation = test::random_rotation(random);
    part.position = test::random_vector3(random);
    const Vector3 axis = part.orientation.rotate(Vector3::UnitZ());
    // Turn the body so that its cylinder stands on the plane.
    const Vector3 turn = math::cross(axis, normal);
    model.nodes[0].orientation =
        math::Quaternion::from_axis_angle(turn.normalized(), std::atan2(turn.norm(), axis.dot(normal)));
    const Vector3 center = kHalfLength * normal;
    model.nodes[0].position = center - model.nodes[0].orientation.rotate(part.position);
    model.surfaces[0].normal = normal;
    test::ContactCase c(model);
    c.detect(1e-12);
    ASSERT_EQ(c.contacts.size(), 6u);
    Vector3 sum = Vector3::Zero();
    for (const Contact& contact : c.contacts) {
      EXPECT_NEAR(contact.gap, 0, 1e-14);
      EXPECT_NEAR(contact.point.norm(), kRadius, 1e-14);
      EXPECT_NEAR(normal.dot(contact.point), 0, 1e-14);
      sum += contact.point;
    }
    EXPECT_LE(sum.norm(), 1e-13);
    // Counted about the axis of the cylinder, here the normal.
    const double sixth = std::sin(std::acos(-1.0) / 3) * kRadius * kRadius;
    for (int k = 0; k < 6; ++k) {
      const Vector3 between = math::cross(c.contacts[k].point, c.contacts[(k + 1) % 6].point);
      EXPECT_NEAR(normal.dot(between), sixth, 1e-13);
    }
  }
}

// On a plane that moves and tilts the rim is measured against where the plane is.
TEST(RimPlane, FollowsAMovingPlane) {
  model::Model model = cylinder_on_plane({}, Vector3(0, 0, 1));
  model.drivers.push_back({"lift", {}, {0}, model::DrivenTranslation{}, {}});
  model.drivers[0].translation->function[2] = math::TimeFunction::constant(0.5);
  test::ContactCase c(model);
  c.state.time = 1;
  c.detect(10);
  EXPECT_NEAR(c.contacts[0].gap, 1 - kHalfLength - 0.5, 1e-15);
  EXPECT_EQ(c.contacts[0].surface_velocity, Vector3(-0.5, 0, 0));
}

// The gap is the smallest height of the circle, found by walking around it, and H v is its rate.
TEST(RimPlaneProperty, TheLowestPointIsTheLowest) {
  math::Random random(31);
  for (int i = 0; i < 100; ++i) {
    test::ContactCase c(cylinder_on_plane(test::random_rotation(random), test::random_vector3(random)));
    c.state.v = Vector6::NullaryExpr([&](Eigen::Index) { return random.normal(); });
    c.detect(100);
    ASSERT_EQ(c.contacts.size(), 12u);
    const math::Quaternion rotation = mechanics::orientation(c.map, c.state, 0);
    for (const double end : {-kHalfLength, kHalfLength}) {
      double lowest = 1e9;
      for (int step = 0; step < 3600; ++step) {
        const double angle = step * std::acos(-1.0) / 1800;
        const Vector3 point(kRadius * std::cos(angle), kRadius * std::sin(angle), end);
        lowest = std::min(lowest, (c.state.q.head<3>() + rotation.rotate(point)).z());
      }
      const Contact& contact = c.contacts[end < 0 ? 0 : 6];
      EXPECT_LE(contact.gap, lowest + 1e-15);
      EXPECT_NEAR(contact.gap, lowest, 1e-6 * kRadius);
      EXPECT_NEAR(contact.point.z(), contact.gap, 1e-15 * (1 + c.state.q.head<3>().norm()));
    }
    for (const Contact& contact : c.contacts) EXPECT_NEAR(contact.point.z(), contact.gap, 1e-14);
    // The neighbours are true points of the rim, but their rate is not that of their gap: see the header.
    std::erase_if(c.contacts, [](const Contact& contact) { return contact.key.feature_a % 6 != 0; });
    c.set.gradients(c.state, c.contacts, c.gradients);
    test::expect_consistent_gradients(c);
  }
}

}  // namespace
}  // namespace ricochet::contact
