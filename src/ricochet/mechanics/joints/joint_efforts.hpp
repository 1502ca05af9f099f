// Forces along the coordinates of joints that laws of the user give (model/user_force): controllers. Their work is work
// of loads.
//
// With the coordinate s, its gradient G = ds/dq (rotations: body increments), ds/dt = G v and the effort e(t, s,
// ds/dt),
//
//   force         f = G^T e
//   stiffness     K = -df/dq = G^T (k G + c v^T D) - e D,     D = d(G^T)/dq,   k = -de/ds,  c = -de/d(ds/dt)
//   damping       C = -df/dv = c G^T G
//
// Angles are counted over whole turns, as for springs along coordinates (joint_springs.hpp).
#pragma once

#include <memory>

#include "ricochet/mechanics/joints/joint_set.hpp"
#include "ricochet/mechanics/term.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

// `map` and `joints` (those of the same model) must outlive the term. Throws std::invalid_argument with a sentence for
// a coordinate that does not exist.
std::unique_ptr<Term> make_joint_efforts(const model::Model& model, const DofMap& map, const JointSet& joints);

}  // namespace ricochet::mechanics
