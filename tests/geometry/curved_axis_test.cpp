// Cylinders and cones against closed forms, and everything against everything by sampling directions.
#include "ricochet/geometry/curved_axis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;
using ::testing::ElementsAre;

math::Quaternion tilted(const Vector3& axis, double angle) { return math::Quaternion::from_axis_angle(axis, angle); }

// A common motion of both solids, so that no case is special by its axes.
struct Scene {
  math::Quaternion rotation;
  Vector3 shift;
  explicit Scene(std::uint64_t seed) {
    math::Random random(seed);
    rotation = random_rotation(random);
    shift = random_vector(random);
  }
  Pose at(const Vector3& position, const math::Quaternion& turn = {}) const {
    return {shift + rotation.rotate(position), rotation * turn};
  }
  Vector3 local(const Vector3& point) const { return rotation.rotate_inverse(point - shift); }
};

TEST(CurvedAxis, CylinderStandsOnABoxWithSixLegs) {
  const ConvexSolid cylinder = ConvexSolid::cylinder(0.4, 0.5);
  const ConvexSolid box = ConvexSolid::box(Vector3(1, 1, 0.25));
  for (const double gap : {-0.01, -1e-9, 0.0, 1e-9, 1e-3}) {
    const Scene scene(21);
    Patch patch;
    ASSERT_TRUE(
        find_patch(cylinder, scene.at(Vector3(0.1, 0.2, 0.75 + gap)), box, scene.at(Vector3::Zero()), 0.01, patch));
    EXPECT_THAT(names(cylinder, box, patch), ElementsAre("rim0.low|face5", "rim0.leg1|face5", "rim0.leg2|face5",
                                                         "rim0.leg3|face5", "rim0.leg4|face5", "rim0.leg5|face5"));
    for (int i = 0; i < patch.count; ++i) {
      EXPECT_NEAR(patch.points[i].gap, gap, 1e-14);
      const Vector3 point = scene.local(patch.points[i].on_b) - Vector3(0.1, 0.2, 0.25);
      EXPECT_NEAR(point.norm(), 0.4, 1e-14);
    }
    EXPECT_FALSE(patch.normal_from_a);
  }
}

TEST(CurvedAxis, LeaningCylinderTouchesWithItsLowestPoint) {
  const ConvexSolid cylinder = ConvexSolid::cylinder(0.4, 0.5);
  const ConvexSolid box = ConvexSolid::box(Vector3(2, 2, 0.25));
  for (const double angle : {0.15, 0.5, 1.0, 1.4}) {
    const Scene scene(22);
    const double lowest = -0.4 * std::sin(angle) - 0.5 * std::cos(angle);
    for (const double gap : {-0.02, 0.0, 0.01}) {
      Patch patch;
      const Pose pose = scene.at(Vector3(0, 0, 0.25 - lowest + gap), tilted(Vector3::UnitY(), angle));
      ASSERT_TRUE(find_patch(cylinder, pose, box, scene.at(Vector3::Zero()), 0.02, patch));
      EXPECT_THAT(names(cylinder, box, patch), ElementsAre("rim0.low|face5"));
      EXPECT_NEAR(patch.points[0].gap, gap, 1e-14);
    }
  }
  // By less than the angle of a face: the legs are there, at their own heights.
  const Scene scene(23);
  const double lowest = -0.4 * std::sin(0.01) - 0.5 * std::cos(0.01);
  Patch patch;
  const Pose pose = scene.at(Vector3(0, 0, 0.25 - lowest), tilted(Vector3::UnitY(), 0.01));
  ASSERT_TRUE(find_patch(cylinder, pose, box, scene.at(Vector3::Zero()), 0.1, patch));
  ASSERT_EQ(patch.count, 6);
  for (int i = 0; i < 6; ++i) {
    const double cosine = std::cos(i * std::numbers::pi / 3);
    EXPECT_NEAR(patch.points[i].gap, 0.4 * std::sin(0.01) * (1 - cosine), 1e-14);
  }
}

