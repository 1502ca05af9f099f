#include "ricochet/contact/point_plane.hpp"

#include <gtest/gtest.h>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

TEST(PointPlane, Ball) {
  model::Model model;
  test::add_ball(model, 1, 0.5, Vector3(3, 2, 1));
  test::add_surface(model, Vector3(0, 1, 7), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  test::ContactCase c(model);
  c.detect(0.4);
  EXPECT_TRUE(c.contacts.empty());
  c.detect(0.5);
  ASSERT_EQ(c.contacts.size(), 1u);
  EXPECT_DOUBLE_EQ(c.contacts[0].gap, 0.5);
  EXPECT_EQ(c.contacts[0].point, Vector3(3, 1.5, 1));
  EXPECT_EQ(c.contacts[0].arm_a, Vector3(0, -0.5, 0));
  EXPECT_EQ(c.contacts[0].node_a.index, 0);
  EXPECT_FALSE(c.contacts[0].node_b.valid());
  EXPECT_EQ(c.contacts[0].axes.normal, Vector3::UnitY());
}

// A ball that rolls: the contact point is at rest. v = omega x r n, along +x for omega about -z.
TEST(PointPlane, RollingBallDoesNotSlip) {
  model::Model model;
  test::add_ball(model, 1, 0.5, Vector3(0, 0.5, 0), Vector3(3, 0, 0));
  model.nodes[0].angular_velocity = Vector3(0, 0, -6);
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  test::ContactCase c(model);
  c.detect(0);
  VectorX u = VectorX::Zero(3);
  c.gradients.multiply_add(c.state.v, u);
  EXPECT_LE(u.norm(), 1e-15);
}

TEST(PointPlane, FollowsAPlaneThatTilts) {
  model::Model model;
  test::add_ball(model, 1, 0.5, Vector3(2, 0, 1));
  test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  model.drivers.push_back({"tilt", {}, {0}, {}, model::DrivenRotation{}});
  model.drivers[0].rotation->function = math::TimeFunction::constant(0.3);
  model.drivers[0].rotation->axis = Vector3::UnitY();
  test::ContactCase c(model);
  c.state.time = 2;
  c.detect(10);
  ASSERT_EQ(c.contacts.size(), 1u);
  const Vector3 normal(std::sin(0.6), 0, std::cos(0.6));
  EXPECT_LE((c.contacts[0].axes.normal - normal).norm(), 1e-15);
  EXPECT_NEAR(c.contacts[0].gap, normal.dot(Vector3(2, 0, 1)) - 0.5, 1e-15);
  EXPECT_EQ(c.set.gap(c.contacts[0], c.state), c.contacts[0].gap);
  // The plane runs away or comes: the rate of the gap at rest is -n . (omega x point).
  mechanics::State later = c.state;
  later.time += 1e-6;
  EXPECT_TRUE(c.set.has_explicit_velocities());
  EXPECT_NEAR(c.contacts[0].surface_velocity[0], (c.set.gap(c.contacts[0], later) - c.contacts[0].gap) / 1e-6, 1e-5);
}

TEST(PointPlane, PlanarBoxTouchesWithTheCornersBelow) {
  model::Model model;
  model.planar = true;
  test::add_box(model, 1, Vector3(2, 1, 1), Vector3(0, 1, 0));
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  test::ContactCase c(model);
  c.detect(0);
  ASSERT_EQ(c.contacts.size(), 2u);
  EXPECT_EQ(c.contacts[0].key, (ContactKey{0, 0, 0, 1, 0}));
  EXPECT_EQ(c.contacts[1].key, (ContactKey{0, 0, 1, 1, 0}));
  EXPECT_EQ(c.contacts[1].point, Vector3(2, 0, 0));
  const MatrixX h = c.gradients.dense();
  MatrixX expected(4, 6);  // n = y, t1 = -x; torque of n at (+-2, -1) is +-2, of t1 is -1
  expected << 0, 1, 0, 0, 0, -2, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 2, -1, 0, 0, 0, 0, -1;
  EXPECT_LE((h - expected).norm(), 1e-15);
}

// A gap of a few units in the last place counts as closed, whatever the scale; a real gap does not.
TEST(PointPlane, RoundingIsNotAGap) {
  for (const double scale : {1.0, 1e-6, 1e6}) {
    model::Model model;
    test::add_ball(model, 1, 0.1 * scale, Vector3(0, 0.3 * scale, 0));
    test::add_surface(model, Vector3(0, 0.2 * scale, 0), Vector3::UnitY());
    test::add_contact(model, {test::body(0)}, {test::surface(0)});
    test::ContactCase c(model);
    c.state.q[1] = 0.3 * scale * (1 + 8e-16);
    c.detect(0);
    EXPECT_EQ(c.contacts.size(), 1u);
    c.state.q[1] = 0.3 * scale * (1 + 1e-12);
    c.detect(0);
    EXPECT_TRUE(c.contacts.empty());
  }
}

// The corner of a long thin box: what is rounded is the arm, not the position of the centre.
TEST(PointPlane, RoundingOfALongArmIsNotAGap) {
  model::Model model;
  model.planar = true;
  const double half_length = 1000, half_height = 0x1p-10;
  test::add_box(model, 1, Vector3(half_length, half_height, 1), Vector3(0, half_height, 0));
  test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(0)});
  test::ContactCase c(model);
  c.state.q[6] = 1e-16;  // sin of half the angle: turned by less than can be told from zero in w
  c.detect(0);
  EXPECT_EQ(c.contacts.size(), 2u);
}

TEST(PointPlaneProperty, GradientIsTheRateOfTheGap) {
  math::Random random(2);
  for (int i = 0; i < 300; ++i) {
    model::Model model;
    model.planar = i % 3 == 0;
    test::add_random_point(model, random);
    test::add_random_frame(model, random, model::SphereShape{random.uniform(0.1, 1)});
    test::add_random_frame(model, random, model::BoxShape{Vector3(1, 0.5, 0.7)});
    if (model.planar) {
      for (model::Node& node : model.nodes) {
        node.position.z() = 0;
        node.orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(0, 6));
      }
    }
    Vector3 normal = test::random_vector3(random);
    if (model.planar) normal.z() = 0;
    test::add_surface(model, test::random_vector3(random), normal.normalized());
    test::add_contact(model, {test::surface(0)}, {test::body(0), test::body(1), test::body(2)});
    test::ContactCase c(model);
    c.detect(1e3);
    EXPECT_EQ(c.contacts.size(), model.planar ? 6u : 10u);
    test::expect_consistent_gradients(c);
    for (const Contact& contact : c.contacts) {
      const double distance = contact.axes.normal.dot(contact.point - model.surfaces[0].point);
      EXPECT_NEAR(distance, contact.gap, 1e-13);
    }
  }
}

}  // namespace
}  // namespace ricochet::contact
