// Patches in the plane: closed forms, names, and random outlines against every corner and edge.
#include "ricochet/geometry/planar_patch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;
using ::testing::ElementsAre;

Pose planar_pose(double x, double y, double angle = 0) {
  return {Vector3(x, y, 0), math::Quaternion::from_axis_angle(Vector3::UnitZ(), angle)};
}

std::vector<std::string> planar_names(const ConvexOutline& a, const ConvexOutline& b, const Patch& patch) {
  std::vector<std::string> result;
  for (int i = 0; i < patch.count; ++i) {
    result.push_back(a.feature_name(patch.points[i].feature_a) + "|" + b.feature_name(patch.points[i].feature_b));
  }
  return result;
}

TEST(PlanarPatch, BoxStandsOnABoxWithTwoCorners) {
  const ConvexOutline a = ConvexOutline::box(Vector2(0.3, 0.2));
  const ConvexOutline b = ConvexOutline::box(Vector2(1, 0.5));
  for (const double gap : {-0.01, 0.0, 0.01}) {
    Patch patch;
    ASSERT_TRUE(find_planar_patch(a, planar_pose(0.1, 0.7 + gap), b, planar_pose(0, 0), 0.02, patch));
    EXPECT_THAT(planar_names(a, b, patch), ElementsAre("corner0|edge2", "corner1|edge2"));
    EXPECT_EQ(patch.normal, Vector3(0, 1, 0));
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(patch.points[i].gap, gap, 1e-15);
    EXPECT_LE((patch.points[0].on_b - Vector3(-0.2, 0.5, 0)).norm(), 1e-15);
  }
  Patch patch;
  ASSERT_TRUE(find_planar_patch(b, planar_pose(0, 0), a, planar_pose(0.1, 0.7), 0.02, patch));
  EXPECT_THAT(planar_names(b, a, patch), ElementsAre("edge2|corner0", "edge2|corner1"));
  EXPECT_EQ(patch.normal, Vector3(0, -1, 0));
  // Overhanging: a corner of each.
  ASSERT_TRUE(find_planar_patch(a, planar_pose(0.9, 0.7), b, planar_pose(0, 0), 0.02, patch));
  EXPECT_THAT(planar_names(a, b, patch), ElementsAre("corner0|edge2", "edge0|corner3"));
  EXPECT_FALSE(find_planar_patch(a, planar_pose(0, 0.75), b, planar_pose(0, 0), 0.02, patch));
}

TEST(PlanarPatch, LeaningBoxAndCornersThatMeet) {
  const ConvexOutline a = ConvexOutline::box(Vector2(0.3, 0.2));
  const ConvexOutline b = ConvexOutline::box(Vector2(1, 0.5));
  Patch patch;
  const double angle = 0.5;
  const double lowest = -0.3 * std::sin(angle) - 0.2 * std::cos(angle);
  ASSERT_TRUE(find_planar_patch(a, planar_pose(0, 0.5 - lowest, angle), b, planar_pose(0, 0), 0.01, patch));
  EXPECT_THAT(planar_names(a, b, patch), ElementsAre("corner0|edge2"));
  EXPECT_NEAR(patch.points[0].gap, 0, 1e-15);
  // Corner to corner, at 3 and 4 hundredths.
  ASSERT_TRUE(find_planar_patch(a, planar_pose(1.3 + 0.03, 0.7 + 0.04), b, planar_pose(0, 0), 0.1, patch));
  EXPECT_THAT(planar_names(a, b, patch), ElementsAre("corner0|corner3"));
  EXPECT_NEAR(patch.points[0].gap, 0.05, 1e-15);
  EXPECT_LE((patch.normal - Vector3(0.6, 0.8, 0)).norm(), 1e-13);
  EXPECT_LE((patch.points[0].on_b - Vector3(1, 0.5, 0)).norm(), 1e-15);
}

