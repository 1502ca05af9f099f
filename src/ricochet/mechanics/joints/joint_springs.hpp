// Springs and dampers along the coordinates of joints: the soft form of a drive.
//
// A drive holds g = s(q) - rest(t) at zero; a spring pulls it there. With the gradient G = ds/dq (rotations: body
// increments) and ds/dt = G v,
//
//   tension       T = k (s - rest) + d ds/dt            (N or N m)
//   force         f = -G^T T
//   energy        V = k (s - rest)^2/2
//   stiffness     K = -df/dq = G^T (k G + d v^T D) + T D,     D = d(G^T)/dq
//   damping       C = -df/dv = d G^T G
//
// Angles are counted over whole turns: the spring finds the coordinate of its joint in State::angles.
//
// A rest position that moves does work on the spring, -k (s - rest) d rest/dt. Over a step, with means of begin and end
// (bars) and increments (deltas), V changes by exactly
//
//   V_1 - V_0 = k (s_bar - rest_bar) (delta s - delta rest),
//
// of which the part with delta rest is the work of who moves it, also where the rest position jumps.
#pragma once

#include <memory>

#include "ricochet/mechanics/joints/joint_set.hpp"
#include "ricochet/mechanics/term.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

// `map` and `joints` (those of the same model) must outlive the term. Throws std::invalid_argument with a sentence for
// a coordinate that does not exist, and for a stiffness or damping that is negative or not finite.
std::unique_ptr<Term> make_joint_springs(const model::Model& model, const DofMap& map, const JointSet& joints);

}  // namespace ricochet::mechanics
