// Outlines: corners, their numbers and names, and what is not an outline.
#include "ricochet/geometry/convex_outline.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <vector>

namespace ricochet::geometry {
namespace {

TEST(ConvexOutline, HullKeepsTheNumbersOfItsPoints) {
  // Points inside, in the middle of a side, and twice the same do not count.
  const std::vector<Vector2> points = {{0.5, 0.5}, {1, 1}, {0, 0}, {1, 0}, {0.5, 0}, {0, 1}, {1, 1}};
  const ConvexOutline outline = ConvexOutline::hull(points);
  ASSERT_EQ(outline.count(), 4);
  EXPECT_EQ(outline.corner_feature(0), 1);  // from the lowest number, counter-clockwise
  EXPECT_EQ(outline.corner_feature(1), 5);
  EXPECT_EQ(outline.corner_feature(2), 2);
  EXPECT_EQ(outline.corner_feature(3), 3);
  EXPECT_EQ(outline.middle(), Vector2(0.5, 0.5));
  EXPECT_EQ(outline.feature_name(5), "vertex5");
  EXPECT_EQ(outline.feature_name(outline.edge_feature(0)), "edge0");
  EXPECT_DOUBLE_EQ(outline.bounding_radius(), std::sqrt(0.5));
}

TEST(ConvexOutline, NamesOfFeatures) {
  const ConvexOutline box = ConvexOutline::box(Vector2(1, 2));
  for (int i = 0; i < 4; ++i) {
    const int feature = box.corner_feature(i);
    EXPECT_EQ(box.feature_name(feature), "corner" + std::to_string(feature));
    EXPECT_EQ(box.corner(i), Vector2((feature & 1) != 0 ? 1 : -1, (feature & 2) != 0 ? 2 : -2));
    EXPECT_EQ(box.feature_name(box.edge_feature(i)), "edge" + std::to_string(i));
  }
  const ConvexOutline capsule = ConvexOutline::capsule(0.5, Vector2(0, -1), Vector2(0, 1));
  EXPECT_EQ(capsule.feature_name(0), "end0");
  EXPECT_EQ(capsule.feature_name(1), "end1");
  EXPECT_EQ(capsule.feature_name(capsule.edge_feature(0)), "side");
  EXPECT_EQ(capsule.edge_feature(0), capsule.edge_feature(1));
  EXPECT_EQ(capsule.bounding_radius(), 1.5);
  const ConvexOutline disc = ConvexOutline::capsule(0.5, Vector2(1, 1), Vector2(1, 1));
  EXPECT_EQ(disc.kind(), OutlineKind::disc);
  EXPECT_EQ(disc.feature_name(0), "disc");
}

TEST(ConvexOutline, BoundsAreTight) {
  const ConvexOutline capsule = ConvexOutline::capsule(0.5, Vector2(0, -1), Vector2(0, 3));
  const Pose pose = {Vector3(10, 20, 0), math::Quaternion::from_axis_angle(Vector3::UnitZ(), std::acos(0.6))};
  const Bounds bounds = capsule.bounds(pose);
  EXPECT_LE((bounds.lower - Vector3(10 - 3 * 0.8 - 0.5, 20 - 0.6 - 0.5, 0)).norm(), 1e-14);
  EXPECT_LE((bounds.upper - Vector3(10 + 0.8 + 0.5, 20 + 3 * 0.6 + 0.5, 0)).norm(), 1e-14);
}

TEST(ConvexOutlineBadInput, SaysWhatIsWrong) {
  EXPECT_THROW(ConvexOutline::disc(-1), std::invalid_argument);
  EXPECT_THROW(ConvexOutline::box(Vector2(1, 0)), std::invalid_argument);
  EXPECT_THROW(ConvexOutline::hull(std::vector<Vector2>{{0, 0}, {1, 1}}), std::invalid_argument);
  EXPECT_THROW(ConvexOutline::hull(std::vector<Vector2>{{0, 0}, {1, 1}, {2, 2}, {3, 3}}), std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::geometry
