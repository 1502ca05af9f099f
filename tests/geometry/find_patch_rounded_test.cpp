// Spheres and capsules among each other and on boxes: closed forms, names, two points where they lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;
using ::testing::ElementsAre;

const math::Quaternion kAlongX = math::Quaternion::from_axis_angle(Vector3::UnitY(), std::numbers::pi / 2);

// The whole moved and turned, so that no case is special by its axes.
bool patch_in_scene(const ConvexSolid& a, const Pose& pose_of_a, const ConvexSolid& b, const Pose& pose_of_b,
                    double reach, Patch& patch) {
  math::Random random(41);
  const math::Quaternion rotation = random_rotation(random);
  const Vector3 shift = random_vector(random);
  const auto moved = [&](const Pose& pose) {
    return Pose{shift + rotation.rotate(pose.position), rotation * pose.rotation};
  };
  if (!find_patch(a, moved(pose_of_a), b, moved(pose_of_b), reach, patch)) return false;
  patch.normal = rotation.rotate_inverse(patch.normal);
  for (int i = 0; i < patch.count; ++i) {
    patch.points[i].on_a = rotation.rotate_inverse(patch.points[i].on_a - shift);
    patch.points[i].on_b = rotation.rotate_inverse(patch.points[i].on_b - shift);
  }
  return true;
}

TEST(FindPatchOfRounded, SphereAtFaceEdgeAndCornerOfABox) {
  const ConvexSolid sphere = ConvexSolid::sphere(0.3);
  const ConvexSolid box = ConvexSolid::box(Vector3(1, 1, 1));
  Patch patch;
  ASSERT_TRUE(patch_in_scene(sphere, {Vector3(0.2, 0.3, 1.35), {}}, box, {}, 0.1, patch));
  EXPECT_THAT(names(sphere, box, patch), ElementsAre("sphere|face5"));
  EXPECT_NEAR(patch.points[0].gap, 0.05, 1e-14);
  EXPECT_LE((patch.points[0].on_a - Vector3(0.2, 0.3, 1.05)).norm(), 1e-14);
  ASSERT_TRUE(patch_in_scene(sphere, {Vector3(0.2, 1.3, 1.4), {}}, box, {}, 0.3, patch));
  EXPECT_EQ(patch.count, 1);
  EXPECT_TRUE(box.feature_name(patch.points[0].feature_b).starts_with("edge"));
  EXPECT_NEAR(patch.points[0].gap, 0.5 - 0.3, 1e-14);
  EXPECT_LE((patch.normal - Vector3(0, 0.6, 0.8)).norm(), 1e-14);
  ASSERT_TRUE(patch_in_scene(sphere, {Vector3(1.2, 1.2, 1.1), {}}, box, {}, 0.3, patch));
  EXPECT_THAT(names(sphere, box, patch), ElementsAre("sphere|corner7"));
  EXPECT_NEAR(patch.points[0].gap, 0.0, 1e-14);
  // Its middle inside: out through the nearest face.
  ASSERT_TRUE(patch_in_scene(sphere, {Vector3(0.2, -0.9, 0.3), {}}, box, {}, 0, patch));
  EXPECT_NEAR(patch.points[0].gap, -0.4, 1e-14);
  EXPECT_LE((patch.normal - Vector3(0, -1, 0)).norm(), 1e-14);
}

TEST(FindPatchOfRounded, SpheresAndPoints) {
  const ConvexSolid a = ConvexSolid::sphere(0.3);
  const ConvexSolid b = ConvexSolid::sphere(0.5);
  Patch patch;
  ASSERT_TRUE(patch_in_scene(a, {Vector3(0.6, 0, 0.8), {}}, b, {}, 0.3, patch));
  EXPECT_NEAR(patch.points[0].gap, 0.2, 1e-15);
  EXPECT_LE((patch.normal - Vector3(0.6, 0, 0.8)).norm(), 1e-15);
  EXPECT_FALSE(patch_in_scene(a, {Vector3(0.6, 0, 0.8), {}}, b, {}, 0.1, patch));
  ASSERT_TRUE(patch_in_scene(a, {}, b, {}, 0.1, patch));  // at one place
  EXPECT_NEAR(patch.points[0].gap, -0.8, 1e-15);
  EXPECT_NEAR(patch.normal.norm(), 1, 1e-15);
}

