#include "ricochet/model/coefficient.hpp"

#include <fmt/format.h>

#include <span>
#include <stdexcept>

namespace ricochet::model {

Coefficient::Coefficient(const math::Expression& expression) : is_constant_(expression.is_constant()) {
  for (const std::string& name : expression.names()) {
    if (name == "speed") continue;
    throw std::invalid_argument(
        fmt::format("'{}' is not a function of speed: '{}' has no value", expression.text(), name));
  }
  if (is_constant_) {
    constant_ = expression.value();
  } else {
    expression_ = expression;
  }
}

double Coefficient::evaluate(double speed) const { return expression_.evaluate(std::span<const double>(&speed, 1)); }

std::string Coefficient::text() const { return is_constant_ ? fmt::format("{}", constant_) : expression_.text(); }

}  // namespace ricochet::model
