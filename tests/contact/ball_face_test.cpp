#include "ricochet/contact/ball_face.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int add_face(model::Model& model, const Vector2& half_extents, const Vector3& position = Vector3::Zero()) {
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = position;
  return test::add_body(model, node, 1, model::FaceShape{half_extents}, Matrix3::Identity());
}

// The quarter turn that puts a face into the plane, with the normal y.
math::Quaternion into_the_plane() { return {std::sqrt(0.5), -std::sqrt(0.5), 0, 0}; }

model::Model ball_over_face(const Vector3& center, double radius, const Vector2& half_extents) {
  model::Model model;
  test::add_ball(model, 1, radius, center);
  add_face(model, half_extents);
  test::add_contact(model, {test::body(0)}, {test::body(1)});
  return model;
}

TEST(BallFace, ByHand) {
  test::ContactCase c(ball_over_face(Vector3(1, -0.5, 0.75), 0.25, Vector2(2, 1)));
  c.detect(0.4);
  EXPECT_TRUE(c.contacts.empty());
  c.detect(0.5);
  ASSERT_EQ(c.contacts.size(), 1u);
  const Contact& contact = c.contacts[0];
  EXPECT_EQ(contact.gap, 0.5);
  EXPECT_EQ(contact.kind, ContactKind::carried_by_b);
  EXPECT_EQ(contact.axes.normal, Vector3::UnitZ());  // from the face to the ball
  EXPECT_EQ(contact.point, Vector3(1, -0.5, 0.25));
  EXPECT_EQ(contact.arm_a, Vector3(0, 0, -0.25));
  EXPECT_EQ(contact.arm_b, Vector3(1, -0.5, 0));
  EXPECT_EQ(contact.center_b, Vector3(1, -0.5, 0));
  EXPECT_EQ(c.set.name(contact.key), "rule0:body0.sphere|body1.face");
  EXPECT_EQ(c.set.minimum_gap(c.state, 0), 0.5);
  EXPECT_EQ(c.set.minimum_gap(c.state, 0, 0, 1), 0.5);
}

// The body that comes first is A, whichever carries the face.
TEST(BallFace, TheFaceMayComeFirst) {
  model::Model model;
  add_face(model, Vector2(2, 1));
  test::add_ball(model, 1, 0.25, Vector3(1, -0.5, 0.75));
  test::add_contact(model, {test::body(1)}, {test::body(0)});
  test::ContactCase c(model);
  c.detect(0.5);
  ASSERT_EQ(c.contacts.size(), 1u);
  const Contact& contact = c.contacts[0];
  EXPECT_EQ(contact.gap, 0.5);
  EXPECT_EQ(contact.kind, ContactKind::carried_by_a);
  EXPECT_EQ(contact.axes.normal, Vector3(0, 0, -1));
  EXPECT_EQ(contact.arm_a, Vector3(1, -0.5, 0));
  EXPECT_EQ(contact.arm_b, Vector3(0, 0, -0.25));
  EXPECT_EQ(c.set.name(contact.key), "rule0:body0.face|body1.sphere");
}

// Over the rectangle and not beyond it, even by a bit; its edges belong to it.
TEST(BallFace, EndsAtItsEdges) {
  const auto has_contact = [](double x, double y) {
    test::ContactCase c(ball_over_face(Vector3(x, y, 0.25), 0.25, Vector2(2, 1)));
    c.detect(0);
    EXPECT_EQ(c.set.minimum_gap(c.state, 0), c.contacts.empty() ? kInfinity : 0.0);
    return !c.contacts.empty();
  };
  for (const double sign : {-1.0, 1.0}) {
    EXPECT_TRUE(has_contact(2 * sign, 0));
    EXPECT_FALSE(has_contact(sign * std::nextafter(2, 3), 0));
    EXPECT_TRUE(has_contact(2 * sign, sign));
    EXPECT_FALSE(has_contact(0, sign * std::nextafter(1, 2)));
  }
}

