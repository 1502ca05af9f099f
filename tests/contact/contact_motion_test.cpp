#include "ricochet/contact/contact_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/motion_checks.hpp"

namespace ricochet::contact {
namespace {

using test::expect_derivatives;
using test::force_of;
using test::gap_and_slip;
using test::kRolling;
using test::MotionCase;
using test::moved;

model::Model box_on_plane() {
  model::Model model;
  test::add_box(model, 2, Vector3(0.5, 0.25, 0.4), Vector3(0, 0.25, 0));
  const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(ground)});
  return model;
}

model::Model boxes(const Vector3& upper) {
  model::Model model;
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(0, 1, 0));
  test::add_box(model, 1, Vector3(0.5, 0.5, 0.5), upper);
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  return model;
}

model::Model tin_on_plane(const math::Quaternion& orientation, double height) {
  model::Model model;
  test::add_cylinder(model, 2, 0.5, 0.4, Vector3(0, 0, height), orientation);
  const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitZ());
  test::add_contact(model, {test::body(0)}, {test::surface(ground)});
  return model;
}

model::Model two_balls() {
  model::Model model;
  test::add_ball(model, 1, 0.5, Vector3(0, 0, 0));
  test::add_ball(model, 2, 0.25, Vector3(0.6, 0.4, 0.2));
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  return model;
}

model::Model ball_on_plane() {
  model::Model model;
  test::add_ball(model, 1, 0.5, Vector3(0, 0.5, 0));
  const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(0)}, {test::surface(ground)});
  return model;
}

TEST(ContactMotion, CornersOnAPlane) {
  math::Random random(1);
  MotionCase c(box_on_plane());
  expect_derivatives(c, random);
}

// A rim that stands flat has legs: points of the body, as corners are.
TEST(ContactMotion, LegsOfATinOnAPlane) {
  math::Random random(22);
  for (const math::Quaternion& orientation :
       {math::Quaternion{}, math::Quaternion::from_axis_angle(Vector3(0.6, 0.8, 0), 0.02)}) {
    MotionCase c(tin_on_plane(orientation, 0.4));
    ASSERT_EQ(c.contacts.size(), 6u);
    expect_derivatives(c, random);
  }
}

// The lowest point of one that leans is another point of the body in the next moment.
TEST(ContactMotion, TheLowestPointOfARimIsNotFixedInTheBody) {
  const math::Quaternion leaning = math::Quaternion::from_axis_angle(Vector3::UnitX(), 0.5);
  MotionCase c(tin_on_plane(leaning, 0.4 * std::cos(0.5) + 0.5 * std::sin(0.5)));
  ASSERT_EQ(c.contacts.size(), 1u);
  const ContactMotion motion(c.set, c.begin);
  motion.carry(c.state, c.contacts);
  EXPECT_EQ(c.contacts.front().kind, ContactKind::rim_plane);
  mechanics::State now = c.state;
  const math::Quaternion turned = leaning * math::Quaternion::from_axis_angle(Vector3::UnitZ(), 1);
  now.q.segment<4>(3) << turned.w, turned.x, turned.y, turned.z;
  EXPECT_NEAR(gap_and_slip(c, c.contacts.front(), now)[0], 0, 1e-15);
}

TEST(ContactMotion, CornersOnTheFaceOfABodyThatTurns) {
  math::Random random(2);
  MotionCase c(boxes(Vector3(0.25, 2.5, 0.125)));
  EXPECT_EQ(c.contacts.front().kind, ContactKind::carried_by_a);
  expect_derivatives(c, random);
}

TEST(ContactMotion, TheSameFromTheOtherSide) {
  math::Random random(3);
  model::Model model;
  test::add_box(model, 1, Vector3(0.5, 0.5, 0.5), Vector3(0.25, 2.5, 0.125));
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(0, 1, 0));
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  MotionCase c(model);
  EXPECT_EQ(c.contacts.front().kind, ContactKind::carried_by_b);
  expect_derivatives(c, random);
}

TEST(ContactMotion, ABallOnAPlane) {
  math::Random random(4);
  MotionCase c(ball_on_plane());
  expect_derivatives(c, random, kRolling);
}

TEST(ContactMotion, ABallOnABox) {
  math::Random random(5);
  model::Model model;
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(0, 1, 0));
  test::add_ball(model, 1, 0.5, Vector3(0.2, 2.5, 0.1));
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  MotionCase c(model);
  expect_derivatives(c, random, kRolling);
}

TEST(ContactMotion, TwoBalls) {
  math::Random random(6);
  MotionCase c(two_balls());
  expect_derivatives(c, random, kRolling);
}

TEST(ContactMotion, TwoBallsWithoutFrictionHaveAnExactCurvature) {
  math::Random random(7);
  MotionCase c(two_balls());
  ASSERT_EQ(c.contacts.size(), 1);
  mechanics::test::DenseMass curvature(c.map);
  const ContactMotion motion(c.set, c.begin);
  const VectorX r = Vector3(2, 0, 0);
  motion.add_curvature(c.state, c.contacts, r, 1, curvature);
  for (int component = 0; component < c.map.v_total(); ++component) {
    const VectorX change = (force_of(c, c.contacts, moved(c, c.state, component, 1e-5), r) -
                            force_of(c, c.contacts, moved(c, c.state, component, -1e-5), r)) /
                           2e-5;
    EXPECT_LE((curvature.matrix().col(component) - change).lpNorm<Eigen::Infinity>(), 1e-7);
  }
}

