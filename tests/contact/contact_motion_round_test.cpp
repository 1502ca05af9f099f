// contact/contact_motion for balls at round carriers (carried_core.hpp): the true distance wherever both go, and no
// slip where they roll.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/motion_checks.hpp"
#include "contact/round_carriers.hpp"

namespace ricochet::contact {
namespace {

using test::gap_and_slip;
using test::MotionCase;

// Rows and curvature, with both orders of the bodies, at random places and turns of both.
TEST(ContactMotionRoundProperty, RowsAndCurvature) {
  math::Random random(21);
  for (const test::RoundCarrier& carrier : test::round_carriers()) {
    for (int run = 0; run < 8; ++run) {
      SCOPED_TRACE(carrier.name + ", run " + std::to_string(run));
      MotionCase c(test::random_pair(carrier, random, run % 2 == 0));
      ASSERT_EQ(c.contacts.size(), 1u);
      test::expect_derivatives(c, random, run < 4 ? test::kRolling : test::kExact);
    }
  }
}

// In the plane: a disc in a ring, each of them first.
TEST(ContactMotionRoundProperty, RowsAndCurvatureInThePlane) {
  math::Random random(24);
  for (int run = 0; run < 16; ++run) {
    const bool ball_first = run % 2 == 0;
    const model::Shape ring = run % 4 < 2 ? model::Shape(model::HollowSphereShape{2}) : model::HollowCylinderShape{2};
    model::Model model;
    model.planar = true;
    const double angle = random.uniform(0, 6);
    const Vector3 offset(0.3, -0.2, 0);  // of the ring in its body
    for (const bool is_ball : {ball_first, !ball_first}) {
      test::add_ball(model, 1, 0.5,
                     is_ball ? Vector3(offset + 1.5 * Vector3(std::sin(angle), std::cos(angle), 0)) : Vector3::Zero());
      if (is_ball) continue;
      model.bodies.back().parts[0].shape = ring;
      model.bodies.back().parts[0].position = offset;
    }
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    MotionCase c(model);
    ASSERT_EQ(c.contacts.size(), 1u);
    EXPECT_EQ(c.contacts[0].axes.tangent2, Vector3::UnitZ());
    test::expect_derivatives(c, random, run < 8 ? test::kRolling : test::kExact);
  }
}

// A point has nothing that rolls.
TEST(ContactMotionRoundProperty, APointInAHollowThatTurns) {
  math::Random random(25);
  for (const model::Shape& shape :
       std::vector<model::Shape>{model::HollowSphereShape{2}, model::HollowCylinderShape{2, 3}}) {
    for (const bool point_first : {true, false}) {
      model::Model model;
      if (point_first) test::add_point(model, 1, Vector3(1.2, 1.6, 0.5));
      test::add_ball(model, 1, 1, Vector3::Zero());
      model.bodies.back().parts[0].shape = shape;
      if (!point_first) test::add_point(model, 1, Vector3(1.2, 1.6, 0.5));
      test::add_contact(model, {test::body(0)}, {test::body(1)});
      MotionCase c(model);
      c.set.detect(c.state, 0.5, c.contacts);
      ASSERT_EQ(c.contacts.size(), 1u);
      test::expect_derivatives(c, random);
    }
  }
}

// Found at one state, moved to another: the gap is the distance there, the normal its gradient.
TEST(ContactMotionRoundProperty, TheGapIsTheTrueDistanceElsewhere) {
  math::Random random(22);
  for (const test::RoundCarrier& carrier : test::round_carriers()) {
    for (int run = 0; run < 4; ++run) {
      const bool ball_first = run % 2 == 0;
      MotionCase c(test::random_pair(carrier, random, ball_first));
      ASSERT_EQ(c.contacts.size(), 1u) << carrier.name;
      const ContactMotion motion(c.set, c.begin);
      motion.carry(c.state, c.contacts);
      const mechanics::State now = c.jolted(c.state, random, 0.03);
      Contact contact = c.contacts.front();
      motion.move(now, contact);
      const auto place_of_ball = [&](const mechanics::State& state) {
        const int ball = ball_first ? 0 : 1, other = 1 - ball;
        const model::ShapePart &round = c.model.bodies[ball].parts[0], &part = c.model.bodies[other].parts[0];
        const Vector3 center =
            mechanics::position(c.map, state, ball) + mechanics::orientation(c.map, state, ball).rotate(round.position);
        const Vector3 seen = mechanics::orientation(c.map, state, other)
                                 .rotate_inverse(Vector3(center - mechanics::position(c.map, state, other)));
        return Vector3(part.orientation.rotate_inverse(Vector3(seen - part.position)));
      };
      EXPECT_NEAR(contact.gap, test::searched_distance(carrier.shape, place_of_ball(now)) - carrier.radius, 1e-11)
          << carrier.name;
      EXPECT_NEAR(contact.gap, c.set.gap(contact, now), 1e-14);
      test::expect_right_handed(contact.axes);
      EXPECT_LE((contact.point - c.set.point(contact, now)).norm(), 1e-14) << carrier.name;
      // The point is half way between both surfaces, on the normal through the centre.
      const Vector3 center = contact.point + (contact.radius_a + 0.5 * contact.gap) * contact.axes.normal;
      if (ball_first) {
        const Vector3 expected = mechanics::position(c.map, now, 0) +
                                 mechanics::orientation(c.map, now, 0).rotate(c.model.bodies[0].parts[0].position);
        const bool is_face = carrier.feature.find("face") == 0 || carrier.feature.find("end") == 0;
        // A face keeps its foot: there the point is half way to where the ball was.
        if (!is_face) {
          EXPECT_LE((center - expected).norm(), 1e-13) << carrier.name;
        }
      }
    }
  }
}

// What moves as one rigid body neither parts nor slips, however far it goes. (Corners and ends of capsules are two
// balls, whose slip is that of rotation vectors in the world.)
TEST(ContactMotionRoundProperty, ARigidPairDoesNotSlip) {
  math::Random random(23);
  for (const test::RoundCarrier& carrier : test::round_carriers()) {
    MotionCase c(test::random_pair(carrier, random, random.uniform(0, 1) < 0.5));
    ASSERT_EQ(c.contacts.size(), 1u) << carrier.name;
    if (c.contacts.front().kind == ContactKind::centers) continue;
    const ContactMotion motion(c.set, c.begin);
    motion.carry(c.state, c.contacts);
    const mechanics::State now = moved_as_one(c, random);
    const Vector3 value = gap_and_slip(c, c.contacts.front(), now);
    EXPECT_NEAR(value[0], c.contacts.front().gap, 1e-13) << carrier.name;
    EXPECT_NEAR(value.tail<2>().norm(), 0, 1e-13) << carrier.name;
  }
}

// A ball of radius r whose centre goes along a circle of radius rho about z without slipping turns by rho/r per angle,
// backwards inside of something hollow.
struct Roller {
  model::Model model;
  double rho = 0, r = 0.5;
  Vector3 start = Vector3::Zero();  // unit, from the middle to the ball
  bool inside = false;

