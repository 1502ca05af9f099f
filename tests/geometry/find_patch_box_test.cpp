// Two boxes in all relative positions: gaps, numbers of points, names, and what must not change them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <set>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

constexpr double kBoxScales[] = {1e-3, 1, 1e3};

math::Quaternion turn_about(const Vector3& axis, double degrees) {
  return math::Quaternion::from_axis_angle(axis, degrees * std::numbers::pi / 180);
}

// Box A beside box B with parallel axes, at a gap along each axis that `side` (entries -1, 0, 1) names, in the middle
// along the others. The whole is turned.
struct Beside {
  Vector3 half_a = Vector3(0.5, 0.4, 0.3);
  Vector3 half_b = Vector3(1, 0.8, 0.6);
  Pose pose_of_a, pose_of_b;
  ConvexSolid a, b;

  Beside(const Vector3& side, double gap, double scale, const math::Quaternion& rotation)
      : a(ConvexSolid::box(scale * half_a)), b(ConvexSolid::box(scale * half_b)) {
    const Vector3 place = scale * side.cwiseProduct(half_a + half_b + Vector3::Constant(gap));
    pose_of_b = {Vector3::Zero(), rotation};
    pose_of_a = {rotation.rotate(place), rotation};
  }
};

std::vector<Vector3> sides() {
  std::vector<Vector3> all;
  for (int i = 0; i < 27; ++i) {
    if (i != 13) all.emplace_back(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
  }
  return all;
}

TEST(FindPatchOfBoxes, TouchesOnEverySideWithTheRightNumberOfPoints) {
  math::Random random(11);
  for (const double scale : kBoxScales) {
    for (const Vector3& side : sides()) {
      for (const double gap : {0.01, 1e-3, 1e-7}) {
        const Beside pair(side, gap, scale, random_rotation(random));
        const int axes = static_cast<int>(side.cwiseAbs().sum());
        Patch patch;
        ASSERT_TRUE(find_patch(pair.a, pair.pose_of_a, pair.b, pair.pose_of_b, 0.02 * scale, patch));
        EXPECT_EQ(patch.count, axes == 1 ? 4 : axes == 2 ? 2 : 1) << side.transpose();
        for (int i = 0; i < patch.count; ++i) {
          EXPECT_NEAR(patch.points[i].gap, gap * std::sqrt(axes) * scale, 1e-12 * scale) << side.transpose();
        }
        expect_well_formed(patch, 0.02 * scale, 4 * scale);
        const Vector3 normal = pair.pose_of_b.rotation.rotate(side.normalized());
        EXPECT_LE((patch.normal - normal).norm(), 1e-14 / gap);
      }
    }
  }
}

TEST(FindPatchOfBoxes, OverlapByTheSmallestTranslation) {
  math::Random random(12);
  for (const double scale : kBoxScales) {
    for (const Vector3& side : sides()) {
      if (side.cwiseAbs().sum() != 1) continue;
      for (const double depth : {0.0, 1e-12, 1e-6, 0.05}) {
        const Beside pair(side, -depth, scale, random_rotation(random));
        Patch patch;
        ASSERT_TRUE(find_patch(pair.a, pair.pose_of_a, pair.b, pair.pose_of_b, 1e-12 * scale, patch));
        EXPECT_EQ(patch.count, 4);
        for (int i = 0; i < patch.count; ++i) EXPECT_NEAR(patch.points[i].gap, -depth * scale, 1e-12 * scale);
        EXPECT_LE((patch.normal - pair.pose_of_b.rotation.rotate(side)).norm(), 1e-14);
      }
    }
  }
}

TEST(FindPatchOfBoxes, NamesCornersThatStandOnAFace) {
  const Beside pair(Vector3(0, 0, 1), 0, 1, {});
  Patch patch;
  ASSERT_TRUE(find_patch(pair.a, pair.pose_of_a, pair.b, pair.pose_of_b, 1e-9, patch));
  EXPECT_THAT(names(pair.a, pair.b, patch),
              ElementsAre("corner0|face5", "corner1|face5", "corner2|face5", "corner3|face5"));
  EXPECT_FALSE(patch.normal_from_a);
  EXPECT_LE((patch.points[0].on_a - Vector3(-0.5, -0.4, 0.6)).norm(), 1e-15);
  // The small box below the large one: its corners touch from below.
  ASSERT_TRUE(find_patch(pair.b, pair.pose_of_b, pair.a, pair.pose_of_a, 1e-9, patch));
  EXPECT_THAT(names(pair.b, pair.a, patch),
              ElementsAre("face5|corner0", "face5|corner1", "face5|corner2", "face5|corner3"));
}

TEST(FindPatchOfBoxes, OverhangingFaceHasCornersAndCrossings) {
  const ConvexSolid box = ConvexSolid::box(Vector3(0.5, 0.5, 0.5));
  const Pose pose_of_a = {Vector3(0.3, 0.2, 1), {}};
  Patch patch;
  ASSERT_TRUE(find_patch(box, pose_of_a, box, {}, 1e-9, patch));
  const auto found = names(box, box, patch);
  // One corner of each inside the other, and two crossings of edges: no matter how edges are numbered.
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0], "corner0|face5");
  EXPECT_TRUE(found[1].starts_with("edge") && found[1].find("|edge") != std::string::npos);
  EXPECT_TRUE(found[2].starts_with("edge") && found[2].find("|edge") != std::string::npos);
  EXPECT_EQ(found[3], "face4|corner7");
  std::set<std::pair<double, double>> places;
  for (int i = 0; i < 4; ++i) {
    places.emplace(std::round(patch.points[i].on_a.x() * 1e12) / 1e12,
                   std::round(patch.points[i].on_a.y() * 1e12) / 1e12);
  }
  const std::set<std::pair<double, double>> expected = {{-0.2, -0.3}, {-0.2, 0.5}, {0.5, -0.3}, {0.5, 0.5}};
  EXPECT_EQ(places, expected);
}