// Turns of what resists rolling and spinning: their rows are their gradients, and what turns as one does not turn.
TEST(ContactMotion, TurnsAndTheirRows) {
  math::Random random(21);
  for (const bool coupled : {false, true}) {
    model::ContactLaw law{.friction = 0.5, .rolling = 0.1, .spinning = 0.2};
    if (coupled) law.spinning_law = model::SpinningLaw::contensou;
    model::Model model;
    test::add_random_frame(model, random);
    test::add_random_frame(model, random);
    test::add_surface(model, Vector3(0, -9, 0), Vector3(1, 2, 2) / 3);
    test::add_contact(model, {test::body(0), test::body(1)}, {test::body(0), test::body(1), test::surface(0)}, law);
    test::ContactCase c(model);
    const mechanics::State begin = c.state;
    const ContactMotion motion(c.set, begin);
    c.detect(100);
    ASSERT_EQ(c.contacts.size(), 3u);
    motion.carry(c.state, c.contacts);
    mechanics::advance(c.map, begin.q, c.state.v, 0.3, c.state.q);
    for (Contact& contact : c.contacts) motion.move(c.state, contact);
    linalg::BlockSparseMatrix rows;
    motion.gradients(c.state, c.contacts, rows);
    const VectorX change = VectorX::NullaryExpr(c.map.v_total(), [&](Eigen::Index) { return random.normal(); });
    VectorX rates = VectorX::Zero(rows.scalar_rows());
    rows.multiply_add(change, rates);
    const double small = 1e-6;
    mechanics::State later = c.state, earlier = c.state;
    mechanics::advance(c.map, c.state.q, change, small, later.q);
    mechanics::advance(c.map, c.state.q, change, -small, earlier.q);
    for (std::size_t i = 0; i < c.contacts.size(); ++i) {
      const Vector3 rate = (motion.turn(c.contacts[i], later) - motion.turn(c.contacts[i], earlier)) / (2 * small);
      const ContactBlock& block = c.set.block(c.contacts[i]);
      const Vector3 found = block.angular_velocity(rates.data() + rows.row_offset(static_cast<int>(i)));
      EXPECT_LE((found - rate).norm(), 1e-8) << coupled << " " << i;
      EXPECT_GT(motion.turn(c.contacts[i], c.state).norm(), 0.01);
    }
    // Both turned by the same.
    mechanics::State together = begin;
    const math::Quaternion turn = test::random_rotation(random);
    for (int node = 0; node < 2; ++node) {
      const math::Quaternion r = turn * mechanics::orientation(c.map, begin, node);
      together.q.segment<4>(c.map.q_start(node) + 3) << r.w, r.x, r.y, r.z;
    }
    for (Contact& contact : c.contacts) {
      if (!contact.node_b.valid()) continue;
      EXPECT_LE(motion.turn(contact, together).norm(), 1e-14);
    }
  }
}

// A ball that rolls without slipping over a quarter of a turn and more, in one step.
TEST(ContactMotion, RollingIsNoSlip) {
  MotionCase c(ball_on_plane());
  for (const double angle : {0.1, 1.0, 2.5}) {
    mechanics::State now = c.state;
    now.q[0] += 0.5 * angle;  // to the right: it turns clockwise about z
    const math::Quaternion turned = math::Quaternion::from_axis_angle(Vector3::UnitZ(), -angle);
    now.q.segment<4>(3) << turned.w, turned.x, turned.y, turned.z;
    const Vector3 value = gap_and_slip(c, c.contacts.front(), now);
    EXPECT_NEAR(value.norm(), 0, 1e-15) << angle;
  }
}

// What moves as one rigid body does not slip, however far it goes.
TEST(ContactMotion, ARigidPairDoesNotSlip) {
  math::Random random(8);
  MotionCase c(boxes(Vector3(0.25, 2.5, 0.125)));
  const ContactMotion motion(c.set, c.begin);
  motion.carry(c.state, c.contacts);
  const mechanics::State now = moved_as_one(c, random);
  for (const Contact& contact : c.contacts) {
    const Vector3 value = gap_and_slip(c, contact, now);
    EXPECT_NEAR(value[0], contact.gap, 1e-14);
    EXPECT_NEAR(value.tail<2>().norm(), 0, 1e-14);
  }
}

// A body at rest on a belt slips as far as the belt runs.
TEST(ContactMotion, ASurfaceThatRuns) {
  model::Model model;
  test::add_ball(model, 1, 0.5, Vector3(0, 0.5, 0));
  const int belt = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  model.drivers.push_back(test::driver(-1, belt, 0, 3));
  test::add_contact(model, {test::body(0)}, {test::surface(belt)});
  MotionCase c(model);
  mechanics::State now = c.state;
  now.time = 0.1;
  const Vector3 value = gap_and_slip(c, c.contacts.front(), now);
  const double along =
      c.contacts.front().axes.tangent1.x() * value[1] + c.contacts.front().axes.tangent2.x() * value[2];
  EXPECT_NEAR(along, -0.3, 1e-15);
}

}  // namespace
}  // namespace ricochet::contact
