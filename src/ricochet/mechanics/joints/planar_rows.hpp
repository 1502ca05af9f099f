// Joints in planar models. A body that moves in the x-y plane and turns about z only cannot change some of the rows of
// a joint: a hinge about z keeps its z row and both of its parallel rows whatever happens. Such rows would be redundant
// equations with a gradient of zero; they are taken out, so that a hinge has 2 rows, a slider in the plane 2, a
// clamp 3.
//
// Axes of joints should be normal to or in the plane for this (model::axes_along sees to that): if the x and y rows of
// a slider are both at 45 degrees to the plane, both remain and one of them is redundant.
#pragma once

#include <array>

#include "ricochet/mechanics/joints/joint.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::mechanics {

// For every row of the joint, whether motions in the plane change it. The gradient is looked at in the given state and
// in some others that bodies reach in the plane; zero means zero to rounding (1e-12 of the whole gradient of the row).
std::array<bool, Joint::max_rows> rows_that_move_in_the_plane(const Joint& joint, const DofMap& map,
                                                              const State& state);

}  // namespace ricochet::mechanics
