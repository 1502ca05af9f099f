// Numbers of a scene: what expressions mean, and the values of the parameters they use.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ricochet/io/document.hpp"
#include "ricochet/math/expression.hpp"

namespace ricochet::io {

// The value of a text that is a number as such; nothing if it is an expression.
std::optional<double> plain_number(std::string_view text);

// Names with values, as expressions look them up.
class NamedValues {
 public:
  void set(const std::string& name, double value);
  std::optional<double> find(std::string_view name) const;
  const std::vector<std::string>& names() const { return names_; }  // in the order in which they were set

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, double> values_;
};

// What an expression may use, and what a message suggests when it uses something else.
struct KnownNames {
  math::Expression::NamePredicate is_known;
  std::function<std::vector<std::string>()> candidates;
  std::function<std::string(const std::string& name)> explain = {};  // a sentence about a name, if there is more to say
};
KnownNames names_of(const NamedValues& values);

// All of these throw InputError; `path` names the value in the message.

math::Expression parse_expression(const Value& scalar, const std::string& path, const KnownNames& known);

// The value of an expression of the given names; it must be finite.
double evaluate_number(const Value& scalar, const std::string& path, const NamedValues& values);
double evaluate_expression(const math::Expression& expression, const Value& scalar, const std::string& path,
                           const NamedValues& values);

// "is -1", or for an expression "'2 - 3' is -1".
std::string value_in_words(const Value& scalar, double value);

// The values of the section `parameters`, in which each may use all others. A cycle is an error.
NamedValues evaluate_parameters(const Value& section);

}  // namespace ricochet::io
