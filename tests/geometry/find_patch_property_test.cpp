// Patches of random polyhedra: the smallest gap against every feature of one and of the other, points on both surfaces.
#include <gtest/gtest.h>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;

// A place of A at which the two are about as far apart as `gap`, in a random direction.
Pose random_place(math::Random& random, const ConvexSolid& a, const ConvexSolid& b, const Pose& pose_of_b, double gap) {
  Pose pose = {Vector3::Zero(), random_rotation(random)};
  const Vector3 direction = random_unit(random);
  const auto reach = [](const ConvexSolid& solid, const Pose& at, const Vector3& d) {
    return d.dot(at.apply(solid.support(at.rotation.rotate_inverse(d))));
  };
  pose.position = direction * (reach(b, pose_of_b, direction) + gap + reach(a, pose, -direction));
  pose.position += math::cross(direction, random_vector(random, 0.5));
  return pose;
}

void compare_with_brute_force(math::Random& random, const ConvexSolid& a, const ConvexSolid& b) {
  const Pose pose_of_b = {random_vector(random), random_rotation(random)};
  const Pose pose_of_a = random_place(random, a, b, pose_of_b, random.uniform(-0.3, 0.2));
  const PlacedFeatures features_a(a, pose_of_a), features_b(b, pose_of_b);
  const double expected = brute_force_distance(features_a, features_b);
  Patch patch;
  ASSERT_TRUE(find_patch(a, pose_of_a, b, pose_of_b, kInfinity, patch));
  ASSERT_NEAR(smallest_gap(patch), expected, 1e-12);
  EXPECT_EQ(distance(a, pose_of_a, b, pose_of_b), smallest_gap(patch));
  expect_well_formed(patch, kInfinity, 4);
  for (int i = 0; i < patch.count; ++i) {
    EXPECT_NEAR(features_a.outside(patch.points[i].on_a), 0, 1e-12);
    EXPECT_NEAR(features_b.outside(patch.points[i].on_b), 0, 1e-12);
  }
  // Reach decides whether, not what.
  Patch within;
  EXPECT_FALSE(find_patch(a, pose_of_a, b, pose_of_b, expected - 1e-9, within));
  ASSERT_TRUE(find_patch(a, pose_of_a, b, pose_of_b, expected + 1e-9, within));
  EXPECT_EQ(within.normal, patch.normal);
  EXPECT_EQ(smallest_gap(within), smallest_gap(patch));
  // The other way round.
  Patch swapped;
  ASSERT_TRUE(find_patch(b, pose_of_b, a, pose_of_a, kInfinity, swapped));
  EXPECT_NEAR(smallest_gap(swapped), expected, 1e-12);
}

void compare_random_pairs(std::uint64_t seed, int pairs) {
  math::Random random(seed);
  for (int i = 0; i < pairs; ++i) {
    SCOPED_TRACE(i);
    const auto solid = [&]() -> ConvexSolid {
      switch (random.integer(4)) {
        case 0:
          return ConvexSolid::box(Vector3(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)));
        case 1:
          return prism(3 + static_cast<int>(random.integer(8)), random.uniform(0.2, 1), random.uniform(0.1, 1));
        default:
          return random_hull(random, 4 + static_cast<int>(random.integer(12)));
      }
    };
    const ConvexSolid a = solid();
    const ConvexSolid b = solid();
    compare_with_brute_force(random, a, b);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(FindPatchProperty, GapsAreThoseOfBruteForce) { compare_random_pairs(1, 300); }

TEST(FindPatchSlow, GapsAreThoseOfBruteForce) { compare_random_pairs(2, 100000); }

}  // namespace
}  // namespace ricochet::geometry
