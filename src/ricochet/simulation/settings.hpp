// How a model is run: times, scheme and solver.
#pragma once

#include <cmath>

#include "ricochet/cone/solver.hpp"
#include "ricochet/integrate/moreau_jean.hpp"

namespace ricochet::simulation {

struct Settings {
  double end = 0;   // s
  double step = 0;  // s; time is step_index * step, never summed
  integrate::MoreauJeanOptions moreau_jean;
  cone::SolveOptions solver;
  // A step that misses a tolerance is counted and accepted; one that is not finite never is.
  bool accept_unconverged = false;
  int threads = 1;  // 0: one per core; results do not depend on it
};

// Number of steps to the end: a whole number if end/step is whole to 1e-9, else the next one above.
long step_count(const Settings& settings);
// True if the last step goes beyond `end` because end/step is not whole.
bool end_is_rounded_up(const Settings& settings);

}  // namespace ricochet::simulation