  Roller(const model::Shape& shape, double curve, const Vector3& from, bool planar = false)
      : rho(curve), start(from), inside(model::is_holder(shape)) {
    model.planar = planar;
    test::add_ball(model, 1, r, rho * from);
    model::Node node;
    node.kind = model::NodeKind::frame;
    test::add_body(model, node, 1, shape, Matrix3::Identity());
    test::add_contact(model, {test::body(0)}, {test::body(1)});
  }

  mechanics::State at(const MotionCase& c, double angle) const {
    mechanics::State state = c.state;
    state.q.segment<3>(0) = rho * math::Quaternion::from_axis_angle(Vector3::UnitZ(), angle).rotate(start);
    const math::Quaternion turned =
        math::Quaternion::from_axis_angle(Vector3::UnitZ(), (inside ? -1 : 1) * rho * angle / r);
    state.q.segment<4>(3) << turned.w, turned.x, turned.y, turned.z;
    return state;
  }
};

TEST(ContactMotionRound, RollingAlongACurveIsItsChordLessItsArc) {
  for (const bool planar : {false, true}) {
    std::vector<Roller> rollers = {{model::HollowSphereShape{2}, 1.5, Vector3(0, -1, 0), planar},
                                   {model::HollowCylinderShape{2}, 1.5, Vector3(0.6, -0.8, 0), planar}};
    if (!planar) rollers.emplace_back(model::CylinderShape{1, 2}, 1.5, Vector3(0, 1, 0));
    if (!planar) rollers.emplace_back(model::CapsuleShape{1, 2}, 1.5, Vector3(0.8, 0.6, 0));
    for (const Roller& roller : rollers) {
      MotionCase c(roller.model);
      ASSERT_EQ(c.contacts.size(), 1u);
      const ContactMotion motion(c.set, c.begin);
      motion.carry(c.state, c.contacts);
      for (const double angle : {0.01, 0.1, 0.5, -0.3}) {
        const Vector3 value = gap_and_slip(c, c.contacts.front(), roller.at(c, angle));
        EXPECT_NEAR(value[0], 0, 1e-14);
        EXPECT_NEAR(value.tail<2>().norm(), roller.rho * std::abs(std::sin(angle) - angle), 1e-14) << angle;
      }
    }
  }
}

// Along straight lines rolling is no slip at all: over faces and ends, and along the axes of cylinders and bores.
TEST(ContactMotionRound, RollingAlongALineIsNoSlip) {
  struct Line {
    model::Shape shape;
    Vector3 from, normal, along;
  };
  const std::vector<Line> lines = {
      {model::BoxShape{Vector3(5, 1, 5)}, Vector3(0.25, 1.5, 0), Vector3::UnitY(), Vector3(0.6, 0, 0.8)},
      {model::CylinderShape{5, 1}, Vector3(0.25, 0, 1.5), Vector3::UnitZ(), Vector3(0.6, 0.8, 0)},
      {model::CylinderShape{1, 5}, Vector3(0, 1.5, 0), Vector3::UnitY(), Vector3::UnitZ()},
      {model::CapsuleShape{1, 5}, Vector3(0, 1.5, 0), Vector3::UnitY(), Vector3::UnitZ()},
      {model::HollowCylinderShape{2, 5}, Vector3(0, -1.5, 0), Vector3::UnitY(), Vector3::UnitZ()},
  };
  for (const Line& line : lines) {
    Roller roller(line.shape, 1, line.from);
    MotionCase c(roller.model);
    ASSERT_EQ(c.contacts.size(), 1u);
    const ContactMotion motion(c.set, c.begin);
    motion.carry(c.state, c.contacts);
    for (const double angle : {0.1, 1.0, 2.5}) {
      mechanics::State now = c.state;
      now.q.segment<3>(0) += roller.r * angle * line.along;
      const math::Quaternion turned = math::Quaternion::from_axis_angle(math::cross(line.normal, line.along), angle);
      now.q.segment<4>(3) << turned.w, turned.x, turned.y, turned.z;
      EXPECT_NEAR(gap_and_slip(c, c.contacts.front(), now).norm(), 0, 1e-14) << model::shape_name(line.shape);
    }
  }
}

// Over many steps the slip that is missing falls with the square of their number.
TEST(ContactMotionRound, RollingInStepsSlipsInSecondOrder) {
  Roller roller(model::HollowSphereShape{2}, 1.5, Vector3(0, -1, 0));
  const auto slipped = [&](int steps) {
    MotionCase c(roller.model);
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
      c.begin = roller.at(c, 1.0 * i / steps);
      const mechanics::State end = roller.at(c, 1.0 * (i + 1) / steps);
      c.set.detect(end, 1e-9, c.contacts);
      const ContactMotion motion(c.set, c.begin);
      motion.carry(end, c.contacts);
      sum += gap_and_slip(c, c.contacts.front(), end).tail<2>().norm();
    }
    return sum;
  };
  EXPECT_NEAR(slipped(10) / slipped(20), 4, 0.01);
  EXPECT_NEAR(slipped(100), 1.5 / 6 / (100 * 100), 1e-8);
}

}  // namespace
}  // namespace ricochet::contact