TEST(CurvedAxis, CylinderOnItsSideAndConeOnItsSideHaveTwoPoints) {
  const ConvexSolid cylinder = ConvexSolid::cylinder(0.4, 0.5);
  const ConvexSolid cone = ConvexSolid::cone(0.3, 0.8);
  const ConvexSolid box = ConvexSolid::box(Vector3(2, 2, 0.25));
  const Scene scene(24);
  for (const double gap : {-0.01, 0.0, 0.01}) {
    Patch patch;
    ASSERT_TRUE(find_patch(cylinder,
                           scene.at(Vector3(0, 0, 0.65 + gap), tilted(Vector3::UnitX(), std::numbers::pi / 2)), box,
                           scene.at(Vector3::Zero()), 0.02, patch));
    EXPECT_THAT(names(cylinder, box, patch), ElementsAre("rim0.low|face5", "rim1.low|face5"));
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(patch.points[i].gap, gap, 1e-14);
    // The side of the cone leans by atan(r/h) to its axis.
    const double half_angle = std::atan2(0.3, 0.8);
    Pose lying = {Vector3::Zero(), tilted(Vector3::UnitY(), std::numbers::pi / 2 + half_angle)};
    lying.position.z() = 0.25 + gap - lying.apply(Vector3(0, 0, 0.4)).z();
    ASSERT_TRUE(
        find_patch(cone, scene.at(lying.position, lying.rotation), box, scene.at(Vector3::Zero()), 0.02, patch));
    EXPECT_THAT(names(cone, box, patch), ElementsAre("rim0.low|face5", "apex|face5"));
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(patch.points[i].gap, gap, 1e-14);
  }
}

TEST(CurvedAxis, ConeStandsOnItsBaseAndOnItsApex) {
  const ConvexSolid cone = ConvexSolid::cone(0.3, 0.8);
  const ConvexSolid box = ConvexSolid::box(Vector3(2, 2, 0.25));
  const Scene scene(25);
  Patch patch;
  ASSERT_TRUE(find_patch(cone, scene.at(Vector3(0, 0, 0.65)), box, scene.at(Vector3::Zero()), 0.02, patch));
  EXPECT_EQ(patch.count, 6);
  EXPECT_NEAR(smallest_gap(patch), 0, 1e-14);
  const math::Quaternion over = tilted(Vector3::UnitX(), std::numbers::pi);
  ASSERT_TRUE(find_patch(cone, scene.at(Vector3(0, 0, 0.65), over), box, scene.at(Vector3::Zero()), 0.02, patch));
  EXPECT_THAT(names(cone, box, patch), ElementsAre("apex|face5"));
  EXPECT_NEAR(smallest_gap(patch), 0, 1e-14);
}

// What rests is within reach, also where the reach is no more than rounding: closest points are not as exact as that.
TEST(CurvedAxisProperty, WhatTouchesIsFoundWithinRounding) {
  const ConvexSolid cylinder = ConvexSolid::cylinder(0.4, 0.5);
  const ConvexSolid cone = ConvexSolid::cone(0.3, 0.4);
  const ConvexSolid box = ConvexSolid::box(Vector3(1, 1.2, 0.25));
  const Vector3 turns = Vector3::UnitX();
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Scene scene(seed);
    math::Random random(1000 + seed);
    const math::Quaternion about_z = tilted(Vector3::UnitZ(), random.uniform(0, 6));
    const Vector3 place(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0.25);
    const Pose of_box = scene.at(Vector3::Zero());
    const auto points = [&](const ConvexSolid& solid, double height, const math::Quaternion& turn) {
      Patch patch;
      find_patch(solid, scene.at(place + height * Vector3::UnitZ(), about_z * turn), box, of_box, 4e-14, patch);
      return patch.count;
    };
    EXPECT_EQ(points(cylinder, 0.4, tilted(turns, std::numbers::pi / 2)), 2) << seed;
    EXPECT_EQ(points(cylinder, 0.5, {}), 6) << seed;
    EXPECT_EQ(points(cone, 0.2, {}), 6) << seed;
  }
}

