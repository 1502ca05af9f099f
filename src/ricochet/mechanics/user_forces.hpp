// Forces at points of bodies that laws of the user give (model/user_force). Their work is work of loads.
//
// With w = (F, T) at a point x = q + R a of a frame, and increments of rotation about body axes,
//
//   generalised force   f = B^T w,            B = [ I  -R a~ ]      motion of the point   J = [ I  -R a~ ]
//                                                 [ 0   R    ]                                [ 0   I    ]
//   damping             C = B^T c J
//   stiffness           K = B^T (k J + c J') + [ 0  0 ; 0  -(a~ F_b~ + T_b~) ],        J' = [ 0  -R (Omega x a)~ ; 0  0
//   ]
//
// from the tangents k and c of the law; F_b and T_b are body components. J' is how the velocity of the point changes
// with the rotation. Several points of one law couple their nodes.
#pragma once

#include <memory>

#include "ricochet/mechanics/term.hpp"

namespace ricochet::mechanics {

// `map` must outlive the term.
std::unique_ptr<Term> make_user_forces(const model::Model& model, const DofMap& map);

}  // namespace ricochet::mechanics
