// Prescribed forces and torques, functions of time in world or in body components, at material points.
#pragma once

#include <memory>

#include "ricochet/mechanics/term.hpp"

namespace ricochet::mechanics {

// `map` must outlive the term.
std::unique_ptr<Term> make_applied_loads(const model::Model& model, const DofMap& map);

}  // namespace ricochet::mechanics
