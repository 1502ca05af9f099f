// Placeholders: what stands for a number in the text of something that is generated, and is replaced by it.
//
//   $i              the value of an index (or parameter) i
//   $(i - 1)        the value of an expression of indices and parameters
//   $$              a dollar
//
// A whole number is printed without a decimal point, so that link-$(i-1) becomes link-2; any other with as many digits
// as give the same number when it is read again. In an expression a negative number stands in parentheses, so that $i^2
// becomes (-2)^2, unless a letter, a digit or '_' stands before it: ball$i.position.x becomes ball-2.position.x.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "ricochet/io/document.hpp"
#include "ricochet/io/scene_numbers.hpp"
#include "ricochet/math/expression.hpp"

namespace ricochet::io {

// Is there something to replace in a text?
inline bool has_placeholder(std::string_view text) { return text.find('$') != std::string_view::npos; }

// An index is named by a letter, then letters, digits and underscores: a name in `$name` ends where these do.
bool is_index_name(std::string_view name);

// How a number is printed, if negative perhaps in parentheses.
std::string placeholder_text(double value, bool in_parentheses);

// Replaces placeholders by the values of names, which may change from call to call but stay the same names: an
// expression is parsed once.
class Placeholders {
 public:
  explicit Placeholders(const NamedValues& names) : names_(names) {}

  // The text of a scalar with everything replaced; `path` names it in messages. Throws InputError.
  std::string replaced(const Value& scalar, const std::string& path, bool in_expression);

 private:
  double value_of(const Value& expression, const std::string& path);

  const NamedValues& names_;
  std::unordered_map<std::string, math::Expression> parsed_;
};

}  // namespace ricochet::io