TEST(CurvedAxis, CylindersCrossedParallelAndStacked) {
  const ConvexSolid a = ConvexSolid::cylinder(0.3, 1);
  const ConvexSolid b = ConvexSolid::cylinder(0.2, 1);
  const Scene scene(26);
  for (const double gap : {-0.05, -1e-8, 1e-8, 0.05}) {
    Patch patch;
    // crossed at right angles and at one radian
    for (const double angle : {std::numbers::pi / 2, 1.0}) {
      ASSERT_TRUE(find_patch(a, scene.at(Vector3(0.5 + gap, 0.1, 0), tilted(Vector3::UnitX(), angle)), b,
                             scene.at(Vector3::Zero()), 0.1, patch));
      EXPECT_THAT(names(a, b, patch), ElementsAre("side|side"));
      EXPECT_NEAR(patch.points[0].gap, gap, 1e-13);
    }
    // side by side, one shifted along
    ASSERT_TRUE(find_patch(a, scene.at(Vector3(0.5 + gap, 0, 0.3)), b, scene.at(Vector3::Zero()), 0.1, patch));
    EXPECT_THAT(names(a, b, patch), ElementsAre("rim0.low|side", "side|rim1.low"));
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(patch.points[i].gap, gap, 1e-13);
    // one upon the other
    ASSERT_TRUE(find_patch(a, scene.at(Vector3(0.05, 0, 2 + gap)), b, scene.at(Vector3::Zero()), 0.1, patch));
    EXPECT_GE(patch.count, 6);
    for (int i = 0; i < patch.count; ++i) EXPECT_NEAR(patch.points[i].gap, gap, 1e-13);
  }
}

TEST(CurvedAxis, SphereAtARimSideAndEnd) {
  const ConvexSolid cylinder = ConvexSolid::cylinder(0.5, 0.7);
  const ConvexSolid sphere = ConvexSolid::sphere(0.2);
  const Scene scene(27);
  const auto gap_at = [&](const Vector3& center) {
    return distance(sphere, scene.at(center), cylinder, scene.at(Vector3::Zero()));
  };
  EXPECT_NEAR(gap_at(Vector3(0.3, 0.1, 0.95)), 0.05, 1e-14);
  EXPECT_NEAR(gap_at(Vector3(0.4, 0.3, 0.1)), -0.2, 1e-13);  // its middle on the surface
  EXPECT_NEAR(gap_at(Vector3(0.36, 0.48, 0.1)), 0.1 - 0.2, 1e-14);
  EXPECT_NEAR(gap_at(Vector3(0.6 + 0.3 * 0.6, 0.8 + 0.3 * 0.8, 1.1) / 1.0 - Vector3(0.3, 0.4, 0)),
              std::hypot(0.3 + 0.0, 0.4) - 0.2, 1e-12);
  // Inside: out through the nearest wall, here the side, there the end.
  EXPECT_NEAR(gap_at(Vector3(0.35, 0, 0.1)), -0.15 - 0.2, 1e-12);
  EXPECT_NEAR(gap_at(Vector3(0.1, 0, 0.6)), -0.1 - 0.2, 1e-12);
}

// How far outside of a solid a point is, in some measure that is a distance on the surface: 0 there.
double outside(const ConvexSolid& solid, const Pose& pose, const Vector3& world) {
  const Vector3 x = pose.rotation.rotate_inverse(world - pose.position);
  const double across = std::hypot(x.x(), x.y());
  switch (solid.kind()) {
    case SolidKind::sphere:
      return x.norm() - solid.radius();
    case SolidKind::capsule: {
      const double half = solid.core().outer_radius;
      return (x - Vector3(0, 0, std::clamp(x.z(), -half, half))).norm() - solid.radius();
    }
    case SolidKind::cylinder:
      return std::max(across - solid.rim_radius(), std::abs(x.z()) - solid.half_length());
    case SolidKind::cone: {
      const double height = 2 * solid.half_length(), r = solid.rim_radius();
      return std::max(-x.z() - solid.half_length(),
                      (height * across + r * (x.z() - solid.half_length())) / std::hypot(r, height));
    }
    default:
      return PlacedFeatures(solid, pose).outside(world);
  }
}

