// How a model is run: times, scheme and solver.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "ricochet/cone/solver.hpp"
#include "ricochet/integrate/moreau_jean.hpp"
#include "ricochet/integrate/moreau_midpoint.hpp"
#include "ricochet/integrate/nonsmooth_generalized_alpha.hpp"
#include "ricochet/math/time_function.hpp"

namespace ricochet::simulation {

enum class SchemeKind { moreau_jean, moreau_midpoint, nonsmooth_generalized_alpha };
inline constexpr std::array<const char*, 3> scheme_names = {"moreau-jean", "moreau-midpoint",
                                                            "nonsmooth-generalized-alpha"};

struct Settings {
  double end = 0;   // s
  double step = 0;  // s; time is step_index * step, never summed
  // In place of that, the step that begins at a time (s): t_1 = t_0 + step_function(t_0), the last one ends at `end`.
  std::optional<math::TimeFunction> step_function;
  // A step that does not converge is taken again in two halves, and each of these if need be: so many times. Of schemes
  // that can do with it. The smallest parts that nearly converge get ten times as many iterations.
  int halvings = 6;
  SchemeKind scheme = SchemeKind::moreau_jean;
  integrate::MoreauJeanOptions moreau_jean;  // of the chosen scheme its options count, and no others
  integrate::MoreauMidpointOptions moreau_midpoint;
  integrate::NonsmoothGeneralizedAlphaOptions generalized_alpha;
  cone::SolveOptions solver;
  // A step that misses a tolerance is counted and accepted; one that is not finite never is.
  bool accept_unconverged = false;
  int threads = 1;  // 0: one per core; results do not depend on it
};

// Whether the chosen scheme takes impacts one after another.
inline bool takes_impacts_in_sequence(const Settings& settings) {
  if (settings.scheme == SchemeKind::moreau_midpoint) return false;
  const bool is_moreau_jean = settings.scheme == SchemeKind::moreau_jean;
  return (is_moreau_jean ? settings.moreau_jean.impacts : settings.generalized_alpha.impacts) ==
         integrate::ImpactOrder::sequence;
}

// Whether the contact solver of the steps looks for second solutions.
inline bool looks_for_second_solutions(const Settings& settings) {
  const cone::SolverKind kind = settings.solver.kind;
  return settings.scheme != SchemeKind::nonsmooth_generalized_alpha &&
         (kind == cone::SolverKind::lemke || kind == cone::SolverKind::enumeration);
}

std::unique_ptr<integrate::Scheme> make_scheme(const Settings& settings);

// The length (s) of the step that begins at a time. Throws std::runtime_error with a sentence if a function gives none.
double step_from(const Settings& settings, double time);

// Number of steps to the end: a whole number if end/step is whole to 1e-9, else the next one above.
long step_count(const Settings& settings);
// True if the last step goes beyond `end` because end/step is not whole.
bool end_is_rounded_up(const Settings& settings);

}  // namespace ricochet::simulation
