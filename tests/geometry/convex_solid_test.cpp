// Makers, supports, bounds and names of convex solids.
#include "ricochet/geometry/convex_solid.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;

std::vector<ConvexSolid> one_of_each() {
  math::Random random(71);
  return {ConvexSolid::sphere(0.3),        ConvexSolid::capsule(0.2, 0.5), ConvexSolid::box(Vector3(0.3, 0.4, 0.5)),
          ConvexSolid::cylinder(0.3, 0.5), ConvexSolid::cone(0.3, 0.8),    random_hull(random, 10)};
}

TEST(ConvexSolid, SupportsAreTheFurthestPoints) {
  EXPECT_LE((ConvexSolid::sphere(2).support(Vector3(0, 3, 4)) - Vector3(0, 1.2, 1.6)).norm(), 1e-15);
  EXPECT_LE((ConvexSolid::capsule(1, 2).support(Vector3(3, 0, -4)) - Vector3(0.6, 0, -2.8)).norm(), 1e-15);
  EXPECT_EQ(ConvexSolid::box(Vector3(1, 2, 3)).support(Vector3(-0.1, 1, 2)), Vector3(-1, 2, 3));
  EXPECT_LE((ConvexSolid::cylinder(2, 5).support(Vector3(3, 4, -1)) - Vector3(1.2, 1.6, -5)).norm(), 1e-15);
  // The side of this cone has the slope 2: steeper directions reach the apex.
  EXPECT_EQ(ConvexSolid::cone(1, 2).support(Vector3(1, 0, 0.51)), Vector3(0, 0, 1));
  EXPECT_EQ(ConvexSolid::cone(1, 2).support(Vector3(1, 0, 0.49)), Vector3(1, 0, -1));
}

TEST(ConvexSolidProperty, BoundsAreTight) {
  math::Random random(72);
  for (const ConvexSolid& solid : one_of_each()) {
    for (int i = 0; i < 50; ++i) {
      const Pose pose = {random_vector(random, 3), random_rotation(random)};
      const Bounds bounds = solid.bounds(pose);
      for (int axis = 0; axis < 3; ++axis) {
        const Vector3 unit = Vector3::Unit(axis);
        const auto reached = [&](const Vector3& d) {
          return pose.apply(solid.support(pose.rotation.rotate_inverse(d)))[axis];
        };
        EXPECT_NEAR(bounds.upper[axis], reached(unit), 1e-14);
        EXPECT_NEAR(bounds.lower[axis], reached(-unit), 1e-14);
      }
      const Vector3 direction = random_unit(random);
      EXPECT_LE((solid.support(direction) - solid.middle()).norm(), solid.bounding_radius() * (1 + 1e-15));
    }
  }
}

TEST(ConvexSolid, NamesOfFeatures) {
  const ConvexSolid box = ConvexSolid::box(Vector3(1, 2, 3));
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(box.feature_name(i), "corner" + std::to_string(i));
    EXPECT_EQ(box.core().vertices[i], Vector3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 2 : -2, (i & 4) != 0 ? 3 : -3));
  }
  EXPECT_EQ(box.feature_name(box.core().edge_feature(11)), "edge11");
  EXPECT_EQ(box.feature_name(box.core().face_feature(5)), "face5");
  EXPECT_EQ(box.core().faces[5].normal, Vector3(0, 0, 1));
  EXPECT_EQ(box.core().faces[0].normal, Vector3(-1, 0, 0));
  EXPECT_EQ(ConvexSolid::sphere(1).feature_name(0), "sphere");
  const ConvexSolid capsule = ConvexSolid::capsule(1, 1);
  EXPECT_EQ(capsule.feature_name(0) + capsule.feature_name(1) + capsule.feature_name(2), "end0end1side");
  const ConvexSolid cylinder = ConvexSolid::cylinder(1, 1);
  EXPECT_EQ(cylinder.feature_name(0), "rim0.low");
  EXPECT_EQ(cylinder.feature_name(11), "rim1.leg5");
  EXPECT_EQ(cylinder.feature_name(12), "rim0.arc0");
  EXPECT_EQ(cylinder.feature_name(23), "rim1.arc5");
  EXPECT_EQ(cylinder.feature_name(24), "side");
  EXPECT_EQ(cylinder.feature_name(26), "end1");
  const ConvexSolid cone = ConvexSolid::cone(1, 1);
  EXPECT_EQ(cone.feature_name(5), "rim0.leg5");
  EXPECT_EQ(cone.feature_name(6), "apex");
  EXPECT_EQ(cone.feature_name(7), "rim0.arc0");
  EXPECT_EQ(cone.feature_name(13), "side");
  EXPECT_EQ(cone.feature_name(14), "end0");
}

TEST(ConvexSolidBadInput, DimensionsMustMakeASolid) {
  const double bad[] = {-1, 0, kInfinity, std::nan("")};
  for (const double length : bad) {
    EXPECT_THROW(ConvexSolid::box(Vector3(1, length, 1)), std::invalid_argument);
    EXPECT_THROW(ConvexSolid::cylinder(length, 1), std::invalid_argument);
    EXPECT_THROW(ConvexSolid::cylinder(1, length), std::invalid_argument);
    EXPECT_THROW(ConvexSolid::cone(1, length), std::invalid_argument);
    if (length == 0) continue;
    EXPECT_THROW(ConvexSolid::sphere(length), std::invalid_argument);
    EXPECT_THROW(ConvexSolid::capsule(1, length), std::invalid_argument);
  }
  EXPECT_EQ(ConvexSolid::capsule(1, 0).kind(), SolidKind::sphere);
}

}  // namespace
}  // namespace ricochet::geometry
