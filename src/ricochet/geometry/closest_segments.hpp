// The closest points of two segments, also where they are parallel, or nearly.
//
// Either both are inside their segments, where the common perpendicular stands (V. J. Lumelsky, "On fast computation of
// distance between line segments", Information Processing Letters 21, 1985), or one is an end. All five possibilities
// are tried and the least distance taken. For segments at a small angle the foot of the perpendicular is known badly
// along them, but once it is projected from one to the other the distance suffers only by that error times the angle.
#pragma once

#include "ricochet/math/types.hpp"

namespace ricochet::geometry {

struct SegmentPoints {
  double square = 0;  // m^2, of the distance
  double part_a = 0;  // where along the segments, 0 to 1
  double part_b = 0;
};

SegmentPoints closest_on_segments(const Vector3& from_a, const Vector3& to_a, const Vector3& from_b,
                                  const Vector3& to_b);

}  // namespace ricochet::geometry
