#include "ricochet/contact/ball_hollow.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();

int add_hollow(model::Model& model, const model::Shape& shape) {
  model::Node node;
  node.kind = model::NodeKind::frame;
  return test::add_body(model, node, 1, shape, Matrix3::Identity());
}

model::Model ball_in(const model::Shape& shape, const Vector3& center, double radius, bool planar = false) {
  model::Model model;
  model.planar = planar;
  test::add_ball(model, 1, radius, center);
  add_hollow(model, shape);
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  return model;
}

TEST(BallHollow, InASphereByHand) {
  test::ContactCase c(ball_in(model::HollowSphereShape{2}, Vector3(0, 0, -1), 0.5));
  c.detect(0.4);
  EXPECT_TRUE(c.contacts.empty());
  c.detect(0.5);
  ASSERT_EQ(c.contacts.size(), 1u);
  const Contact& contact = c.contacts[0];
  EXPECT_EQ(contact.gap, 0.5);
  EXPECT_EQ(contact.kind, ContactKind::carried_by_b);
  EXPECT_EQ(contact.axes.normal, Vector3::UnitZ());  // from the wall to the ball
  EXPECT_EQ(contact.point, Vector3(0, 0, -1.75));
  EXPECT_EQ(contact.arm_a, Vector3(0, 0, -0.5));
  EXPECT_EQ(contact.arm_b, Vector3(0, 0, -2));
  EXPECT_FALSE(contact.is_of_face);
  EXPECT_EQ(c.set.name(contact.key), "rule0:body0.sphere|body1.inside");
  EXPECT_EQ(c.set.minimum_gap(c.state, 0), 0.5);
}

TEST(BallHollow, InABoreThatComesFirst) {
  model::Model model;
  add_hollow(model, model::HollowCylinderShape{2, 3});
  test::add_ball(model, 1, 0.5, Vector3(1.75, 0, 2.9));
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  test::ContactCase c(model);
  c.detect(0);
  ASSERT_EQ(c.contacts.size(), 1u);
  EXPECT_EQ(c.contacts[0].gap, -0.25);
  EXPECT_EQ(c.contacts[0].kind, ContactKind::carried_by_a);
  EXPECT_EQ(c.contacts[0].axes.normal, Vector3(1, 0, 0));  // from the ball to the wall
  EXPECT_TRUE(c.contacts[0].is_of_face);
  EXPECT_EQ(c.set.name(c.contacts[0].key), "rule0:body0.inside|body1.sphere");
}

TEST(BallHollow, EndsAtItsEnds) {
  const auto gap_at = [](const model::Shape& shape, const Vector3& center, bool planar = false) {
    test::ContactCase c(ball_in(shape, center, 0.5, planar));
    c.detect(10);
    const double gap = c.set.minimum_gap(c.state, 0);
    EXPECT_EQ(c.contacts.empty(), gap == kNowhere);
    if (!c.contacts.empty()) {
      EXPECT_EQ(c.contacts[0].gap, gap);
    }
    return gap;
  };
  const model::HollowCylinderShape bore{2, 3}, endless{2};
  EXPECT_EQ(gap_at(bore, Vector3(1, 0, 3)), 0.5);
  EXPECT_EQ(gap_at(bore, Vector3(1, 0, std::nextafter(3, 4))), kNowhere);
  EXPECT_EQ(gap_at(bore, Vector3(1, 0, -3)), 0.5);
  EXPECT_EQ(gap_at(endless, Vector3(1, 0, 1e6)), 0.5);
  // Outside: up to the radius, or the half length where that is less.
  EXPECT_EQ(gap_at(endless, Vector3(4, 0, 0)), -2.5);
  EXPECT_EQ(gap_at(endless, Vector3(4.01, 0, 0)), kNowhere);
  EXPECT_EQ(gap_at(model::HollowCylinderShape{2, 1}, Vector3(3, 0, 0)), -1.5);
  EXPECT_EQ(gap_at(model::HollowCylinderShape{2, 1}, Vector3(3.01, 0, 0)), kNowhere);
  EXPECT_EQ(gap_at(model::HollowSphereShape{2}, Vector3(0, 0, 4)), -2.5);
  EXPECT_EQ(gap_at(model::HollowSphereShape{2}, Vector3(0, 0, 4.01)), kNowhere);
  // In the plane both are circles, whatever the length.
  EXPECT_EQ(gap_at(model::HollowSphereShape{2}, Vector3(0, -1, 0), true), 0.5);
  EXPECT_EQ(gap_at(model::HollowCylinderShape{2, 0.125}, Vector3(0, -1, 0), true), 0.5);
  EXPECT_EQ(gap_at(model::HollowCylinderShape{2, 0.125}, Vector3(0, -4, 0), true), -2.5);
}

// Every convex body touches a sphere from inside with its corners, a capsule with its ends.
TEST(BallHollow, CornersAndEndsOfOtherShapesTouch) {
  model::Model model;
  add_hollow(model, model::HollowSphereShape{3});
  test::add_box(model, 1, Vector3(1, 2, 2), Vector3::Zero());
  test::add_box(model, 1, Vector3(1, 2, 2), Vector3::Zero());
  model.bodies[2].parts[0].shape = model::CapsuleShape{1, 1.75};
  test::add_contact(model, {test::body(0)}, {test::body(1), test::body(2)});
  test::ContactCase c(model);
  c.detect(0.5);
  ASSERT_EQ(c.contacts.size(), 10u);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(c.contacts[i].gap, i < 8 ? 0 : 0.25, 1e-15);
  EXPECT_EQ(c.set.name(c.contacts[9].key), "rule0:body0.inside|body2.end1");
}