double separation_at(const ConvexSolid& a, const Pose& pose_of_a, const ConvexSolid& b, const Pose& pose_of_b,
                     const Vector3& n) {
  return n.dot(pose_of_a.apply(a.support(pose_of_a.rotation.rotate_inverse(-n)))) -
         n.dot(pose_of_b.apply(b.support(pose_of_b.rotation.rotate_inverse(n))));
}

// The largest separation over many directions, refined about the best.
double sampled_separation(math::Random& random, const ConvexSolid& a, const Pose& pose_of_a, const ConvexSolid& b,
                          const Pose& pose_of_b, int samples) {
  double best = -kInfinity;
  Vector3 at = Vector3::UnitX();
  const auto offer = [&](const Vector3& n) {
    const double value = separation_at(a, pose_of_a, b, pose_of_b, n);
    if (value <= best) return false;
    best = value;
    at = n;
    return true;
  };
  for (int i = 0; i < samples; ++i) offer(random_unit(random));
  double radius = 0.2;
  for (int i = 0; i < samples && radius > 1e-9; ++i) {
    if (!offer((at + random_vector(random, radius)).normalized())) radius *= 0.98;
  }
  return best;
}

ConvexSolid random_solid(math::Random& random, int kind) {
  const double r = random.uniform(0.2, 0.6), h = random.uniform(0.2, 0.8);
  switch (kind) {
    case 0:
      return ConvexSolid::cylinder(r, h);
    case 1:
      return ConvexSolid::cone(r, 2 * h);
    case 2:
      return ConvexSolid::sphere(r);
    case 3:
      return ConvexSolid::capsule(r, h);
    case 4:
      return ConvexSolid::box(Vector3(r, h, random.uniform(0.2, 0.8)));
    default:
      return random_hull(random, 8);
  }
}

struct PlacedPair {
  ConvexSolid a, b;
  Pose pose_of_a, pose_of_b;
  Vector3 normal;
  double size;
};

// Solids that lie anywhere, moved together along their normal until they are apart by this part of their size. The
// closest points come along, and what the normal separates is as large: so it is that of the distance still.
PlacedPair random_pair_apart(math::Random& random, double part) {
  constexpr int kinds[] = {0, 1, 4, 5};
  for (;;) {
    const ConvexSolid a = random_solid(random, static_cast<int>(random.integer(2)));
    const ConvexSolid b = random_solid(random, kinds[random.integer(4)]);
    Pose pose_of_a = {random_vector(random, 3), random_rotation(random)};
    const Pose pose_of_b = {Vector3::Zero(), random_rotation(random)};
    Patch far;
    if (!find_patch(a, pose_of_a, b, pose_of_b, kInfinity, far) || smallest_gap(far) < 0.05) continue;
    const double size = a.bounding_radius() + b.bounding_radius();
    pose_of_a.position -= (smallest_gap(far) - part * size) * far.normal;
    return {a, b, pose_of_a, pose_of_b, far.normal, size};
  }
}

