// Contacts of clearance joints: their gaps are those of the geometry, gradients and curvature are consistent, and their
// parts touch nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/motion_checks.hpp"
#include "model/clearance_models.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/contact/possible_pairs.hpp"

namespace ricochet::contact {
namespace {

using model::ClearanceType;
using ricochet::test::between_boxes;

constexpr std::array<ClearanceType, 3> all_types = {ClearanceType::translational, ClearanceType::revolute,
                                                    ClearanceType::spherical};

// Frames at random places of both bodies. A journal or ball stands well away from the middle, where its normal turns
// without bounds.
model::Model random_clearance(ClearanceType type, bool planar, math::Random& random) {
  const bool is_slider = type == ClearanceType::translational;
  model::Clearance joint = between_boxes(type, is_slider ? 0.0625 : 0.5);
  joint.axial_clearance = 0.0625;
  const auto vector = [&](double size) {
    Vector3 result = ricochet::test::random_vector3(random, size);
    if (planar) result.z() = 0;
    return result;
  };
  const auto rotation = [&] {
    return planar ? math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(-3, 3))
                  : ricochet::test::random_rotation(random);
  };
  const auto small_turn = [&](double size) {
    return planar ? math::Quaternion::from_axis_angle(Vector3::UnitZ(), size * random.normal())
                  : math::exponential(vector(size));
  };
  joint.first_frame = {{{0}, vector(0.5)}, rotation()};
  joint.second_frame = {{{1}, vector(0.5)}, rotation()};
  model::Model model = ricochet::test::two_boxes(planar);
  model::Node &first = model.nodes[0], &second = model.nodes[1];
  second.position = vector(1);
  second.orientation = rotation();
  const math::Quaternion second_axes = second.orientation * joint.second_frame.axes;
  const math::Quaternion axes = second_axes * small_turn(0.005);
  const double direction = random.uniform(-3, 3);
  const Vector3 path =
      is_slider ? vector(0.01)
                : Vector3(0.3 * std::cos(direction), 0.3 * std::sin(direction), planar ? 0.0 : 0.01 * random.normal());
  first.orientation = (axes * joint.first_frame.axes.conjugate()).normalized();
  first.position = second.position + second.orientation.rotate(joint.second_frame.attachment.offset) +
                   second_axes.rotate(path) - first.orientation.rotate(joint.first_frame.attachment.offset);
  for (model::Node* node : {&first, &second}) {
    node->velocity = vector(0.2);
    node->angular_velocity = planar ? Vector3(0, 0, 0.2 * random.normal()) : vector(0.2);
  }
  model::add_clearance(joint, model);
  return model;
}

TEST(ClearanceContacts, GapsAreThoseOfTheGeometry) {
  math::Random random(5);
  for (const ClearanceType type : all_types) {
    for (const bool planar : {true, false}) {
      if (planar && type == ClearanceType::spherical) continue;  // a circle, as the revolute one
      for (int run = 0; run < 20; ++run) {
        const model::Model model = random_clearance(type, planar, random);
        const model::Clearance& joint = model.clearances[0];
        test::ContactCase c(model);
        c.detect(1);
        const model::ClearancePose pose =
            model::seen_from_second(joint, model.nodes[0].position, model.nodes[0].orientation, model.nodes[1].position,
                                    model.nodes[1].orientation);
        double least = 1;
        for (const model::ClearanceElement& element : model::elements_of(joint, planar)) {
          const double gap = model::gap_of(joint, element, pose);
          least = std::min(least, gap);
          double found = 2;
          for (const Contact& contact : c.contacts) {
            const std::string name = c.set.name(contact.key);
            if (name.starts_with("joint:body0." + element.name + "|body1.")) found = std::min(found, contact.gap);
          }
          EXPECT_NEAR(found, gap, 1e-14) << element.name;
        }
        EXPECT_NEAR(c.set.minimum_gap(c.state, 0), least, 1e-14);
        c.detect(0.25);  // without walls on the other side
        test::expect_consistent_gradients(c);
      }
    }
  }
}

TEST(ClearanceContacts, NamesReadWell) {
  math::Random random(6);
  const auto names = [&](ClearanceType type, bool planar) {
    test::ContactCase c(random_clearance(type, planar, random));
    c.detect(0.25);
    std::vector<std::string> result;
    for (const Contact& contact : c.contacts) result.push_back(c.set.name(contact.key));
    return result;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(ClearanceType::translational, true),
            (Names{"joint:body0.corner1|body1.upper", "joint:body0.corner2|body1.upper",
                   "joint:body0.corner3|body1.lower", "joint:body0.corner4|body1.lower"}));
  EXPECT_EQ(names(ClearanceType::revolute, true), (Names{"joint:body0.journal|body1.bearing"}));
  EXPECT_EQ(names(ClearanceType::revolute, false),
            (Names{"joint:body0.rim1|body1.bearing", "joint:body0.rim2|body1.bearing", "joint:body0.end1|body1.thrust1",
                   "joint:body0.end2|body1.thrust2"}));
  EXPECT_EQ(names(ClearanceType::spherical, false), (Names{"joint:body0.ball|body1.socket"}));
  const Names walls = names(ClearanceType::translational, false);
  ASSERT_EQ(walls.size(), 16u);
  EXPECT_EQ(walls[0], "joint:body0.corner1|body1.upper");
  EXPECT_EQ(walls[1], "joint:body0.corner1|body1.right");
  EXPECT_EQ(walls[15], "joint:body0.corner8|body1.left");
}

// What schemes need that keep contacts at positions: first and second derivatives of gap and slip.
TEST(ClearanceContacts, DerivativesOverAStep) {
  math::Random random(7);
  for (const ClearanceType type : all_types) {
    for (const bool planar : {true, false}) {
      if (planar && type == ClearanceType::spherical) continue;
      for (int run = 0; run < 4; ++run) {
        test::MotionCase c(random_clearance(type, planar, random));
        c.set.detect(c.state, 0.25, c.contacts);
        const bool is_round = type != ClearanceType::translational;
        test::expect_derivatives(c, random, is_round ? (run < 2 ? test::kRolling : test::kExact) : test::Exactness{});
      }
    }
  }
}

// The boxes overlap as they stand: the clearance does not mind, and the boxes do not touch bores and corners.
TEST(ClearanceContacts, ItsPartsTouchNothingElse) {
  math::Random random(8);
  for (const ClearanceType type : all_types) {
    model::Model model = random_clearance(type, false, random);
    test::ContactCase alone(model);
    alone.detect(0.25);
    const std::size_t own = alone.contacts.size();
    // With a rule for the boxes, a plane through everything and a third body that touches both.
    model.surfaces.push_back({"floor", {0, 0, 0}, Vector3::UnitZ()});
    ricochet::test::add_ball(model, 1, 0.5, {0, 0, 0});
    model.contacts.push_back({"boxes", {ricochet::test::body(0)}, {ricochet::test::body(1)}, {}});
    model.contacts.push_back(
        {"third", {ricochet::test::body(2)}, {ricochet::test::body(0), ricochet::test::body(1)}, {}});
    model.contacts.push_back(
        {"floor", {ricochet::test::body(0), ricochet::test::body(1)}, {model::Participant{{}, {0}}}, {}});
    test::ContactCase c(model);
    c.detect(0.25);
    std::size_t of_clearance = 0, of_boxes = 0, of_floor = 0;
    for (const Contact& contact : c.contacts) {
      const std::string name = c.set.name(contact.key);
      const bool has_part = name.find("corner1|") != std::string::npos && name.starts_with("floor");
      of_clearance += contact.key.rule == 0 ? 1 : 0;
      of_boxes += contact.key.rule == 1 ? 1 : 0;
      of_floor += contact.key.rule == 3 ? 1 : 0;
      EXPECT_FALSE(has_part && contact.key.feature_a >= 8) << name;
    }
    EXPECT_EQ(of_clearance, own);
    // The same contacts as without the clearance.
    model::Model plain = model;
    for (model::Body& body : plain.bodies) {
      std::erase_if(body.parts, [](const model::ShapePart& part) { return part.channel != 0; });
    }
    plain.contacts.erase(plain.contacts.begin());
    plain.clearances.clear();
    test::ContactCase without(plain);
    without.detect(0.25);
    ASSERT_EQ(c.contacts.size(), without.contacts.size() + own);
    EXPECT_GT(of_boxes + of_floor, 0u);
    for (std::size_t i = 0; i < without.contacts.size(); ++i) {
      EXPECT_EQ(c.contacts[own + i].gap, without.contacts[i].gap);
      EXPECT_EQ(c.set.name(c.contacts[own + i].key), without.set.name(without.contacts[i].key));
    }
    for (int rule = 0; rule < 3; ++rule) {
      EXPECT_EQ(c.set.minimum_gap(c.state, rule + 1), without.set.minimum_gap(without.state, rule));
    }
  }
}

}  // namespace
}  // namespace ricochet::contact
