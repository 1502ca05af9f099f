// Weight of all bodies: f = m g, V = -m g . x.
#pragma once

#include <memory>

#include "ricochet/mechanics/term.hpp"

namespace ricochet::mechanics {

// `map` must outlive the term.
std::unique_ptr<Term> make_gravity(const model::Model& model, const DofMap& map);

}  // namespace ricochet::mechanics