// What has come through is held as deep as half the shorter edge; what is deeper has come around.
TEST(BallFace, HoldsOnOneSide) {
  for (const double depth : {0.125, 0.5, 1.0, 1.0009765625, 20.0}) {
    test::ContactCase limited(ball_over_face(Vector3(1, 0.5, -depth), 0.25, Vector2(2, 1)));
    limited.detect(0);
    ASSERT_EQ(limited.contacts.size(), depth <= 1 ? 1u : 0u) << depth;
    for (const Contact& contact : limited.contacts) {
      EXPECT_EQ(contact.gap, -depth - 0.25);
      EXPECT_EQ(contact.axes.normal, Vector3::UnitZ());
    }
    test::ContactCase unlimited(ball_over_face(Vector3(1, 0.5, -depth), 0.25, Vector2(kInfinity, kInfinity)));
    unlimited.detect(0);
    ASSERT_EQ(unlimited.contacts.size(), 1u);
    EXPECT_EQ(unlimited.contacts[0].gap, -depth - 0.25);
  }
}

TEST(BallFace, FixedPointsAndAMovingFace) {
  model::Model model;
  add_face(model, Vector2(2, kInfinity), Vector3(0, 3, 0));
  model.planar = true;
  model.bodies[0].parts[0].orientation = into_the_plane();
  model.nodes[0].angular_velocity = Vector3(0, 0, 2);
  model.nodes[0].velocity = Vector3(0, -1, 0);
  for (const double x : {-1.0, 1.5}) {
    test::add_point(model, 1, Vector3(x, 2.5, 0));
    model.nodes.back().fixed = {true, true, true, true, true, true};
  }
  // Upside down the face holds what is below it.
  model.nodes[0].orientation = math::Quaternion::from_axis_angle(Vector3::UnitZ(), std::acos(-1.0));
  test::add_contact(model, {test::body(0)}, {test::body(1), test::body(2)});
  test::ContactCase c(model);
  c.detect(1);
  ASSERT_EQ(c.contacts.size(), 2u);
  VectorX u = VectorX::Zero(4);
  c.gradients.multiply_add(c.state.v, u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(c.contacts[i].gap, 0.5, 1e-15);
    EXPECT_LE((c.contacts[i].axes.normal - Vector3::UnitY()).norm(), 1e-15);
    EXPECT_EQ(c.contacts[i].axes.normal.z(), 0);
    // A is the face: u is its velocity over the point.
    EXPECT_NEAR(u[2 * i], -1 + 2 * (i == 0 ? -1.0 : 1.5), 1e-14);
    EXPECT_NEAR(u[2 * i + 1], 0, 1e-14);
  }
}

TEST(BallFace, CornersAndEndsOfOtherShapesTouch) {
  model::Model model;
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(0, 0, 1.25));
  add_face(model, Vector2::Constant(3));
  test::add_box(model, 1, Vector3(1, 1, 1), Vector3(0, 0, 3));
  model.bodies[2].parts = {{model::CapsuleShape{0.5, 1}, Vector3::Zero(), {}, "pin"},
                           {model::FaceShape{}, Vector3(0, 0, 5), {}, "lid"}};
  test::add_contact(model, {test::body(0), test::body(2)}, {test::body(1)});
  test::add_contact(model, {test::body(0)}, {test::body(2)});
  test::ContactCase c(model);
  c.detect(1.5);
  std::vector<std::string> names;
  for (const Contact& contact : c.contacts) names.push_back(c.set.name(contact.key));
  // The capsule is in the box: its contact with that is not of interest here, and those with the lid are far behind it.
  std::erase_if(names, [](const std::string& name) { return name.find("pin.side") != std::string::npos; });
  const std::vector<std::string> expected = {
      "rule0:body0.corner0|body1.face",     "rule0:body0.corner1|body1.face",     "rule0:body0.corner2|body1.face",
      "rule0:body0.corner3|body1.face",     "rule0:body1.face|body2.pin.end0",    "rule1:body0.corner0|body2.lid.face",
      "rule1:body0.corner1|body2.lid.face", "rule1:body0.corner2|body2.lid.face", "rule1:body0.corner3|body2.lid.face",
      "rule1:body0.corner4|body2.lid.face", "rule1:body0.corner5|body2.lid.face", "rule1:body0.corner6|body2.lid.face",
      "rule1:body0.corner7|body2.lid.face"};
  for (const std::string& name : expected) EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

