// A prescribed function of time t (seconds): loads, drivers, moving surfaces.
//
// Value, rate and acceleration are exact derivatives of one expression, not differences, because joints and drivers
// need consistent velocities and accelerations. Immutable and safe to use from several threads.
#pragma once

#include <vector>

#include "ricochet/math/expression.hpp"
#include "ricochet/math/jet.hpp"

namespace ricochet::math {

class TimeFunction {
 public:
  TimeFunction() = default;  // the constant 0

  // The expression may use the name t and no other (std::invalid_argument): bind parameters first.
  explicit TimeFunction(const Expression& expression);
  static TimeFunction constant(double value);

  // A function times a number, and the sum of two functions: a force seen in turned axes is such a combination.
  friend TimeFunction operator*(double factor, const TimeFunction& function);
  friend TimeFunction operator+(const TimeFunction& first, const TimeFunction& second);

  double value(double t) const { return terms_.empty() ? constant_ : sum_of_values(t); }
  double rate(double t) const { return terms_.empty() ? 0.0 : sum_of_jets(t).rate; }
  double acceleration(double t) const { return terms_.empty() ? 0.0 : sum_of_jets(t).acceleration; }
  Jet evaluate(double t) const { return terms_.empty() ? Jet{constant_, 0.0, 0.0} : sum_of_jets(t); }

  // Does not depend on t, by its text.
  bool is_constant() const { return terms_.empty(); }

 private:
  struct Term {
    double factor = 1;
    Expression expression;
  };

  double sum_of_values(double t) const;
  Jet sum_of_jets(double t) const;

  double constant_ = 0;
  std::vector<Term> terms_;  // added to the constant
};

}  // namespace ricochet::math