TEST(FindPatchOfBoxes, StandsOnAnEdgeWithTwoPointsAndOnACornerWithOne) {
  math::Random random(13);
  const ConvexSolid a = ConvexSolid::box(Vector3(0.5, 0.4, 0.3));
  const ConvexSolid b = ConvexSolid::box(Vector3(2, 2, 0.5));
  for (const double gap : {-0.01, 0.0, 0.01}) {
    for (int turns = 0; turns < 24; ++turns) {
      const math::Quaternion common = random_rotation(random);
      const math::Quaternion quarter = turn_about(Vector3::Unit(turns % 3), 90 * (turns / 3)) *
                                       turn_about(Vector3::Unit((turns + 1) % 3), 90 * (turns / 6));
      for (const bool on_edge : {true, false}) {
        // Leaning about one axis of the world it stands on an edge, about two on a corner.
        math::Quaternion lean = turn_about(Vector3::UnitY(), 25);
        if (!on_edge) lean = turn_about(Vector3::UnitX(), 20) * lean;
        Pose pose_of_a = {Vector3(0.2, -0.3, 0), lean * quarter};
        const double lowest = pose_of_a.apply(a.support(pose_of_a.rotation.rotate_inverse(-Vector3::UnitZ()))).z();
        pose_of_a.position.z() = 0.5 + gap - lowest;
        const Pose turned_a = {common.rotate(pose_of_a.position), common * pose_of_a.rotation};
        Patch patch;
        ASSERT_TRUE(find_patch(a, turned_a, b, {Vector3::Zero(), common}, 0.02, patch));
        EXPECT_EQ(patch.count, on_edge ? 2 : 1);
        for (int i = 0; i < patch.count; ++i) {
          EXPECT_NEAR(patch.points[i].gap, gap, 1e-12);
          EXPECT_EQ(b.feature_name(patch.points[i].feature_b), "face5");
          EXPECT_TRUE(a.feature_name(patch.points[i].feature_a).starts_with("corner"));
        }
      }
    }
  }
}

TEST(FindPatchOfBoxes, CrossedEdgesTouchInOnePoint) {
  // Each stands on an edge, one above the other, edges along y (below) and x (above).
  const ConvexSolid box = ConvexSolid::box(Vector3(0.5, 0.5, 0.5));
  const double height = std::numbers::sqrt2 / 2;
  math::Random random(14);
  for (const double scale : kBoxScales) {
    const ConvexSolid scaled = ConvexSolid::box(scale * Vector3(0.5, 0.5, 0.5));
    for (const double gap : {-0.05, -1e-9, 0.0, 1e-9, 0.05}) {
      const math::Quaternion common = random_rotation(random);
      const Pose pose_of_b = {Vector3::Zero(), common * turn_about(Vector3::UnitY(), 45)};
      const Pose pose_of_a = {scale * common.rotate(Vector3(0.1, 0.2, 2 * height + gap)),
                              common * turn_about(Vector3::UnitX(), 45)};
      Patch patch;
      ASSERT_TRUE(find_patch(scaled, pose_of_a, scaled, pose_of_b, 0.1 * scale, patch));
      ASSERT_EQ(patch.count, 1);
      EXPECT_NEAR(patch.points[0].gap, gap * scale, 1e-12 * scale);
      EXPECT_TRUE(box.feature_name(patch.points[0].feature_a).starts_with("edge"));
      EXPECT_TRUE(box.feature_name(patch.points[0].feature_b).starts_with("edge"));
      EXPECT_LE((common.rotate_inverse(patch.normal) - Vector3::UnitZ()).norm(), 1e-14);
      const Vector3 point = common.rotate_inverse(patch.points[0].on_b) / scale;
      EXPECT_LE((point - Vector3(0, 0.2, height)).norm(), 1e-14);
    }
  }
}

