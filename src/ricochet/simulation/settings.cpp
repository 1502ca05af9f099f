#include "ricochet/simulation/settings.hpp"

namespace ricochet::simulation {

namespace {

// Steps as a real number, and the whole number near it if it is whole to 1e-9.
double exact_steps(const Settings& settings) { return settings.end / settings.step; }

bool is_whole(double steps) { return std::abs(steps - std::round(steps)) <= 1e-9 * std::max(1.0, steps); }

}  // namespace

long step_count(const Settings& settings) {
  const double steps = exact_steps(settings);
  return static_cast<long>(is_whole(steps) ? std::round(steps) : std::ceil(steps));
}

bool end_is_rounded_up(const Settings& settings) { return !is_whole(exact_steps(settings)); }

}  // namespace ricochet::simulation
