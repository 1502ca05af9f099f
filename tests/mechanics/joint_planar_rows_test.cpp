#include "ricochet/mechanics/joints/planar_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mechanics/joint_checks.hpp"

namespace ricochet::mechanics {
namespace {

using model::JointType;

// Two bodies in the plane, at random, joined so that the joint is closed. The axis is z or, if `sliding`, in the plane.
test::JointCase planar_case(JointType type, bool sliding, math::Random& random) {
  test::JointCase made;
  made.model.planar = true;
  for (int i = 0; i < 2; ++i) {
    const auto turn = math::Quaternion::from_axis_angle(Vector3::UnitZ(), random.uniform(-3, 3));
    test::add_box(made.model, 1, Vector3::Ones(), Vector3(random.normal(), random.normal(), 0), turn);
  }
  const auto in_plane = [&] { return Vector3(random.normal(), random.normal(), 0); };
  const auto axes = [&] { return sliding ? model::axes_along(in_plane()) : math::Quaternion(); };
  model::Joint joint;
  joint.name = "a";
  joint.type = type;
  joint.first = {{{0}, in_plane()}, axes()};
  joint.second = {{{1}, in_plane()}, axes()};
  const Vector3 y = type == JointType::distance ? Vector3(1, 1, 0) : Vector3(Vector3::Zero());
  const bool turns = !sliding && type != JointType::fixed && type != JointType::prismatic;
  test::assemble_second(made.model, joint, y, math::Quaternion::from_axis_angle(Vector3::UnitZ(), turns ? 1.0 : 0.0));
  made.joints.push_back(joint);
  return made;
}

int planar_row_count(JointType type, bool sliding, math::Random& random) {
  const test::JointCase made = planar_case(type, sliding, random);
  const DofMap map(made.model);
  const Joint joint = made.make(map);
  const State state = initial_state(made.model, map);
  EXPECT_LE(test::joint_value(joint, state).norm(), 1e-13);
  // Full rank on the components that are left.
  MatrixX gradient = test::joint_gradient(joint, state);
  for (int c = 0; c < 12; ++c) gradient.col(c) *= map.is_free(c) ? 1 : 0;
  EXPECT_EQ(Eigen::ColPivHouseholderQR<MatrixX>(gradient).rank(), joint.rows());
  return joint.rows();
}

TEST(JointPlanarRowsProperty, OnlyRowsThatThePlaneCanChangeRemain) {
  math::Random random(131);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(planar_row_count(JointType::ball, false, random), 2);
    EXPECT_EQ(planar_row_count(JointType::revolute, false, random), 2);
    EXPECT_EQ(planar_row_count(JointType::cylindrical, false, random), 2);
    EXPECT_EQ(planar_row_count(JointType::universal, false, random), 2);
    EXPECT_EQ(planar_row_count(JointType::fixed, false, random), 3);
    EXPECT_EQ(planar_row_count(JointType::fixed, true, random), 3);
    EXPECT_EQ(planar_row_count(JointType::prismatic, true, random), 2);
    EXPECT_EQ(planar_row_count(JointType::distance, false, random), 1);
  }
}

TEST(JointPlanarRows, ADriveOfAHingeRemains) {
  math::Random random(132);
  test::JointCase made = planar_case(JointType::revolute, false, random);
  model::Joint drive;
  drive.type = JointType::drive;
  drive.coupled[0] = {{0}, 0};
  made.joints.push_back(drive);
  const DofMap map(made.model);
  EXPECT_EQ(made.make(map).rows(), 1);
  made.joints[0].type = JointType::cylindrical;  // its first coordinate is the way along z
  try {
    made.make(map);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("no motion in the plane"));
  }
}

TEST(JointPlanarRows, AGapAcrossThePlaneIsAnError) {
  math::Random random(133);
  test::JointCase made = planar_case(JointType::revolute, false, random);
  made.joints[0].first.attachment.offset.z() = 0.25;
  const DofMap map(made.model);
  try {
    made.make(map);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("0.25 m apart"));
  }
}

}  // namespace
}  // namespace ricochet::mechanics
