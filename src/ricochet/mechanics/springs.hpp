// Springs with dampers in parallel between two material points.
//
// With d = x_end - x_start, a spatial spring has the length l = |d| and the force k (l - l0) + c dl/dt along d/l; a
// linear spring measures the length along a fixed axis, l = axis . d. The force pulls the ends together when the spring
// is long.
#pragma once

#include <memory>

#include "ricochet/mechanics/term.hpp"

namespace ricochet::mechanics {

// `map` must outlive the term.
std::unique_ptr<Term> make_springs(const model::Model& model, const DofMap& map);

}  // namespace ricochet::mechanics
