// The smallest gap, which probes ask for, is a matter of the state: whatever a set has seen, and whoever else is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "contact/contact_checks.hpp"

namespace ricochet::contact {
namespace {

constexpr int kCells = 8;  // of a field with the edges 1 m
constexpr double kNoPair = std::numeric_limits<double>::infinity();

// Bodies that may touch a field, rule 0, and each other, rule 1.
model::Model bodies_over_a_field(const std::vector<model::Shape>& shapes, double roughness, math::Random& random) {
  model::Model model;
  std::vector<model::Participant> all;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    all.push_back(test::body(test::add_ball(model, 1, 1, Vector3::Zero())));
    model.bodies.back().parts[0].shape = shapes[i];
  }
  const double level = random.uniform(0, 1);
  std::vector<double> heights;
  for (int i = 0; i < (kCells + 1) * (kCells + 1); ++i) heights.push_back(level + random.uniform(0, roughness));
  model.surfaces.push_back({"field", Vector3::Zero(), Vector3::UnitZ()});
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(model::height_field(heights, kCells + 1, 1, 1));
  test::add_contact(model, all, {test::surface(0)});
  test::add_contact(model, all, all);
  return model;
}

// Somewhere over the field, in it, or beside it; upright, so that many triangles are equally near, or anyhow.
void scatter(test::ContactCase& c, bool are_upright, math::Random& random) {
  for (int node = 0; node < c.map.nodes(); ++node) {
    const Vector3 position(random.uniform(-1, kCells + 1), random.uniform(-1, kCells + 1), random.uniform(1, 4));
    const auto upright = math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(0, 6));
    const math::Quaternion rotation = are_upright ? upright : test::random_rotation(random);
    c.state.q.segment<3>(c.map.q_start(node)) = position;
    c.state.q.segment<4>(c.map.q_start(node) + 3) << rotation.w, rotation.x, rotation.y, rotation.z;
  }
}

// In which order near boxes come depends on what a set has seen. The tree is cut at the smallest gap so far, so this
// shows unless boxes are larger than gaps are wrong.
TEST(MinimumGapProperty, DependsOnTheStateAlone) {
  const model::SphereShape ball{0.4};
  const model::BoxShape box{Vector3(0.9, 0.7, 0.3)};
  const model::CylinderShape cylinder{0.7, 0.3};
  const std::vector<std::vector<model::Shape>> sets_of_shapes = {
      {ball}, {box}, {cylinder}, {box, box, box}, {ball, ball, box, cylinder, cylinder}};
  math::Random random(31);
  for (const std::vector<model::Shape>& shapes : sets_of_shapes) {
    const int bodies = static_cast<int>(shapes.size());
    for (int i = 0; i < 20; ++i) {
      const model::Model model = bodies_over_a_field(shapes, i % 2 == 0 ? 0 : 0.5, random);
      test::ContactCase used(model);
      for (int step = 0; step < 10; ++step) {
        scatter(used, step % 2 == 0, random);
        used.detect(0);
        test::ContactCase fresh(model);
        fresh.state = used.state;
        double of_pairs[2] = {kNoPair, kNoPair};
        for (int a = 0; a < bodies; ++a) {
          for (int b = a + 1; b <= bodies; ++b) {
            const int rule = b == bodies ? 0 : 1;
            const double of_pair = used.set.minimum_gap(used.state, rule, a, b);
            EXPECT_EQ(of_pair, fresh.set.minimum_gap(fresh.state, rule, a, b));
            of_pairs[rule] = std::min(of_pairs[rule], of_pair);
          }
        }
        for (int rule = 0; rule < 2; ++rule) {
          EXPECT_EQ(used.set.minimum_gap(used.state, rule), of_pairs[rule]) << bodies << " bodies, rule " << rule;
          EXPECT_EQ(fresh.set.minimum_gap(fresh.state, rule), of_pairs[rule]) << bodies << " bodies, rule " << rule;
        }
      }
    }
  }
}

