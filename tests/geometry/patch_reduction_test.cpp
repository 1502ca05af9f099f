// Which corners of large overlaps are kept.
#include "ricochet/geometry/patch_reduction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;

Overlap regular(int corners, double angle) {
  Overlap overlap;
  overlap.count = corners;
  for (int i = 0; i < corners; ++i) {
    const double turn = angle + 2 * M_PI * i / corners;
    overlap.corners[i] = {std::cos(turn), std::sin(turn), 0.1, 0, i, 0, false};
  }
  return overlap;
}

double area(const Overlap& overlap, std::vector<int> corners) {
  std::sort(corners.begin(), corners.end());
  double sum = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const OverlapCorner& p = overlap.corners[corners[i]];
    const OverlapCorner& q = overlap.corners[corners[(i + 1) % corners.size()]];
    sum += 0.5 * (p.x * q.y - p.y * q.x);
  }
  return sum;
}

TEST(PatchReduction, KeepsFourOfManyAndMostOfTheArea) {
  std::array<int, kMaxPatchPoints> chosen;
  for (const int corners : {5, 6, 8, 12, 40}) {
    for (int k = 0; k < 20; ++k) {
      const Overlap overlap = regular(corners, 0.1 * k);
      const int count = choose_corners(overlap, 4, 1e-13, 0, chosen);
      EXPECT_EQ(count, 4);
      std::vector<int> all(corners);
      for (int i = 0; i < corners; ++i) all[i] = i;
      EXPECT_GT(area(overlap, {chosen.begin(), chosen.begin() + count}), 0.6 * area(overlap, all));
    }
  }
}

TEST(PatchReduction, KeepsAllOfFewAndAlwaysTheDeepest) {
  std::array<int, kMaxPatchPoints> chosen;
  EXPECT_EQ(choose_corners(regular(4, 0.3), 4, 1e-13, 0, chosen), 4);
  EXPECT_EQ(choose_corners(regular(6, 0.3), 6, 1e-13, 0, chosen), 6);
  for (int deepest = 0; deepest < 12; ++deepest) {
    Overlap overlap = regular(12, 0.2);
    overlap.corners[deepest].gap = -0.5;
    for (const int directions : {4, 6}) {
      const int count = choose_corners(overlap, directions, 1e-13, 0, chosen);
      EXPECT_LE(count, directions + 1);
      EXPECT_NE(std::find(chosen.begin(), chosen.begin() + count, deepest), chosen.begin() + count);
    }
  }
}

TEST(PatchReduction, KeepsFlatCornersOnlyIfTheyAreDeepest) {
  std::array<int, kMaxPatchPoints> chosen;
  Overlap overlap = regular(5, 0.3);
  overlap.corners[2].is_flat = true;
  EXPECT_EQ(choose_corners(overlap, 4, 1e-13, 0, chosen), 4);
  EXPECT_EQ(std::count(chosen.begin(), chosen.begin() + 4, 2), 0);
  overlap.corners[2].gap = 0;
  EXPECT_EQ(choose_corners(overlap, 4, 1e-13, 0, chosen), 5);
  EXPECT_EQ(chosen[4], 2);
}

// Corners of a regular polygon that touch, between others that are open and further out: as many as without the others.
TEST(PatchReduction, OpenCornersDoNotTakeThePlaceOfThoseThatTouch) {
  std::array<int, kMaxPatchPoints> alone, chosen;
  for (const int touching : {2, 4, 6, 12}) {
    Overlap overlap = regular(touching, 0.2);
    for (int i = 0; i < touching; ++i) overlap.corners[i].gap = -1e-6 * i;
    const int count = choose_corners(overlap, 4, 1e-13, 0, alone);
    Overlap wider = regular(8, 0.3);
    for (int i = 0; i < overlap.count; ++i) wider.corners[wider.count++] = overlap.corners[i];
    for (int i = 0; i < 8; ++i) wider.corners[i].x *= 2, wider.corners[i].y *= 2;
    const int all = choose_corners(wider, 4, 1e-13, 0, chosen);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(std::count(chosen.begin(), chosen.begin() + all, alone[i] + 8), 1) << touching << " " << alone[i];
    }
    EXPECT_EQ(all, 4 + count);
  }
}

TEST(PatchReductionProperty, SmallMotionChangesNothing) {
  math::Random random(94);
  std::array<int, kMaxPatchPoints> before, after;
  // Squares turned to each other by 45 degrees: eight corners.
  for (int i = 0; i < 200; ++i) {
    Overlap overlap = regular(8, M_PI / 8);
    const int count = choose_corners(overlap, 4, 1e-13, 0, before);
    for (int k = 0; k < 8; ++k) {
      overlap.corners[k].x += random.uniform(-1e-3, 1e-3);
      overlap.corners[k].y += random.uniform(-1e-3, 1e-3);
    }
    ASSERT_EQ(choose_corners(overlap, 4, 1e-13, 0, after), count);
    for (int k = 0; k < count; ++k) EXPECT_EQ(before[k], after[k]);
  }
}

}  // namespace
}  // namespace ricochet::geometry
