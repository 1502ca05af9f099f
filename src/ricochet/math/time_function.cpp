#include "ricochet/math/time_function.hpp"

#include <span>
#include <stdexcept>

namespace ricochet::math {

TimeFunction::TimeFunction(const Expression& expression) {
  for (const std::string& name : expression.names()) {
    if (name != "t") {
      throw std::invalid_argument("'" + expression.text() + "' is not a function of time: '" + name + "' has no value");
    }
  }
  if (expression.is_constant()) {
    constant_ = expression.value();
  } else {
    terms_.push_back({1, expression});
  }
}

TimeFunction TimeFunction::constant(double value) {
  TimeFunction result;
  result.constant_ = value;
  return result;
}

TimeFunction operator*(double factor, const TimeFunction& function) {
  if (factor == 0) return {};
  TimeFunction result = function;
  result.constant_ *= factor;
  for (TimeFunction::Term& term : result.terms_) term.factor *= factor;
  return result;
}

TimeFunction operator+(const TimeFunction& first, const TimeFunction& second) {
  TimeFunction result = first;
  result.constant_ += second.constant_;
  result.terms_.insert(result.terms_.end(), second.terms_.begin(), second.terms_.end());
  return result;
}

double TimeFunction::sum_of_values(double t) const {
  double sum = constant_;
  for (const Term& term : terms_) sum += term.factor * term.expression.evaluate(std::span<const double>(&t, 1));
  return sum;
}

Jet TimeFunction::sum_of_jets(double t) const {
  const Jet time{t, 1.0, 0.0};
  Jet sum{constant_, 0.0, 0.0};
  for (const Term& term : terms_) {
    const Jet jet = term.expression.evaluate(std::span<const Jet>(&time, 1));
    sum.value += term.factor * jet.value;
    sum.rate += term.factor * jet.rate;
    sum.acceleration += term.factor * jet.acceleration;
  }
  return sum;
}

}  // namespace ricochet::math