TEST(FindPatchOfRounded, CapsuleLiesOnABoxWithTwoEnds) {
  const ConvexSolid capsule = ConvexSolid::capsule(0.2, 0.5);
  const ConvexSolid box = ConvexSolid::box(Vector3(1, 1, 1));
  Patch patch;
  for (const double gap : {-0.3, -0.01, 0.0, 0.01}) {  // the first deeper than its radius
    ASSERT_TRUE(patch_in_scene(capsule, {Vector3(0.1, 0.2, 1.2 + gap), kAlongX}, box, {}, 0.02, patch));
    EXPECT_THAT(names(capsule, box, patch), ElementsAre("end0|face5", "end1|face5"));
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(patch.points[i].gap, gap, 1e-14);
  }
  // Half over the edge of the box: an end, and where it crosses the edge.
  ASSERT_TRUE(patch_in_scene(capsule, {Vector3(0.9, 0.2, 1.2), kAlongX}, box, {}, 0.02, patch));
  ASSERT_EQ(patch.count, 2);
  EXPECT_EQ(names(capsule, box, patch)[0], "end0|face5");
  EXPECT_TRUE(names(capsule, box, patch)[1].starts_with("side|edge"));
  EXPECT_LE((patch.points[1].on_b - Vector3(1, 0.2, 1)).norm(), 1e-14);
  // Standing on an end; leaning over an edge.
  ASSERT_TRUE(patch_in_scene(capsule, {Vector3(0.1, 0.2, 1.7), {}}, box, {}, 0.02, patch));
  EXPECT_THAT(names(capsule, box, patch), ElementsAre("end0|face5"));
  const math::Quaternion lean = math::Quaternion::from_axis_angle(Vector3::UnitY(), std::numbers::pi / 4);
  const Vector3 over_edge = Vector3(1, 0.2, 1) + 0.25 * Vector3(1, 0, 1).normalized();
  const math::Quaternion along_slope = math::Quaternion::from_axis_angle(Vector3::UnitY(), 3 * std::numbers::pi / 4);
  ASSERT_TRUE(patch_in_scene(capsule, {over_edge, along_slope}, box, {}, 0.1, patch));
  ASSERT_EQ(patch.count, 1);
  EXPECT_NEAR(patch.points[0].gap, 0.05, 1e-14);
  EXPECT_LE((patch.normal - lean.rotate(Vector3::UnitZ())).norm(), 1e-13);
}

TEST(FindPatchOfRounded, CapsulesParallelCrossedAndEndToEnd) {
  const ConvexSolid a = ConvexSolid::capsule(0.2, 0.5);
  const ConvexSolid b = ConvexSolid::capsule(0.3, 1);
  Patch patch;
  ASSERT_TRUE(patch_in_scene(a, {Vector3(0.51, 0, 0.7), {}}, b, {}, 0.02, patch));
  EXPECT_THAT(names(a, b, patch), ElementsAre("end0|side", "side|end1"));
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(patch.points[i].gap, 0.01, 1e-14);
  ASSERT_TRUE(patch_in_scene(a, {Vector3(0, 0.51, 0.7), kAlongX}, b, {}, 0.02, patch));
  EXPECT_THAT(names(a, b, patch), ElementsAre("side|side"));
  EXPECT_NEAR(patch.points[0].gap, 0.01, 1e-14);
  ASSERT_TRUE(patch_in_scene(a, {Vector3(0.3, 0, 1.9), {}}, b, {}, 0.02, patch));
  EXPECT_THAT(names(a, b, patch), ElementsAre("end0|end1"));
  EXPECT_NEAR(patch.points[0].gap, 0, 1e-14);
  // Axes that cross are parted by both radii.
  ASSERT_TRUE(patch_in_scene(a, {Vector3(0.1, 0, 0.7), kAlongX}, b, {}, 0.02, patch));
  EXPECT_NEAR(smallest_gap(patch), -0.5, 1e-14);
  EXPECT_LE(std::abs(patch.normal.x()) + std::abs(patch.normal.z()), 1e-14);
}

TEST(FindPatchOfRoundedProperty, GapIsThatOfTheCoresLessTheRadii) {
  math::Random random(42);
  for (int i = 0; i < 300; ++i) {
    const double half = random.uniform(0.2, 0.8), radius = random.uniform(0.1, 0.3);
    const ConvexSolid capsule = ConvexSolid::capsule(radius, half);
    const ConvexSolid segment = ConvexSolid::capsule(0, half);
    const ConvexSolid hull = random_hull(random, 8);
    const Pose pose_of_a = {random_vector(random, 1.5), random_rotation(random)};
    const Pose pose_of_b = {random_vector(random), random_rotation(random)};
    EXPECT_NEAR(distance(capsule, pose_of_a, hull, pose_of_b), distance(segment, pose_of_a, hull, pose_of_b) - radius,
                1e-13);
    EXPECT_NEAR(distance(hull, pose_of_b, capsule, pose_of_a), distance(capsule, pose_of_a, hull, pose_of_b), 1e-12);
    // And of the segment by trying the features of the hull, if it is outside.
    const PlacedFeatures features(hull, pose_of_b);
    const Vector3 end0 = pose_of_a.apply(Vector3(0, 0, -half)), end1 = pose_of_a.apply(Vector3(0, 0, half));
    const double gap = distance(segment, pose_of_a, hull, pose_of_b);
    if (gap <= 0) continue;
    double least = kInfinity;
    for (std::size_t f = 0; f < features.faces.size(); ++f) {
      least = std::min({least, point_face(end0, features.faces[f], features.normals[f]),
                        point_face(end1, features.faces[f], features.normals[f])});
    }
    for (const auto& [p, q] : features.edges) least = std::min(least, segment_segment(end0, end1, p, q));
    EXPECT_NEAR(gap, least, 1e-12);
  }
}

}  // namespace
}  // namespace ricochet::geometry
