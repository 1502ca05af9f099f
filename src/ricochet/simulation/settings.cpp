#include "ricochet/simulation/settings.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace ricochet::simulation {

namespace {

constexpr long kMostStepsOfFunction = 100'000'000;  // they are counted before the run: some seconds
constexpr double kLeastPart = 1e-9;                 // of the whole time, for a step

// Steps as a real number, and the whole number near it if it is whole to 1e-9.
double exact_steps(const Settings& settings) { return settings.end / settings.step; }

bool is_whole(double steps) { return std::abs(steps - std::round(steps)) <= 1e-9 * std::max(1.0, steps); }

}  // namespace

std::unique_ptr<integrate::Scheme> make_scheme(const Settings& settings) {
  if (settings.scheme == SchemeKind::nonsmooth_generalized_alpha) {
    return std::make_unique<integrate::NonsmoothGeneralizedAlpha>(settings.generalized_alpha);
  }
  if (settings.scheme == SchemeKind::moreau_midpoint) {
    return std::make_unique<integrate::MoreauMidpoint>(settings.moreau_midpoint, settings.solver);
  }
  return std::make_unique<integrate::MoreauJean>(settings.moreau_jean, settings.solver);
}

double step_from(const Settings& settings, double time) {
  if (!settings.step_function) return settings.step;
  const double step = settings.step_function->value(time);
  if (!(step > kLeastPart * settings.end) || !std::isfinite(step)) {
    throw std::runtime_error(
        fmt::format("time.step is {:.9g} s at t = {:.9g} s, but a step must be positive, and at least {:g} of time.end",
                    step, time, kLeastPart));
  }
  // Nothing that only rounding has left is a step of its own.
  const double left = settings.end - time;
  return step * (1 + 1e-9) >= left ? left : step;
}

long step_count(const Settings& settings) {
  if (settings.step_function) {
    long count = 0;
    for (double time = 0; time < settings.end; time += step_from(settings, time)) {
      if (++count > kMostStepsOfFunction) {
        throw std::runtime_error(
            fmt::format("time.step is a function that gives more than {} steps", kMostStepsOfFunction));
      }
    }
    return count;
  }
  const double steps = exact_steps(settings);
  return static_cast<long>(is_whole(steps) ? std::round(steps) : std::ceil(steps));
}

bool end_is_rounded_up(const Settings& settings) { return !settings.step_function && !is_whole(exact_steps(settings)); }

}  // namespace ricochet::simulation