struct FaceScene {
  model::Model model;
  std::vector<model::Participant> faces, others;

  // Faces of all kinds and what they hold, at random; in the plane if asked for.
  FaceScene(math::Random& random, bool planar) {
    model.planar = planar;
    for (int i = 0; i < 8; ++i) {
      const bool is_face = i % 2 == 0;
      model::Shape shape = model::SphereShape{random.uniform(0.1, 1)};
      if (i == 3) shape = model::BoxShape{Vector3(0.3, 0.5, 0.7)};
      if (i == 5) shape = model::PointShape{};
      if (is_face) {
        const double a = random.uniform(0.5, 5), b = planar ? kInfinity : random.uniform(0.5, 5);
        shape = model::FaceShape{i < 6 ? Vector2(a, b) : Vector2(kInfinity, kInfinity)};
      }
      test::add_random_frame(model, random, shape);
      model::ShapePart& part = model.bodies.back().parts[0];
      part.position = test::random_vector3(random);
      part.orientation = test::random_rotation(random);
      if (planar) {
        const auto turn = [&] { return math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(0, 6)); };
        model.nodes.back().position.z() = 0;
        model.nodes.back().orientation = turn();
        part.orientation = is_face ? (turn() * into_the_plane()).normalized() : turn();
        part.position.z() = 0;
      }
      (is_face ? faces : others).push_back(test::body(i));
    }
    test::add_contact(model, faces, others);
  }
};

TEST(BallFaceProperty, GapIsThatOfTheClosedForm) {
  math::Random random(11);
  std::size_t found = 0;
  for (int run = 0; run < 200; ++run) {
    const bool planar = run % 2 == 0;
    FaceScene scene(random, planar);
    test::ContactCase c(scene.model);
    const double reach = random.uniform(-0.5, 1.5);
    c.detect(reach);
    std::size_t expected = 0;
    double minimum = kInfinity;
    for (const model::Participant& face : scene.faces) {
      const model::ShapePart& part = scene.model.bodies[face.body.index].parts[0];
      const Vector2 half = std::get<model::FaceShape>(part.shape).half_extents;
      const model::Node& node = scene.model.nodes[face.body.index];
      const Matrix3 axes = (node.orientation * part.orientation).matrix();
      const Vector3 middle = node.position + node.orientation.rotate(part.position);
      for (const model::Participant& other : scene.others) {
        const model::Node& node_of_ball = scene.model.nodes[other.body.index];
        for (const Feature& ball : features_of(scene.model.bodies[other.body.index], planar)) {
          const Vector3 center = node_of_ball.position + node_of_ball.orientation.rotate(ball.offset);
          const Vector3 d = axes.transpose() * (center - middle);
          const bool beside = std::abs(d.x()) > half.x() || std::abs(d.y()) > half.y();
          if (beside || d.z() < -std::min(half.x(), half.y())) continue;
          const double gap = d.z() - ball.radius;
          minimum = std::min(minimum, gap);
          if (gap > reach) continue;
          ++expected;
          const auto same = [&](const Contact& contact) {
            const bool is_a = contact.key.participant_a == other.body.index;
            const Vector3 normal = (is_a ? 1 : -1) * axes.col(2);
            return std::abs(contact.gap - gap) <= 1e-13 && (contact.axes.normal - normal).norm() <= 1e-14 &&
                   (is_a ? contact.key.participant_b : contact.key.participant_a) == face.body.index;
          };
          EXPECT_EQ(std::count_if(c.contacts.begin(), c.contacts.end(), same), 1);
        }
      }
    }
    EXPECT_EQ(c.contacts.size(), expected);
    ASSERT_LT(minimum, kInfinity);  // a face without limits is near everything
    EXPECT_NEAR(c.set.minimum_gap(c.state, 0), minimum, 1e-13);
    found += expected;
  }
  EXPECT_GT(found, 1000u);
}

