// Closest points of cores that are apart, and what is said of cores that are not.
#include "ricochet/geometry/closest_points.hpp"

#include <gtest/gtest.h>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;

TEST(ClosestPointsProperty, PolyhedraAsFarApartAsTheirFeatures) {
  math::Random random(91);
  int apart = 0;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const ConvexSolid a = random_hull(random, 4 + static_cast<int>(random.integer(10)));
    const ConvexSolid b = random_hull(random, 4 + static_cast<int>(random.integer(10)));
    const math::Quaternion rotation = random_rotation(random);
    const Vector3 position = random_vector(random, 1.5);
    const Placement place = {rotation.matrix(), position};
    const PlacedFeatures features_a(a, {position - rotation.rotate(a.middle()), rotation});
    const PlacedFeatures features_b(b, {-b.middle(), {}});
    const double expected = brute_force_distance(features_a, features_b);
    const ClosestPoints closest = find_closest_points(a, b, place, position);
    if (expected <= 0) {
      EXPECT_EQ(closest.distance, 0);
      continue;
    }
    ++apart;
    EXPECT_NEAR(closest.distance, expected, 1e-12);
    EXPECT_LE((closest.on_a - closest.on_b - closest.distance * closest.normal).norm(), 1e-13);
    EXPECT_NEAR(features_a.outside(closest.on_a), 0, 1e-13);
    EXPECT_NEAR(features_b.outside(closest.on_b), 0, 1e-13);
    // Any guess will do.
    EXPECT_NEAR(find_closest_points(a, b, place, random_unit(random)).distance, expected, 1e-12);
  }
  EXPECT_GT(apart, 100);
}

TEST(ClosestPoints, SimpleCoresAndShrunkenOnes) {
  const ConvexSolid point = ConvexSolid::sphere(0);
  const ConvexSolid box = ConvexSolid::box(Vector3(1, 2, 3));
  const ClosestPoints at_corner =
      find_closest_points(point, box, {Matrix3::Identity(), Vector3(2, 4, 5)}, Vector3(1, 1, 1));
  EXPECT_NEAR(at_corner.distance, 3, 1e-15);
  EXPECT_LE((at_corner.on_b - Vector3(1, 2, 3)).norm(), 1e-15);
  const ClosestPoints at_face =
      find_closest_points(point, box, {Matrix3::Identity(), Vector3(0.3, 0.4, 5)}, Vector3(1, 1, 1));
  EXPECT_NEAR(at_face.distance, 2, 1e-15);
  EXPECT_LE((at_face.normal - Vector3(0, 0, 1)).norm(), 1e-15);
  const Placement inside = {Matrix3::Identity(), Vector3(0.3, 0.4, 2)};
  EXPECT_EQ(find_closest_points(point, box, inside, Vector3(1, 1, 1)).distance, 0);
  EXPECT_NEAR(find_closest_points(point, box, inside, Vector3(1, 1, 1), 0.5).distance, 0.5, 1e-15);
}

}  // namespace
}  // namespace ricochet::geometry