TEST(CurvedAxisProperty, WhatIsApartByLittleHasItsDistanceAndNormal) {
  math::Random random(35);
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const double part = std::pow(10.0, random.uniform(-9, -5));
    const auto [a, b, pose_of_a, pose_of_b, normal, size] = random_pair_apart(random, part);
    const double apart = part * size;
    const double tolerance = 1e-10 * size;
    ASSERT_NEAR(separation_at(a, pose_of_a, b, pose_of_b, normal), apart, 0.1 * tolerance);
    Patch patch;
    EXPECT_FALSE(find_patch(a, pose_of_a, b, pose_of_b, 0.5 * apart, patch));
    ASSERT_TRUE(find_patch(a, pose_of_a, b, pose_of_b, apart + tolerance, patch));
    EXPECT_NEAR(smallest_gap(patch), apart, tolerance);
    EXPECT_NEAR(separation_at(a, pose_of_a, b, pose_of_b, patch.normal), apart, tolerance);
    // The closest points, `apart` along the normal, are separated along another by no more than the cosine of it.
    EXPECT_GE(patch.normal.dot(normal), 1 - 1.1 * tolerance / apart);
    expect_well_formed(patch, apart + tolerance, size);
  }
}

// In a few of ten thousand pairs the search for closest points ends at others there, apart by a hundred-thousandth.
TEST(CurvedAxisProperty, WhatTouchesAnywhereIsFound) {
  math::Random random(36);
  for (int i = 0; i < 5000; ++i) {
    const auto [a, b, pose_of_a, pose_of_b, normal, size] = random_pair_apart(random, 1e-13);
    Patch patch;
    EXPECT_TRUE(find_patch(a, pose_of_a, b, pose_of_b, 1e-10 * size, patch)) << i;
  }
}

void compare_with_sampling(std::uint64_t seed, int pairs, int samples, double deepest) {
  math::Random random(seed);
  int overlapping = 0;
  for (int i = 0; i < pairs; ++i) {
    SCOPED_TRACE(i);
    const ConvexSolid a = random_solid(random, i % 6);
    const ConvexSolid b = random_solid(random, static_cast<int>(random.integer(6)));
    const Pose pose_of_b = {Vector3::Zero(), random_rotation(random)};
    Pose pose_of_a = {Vector3::Zero(), random_rotation(random)};
    const Vector3 direction = random_unit(random);
    const auto reach = [](const ConvexSolid& solid, const Pose& pose, const Vector3& d) {
      return d.dot(pose.apply(solid.support(pose.rotation.rotate_inverse(d))));
    };
    pose_of_a.position =
        direction * (reach(b, pose_of_b, direction) + reach(a, pose_of_a, -direction) - random.uniform(-0.1, deepest)) +
        math::cross(direction, random_vector(random, 0.2));
    Patch patch;
    ASSERT_TRUE(find_patch(a, pose_of_a, b, pose_of_b, kInfinity, patch));
    const double gap = smallest_gap(patch);
    if (gap < 0) ++overlapping;
    const double sampled = sampled_separation(random, a, pose_of_a, b, pose_of_b, samples);
    const double tolerance = 1e-10 + 1e-6 * std::max(0.0, -gap);
    EXPECT_GE(gap, sampled - tolerance);
    // And it does separate so much.
    EXPECT_NEAR(gap, separation_at(a, pose_of_a, b, pose_of_b, patch.normal), 1e-10);
    expect_well_formed(patch, kInfinity, 4);
    // Beside the true place by the error of the normal, which is about the root of that of the gap.
    const double beside = std::sqrt(tolerance);
    for (int k = 0; k < patch.count; ++k) {
      if (patch.points[k].gap > gap + 1e-13) continue;
      EXPECT_NEAR(outside(a, pose_of_a, patch.points[k].on_a), 0, beside);
      EXPECT_NEAR(outside(b, pose_of_b, patch.points[k].on_b), 0, beside);
    }
    EXPECT_NEAR(distance(b, pose_of_b, a, pose_of_a), gap, tolerance);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(overlapping, pairs / 20);
}

TEST(CurvedAxisProperty, NoDirectionSeparatesMore) {
  compare_with_sampling(31, 300, 1000, 0.4);
  compare_with_sampling(33, 300, 1000, 0.1);
}

TEST(CurvedAxisSlow, NoDirectionSeparatesMore) {
  compare_with_sampling(32, 20000, 4000, 0.4);
  compare_with_sampling(34, 20000, 4000, 0.1);
}

}  // namespace
}  // namespace ricochet::geometry
