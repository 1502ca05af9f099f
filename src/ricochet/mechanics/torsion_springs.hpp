// Torsion springs with dampers in parallel: a torque between two bodies, or a body and the world, about an axis.
//
// Each end carries the axis along: joint frames A and B with z along it, equal at t = 0. With P = A^T B, the angle is
// the twist phi = atan2(P_yx - P_xy, P_xx + P_yy) of joints/measure.hpp, plus whole turns (State::angles). With its
// gradient G = dphi/dq (rotations: body increments) and dphi/dt = G v,
//
//   torque        T = k (phi - phi_0) + c dphi/dt       (N m)
//   force         f = -G^T T
//   energy        V = k (phi - phi_0)^2/2
//   stiffness     K = -df/dq = G^T (k G + c v^T D) + T D,     D = d(G^T)/dq,  D_ij = dG_i/dq_j
//   damping       C = -df/dv = c G^T G
//
// D is not symmetric, because turns do not commute. phi depends on P alone, so the torques on both ends are opposite in
// the world and no angular momentum arises. While the axes are parallel the torque is along them; when they tilt
// against each other by beta, it has a part normal to B_z of size T tan(beta/2) as well, which is what makes it derive
// from an energy. At beta = pi the twist is not defined and the force is not a number.
//
// Ends that turn about the axis of the spring only (planar machines; discs on fixed axles) have a constant gradient:
// G = (-a^T, b^T) with a, b the axis in the axes of the bodies. Then D = 0, the spring is linear and its matrix
// constant to the last bit.
#pragma once

#include <memory>

#include "ricochet/mechanics/term.hpp"

namespace ricochet::mechanics {

// `map` must outlive the term. Entry i of State::angles belongs to torsion spring i of the model.
std::unique_ptr<Term> make_torsion_springs(const model::Model& model, const DofMap& map);

}  // namespace ricochet::mechanics
