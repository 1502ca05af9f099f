#include "ricochet/contact/ball_solid.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "contact/contact_checks.hpp"
#include "contact/round_carriers.hpp"
#include "ricochet/geometry/patch.hpp"

namespace ricochet::contact {
namespace {

TEST(BallSolid, NamesOfFeatures) {
  math::Random random(41);
  for (const test::RoundCarrier& carrier : test::round_carriers()) {
    for (const bool ball_first : {true, false}) {
      test::ContactCase c(test::random_pair(carrier, random, ball_first));
      c.detect(1e-9);
      ASSERT_EQ(c.contacts.size(), 1u) << carrier.name;
      EXPECT_NEAR(c.contacts[0].gap, 0, 1e-14) << carrier.name;
      const std::string name = c.set.name(c.contacts[0].key);
      const std::string begins = ball_first ? "rule0:body0.sphere|body1." : "rule0:body0.";
      EXPECT_EQ(name.find(begins + carrier.feature), 0u) << name;
    }
  }
}

// Edges have the numbers that the solid gives them: those of its two corners' common edge.
TEST(BallSolid, EdgesAreThoseOfTheSolid) {
  const geometry::ConvexSolid box = geometry::ConvexSolid::box(Vector3(1, 2, 3));
  int edges = 0;
  for (int i = 0; i < static_cast<int>(box.core().edges.size()); ++i) {
    const auto& edge = box.core().edges[i];
    const Vector3 middle = 0.5 * (box.core().vertices[edge.tail] + box.core().vertices[edge.head]);
    model::Model model;
    test::add_ball(model, 1, 0.5, middle + 0.3 * middle.cwiseSign());
    test::add_box(model, 1, Vector3(1, 2, 3), Vector3::Zero());
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    test::ContactCase c(model);
    c.detect(0);
    ASSERT_EQ(c.contacts.size(), 1u);
    EXPECT_EQ(c.set.name(c.contacts[0].key), fmt::format("rule0:body0.sphere|body1.edge{}", i));
    ++edges;
  }
  EXPECT_EQ(edges, 12);
}

// As long as a ball rolls on one face or side, its contact keeps its identity.
TEST(BallSolid, IdentitiesStayWhileTheBallRolls) {
  struct Path {
    model::Shape shape;
    std::function<Vector3(double)> place;  // for 0 to 1
    std::string feature;
  };
  const std::vector<Path> paths = {
      {model::BoxShape{Vector3(3, 1, 3)}, [](double t) { return Vector3(5.9 * t - 2.95, 1.49, 2 * t); }, "face3"},
      {model::CylinderShape{1, 3},
       [](double t) { return Vector3(1.49 * std::cos(20 * t), 1.49 * std::sin(20 * t), 5.9 * t - 2.95); }, "side"},
      {model::CylinderShape{1, 3},
       [](double t) { return Vector3(1.3 * std::cos(20 * t), 1.3 * std::sin(20 * t), 3.35); }, "rim1.low"},
      {model::CylinderShape{3, 1}, [](double t) { return Vector3(5.8 * t - 2.9, 0.2, -1.49); }, "end0"},
  };
  for (const Path& path : paths) {
    for (int i = 0; i <= 100; ++i) {
      model::Model model;
      test::add_ball(model, 1, 0.5, path.place(0.01 * i));
      test::add_ball(model, 1, 1, Vector3::Zero());
      model.bodies[1].parts[0].shape = path.shape;
      test::add_contact(model, {test::body(0)}, {test::body(1)});
      test::ContactCase c(model);
      c.detect(0);
      ASSERT_EQ(c.contacts.size(), 1u) << path.feature << i;
      EXPECT_EQ(c.set.name(c.contacts[0].key), "rule0:body0.sphere|body1." + path.feature);
    }
  }
}

// From a face over the edge to the next: gap and normal are continuous although the feature changes.
TEST(BallSolid, NothingJumpsBetweenFeatures) {
  const auto at = [](double angle) {
    model::Model model;
    test::add_ball(model, 1, 0.5, Vector3(1, 1, 0) + 0.5 * Vector3(std::sin(angle), std::cos(angle), 0));
    test::add_box(model, 1, Vector3(1, 1, 1), Vector3::Zero());
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    test::ContactCase c(model);
    c.detect(1e-6);
    EXPECT_EQ(c.contacts.size(), 1u);
    return c.contacts.front();
  };
  for (const double angle : {0.0, std::numbers::pi / 2}) {
    const Contact before = at(angle - 1e-9), after = at(angle + 1e-9);
    EXPECT_NE(before.key, after.key);
    EXPECT_NEAR(before.gap, after.gap, 1e-14);
    EXPECT_LE((before.axes.normal - after.axes.normal).norm(), 3e-9);
  }
}

// The centre in the solid: the shortest way out.
TEST(BallSolid, FromInside) {
  const auto contact_at = [](const model::Shape& shape, const Vector3& center) {
    model::Model model;
    test::add_ball(model, 1, 0.5, center);
    test::add_ball(model, 1, 1, Vector3::Zero());
    model.bodies[1].parts[0].shape = shape;
    test::add_contact(model, {test::body(0)}, {test::body(1)});
    test::ContactCase c(model);
    c.detect(0);
    return c.contacts.at(0);
  };
  EXPECT_EQ(contact_at(model::BoxShape{Vector3(1, 2, 3)}, Vector3(0, -1.75, 0)).axes.normal, Vector3(0, -1, 0));
  EXPECT_EQ(contact_at(model::BoxShape{Vector3(1, 2, 3)}, Vector3(0, -1.75, 0)).gap, -0.75);
  EXPECT_EQ(contact_at(model::CylinderShape{1, 2}, Vector3(0, 0.75, 0)).axes.normal, Vector3::UnitY());
  EXPECT_EQ(contact_at(model::CylinderShape{1, 2}, Vector3(0, 0.75, 0)).gap, -0.75);
  EXPECT_EQ(contact_at(model::CylinderShape{1, 2}, Vector3(0, 0.5, 1.75)).axes.normal, Vector3::UnitZ());
  EXPECT_EQ(contact_at(model::CylinderShape{1, 2}, Vector3(0, 0.5, 1.75)).gap, -0.75);
  EXPECT_EQ(contact_at(model::CapsuleShape{1, 2}, Vector3(0, 0.5, 1)).gap, -1);
}

// Near and far, both orders: the distance is that of a search over the surface, and of the closest points of patches;
// the gap changes as H v says.
TEST(BallSolidProperty, TheGapIsTheDistance) {
  math::Random random(42);
  int cases = 0;
  for (int run = 0; run < 300; ++run) {
    const bool ball_first = run % 2 == 0;
    const auto length = [&] { return random.uniform(0.3, 1); };
    const model::Shape shapes[] = {model::BoxShape{Vector3(length(), length(), length())},
                                   model::CylinderShape{length(), length()}, model::CapsuleShape{length(), length()}};
    test::RoundCarrier carrier{"", shapes[run % 3], Vector3::Zero(), "", length()};
    carrier.touching = test::random_vector3(random, 1.2);
    test::ContactCase c(test::random_pair(carrier, random, ball_first));
    c.state.v *= 0.3;
    c.detect(1e3);
    ASSERT_EQ(c.contacts.size(), 1u);
    const Contact& contact = c.contacts[0];
    EXPECT_NEAR(contact.gap, c.set.minimum_gap(c.state, 0), 1e-14);
    const FormPart solid = make_form_part({carrier.shape}, false);
    const geometry::ConvexSolid point = geometry::ConvexSolid::sphere(0);
    const double apart = geometry::distance(point, {carrier.touching, {}}, *solid.solid, {});
    EXPECT_NEAR(contact.gap, apart - carrier.radius, apart < 0 ? 1e-6 : 1e-9);
    if (apart < 0.05) continue;  // a search does not know the inside; near an edge differences err
    ++cases;
    EXPECT_NEAR(contact.gap, test::searched_distance(carrier.shape, carrier.touching) - carrier.radius, 1e-11);
    if (apart > 0.3) test::expect_consistent_gradients(c);
  }
  EXPECT_GT(cases, 150);
}

}  // namespace
}  // namespace ricochet::contact
