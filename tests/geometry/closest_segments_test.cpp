// Closest points of segments: closed forms, parallel and nearly parallel ones, and random ones by sampling.
#include "ricochet/geometry/closest_segments.hpp"

#include <gtest/gtest.h>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;

TEST(ClosestSegments, CrossedParallelAndEndToEnd) {
  const SegmentPoints crossed =
      closest_on_segments(Vector3(-1, 0, 1), Vector3(3, 0, 1), Vector3(0, -1, 0), Vector3(0, 1, 0));
  EXPECT_NEAR(crossed.square, 1, 1e-15);
  EXPECT_NEAR(crossed.part_a, 0.25, 1e-15);
  EXPECT_NEAR(crossed.part_b, 0.5, 1e-15);
  const SegmentPoints parallel =
      closest_on_segments(Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0.5, 2, 0), Vector3(9, 2, 0));
  EXPECT_NEAR(parallel.square, 4, 1e-15);
  EXPECT_GE(parallel.part_a, 0.5);
  const SegmentPoints in_line =
      closest_on_segments(Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(4, 0, 0), Vector3(6, 0, 0));
  EXPECT_NEAR(in_line.square, 9, 1e-15);
  const SegmentPoints points =
      closest_on_segments(Vector3(1, 1, 1), Vector3(1, 1, 1), Vector3(1, 1, 3), Vector3(1, 1, 3));
  EXPECT_NEAR(points.square, 4, 1e-15);
}

TEST(ClosestSegmentsProperty, AsFarApartAsInLongDouble) {
  math::Random random(92);
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(i);
    const Vector3 a = random_vector(random), b = random_vector(random);
    // At all angles, down to a billionth of a degree.
    const double angle = std::pow(10, random.uniform(-12, 0));
    const Vector3 c = a + random_vector(random, 0.3);
    const Vector3 d = c + (b - a) * random.uniform(-1, 1) + angle * random_vector(random);
    const SegmentPoints found = closest_on_segments(a, b, c, d);
    EXPECT_NEAR(std::sqrt(found.square), segment_segment(a, b, c, d), 1e-12);
    const Vector3 between = a + found.part_a * (b - a) - c - found.part_b * (d - c);
    EXPECT_NEAR(between.squaredNorm(), found.square, 1e-15);
  }
}

}  // namespace
}  // namespace ricochet::geometry
