// Gaps, paths and angles in clearance joints by hand.
#include "ricochet/model/assemblies/clearance_geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/clearance_models.hpp"

namespace ricochet::test {
namespace {

using model::ClearancePose;
using model::ClearanceType;

double gap_at(const model::Clearance& joint, bool planar, int element, const ClearancePose& pose) {
  return model::gap_of(joint, model::elements_of(joint, planar)[element], pose);
}

TEST(ClearanceGeometry, CornersAreCountedAsInTheArticle) {
  const model::Clearance joint = between_boxes(ClearanceType::translational, 0.125);
  const auto corners = model::elements_of(joint, true);
  ASSERT_EQ(corners.size(), 4u);
  EXPECT_EQ(corners[0].place, Vector3(-1, 0.5, 0));
  EXPECT_EQ(corners[1].place, Vector3(1, 0.5, 0));
  EXPECT_EQ(corners[2].place, Vector3(-1, -0.5, 0));
  EXPECT_EQ(corners[3].place, Vector3(1, -0.5, 0));
  EXPECT_EQ(model::elements_of(joint, false).size(), 8u);
  EXPECT_EQ(model::elements_of(joint, false)[7].place, Vector3(1, -0.5, -0.25));
  // Centred; up by 1/32; turned by 30 degrees about z: corner 2 is at y = sin 30 + cos 30/2.
  EXPECT_EQ(gap_at(joint, true, 0, {}), 0.125);
  EXPECT_EQ(gap_at(joint, true, 1, {{7, 0.03125, 0}, {}}), 0.09375);
  EXPECT_EQ(gap_at(joint, true, 2, {{7, 0.03125, 0}, {}}), 0.15625);
  const auto turn = math::Quaternion::from_axis_angle(Vector3::UnitZ(), std::numbers::pi / 6);
  EXPECT_NEAR(gap_at(joint, true, 1, {Vector3::Zero(), turn}), 0.625 - 0.5 - 0.25 * std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(model::angle_of(joint, {Vector3::Zero(), turn}, true), std::numbers::pi / 6, 1e-15);
  EXPECT_NEAR(model::angle_of(joint, {Vector3::Zero(), turn}, false), std::numbers::pi / 6, 1e-15);
  // In space the walls at the sides count too.
  EXPECT_EQ(gap_at(joint, false, 0, {{0, 0, 0.0625}, {}}), 0.0625);
  EXPECT_EQ(gap_at(joint, false, 4, {{0, 0, 0.0625}, {}}), 0.125);
}

// A pin of the length L that is turned about its middle touches with both rims, at opposite sides, at asin(2c/L).
TEST(ClearanceGeometry, ATiltedPinTouchesWithBothRims) {
  model::Clearance joint = between_boxes(ClearanceType::revolute, 0.125);
  joint.axial_clearance = 0.25;
  const double angle = std::asin(2 * joint.clearance / (2 * joint.half_length));
  const ClearancePose tilted{Vector3::Zero(), math::Quaternion::from_axis_angle(Vector3(0.6, 0.8, 0), angle)};
  EXPECT_NEAR(gap_at(joint, false, 0, tilted), 0, 1e-16);
  EXPECT_NEAR(gap_at(joint, false, 1, tilted), 0, 1e-16);
  EXPECT_NEAR(model::angle_of(joint, tilted, false), angle, 1e-15);
  EXPECT_EQ(model::eccentricity(joint, tilted), 0);
  const auto elements = model::elements_of(joint, false);
  EXPECT_LE((model::place_of(elements[0], tilted) + model::place_of(elements[1], tilted)).norm(), 1e-15);
  // Its ends, half an angle square nearer to the middle.
  EXPECT_NEAR(gap_at(joint, false, 2, tilted), 0.25 + joint.half_length * (1 - std::cos(angle)), 1e-15);
  EXPECT_EQ(gap_at(joint, false, 3, {{0.1, 0, 0.0625}, {}}), 0.1875);
  EXPECT_EQ(gap_at(joint, false, 2, {{0.1, 0, 0.0625}, {}}), 0.3125);
  EXPECT_DOUBLE_EQ(model::eccentricity(joint, {{0.03, 0.04, 5}, {}}), 0.4);
}

TEST(ClearanceGeometry, CirclesAndBalls) {
  const model::Clearance journal = between_boxes(ClearanceType::revolute, 0.125);
  EXPECT_EQ(gap_at(journal, true, 0, {{0.03, 0.04, 0}, {}}), 0.075);
  const model::Clearance ball = between_boxes(ClearanceType::spherical, 0.25);
  EXPECT_EQ(gap_at(ball, false, 0, {{0, 0.06, -0.08}, {}}), 0.15);
  EXPECT_DOUBLE_EQ(model::eccentricity(ball, {{0, 0.06, -0.08}, {}}), 0.4);
}

// The frames are carried along: nothing changes where both bodies move as one.
TEST(ClearanceGeometry, SeenFromTheSecondBody) {
  math::Random random(3);
  model::Clearance joint = between_boxes(ClearanceType::translational, 0.125);
  joint.first_frame = {{{0}, random_vector3(random)}, random_rotation(random)};
  joint.second_frame = {{{1}, random_vector3(random)}, random_rotation(random)};
  const Vector3 x1 = random_vector3(random), x2 = random_vector3(random), shift = random_vector3(random);
  const math::Quaternion q1 = random_rotation(random), q2 = random_rotation(random), turn = random_rotation(random);
  const ClearancePose pose = model::seen_from_second(joint, x1, q1, x2, q2);
  const ClearancePose moved =
      model::seen_from_second(joint, turn.rotate(x1) + shift, turn * q1, turn.rotate(x2) + shift, turn * q2);
  EXPECT_LE((pose.path - moved.path).norm(), 1e-14);
  EXPECT_LE((pose.turn.matrix() - moved.turn.matrix()).norm(), 1e-14);
  // By hand: both points in the world.
  const Vector3 in_world = x1 + q1.rotate(joint.first_frame.attachment.offset);
  const Vector3 back = x2 + q2.rotate(joint.second_frame.attachment.offset + joint.second_frame.axes.rotate(pose.path));
  EXPECT_LE((in_world - back).norm(), 1e-14);
}

}  // namespace
}  // namespace ricochet::test