// Balls of radius 0.5 in a row, 2 m apart, that may all touch each other.
model::Model row_of_balls(int count) {
  model::Model model;
  std::vector<model::Participant> all;
  for (int i = 0; i < count; ++i) all.push_back(test::body(test::add_ball(model, 1, 0.5, Vector3(2 * i, 0, 0))));
  test::add_contact(model, all, all);
  return model;
}

TEST(MinimumGap, PartsOfOtherChannelsDoNotCount) {
  model::Model model = row_of_balls(3);
  model.bodies[1].parts[0].channel = 1;
  model.contacts[0].last_channel = 1;
  const test::ContactCase c(model);
  EXPECT_EQ(c.set.minimum_gap(c.state, 0), 3);  // of the outer two
  EXPECT_EQ(c.set.minimum_gap(c.state, 0, 0, 1), kNoPair);
  EXPECT_EQ(c.set.minimum_gap(c.state, 0, 0, 2), 3);
}

TEST(MinimumGap, ChannelsThatTheRuleDoesNotHaveDoNotCount) {
  model::Model model = row_of_balls(3);
  for (int i = 0; i < 2; ++i) model.bodies[i].parts[0].channel = 1;
  const test::ContactCase c(model);
  EXPECT_EQ(c.set.minimum_gap(c.state, 0), kNoPair);
  model.contacts[0].last_channel = 1;
  const test::ContactCase both(model);
  EXPECT_EQ(both.set.minimum_gap(both.state, 0), 1);
}

TEST(MinimumGap, AbsentBodiesDoNotCount) {
  test::ContactCase c(row_of_balls(4));
  EXPECT_EQ(c.set.minimum_gap(c.state, 0), 1);
  c.state.present = VectorX::Ones(c.map.nodes());
  c.state.present[1] = 0;
  c.state.q[c.map.q_start(3)] = 6.5;
  EXPECT_EQ(c.set.minimum_gap(c.state, 0), 1.5);  // of the last two
  EXPECT_EQ(c.set.minimum_gap(c.state, 0, 0, 1), kNoPair);
  EXPECT_EQ(c.set.minimum_gap(c.state, 0, 0, 2), 3);
  c.state.present[2] = 0;
  EXPECT_EQ(c.set.minimum_gap(c.state, 0), 5.5);
}

// A face without limits is near all of them, whether it comes first or not.
TEST(MinimumGap, AFaceWithoutLimitsMeetsAll) {
  for (const bool face_is_first : {true, false}) {
    model::Model model;
    std::vector<model::Participant> balls;
    model::Node node;
    node.kind = model::NodeKind::frame;
    const auto add_face = [&] { return test::add_body(model, node, 1, model::FaceShape{}, Matrix3::Identity()); };
    int face = face_is_first ? add_face() : 0;
    for (int i = 0; i < 5; ++i) {
      balls.push_back(test::body(test::add_ball(model, 1, 0.5, Vector3(2 * i, 0, i == 3 ? 0.75 : 2))));
    }
    if (!face_is_first) face = add_face();
    test::add_contact(model, balls, {test::body(face)});
    test::ContactCase c(model);
    const auto of = [&](int ball) {
      return c.set.minimum_gap(c.state, 0, std::min(face, balls[ball].body.index),
                               std::max(face, balls[ball].body.index));
    };
    EXPECT_EQ(c.set.minimum_gap(c.state, 0), 0.25);
    EXPECT_EQ(of(3), 0.25);
    EXPECT_EQ(of(4), 1.5);
    c.state.present = VectorX::Ones(c.map.nodes());
    c.state.present[balls[3].body.index] = 0;
    EXPECT_EQ(c.set.minimum_gap(c.state, 0), 1.5);
    EXPECT_EQ(of(3), kNoPair);
  }
}

}  // namespace
}  // namespace ricochet::contact