TEST(BallFaceProperty, GradientIsTheRateOfTheGap) {
  math::Random random(12);
  std::size_t found = 0;
  for (int run = 0; run < 100; ++run) {
    FaceScene scene(random, run % 2 == 0);
    if (scene.model.planar) {
      for (model::Node& node : scene.model.nodes) {
        node.velocity.z() = 0;
        node.angular_velocity.head<2>().setZero();
      }
    }
    test::ContactCase c(scene.model);
    c.detect(3);
    test::expect_consistent_gradients(c);
    found += c.contacts.size();
  }
  EXPECT_GT(found, 1000u);
}

// What the face gets the ball loses: the forces cancel, and the moments but for the gap between the two points that the
// tangential part has as its lever.
TEST(BallFaceProperty, ActionIsReaction) {
  math::Random random(14);
  std::size_t found = 0;
  for (int run = 0; run < 50; ++run) {
    FaceScene scene(random, false);
    test::ContactCase c(scene.model);
    c.detect(2);
    for (std::size_t i = 0; i < c.contacts.size(); ++i, ++found) {
      const Contact& contact = c.contacts[i];
      const Vector3 impulse = test::random_vector3(random);
      VectorX all = VectorX::Zero(c.gradients.scalar_rows());
      all.segment<3>(3 * static_cast<int>(i)) = impulse;
      VectorX generalized = c.gradients.dense().transpose() * all;
      Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
      for (const model::NodeId node : {contact.node_a, contact.node_b}) {
        const Vector3 part = generalized.segment<3>(c.map.v_start(node.index));
        force += part;
        moment += math::cross(mechanics::position(c.map, c.state, node.index), part) +
                  mechanics::orientation(c.map, c.state, node.index)
                      .rotate(Vector3(generalized.segment<3>(c.map.v_start(node.index) + 3)));
      }
      EXPECT_LE(force.norm(), 1e-13);
      const Vector3 lever = contact.gap * contact.axes.normal;
      EXPECT_LE((moment - math::cross(lever, to_world(contact.axes, impulse))).norm(), 1e-12);
    }
  }
  EXPECT_GT(found, 100u);
}

// While bodies move, the broad phase misses nothing: what is found does not depend on what was asked before.
TEST(BallFaceProperty, WhatIsFoundDependsOnTheStateAlone) {
  math::Random random(13);
  std::size_t found = 0;
  for (int run = 0; run < 20; ++run) {
    FaceScene scene(random, false);
    test::ContactCase moving(scene.model);
    for (int step = 0; step < 40; ++step) {
      const VectorX q = moving.state.q;
      mechanics::advance(moving.map, q, moving.state.v, 0.05, moving.state.q);
      moving.detect(0.1);
      test::ContactCase fresh(scene.model);
      fresh.state = moving.state;
      fresh.detect(0.1);
      ASSERT_EQ(moving.contacts.size(), fresh.contacts.size());
      for (std::size_t i = 0; i < fresh.contacts.size(); ++i) {
        EXPECT_EQ(moving.contacts[i].key, fresh.contacts[i].key);
        EXPECT_EQ(moving.contacts[i].gap, fresh.contacts[i].gap);
      }
      found += fresh.contacts.size();
    }
  }
  EXPECT_GT(found, 1000u);
}

}  // namespace
}  // namespace ricochet::contact
