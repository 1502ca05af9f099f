// Arithmetic expressions of scenes and probes: parsed once, evaluated often, with exact time derivatives.
//
//   expression := comparison [ '?' expression ':' expression ]        lazy, right-associative
//   comparison := sum [ ('<' | '<=' | '>' | '>=' | '==' | '!=') sum ]   1 or 0; a < b < c is refused
//   sum        := product { ('+' | '-') product }
//   product    := signed { ('*' | '/') signed }
//   signed     := { '+' | '-' } power                                 -2^2 = -4
//   power      := primary [ '^' signed ]                              2^3^2 = 2^9, 2^-1 = 0.5
//   primary    := number | name | function '(' expression { ',' expression } ')' | '(' expression ')'
//
// Functions: sin cos tan asin acos atan atan2(y, x) sinh cosh tanh exp log (natural) log10 sqrt abs, min and max (two
// or more arguments). Constants: pi, deg = pi/180 (so 15*deg is an angle). Angles are in radians.
//
// Names begin with a letter. A name may contain hyphens, dots and groups @[...], e.g. block-1@[0,0.1,0].velocity.y.
// Whether a-b is one name or a difference, the predicate of parse decides: of the longest possible run the ends are cut
// at hyphens, from the right, until the predicate knows what is left; if it never does (or there is no predicate), the
// name ends before the first hyphen. Hyphens within @[...] do not count. A predicate must know every name that is used.
//
// Derivatives. evaluate with jets applies the chain rule to second order exactly. abs, min, max and ?: have the
// derivatives of the branch taken (abs at 0 and min and max of equal values: of the first argument); comparisons are
// constant. A name whose rate and acceleration are zero counts as a constant, and constants have zero derivatives even
// where the function has none (sqrt of a constant 0); of anything else, derivatives that do not exist are not finite.
//
// Not a number never disappears: a comparison of NaN is NaN, and so are min, max and ?: with NaN to decide upon.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ricochet/math/jet.hpp"

namespace ricochet::math {

namespace detail {
struct Program;
}

// The message is a sentence without position; the column counts bytes of the text from one.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& message, std::size_t column, std::string unknown_name = {})
      : std::runtime_error(message), column_(column), unknown_name_(std::move(unknown_name)) {}
  std::size_t column() const { return column_; }
  // If the predicate rejected a name: its longest reading, for suggestions; otherwise empty.
  const std::string& unknown_name() const { return unknown_name_; }

 private:
  std::size_t column_;
  std::string unknown_name_;
};

// Immutable, cheap to copy, safe to evaluate from several threads; evaluation does not allocate memory.
class Expression {
 public:
  using NamePredicate = std::function<bool(std::string_view)>;
  using NameValues = std::function<std::optional<double>(std::string_view)>;

  static constexpr std::size_t kLongestText = 10000;  // characters
  static constexpr std::size_t kLongestName = 200;    // characters, that the predicate is asked about
  static constexpr int kDeepestNesting = 200;         // of parentheses, functions, ^ and ?:

  Expression();  // the constant 0

  // Throws ExpressionError. With a predicate, a name that it rejects is an error; without, every name is accepted.
  static Expression parse(std::string_view text, const NamePredicate& is_name = {});
  static Expression constant(double value);

  // Distinct free names in the order of first use.
  const std::vector<std::string>& names() const;
  bool is_constant() const { return names().empty(); }
  const std::string& text() const;

  // values[i] belongs to names()[i]; too few values are an error (std::invalid_argument).
  double evaluate(std::span<const double> values) const;
  Jet evaluate(std::span<const Jet> values) const;
  // Of a constant expression; std::invalid_argument if there are free names.
  double value() const;

  // Replaces the names that have a value by it and leaves the others free. The text stays as written.
  Expression bind(const NameValues& lookup) const;

 private:
  explicit Expression(std::shared_ptr<const detail::Program> program);

  std::shared_ptr<const detail::Program> program_;
};

// Function and constant names, which no parameter should bear.
bool is_reserved_word(std::string_view word);

}  // namespace ricochet::math
