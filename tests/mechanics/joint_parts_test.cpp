#include "ricochet/mechanics/joints/joint_parts.hpp"

#include <gtest/gtest.h>

namespace ricochet::mechanics {
namespace {

using model::JointType;

std::vector<JointMeasure> row_measures(const JointLayout& layout) {
  std::vector<JointMeasure> measures;
  for (int i = 0; i < layout.row_count; ++i) measures.push_back(layout.rows[i].terms[0].measure);
  return measures;
}

TEST(JointParts, ComposeTheJoints) {
  using enum JointMeasure;
  using Measures = std::vector<JointMeasure>;
  EXPECT_EQ(row_measures(joint_layout(JointType::ball, 0)), (Measures{x, y, z}));
  EXPECT_EQ(row_measures(joint_layout(JointType::revolute, 0)), (Measures{x, y, z, xz, yz}));
  EXPECT_EQ(row_measures(joint_layout(JointType::universal, 0)), (Measures{x, y, z, zx}));
  EXPECT_EQ(row_measures(joint_layout(JointType::cylindrical, 0)), (Measures{x, y, xz, yz}));
  EXPECT_EQ(row_measures(joint_layout(JointType::prismatic, 0)), (Measures{x, y, lock_x, lock_y, lock_z}));
  EXPECT_EQ(row_measures(joint_layout(JointType::planar, 0)), (Measures{z, xz, yz}));
  EXPECT_EQ(row_measures(joint_layout(JointType::fixed, 0)), (Measures{x, y, z, lock_x, lock_y, lock_z}));
  EXPECT_EQ(row_measures(joint_layout(JointType::distance, 0)), (Measures{length}));
  EXPECT_EQ(row_measures(joint_layout(JointType::screw, 1)), (Measures{x, y, xz, yz, z}));
}

TEST(JointParts, RowsKnowTheirUnits) {
  const JointLayout fixed = joint_layout(JointType::fixed, 0);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(fixed.rows[i].unit, i < 3 ? JointUnit::length : JointUnit::angle);
    EXPECT_FALSE(fixed.rows[i].has_target);
    EXPECT_EQ(fixed.rows[i].term_count, 1);
  }
}

TEST(JointParts, ARelationKeepsItsCoordinates) {
  JointLayout layout;
  add_coordinate(layout, JointMeasure::z);
  add_coordinate(layout, JointMeasure::twist, 1);
  add_relation_part(layout, 0, 3, 1);
  const JointRow& row = layout.rows[0];
  EXPECT_TRUE(row.has_target);
  EXPECT_EQ(row.unit, JointUnit::length);
  ASSERT_EQ(row.term_count, 2);
  EXPECT_EQ(row.terms[0].factor, 1);
  EXPECT_EQ(row.terms[0].coordinate, 0);
  EXPECT_EQ(row.terms[1].factor, -3);
  EXPECT_EQ(row.terms[1].coordinate, 1);
  EXPECT_EQ(row.terms[1].pair, 1);
}

TEST(JointParts, RelationsHaveNoLayoutOfTheirOwn) {
  for (const auto type : {JointType::gear, JointType::coupler, JointType::drive}) {
    EXPECT_THROW(joint_layout(type, 0), std::logic_error);
  }
}

}  // namespace
}  // namespace ricochet::mechanics
