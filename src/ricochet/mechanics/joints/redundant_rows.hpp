// Whether some joint of a machine says what others say already, as the fourth hinge of a planar four-bar in space does.
#pragma once

#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {

// Judged where the machine starts, so that a restart does the same. Rows without any entry, such as those out of a
// plane, say nothing and disturb nobody. Very large machines count as having none.
bool has_redundant_rows(const Equations& equations);

}  // namespace ricochet::mechanics
