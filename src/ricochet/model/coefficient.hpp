// A coefficient of a contact law: a number, or a function of a speed (m/s).
//
// Of which speed, the law says: friction depends on the speed of slip |u_T|, restitution on the speed of approach
// max(-u_N, 0). A number costs nothing to evaluate, a function does not allocate.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "ricochet/math/expression.hpp"

namespace ricochet::model {

class Coefficient {
 public:
  Coefficient(double value = 0) : constant_(value) {}  // NOLINT(google-explicit-constructor): a number is a coefficient

  // The expression may use the name `speed` and no other (std::invalid_argument): bind parameters first.
  explicit Coefficient(const math::Expression& expression);

  // Does not depend on the speed, by its text.
  bool is_constant() const { return is_constant_; }
  double at(double speed) const { return is_constant_ ? constant_ : evaluate(speed); }
  std::string text() const;  // the number, or the expression as it was written

 private:
  double evaluate(double speed) const;

  double constant_ = 0;
  bool is_constant_ = true;
  math::Expression expression_;
};

// Coefficients at one instant, as numbers.
struct ContactCoefficients {
  double friction = 0;                // mu >= 0
  double restitution = 0;             // e_N in [0, 1]
  double tangential_restitution = 0;  // e_T in [-1, 1]
  double rolling = 0;                 // m, resistance to rolling
  double spinning = 0;                // m, resistance to spinning about the normal
  bool coupled = false;               // sliding and spinning share one bound
};

// How resistance to spinning goes with sliding friction. Independent: each has its own bound, |r_T| <= mu r_N and
// |m_S| <= spinning r_N. Contensou: |r_T|^2/mu^2 + m_S^2/spinning^2 <= r_N^2, so what slides fast spins freely, and
// what spins fast slides easily, as a disc does on a table.
enum class SpinningLaw { independent, contensou };
inline constexpr std::array<const char*, 2> spinning_law_names = {"independent", "contensou"};

struct ContactLaw {
  Coefficient friction = 0;     // of the speed of slip at the start of a step
  Coefficient restitution = 0;  // of the speed of approach at the start of a step
  double tangential_restitution = 0;
  double rolling = 0;   // m: the moment about the tangents is at most `rolling` times the normal force,
  double spinning = 0;  // m: and that about the normal `spinning` times it
  SpinningLaw spinning_law = SpinningLaw::independent;

  // Without friction at rest there is nothing to share.
  bool is_coupled() const { return spinning_law == SpinningLaw::contensou && spinning > 0 && friction.at(0) > 0; }
};

// What coefficients must be at every speed at which they are used; false for NaN.
inline bool is_friction(double value) { return value >= 0 && std::isfinite(value); }
inline bool is_restitution(double value) { return value >= 0 && value <= 1; }

// An upper bound of a coefficient of restitution over all speeds: a function may reach 1.
inline double largest_restitution(const Coefficient& restitution) {
  return restitution.is_constant() ? restitution.at(0) : 1;
}
// False if the coefficient is zero at all speeds.
inline bool may_act(const Coefficient& coefficient) { return !coefficient.is_constant() || coefficient.at(0) > 0; }

}  // namespace ricochet::model
