// What of a solid is outermost in a direction: faces, edges, corners, rims and sides, with their names.
#include "ricochet/geometry/support_polygon.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;

struct Found {
  int count;
  std::string whole;
  std::vector<std::string> vertices;
};

Found outermost_of(const ConvexSolid& solid, const Vector3& direction) {
  SupportPolygon polygon;
  find_support_polygon(solid, direction.normalized(), {}, polygon);
  Found found = {polygon.count, solid.feature_name(polygon.feature), {}};
  for (int i = 0; i < polygon.count; ++i) found.vertices.push_back(solid.feature_name(polygon.vertices[i]));
  return found;
}

TEST(SupportPolygon, BoxGivesFacesEdgesAndCorners) {
  const ConvexSolid box = ConvexSolid::box(Vector3(1, 2, 3));
  for (const double lean : {0.0, 0.09, -0.09}) {
    const Found face = outermost_of(box, Vector3(lean, 0, 1));
    EXPECT_EQ(face.whole, "face5");
    EXPECT_THAT(face.vertices, ::testing::ElementsAre("corner4", "corner5", "corner7", "corner6"));
  }
  const Found edge = outermost_of(box, Vector3(0.5, 0.05, 1));
  EXPECT_EQ(edge.count, 2);
  EXPECT_THAT(edge.vertices, ::testing::UnorderedElementsAre("corner5", "corner7"));
  EXPECT_TRUE(edge.whole.starts_with("edge"));
  const Found corner = outermost_of(box, Vector3(-1, -1, -1));
  EXPECT_EQ(corner.count, 1);
  EXPECT_EQ(corner.whole, "corner0");
}

TEST(SupportPolygon, RimsHaveTheirLowestPointAndLegs) {
  const ConvexSolid cylinder = ConvexSolid::cylinder(0.5, 1);
  SupportPolygon polygon;
  for (const bool top : {false, true}) {
    const Vector3 direction = Vector3(0.03, 0.04, top ? 1 : -1).normalized();
    find_support_polygon(cylinder, direction, {}, polygon);
    ASSERT_EQ(polygon.count, 6);
    EXPECT_EQ(cylinder.feature_name(polygon.feature), top ? "end1" : "end0");
    EXPECT_EQ(cylinder.feature_name(polygon.vertices[0]), top ? "rim1.low" : "rim0.low");
    EXPECT_LE((polygon.corners[0] - Vector3(0.3, 0.4, top ? 1 : -1)).norm(), 1e-15);
    // Legs are counted about +z from the lowest point, corners counter-clockwise seen from outside.
    for (int i = 0; i < 6; ++i) {
      const int leg = polygon.vertices[i] % 6;
      const double angle = leg * M_PI / 3 + std::atan2(0.4, 0.3);
      EXPECT_LE((polygon.corners[i] - Vector3(0.5 * std::cos(angle), 0.5 * std::sin(angle), top ? 1 : -1)).norm(),
                1e-15);
      const Vector3 along = polygon.corners[polygon.next(i)] - polygon.corners[i];
      EXPECT_GT(math::cross(polygon.corners[i].cwiseProduct(Vector3(1, 1, 0)), along).dot(polygon.normal), 0);
      // An arc is between its leg and the next.
      const int arc = (polygon.edges[i] - 12) % 6;
      const int next = polygon.vertices[polygon.next(i)] % 6;
      EXPECT_TRUE((arc == leg && next == (leg + 1) % 6) || (arc == next && leg == (next + 1) % 6));
    }
  }
  EXPECT_THAT(outermost_of(cylinder, Vector3(1, 0, 0.05)).vertices, ::testing::ElementsAre("rim0.low", "rim1.low"));
  EXPECT_THAT(outermost_of(cylinder, Vector3(1, 0, 0.5)).vertices, ::testing::ElementsAre("rim1.low"));
  EXPECT_THAT(outermost_of(cylinder, Vector3(1, 0, -0.5)).vertices, ::testing::ElementsAre("rim0.low"));
}

TEST(SupportPolygon, ConeHasApexSideRimAndBase) {
  const ConvexSolid cone = ConvexSolid::cone(0.5, 1);  // its side looks along (2, 0, 1)
  EXPECT_EQ(outermost_of(cone, Vector3(0, 0, 1)).whole, "apex");
  EXPECT_EQ(outermost_of(cone, Vector3(2, 0, 1.05)).whole, "side");
  EXPECT_THAT(outermost_of(cone, Vector3(2, 0, 0.95)).vertices, ::testing::ElementsAre("rim0.low", "apex"));
  EXPECT_EQ(outermost_of(cone, Vector3(2, 0, 0)).whole, "rim0.low");
  EXPECT_EQ(outermost_of(cone, Vector3(0.01, 0, -1)).whole, "end0");
  EXPECT_EQ(outermost_of(cone, Vector3(0.01, 0, -1)).count, 6);
}

TEST(SupportPolygonProperty, ContainsTheFurthestPoint) {
  math::Random random(93);
  SupportPolygon polygon;
  for (int i = 0; i < 300; ++i) {
    const ConvexSolid solids[] = {random_hull(random, 9), ConvexSolid::cylinder(0.4, 0.3), ConvexSolid::cone(0.4, 0.7),
                                  ConvexSolid::capsule(0.1, 0.5), ConvexSolid::box(Vector3(0.3, 0.2, 0.5))};
    for (const ConvexSolid& solid : solids) {
      const Vector3 direction = random_unit(random);
      find_support_polygon(solid, direction, {}, polygon);
      double reached = -kInfinity;
      for (int k = 0; k < polygon.count; ++k) reached = std::max(reached, direction.dot(polygon.corners[k]));
      EXPECT_NEAR(reached, direction.dot(solid.core_support(direction)), 1e-15);
    }
  }
}

}  // namespace
}  // namespace ricochet::geometry