// Bits, but zero is zero.
bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a + 0.0) == std::bit_cast<std::uint64_t>(b + 0.0);
}

TEST(FindPatchOfBoxesProperty, ScalesBitForBitWithPowersOfTwo) {
  math::Random random(15);
  for (int i = 0; i < 300; ++i) {
    const Vector3 half_a(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1));
    const Vector3 half_b(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1));
    const math::Quaternion common = random_rotation(random);
    const math::Quaternion relative =
        i % 2 == 0 ? math::exponential(random_vector(random, 1e-3)) : random_rotation(random);
    const Vector3 place(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3),
                        half_a.z() + half_b.z() + random.uniform(-0.1, 0.2));
    const auto at_scale = [&](double scale) {
      Patch patch;
      find_patch(ConvexSolid::box(scale * half_a), {scale * common.rotate(place), common * relative},
                 ConvexSolid::box(scale * half_b), {Vector3::Zero(), common}, 0.5 * scale, patch);
      return patch;
    };
    const Patch patch = at_scale(1);
    for (const double scale : {0x1p-10, 0x1p10, 0x1p-3}) {
      const Patch scaled = at_scale(scale);
      ASSERT_EQ(scaled.count, patch.count);
      for (int k = 0; k < patch.count; ++k) {
        EXPECT_TRUE(same_bits(scaled.points[k].gap, patch.points[k].gap * scale));
        EXPECT_EQ(scaled.points[k].feature_a, patch.points[k].feature_a);
        EXPECT_EQ(scaled.points[k].feature_b, patch.points[k].feature_b);
        EXPECT_EQ(scaled.points[k].on_a, patch.points[k].on_a * scale);
        EXPECT_EQ(scaled.points[k].on_b, patch.points[k].on_b * scale);
        EXPECT_EQ(scaled.normal, patch.normal);
      }
    }
  }
}

// What rests on what: equal boxes one upon the other, one overhanging, one turned by 45 degrees, crossed planks.
struct Rest {
  const char* name;
  Vector3 half_a, half_b, offset;
  double degrees;
};
const Rest kRests[] = {{"equal", {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0, 0, 0}, 0},
                       {"equal along x", {0.5, 0.4, 0.5}, {0.5, 0.5, 0.5}, {0, 0.05, 0}, 0},
                       {"half a brick", {0.5, 0.25, 0.2}, {0.5, 0.25, 0.2}, {0.5, 0, 0}, 0},
                       {"overhanging", {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0.3, 0.2, 0}, 0},
                       {"turned by 45 degrees", {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0, 0, 0}, 45},
                       {"turned by 30 degrees", {0.5, 0.5, 0.5}, {0.6, 0.5, 0.5}, {0.1, 0, 0}, 30},
                       {"crossed planks", {1, 0.1, 0.05}, {1, 0.1, 0.05}, {0.2, 0.1, 0}, 90}};

TEST(FindPatchOfBoxesProperty, NamesStayUnderSmallMotion) {
  math::Random random(16);
  for (const Rest& rest : kRests) {
    SCOPED_TRACE(rest.name);
    for (int i = 0; i < 2000; ++i) {
      // Also by hardly more than rounding, where separating axes are hard to tell from each other.
      const double size = std::pow(10, -6 - i % 8);
      const ConvexSolid a = ConvexSolid::box(rest.half_a);
      const ConvexSolid b = ConvexSolid::box(rest.half_b);
      const math::Quaternion common = random_rotation(random);
      const Vector3 place = rest.offset + Vector3(0, 0, rest.half_a.z() + rest.half_b.z());
      const math::Quaternion turn = turn_about(Vector3::UnitZ(), rest.degrees);
      const auto patch_at = [&](const Vector3& shift, const Vector3& rotation) {
        Patch patch;
        EXPECT_TRUE(find_patch(a, {common.rotate(place + shift), common * math::exponential(rotation) * turn}, b,
                               {Vector3::Zero(), common}, 1e-5, patch));
        EXPECT_EQ(patch.normal.dot(common.rotate(Vector3::UnitZ())) > 1 - 1e-11, true);
        return patch;
      };
      const Patch still = patch_at(Vector3::Zero(), Vector3::Zero());
      const Patch moved = patch_at(random_vector(random, size), random_vector(random, size));
      EXPECT_GE(still.count, 4);
      // Of an octagon the deepest may come as a fifth.
      const auto before = names(a, b, still);
      const auto after = names(a, b, moved);
      for (const std::string& name : before) EXPECT_THAT(after, ::testing::Contains(name));
      if (rest.degrees != 45 && rest.degrees != 30) {
        EXPECT_EQ(before, after);
      }
      for (int k = 0; k < moved.count; ++k) EXPECT_LE(std::abs(moved.points[k].gap), 5 * size);
    }
  }
}