TEST(PlanarPatch, DiscsAndCapsules) {
  const ConvexOutline disc = ConvexOutline::disc(0.2);
  const ConvexOutline capsule = ConvexOutline::capsule(0.1, Vector2(-0.5, 0), Vector2(0.5, 0));
  const ConvexOutline box = ConvexOutline::box(Vector2(1, 0.5));
  Patch patch;
  ASSERT_TRUE(find_planar_patch(disc, planar_pose(0.2, 0.7), box, planar_pose(0, 0), 0.01, patch));
  EXPECT_THAT(planar_names(disc, box, patch), ElementsAre("disc|edge2"));
  EXPECT_NEAR(patch.points[0].gap, 0, 1e-15);
  EXPECT_LE((patch.points[0].on_a - Vector3(0.2, 0.5, 0)).norm(), 1e-15);
  ASSERT_TRUE(find_planar_patch(disc, planar_pose(1.15, 0.7), box, planar_pose(0, 0), 0.1, patch));
  EXPECT_THAT(planar_names(disc, box, patch), ElementsAre("disc|corner3"));
  EXPECT_NEAR(patch.points[0].gap, 0.05, 1e-14);
  // A capsule that lies on the box, one upon another, across another.
  ASSERT_TRUE(find_planar_patch(capsule, planar_pose(0.2, 0.6), box, planar_pose(0, 0), 0.01, patch));
  EXPECT_THAT(planar_names(capsule, box, patch), ElementsAre("end0|edge2", "end1|edge2"));
  ASSERT_TRUE(find_planar_patch(capsule, planar_pose(0.3, 0.2), capsule, planar_pose(0, 0), 0.01, patch));
  EXPECT_THAT(planar_names(capsule, capsule, patch), ElementsAre("end0|side", "side|end1"));
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(patch.points[i].gap, 0, 1e-15);
  ASSERT_TRUE(find_planar_patch(disc, planar_pose(0.8, 0.4), capsule, planar_pose(0, 0), 1, patch));
  EXPECT_THAT(planar_names(disc, capsule, patch), ElementsAre("disc|end1"));
  EXPECT_NEAR(patch.points[0].gap, 0.5 - 0.3, 1e-15);
  ASSERT_TRUE(find_planar_patch(disc, planar_pose(0.3, 0.4), disc, planar_pose(0, 0), 1, patch));
  EXPECT_NEAR(patch.points[0].gap, 0.1, 1e-15);
  EXPECT_LE((patch.normal - Vector3(0.6, 0.8, 0)).norm(), 1e-15);
  // Inside a box: out through the nearest side.
  EXPECT_NEAR(planar_distance(disc, planar_pose(0.2, 0.4), box, planar_pose(0, 0)), -0.3, 1e-15);
  // Two discs at one place are parted by both radii in some direction.
  EXPECT_NEAR(planar_distance(disc, planar_pose(1, 2), disc, planar_pose(1, 2)), -0.4, 1e-15);
}

ConvexOutline random_polygon(math::Random& random, int points) {
  std::vector<Vector2> cloud;
  const Vector2 offset(random.uniform(-1, 1), random.uniform(-1, 1));
  for (int i = 0; i < points; ++i) {
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    cloud.emplace_back(offset + Vector2(std::cos(angle), random.uniform(0.3, 1) * std::sin(angle)));
  }
  cloud.emplace_back(offset);  // inside or on a side: never a corner of a large polygon
  cloud.emplace_back(offset + Vector2(1, 0));
  cloud.emplace_back(offset + Vector2(-1, 0.1));
  return ConvexOutline::hull(cloud);
}

std::vector<Vector3> placed_corners(const ConvexOutline& outline, const Pose& pose) {
  std::vector<Vector3> corners;
  for (int i = 0; i < outline.count(); ++i) {
    const Vector2 corner = outline.middle() + outline.corner(i);
    corners.push_back(pose.apply(Vector3(corner.x(), corner.y(), 0)));
  }
  return corners;
}

double brute_force_planar_distance(const std::vector<Vector3>& a, const std::vector<Vector3>& b) {
  double best = -kInfinity, least = kInfinity;
  const auto offer = [&](const Vector3& n) {
    double low = kInfinity, high = -kInfinity;
    for (const Vector3& corner : a) low = std::min(low, n.dot(corner));
    for (const Vector3& corner : b) high = std::max(high, n.dot(corner));
    best = std::max(best, low - high);
  };
  const auto normal = [](const std::vector<Vector3>& c, std::size_t i) {
    return math::cross(c[(i + 1) % c.size()] - c[i], Vector3::UnitZ()).normalized();
  };
  for (std::size_t i = 0; i < b.size(); ++i) offer(normal(b, i));
  for (std::size_t i = 0; i < a.size(); ++i) offer(-normal(a, i));
  if (best <= 0) return best;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      least = std::min(
          {least, point_segment(a[i], b[j], b[(j + 1) % b.size()]), point_segment(b[j], a[i], a[(i + 1) % a.size()])});
    }
  }
  return least;
}