TEST(BallHollow, Bounds) {
  const BodyPlace there = {Vector3(1, 2, 3), math::Quaternion::from_axis_angle(Vector3::UnitX(), std::acos(0.0)), true};
  const HollowOfBody bore = make_hollow(model::HollowCylinderShape{2, 3}, Vector3::Zero(), {}, false);
  const geometry::Bounds box = hollow_bounds(bore, there);  // the axis lies along y
  EXPECT_LE((box.upper - Vector3(5, 5, 7)).norm(), 1e-12);
  EXPECT_LE((box.lower - Vector3(-3, -1, -1)).norm(), 1e-12);
  EXPECT_EQ(hollow_radius(bore), 5);
  const HollowOfBody sphere = make_hollow(model::HollowSphereShape{2}, Vector3::Zero(), false);
  EXPECT_EQ(hollow_bounds(sphere, there).upper, Vector3(5, 6, 7));
  EXPECT_EQ(hollow_radius(sphere), 4);
  const HollowOfBody endless = make_hollow(model::HollowCylinderShape{2}, Vector3::Zero(), {}, false);
  EXPECT_EQ(hollow_bounds(endless, there).lower.y(), -kNowhere);
  EXPECT_EQ(hollow_radius(endless), kNowhere);
  EXPECT_EQ(hollow_radius(make_hollow(model::HollowCylinderShape{2}, Vector3::Zero(), {}, true)), 4);
}

// Hollows of all kinds and what they hold, in any order, in the plane and in space: exactly what the closed form says
// is found, and the gap changes as H v says.
TEST(BallHollowProperty, GapIsThatOfTheClosedForm) {
  math::Random random(51);
  std::size_t found = 0;
  for (int run = 0; run < 200; ++run) {
    const bool planar = run % 2 == 0;
    model::Model model;
    model.planar = planar;
    std::vector<model::Participant> hollows, others;
    for (int i = 0; i < 8; ++i) {
      const bool is_hollow = random.uniform(0, 1) < 0.5;
      model::Shape shape = model::SphereShape{random.uniform(0.1, 1)};
      if (i == 5 && !is_hollow) shape = model::BoxShape{Vector3(0.3, 0.5, 0.7)};
      if (is_hollow && i % 3 == 0) shape = model::HollowSphereShape{random.uniform(1, 4)};
      if (is_hollow && i % 3 == 1) shape = model::HollowCylinderShape{random.uniform(1, 4), random.uniform(1, 3)};
      if (is_hollow && i % 3 == 2) shape = model::HollowCylinderShape{random.uniform(1, 4)};
      test::add_random_frame(model, random, shape);
      model::ShapePart& part = model.bodies.back().parts[0];
      part.position = test::random_vector3(random);
      part.orientation = test::random_rotation(random);
      if (planar) {
        const auto turn = [&] { return math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(0, 6)); };
        model::Node& node = model.nodes.back();
        node.position.z() = node.velocity.z() = 0;
        node.angular_velocity.head<2>().setZero();
        node.orientation = turn();
        part.orientation = turn();
        part.position.z() = 0;
      }
      (is_hollow ? hollows : others).push_back(test::body(i));
    }
    if (hollows.empty() || others.empty()) continue;
    test::add_contact(model, hollows, others);
    test::ContactCase c(model);
    c.state.v *= 0.3;
    const double reach = random.uniform(-0.5, 1.5);
    c.detect(reach);
    std::size_t expected = 0;
    for (const model::Participant& hollow : hollows) {
      const model::ShapePart& part = model.bodies[hollow.body.index].parts[0];
      const auto* sphere = std::get_if<model::HollowSphereShape>(&part.shape);
      const auto* bore = std::get_if<model::HollowCylinderShape>(&part.shape);
      const double radius = sphere != nullptr ? sphere->radius : bore->radius;
      const double half_length = sphere != nullptr || planar ? kNowhere : bore->half_length;
      const model::Node& node = model.nodes[hollow.body.index];
      const Matrix3 axes = (node.orientation * part.orientation).matrix();
      const Vector3 middle = node.position + node.orientation.rotate(part.position);
      for (const model::Participant& other : others) {
        const model::Node& at = model.nodes[other.body.index];
        for (const Feature& ball : features_of(model.bodies[other.body.index], planar)) {
          const Vector3 d = axes.transpose() * (at.position + at.orientation.rotate(ball.offset) - middle);
          const double distance = sphere != nullptr ? d.norm() : d.head<2>().norm();
          if (sphere == nullptr && std::abs(d.z()) > half_length) continue;
          if (distance > radius + std::min(radius, half_length)) continue;
          const double gap = radius - ball.radius - distance;
          if (gap > reach) continue;
          ++expected;
          EXPECT_TRUE(std::any_of(c.contacts.begin(), c.contacts.end(), [&](const Contact& contact) {
            const bool is_a = contact.key.participant_a == other.body.index;
            return std::abs(contact.gap - gap) <= 1e-13 &&
                   (is_a ? contact.key.participant_b : contact.key.participant_a) == hollow.body.index;
          }));
        }
      }
    }
    EXPECT_EQ(c.contacts.size(), expected);
    found += expected;
    std::erase_if(c.contacts, [](const Contact& contact) {  // near the middle differences err
      return contact.radius_a + contact.radius_b + contact.gap > -0.3;
    });
    c.set.gradients(c.state, c.contacts, c.gradients);
    test::expect_consistent_gradients(c);
  }
  EXPECT_GT(found, 500u);
}

}  // namespace
}  // namespace ricochet::contact
