// Which corners of an overlap are kept when it has many.
//
// The furthest in each of four directions of the plane, fixed to the face of B, and the deepest of all if it is not
// among them.
//
// Why so: the furthest corners span most of the area on which a body stands; which is furthest in a fixed direction
// does not change under a small motion, as "the deepest" or "the largest quadrilateral" would in a body that rests
// flat; and the deepest must not be missing, or a body would sink there. The directions are at 52 degrees to an edge of
// the face and at quarter turns from there. At 45 the corners of a square turned by 45 degrees would be equally far; at
// 52 neither the corners of that one nor those of a square that is not turned are. Overlaps with a rim keep six.
//
// Those that touch are chosen in the same way among themselves, too: corners that are still open, and are there only
// because somebody asks for more than what touches, must not take their place.
#pragma once

#include <array>

#include "ricochet/geometry/patch.hpp"
#include "ricochet/geometry/patch_clipping.hpp"

namespace ricochet::geometry {

// Indices of the corners that are kept, as many as returned. `directions`: 4 or 6. Corners that are less than
// `rounding` (m) further or deeper are not: the first stays. `touch` (m) is the gap of corners at which they touch.
int choose_corners(const Overlap& overlap, int directions, double rounding, double touch,
                   std::array<int, kMaxPatchPoints>& chosen);

}  // namespace ricochet::geometry