TEST(PlanarPatchProperty, GapsAreThoseOfBruteForce) {
  math::Random random(61);
  int apart = 0;
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    const ConvexOutline a = random_polygon(random, 3 + static_cast<int>(random.integer(8)));
    const ConvexOutline b = random_polygon(random, 3 + static_cast<int>(random.integer(8)));
    const Pose pose_of_a = planar_pose(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-3, 3));
    const Pose pose_of_b = planar_pose(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, 3));
    const double expected = brute_force_planar_distance(placed_corners(a, pose_of_a), placed_corners(b, pose_of_b));
    if (expected > 0) ++apart;
    Patch patch;
    ASSERT_TRUE(find_planar_patch(a, pose_of_a, b, pose_of_b, kInfinity, patch));
    EXPECT_NEAR(smallest_gap(patch), expected, 1e-12);
    EXPECT_LE(patch.count, 2);
    EXPECT_EQ(patch.normal.z(), 0);
    expect_well_formed(patch, kInfinity, 4);
    EXPECT_NEAR(planar_distance(b, pose_of_b, a, pose_of_a), expected, 1e-12);
    // Reach decides whether, not what.
    Patch within;
    ASSERT_TRUE(find_planar_patch(a, pose_of_a, b, pose_of_b, expected + 1e-9, within));
    EXPECT_EQ(smallest_gap(within), smallest_gap(patch));
    EXPECT_FALSE(find_planar_patch(a, pose_of_a, b, pose_of_b, expected - 1e-9, within));
  }
  EXPECT_GT(apart, 250);
  EXPECT_LT(apart, 750);
}

TEST(PlanarPatchProperty, NamesStayUnderSmallMotion) {
  math::Random random(62);
  const ConvexOutline box = ConvexOutline::box(Vector2(0.5, 0.5));
  for (const double offset : {0.0, 0.2, 0.5}) {
    for (int i = 0; i < 200; ++i) {
      Patch still, moved;
      ASSERT_TRUE(find_planar_patch(box, planar_pose(offset, 1), box, planar_pose(0, 0), 1e-5, still));
      const Pose pose = planar_pose(offset + random.uniform(-1e-6, 1e-6), 1 + random.uniform(-1e-6, 1e-6),
                                    random.uniform(-1e-6, 1e-6));
      ASSERT_TRUE(find_planar_patch(box, pose, box, planar_pose(0, 0), 1e-5, moved));
      EXPECT_EQ(planar_names(box, box, still), planar_names(box, box, moved));
      EXPECT_EQ(still.count, 2);
    }
  }
}

TEST(PlanarPatchProperty, ScalesBitForBitWithPowersOfTwo) {
  math::Random random(63);
  for (int i = 0; i < 200; ++i) {
    const Vector2 half_a(random.uniform(0.2, 1), random.uniform(0.2, 1));
    const Vector2 half_b(random.uniform(0.2, 1), random.uniform(0.2, 1));
    const Vector2 place(random.uniform(-1, 1), random.uniform(-1, 1));
    const double angle = random.uniform(-3, 3);
    const auto at_scale = [&](double scale) {
      Patch patch;
      EXPECT_TRUE(find_planar_patch(ConvexOutline::box(scale * half_a),
                                    planar_pose(scale * place.x(), scale * place.y(), angle),
                                    ConvexOutline::box(scale * half_b), planar_pose(0, 0), 2 * scale, patch));
      return patch;
    };
    const Patch one = at_scale(1), other = at_scale(0x1p-10);
    ASSERT_EQ(one.count, other.count);
    EXPECT_EQ(one.normal, other.normal);
    for (int k = 0; k < one.count; ++k) {
      EXPECT_EQ(one.points[k].gap * 0x1p-10, other.points[k].gap);
      EXPECT_EQ(one.points[k].feature_a, other.points[k].feature_a);
    }
  }
}

}  // namespace
}  // namespace ricochet::geometry