TEST(FindPatchOfBoxesProperty, ExchangingTheBoxesExchangesNothingElse) {
  math::Random random(17);
  for (const Rest& rest : kRests) {
    SCOPED_TRACE(rest.name);
    const ConvexSolid a = ConvexSolid::box(rest.half_a);
    const ConvexSolid b = ConvexSolid::box(rest.half_b);
    for (int i = 0; i < 30; ++i) {
      const math::Quaternion common = random_rotation(random);
      const Vector3 place =
          rest.offset + Vector3(0, 0, rest.half_a.z() + rest.half_b.z() + random.uniform(-0.01, 0.01));
      const Pose pose_of_a = {common.rotate(place), common * turn_about(Vector3::UnitZ(), rest.degrees)};
      const Pose pose_of_b = {Vector3::Zero(), common};
      Patch patch, exchanged;
      ASSERT_TRUE(find_patch(a, pose_of_a, b, pose_of_b, 0.02, patch));
      ASSERT_TRUE(find_patch(b, pose_of_b, a, pose_of_a, 0.02, exchanged));
      EXPECT_LE((patch.normal + exchanged.normal).norm(), 1e-14);
      EXPECT_NEAR(smallest_gap(patch), smallest_gap(exchanged), 1e-14);
      EXPECT_EQ(patch.count, exchanged.count);
      if (rest.degrees == 45 || rest.degrees == 30) continue;  // the directions of reduction are those of B
      // Corners at one place have the name of a corner of A, so equal boxes have other names.
      if (rest.offset == Vector3::Zero() || rest.offset.x() == 0.5 || rest.offset.y() == 0.05) continue;
      std::vector<std::pair<int, int>> forward, backward;
      for (int k = 0; k < patch.count; ++k) {
        forward.emplace_back(patch.points[k].feature_a, patch.points[k].feature_b);
        backward.emplace_back(exchanged.points[k].feature_b, exchanged.points[k].feature_a);
      }
      EXPECT_THAT(forward, UnorderedElementsAreArray(backward));
    }
  }
}

TEST(FindPatchOfBoxesProperty, DependsOnNothingBefore) {
  math::Random random(18);
  struct Query {
    ConvexSolid a, b;
    Pose pose_of_a, pose_of_b;
    Patch patch;
  };
  std::vector<Query> queries;
  for (int i = 0; i < 50; ++i) {
    const auto box = [&] {
      return ConvexSolid::box(Vector3(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)));
    };
    queries.push_back(
        {box(), box(), {random_vector(random), random_rotation(random)}, {random_vector(random), {}}, {}});
    find_patch(queries[i].a, queries[i].pose_of_a, queries[i].b, queries[i].pose_of_b, 1, queries[i].patch);
  }
  Patch reused;
  for (std::size_t i = queries.size(); i-- > 0;) {
    const Query& query = queries[i];
    find_patch(query.a, query.pose_of_a, query.b, query.pose_of_b, 1, reused);
    ASSERT_EQ(reused.count, query.patch.count);
    if (reused.count > 0) {
      EXPECT_EQ(reused.normal, query.patch.normal);
    }
    for (int k = 0; k < reused.count; ++k) {
      EXPECT_TRUE(same_bits(reused.points[k].gap, query.patch.points[k].gap));
      EXPECT_EQ(reused.points[k].on_a, query.patch.points[k].on_a);
      EXPECT_EQ(reused.points[k].feature_a, query.patch.points[k].feature_a);
      EXPECT_EQ(reused.points[k].feature_b, query.patch.points[k].feature_b);
    }
  }
}

}  // namespace
}  // namespace ricochet::geometry
