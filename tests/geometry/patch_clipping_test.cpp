// Overlaps of polygons: corners inside, crossings, heights, and corners that coincide.
#include "ricochet/geometry/patch_clipping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;
using Name = std::pair<int, int>;

// A square of half side `half`, its vertices numbered from 0, edges from 10, the face 20. `up`: it looks upwards.
SupportPolygon square(double half, const Vector3& center, double angle, bool up) {
  SupportPolygon polygon;
  polygon.count = 4;
  polygon.feature = 20;
  polygon.normal = Vector3(0, 0, up ? 1 : -1);
  for (int i = 0; i < 4; ++i) {
    const double turn = angle + (up ? 1 : -1) * (M_PI / 4 + i * M_PI / 2);
    polygon.corners[i] = center + half * std::sqrt(2.0) * Vector3(std::cos(turn), std::sin(turn), 0);
    polygon.vertices[i] = i;
    polygon.edges[i] = 10 + i;
    polygon.is_inner[i] = false;
  }
  return polygon;
}

std::multiset<std::string> kinds(const Overlap& overlap) {
  const auto kind = [](int feature) { return feature < 10 ? "vertex" : feature < 20 ? "edge" : "face"; };
  std::multiset<std::string> result;
  for (int i = 0; i < overlap.count; ++i) {
    if (overlap.corners[i].is_flat) continue;
    result.insert(std::string(kind(overlap.corners[i].feature_a)) + "|" + kind(overlap.corners[i].feature_b));
  }
  return result;
}

Overlap overlap_of(const SupportPolygon& a, const SupportPolygon& b, double reach = 1) {
  Overlap overlap;
  find_overlap(a, b, Vector3::UnitZ(), reach, {1e-13, 1e-5}, overlap);
  return overlap;
}

TEST(PatchClipping, CornersAndCrossings) {
  const SupportPolygon b = square(1, Vector3::Zero(), 0, true);
  using Kinds = std::multiset<std::string>;
  EXPECT_EQ(kinds(overlap_of(square(0.5, Vector3(0.1, 0.2, 0.3), 0.4, false), b)),
            (Kinds{"vertex|face", "vertex|face", "vertex|face", "vertex|face"}));
  EXPECT_EQ(kinds(overlap_of(square(3, Vector3(0.1, 0.2, 0.3), 0.4, false), b)),
            (Kinds{"face|vertex", "face|vertex", "face|vertex", "face|vertex"}));
  EXPECT_EQ(kinds(overlap_of(square(1, Vector3(0.5, 0.3, 0.3), 0, false), b)),
            (Kinds{"vertex|face", "edge|edge", "edge|edge", "face|vertex"}));
  EXPECT_EQ(overlap_of(square(1, Vector3(0, 0, 0.3), M_PI / 4, false), b).count, 8);
  EXPECT_EQ(overlap_of(square(1, Vector3(2.5, 0, 0.3), 0, false), b).count, 0);
}

TEST(PatchClipping, CoincidingCornersHaveOneName) {
  const SupportPolygon b = square(1, Vector3::Zero(), 0, true);
  for (const double shift : {0.0, 1e-7, -1e-7, 3e-6}) {
    const Overlap overlap = overlap_of(square(1, Vector3(shift, -0.7 * shift, 0.1), 0.3 * shift, false), b);
    EXPECT_EQ(kinds(overlap), (std::multiset<std::string>{"vertex|face", "vertex|face", "vertex|face", "vertex|face"}));
  }
}

TEST(PatchClipping, GapsAreHeightsAlongTheNormal) {
  // A tilted by a small angle about y.
  SupportPolygon a = square(0.5, Vector3(0.8, 0.1, 0), 0, false);
  const double slope = 0.05;
  for (int i = 0; i < 4; ++i) a.corners[i].z() = 0.2 + slope * a.corners[i].x();
  a.normal = Vector3(slope, 0, -1).normalized();
  const Overlap overlap = overlap_of(a, square(1, Vector3::Zero(), 0, true));
  ASSERT_EQ(overlap.count, 4);
  for (int i = 0; i < overlap.count; ++i) {
    const Vector3 on_b = overlap.on_b(overlap.corners[i]);
    EXPECT_NEAR(on_b.z(), 0, 1e-15);
    EXPECT_NEAR(overlap.corners[i].gap, 0.2 + slope * on_b.x(), 1e-15);
  }
  EXPECT_EQ(overlap_of(a, square(1, Vector3::Zero(), 0, true), 0.23).count, 2);  // the others are out of reach
}

TEST(PatchClipping, SegmentsCrossOrLieAlongEachOther) {
  const auto segment = [](const Vector3& from, const Vector3& to) {
    SupportPolygon polygon;
    polygon.count = 2;
    polygon.feature = 10;
    polygon.corners[0] = from;
    polygon.corners[1] = to;
    for (int i = 0; i < 2; ++i) {
      polygon.vertices[i] = i;
      polygon.edges[i] = 10;
      polygon.is_inner[i] = false;
    }
    return polygon;
  };
  const SupportPolygon b = segment(Vector3(-1, 0, 0), Vector3(1, 0, 0));
  const Overlap crossed = overlap_of(segment(Vector3(0.5, -1, 0.1), Vector3(0.5, 1, 0.3)), b);
  ASSERT_EQ(crossed.count, 1);
  EXPECT_EQ(Name(crossed.corners[0].feature_a, crossed.corners[0].feature_b), Name(10, 10));
  EXPECT_NEAR(crossed.corners[0].gap, 0.2, 1e-15);
  const Overlap along = overlap_of(segment(Vector3(-0.2, 0, 0.1), Vector3(1.5, 0, 0.1)), b);
  ASSERT_EQ(along.count, 2);
  EXPECT_EQ(Name(along.corners[0].feature_a, along.corners[0].feature_b), Name(0, 10));
  EXPECT_EQ(Name(along.corners[1].feature_a, along.corners[1].feature_b), Name(10, 1));
  EXPECT_EQ(overlap_of(segment(Vector3(-0.2, 0.1, 0.1), Vector3(1.5, 0.1, 0.1)), b).count, 0);  // beside it
  // A segment over a face: its end, and where it leaves.
  const Overlap leaving =
      overlap_of(segment(Vector3(0, 0.1, 0.1), Vector3(3, 0.2, 0.1)), square(1, Vector3::Zero(), 0, true));
  EXPECT_EQ(kinds(leaving), (std::multiset<std::string>{"vertex|face", "edge|edge"}));
}

}  // namespace
}  // namespace ricochet::geometry
