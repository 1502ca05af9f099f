// The error that a computed gap cannot avoid.
//
// A body at rest on a plane has the gap 0 in theory and a few units in the last place in practice, of either sign. A
// contact counts as closed up to this error; otherwise a resting body would lose its contact for one step in two. The
// bound follows the coordinates that enter the gap, so it scales with the scene and never acts as a margin.
#pragma once

#include <limits>

#include "ricochet/math/types.hpp"

namespace ricochet::contact {

// `coordinates` is the sum of the largest coordinates, radii and arms that the gap is made of (m).
inline double gap_rounding(double coordinates) { return 64 * std::numeric_limits<double>::epsilon() * coordinates; }

// Positions in world axes; `lengths` are the radii and arms that the gap adds to them (m).
inline double gap_rounding(const Vector3& position_a, const Vector3& position_b, double lengths) {
  return gap_rounding(position_a.cwiseAbs().maxCoeff() + position_b.cwiseAbs().maxCoeff() + lengths);
}

}  // namespace ricochet::contact
