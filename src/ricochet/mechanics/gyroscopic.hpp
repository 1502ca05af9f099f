// The gyroscopic force of bodies that rotate: f = -Omega x (J Omega) about the body axes, with J about the node.
//
// It is not a force of anything: it stands on the right because velocities are body components, dR = R Omega~, and so
// J dOmega/dt + Omega x (J Omega) = torque (Acary & Collins-Craft 2024, section 5.4). It has no power, whatever Omega.
#pragma once

#include <memory>
#include <span>

#include "ricochet/mechanics/term.hpp"

namespace ricochet::mechanics {

// `inertia`: of each node about itself, body axes, kg m^2. Null if no node can feel it: in a planar machine, or if all
// tensors are multiples of the identity. `map` must outlive the term.
std::unique_ptr<Term> make_gyroscopic(const DofMap& map, std::span<const Matrix3> inertia);

}  // namespace ricochet::mechanics
