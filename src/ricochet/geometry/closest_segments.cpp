#include "ricochet/geometry/closest_segments.hpp"

#include <algorithm>

#include "ricochet/math/rotation.hpp"

namespace ricochet::geometry {

namespace {

double clamped_part(const Vector3& from, const Vector3& along, const Vector3& point) {
  const double square = along.squaredNorm();
  return square > 0 ? std::clamp(along.dot(point - from) / square, 0.0, 1.0) : 0;
}

}  // namespace

SegmentPoints closest_on_segments(const Vector3& from_a, const Vector3& to_a, const Vector3& from_b,
                                  const Vector3& to_b) {
  const Vector3 along_a = to_a - from_a;
  const Vector3 along_b = to_b - from_b;
  SegmentPoints best;
  best.square = -1;
  const auto offer = [&](double part_a, double part_b) {
    const double square = (from_a + part_a * along_a - from_b - part_b * along_b).squaredNorm();
    if (best.square < 0 || square < best.square) best = {square, part_a, part_b};
  };
  const Vector3 normal = math::cross(along_a, along_b);
  const double square = normal.squaredNorm();
  if (square > 0) {
    const double foot = math::cross(from_b - from_a, along_b).dot(normal) / square;
    const double part_b = clamped_part(from_b, along_b, from_a + std::clamp(foot, 0.0, 1.0) * along_a);
    offer(clamped_part(from_a, along_a, from_b + part_b * along_b), part_b);
  }
  offer(0, clamped_part(from_b, along_b, from_a));
  offer(1, clamped_part(from_b, along_b, to_a));
  offer(clamped_part(from_a, along_a, from_b), 0);
  offer(clamped_part(from_a, along_a, to_b), 1);
  return best;
}

}  // namespace ricochet::geometry
