// Patches of random polyhedra: the smallest gap against every feature of one and of the other, points on both surfaces.
#include <gtest/gtest.h>

#include "geometry/test_solids.hpp"
#include "ricochet/geometry/patch_clipping.hpp"

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

// Returns the gap.
double compare_with_brute_force(const ConvexSolid& a, const Pose& pose_of_a, const ConvexSolid& b,
                                const Pose& pose_of_b) {
  const PlacedFeatures features_a(a, pose_of_a), features_b(b, pose_of_b);
  const double expected = brute_force_distance(features_a, features_b);
  Patch patch;
  EXPECT_TRUE(find_patch(a, pose_of_a, b, pose_of_b, kInfinity, patch));
  EXPECT_NEAR(smallest_gap(patch), expected, 1e-12);
  EXPECT_EQ(distance(a, pose_of_a, b, pose_of_b), smallest_gap(patch));
  expect_well_formed(patch, kInfinity, 4);
  // Where edges are parallel up to a small angle, an end of one is over the line of the other, up to that angle.
  const auto is_edge = [](const ConvexSolid& solid, int feature) {
    return solid.feature_name(feature).starts_with("edge");
  };
  for (int i = 0; i < patch.count; ++i) {
    const PatchPoint& point = patch.points[i];
    const bool on_parallel_edges = is_edge(a, point.feature_a) != is_edge(b, point.feature_b);
    const double tolerance = on_parallel_edges ? kParallelSegments * 4 : 1e-12;
    EXPECT_NEAR(features_a.outside(point.on_a), 0, tolerance);
    EXPECT_NEAR(features_b.outside(point.on_b), 0, tolerance);
  }
  // Reach decides whether, not what.
  Patch within;
  EXPECT_FALSE(find_patch(a, pose_of_a, b, pose_of_b, expected - 1e-9, within));
  EXPECT_TRUE(find_patch(a, pose_of_a, b, pose_of_b, expected + 1e-9, within));
  EXPECT_EQ(within.normal, patch.normal);
  EXPECT_EQ(smallest_gap(within), smallest_gap(patch));
  // The other way round.
  Patch swapped;
  EXPECT_TRUE(find_patch(b, pose_of_b, a, pose_of_a, kInfinity, swapped));
  EXPECT_NEAR(smallest_gap(swapped), expected, 1e-12);
  return expected;
}

void compare_random_pairs(std::uint64_t seed, int pairs) {
  math::Random random(seed);
  int apart = 0;
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
    const Pose pose_of_b = {random_vector(random), random_rotation(random)};
    const Pose pose_of_a = random_place(random, a, b, pose_of_b, random.uniform(-1.2, 0.1));
    if (compare_with_brute_force(a, pose_of_a, b, pose_of_b) > 0) ++apart;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(apart, pairs / 4);
  EXPECT_LT(apart, 3 * pairs / 4);
}

// Turned by quarters and eighths and placed on a grid, where faces and edges are parallel and corners coincide.
void compare_structured_pairs(std::uint64_t seed, int pairs) {
  math::Random random(seed);
  const auto turn = [&] {
    return math::Quaternion::from_axis_angle(Vector3::Unit(static_cast<int>(random.integer(3))),
                                             M_PI / 4 * static_cast<double>(random.integer(8)));
  };
  for (int i = 0; i < pairs; ++i) {
    SCOPED_TRACE(i);
    const auto solid = [&]() -> ConvexSolid {
      const auto step = [&] { return 0.25 * static_cast<double>(1 + random.integer(4)); };
      if (random.integer(3) == 0) return prism(3 + static_cast<int>(random.integer(6)), step(), step());
      return ConvexSolid::box(Vector3(step(), step(), step()));
    };
    const ConvexSolid a = solid();
    const ConvexSolid b = solid();
    const auto place = [&] { return 0.25 * (static_cast<double>(random.integer(9)) - 4); };
    const math::Quaternion common = random_rotation(random);
    const double nudge = random.integer(2) == 0 ? 0 : std::ldexp(1.0, -static_cast<int>(random.integer(50)));
    const math::Quaternion noise = math::exponential(nudge * random_vector(random));
    const Pose pose_of_b = {Vector3::Zero(), common};
    const Pose pose_of_a = {common.rotate(Vector3(place(), place(), place())), noise * common * turn() * turn()};
    compare_with_brute_force(a, pose_of_a, b, pose_of_b);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(FindPatchProperty, GapsAreThoseOfBruteForce) { compare_random_pairs(1, 300); }

TEST(FindPatchProperty, GapsAreExactWhereFeaturesAreParallel) { compare_structured_pairs(3, 300); }

TEST(FindPatchSlow, GapsAreExactWhereFeaturesAreParallel) { compare_structured_pairs(4, 100000); }

TEST(FindPatchSlow, GapsAreThoseOfBruteForce) { compare_random_pairs(2, 100000); }

}  // namespace
}  // namespace ricochet::geometry
