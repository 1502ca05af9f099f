#include "ricochet/math/expression_lexer.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <numbers>
#include <system_error>
#include <vector>

#include "ricochet/math/expression.hpp"
#include "ricochet/math/expression_program.hpp"
#include "ricochet/math/text_distance.hpp"

namespace ricochet::math {

namespace detail {

namespace {

// Not std::isalpha and its kind: those depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-'; }

bool is_function(std::string_view word) {
  for (const Function& function : kFunctions) {
    if (function.name == word) return true;
  }
  return false;
}

// That people write behind numbers.
bool is_unit(std::string_view word) {
  constexpr std::string_view kUnits[] = {"mm", "cm", "dm",  "m",   "km", "g",  "kg",  "ms",  "s", "min",
                                         "N",  "kN", "rad", "rpm", "Hz", "Pa", "MPa", "GPa", "J", "W"};
  return std::find(std::begin(kUnits), std::end(kUnits), word) != std::end(kUnits);
}

[[noreturn]] void throw_unknown_function(std::string_view word, std::size_t column) {
  std::vector<std::string_view> known;
  std::string list;
  for (const Function& function : kFunctions) {
    known.push_back(function.name);
    list += (list.empty() ? "" : ", ") + std::string(function.name);
  }
  const std::string suggestion = nearest(word, known);
  throw ExpressionError(
      "there is no function " + quoted(word) +
          (suggestion.empty() ? "; the functions are " + list : "; did you mean " + quoted(suggestion) + "?"),
      column);
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "'";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += "\\x";
      result += kDigits[byte >> 4];
      result += kDigits[byte & 15];
    } else {
      result += c;
    }
  }
  return result + (text.size() > kLongest ? "...'" : "'");
}

Token Lexer::take(TokenKind kind, std::size_t length, double value) {
  const Token token{kind, text_.substr(position_, length), position_ + 1, value};
  position_ += length;
  return token;
}

Token Lexer::next() {
  while (is_space(at(position_))) ++position_;
  if (position_ >= text_.size()) return {TokenKind::kEnd, {}, text_.size() + 1, 0};
  const char c = at(position_);
  if (is_digit(c) || (c == '.' && is_digit(at(position_ + 1)))) return number();
  if (is_letter(c)) return name();
  return sign();
}

Token Lexer::number() {
  std::size_t end = position_;
  while (is_digit(at(end))) ++end;
  if (at(end) == '.') ++end;
  while (is_digit(at(end))) ++end;
  if (at(end) == 'e' || at(end) == 'E') {
    // An exponent only if digits follow: in 2e-x the e is a name, which the parser then refuses.
    const std::size_t digits = end + (at(end + 1) == '+' || at(end + 1) == '-' ? 2 : 1);
    if (is_digit(at(digits))) {
      end = digits;
      while (is_digit(at(end))) ++end;
    }
  }
  const std::string_view digits = text_.substr(position_, end - position_);
  double value = 0;
  // from_chars, not strtod: the decimal point must not depend on the locale.
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc()) {
    throw ExpressionError("the number " + quoted(digits) + " is outside the range of double precision", position_ + 1);
  }
  return take(TokenKind::kNumber, digits.size(), value);
}

Token Lexer::name() {
  std::size_t end = position_;
  std::vector<std::size_t> hyphens;  // outside of groups: where the run may be cut
  while (is_name_character(at(end)) || (at(end) == '@' && at(end + 1) == '[')) {
    if (at(end) == '@') {
      const std::size_t close = text_.find(']', end);
      if (close == std::string_view::npos) throw ExpressionError("the '@[' of a name is not closed by ']'", end + 1);
      end = close;
    } else if (at(end) == '-') {
      hyphens.push_back(end);
    }
    ++end;
  }
  const std::string_view run = text_.substr(position_, end - position_);
  const std::string_view shortest = hyphens.empty() ? run : run.substr(0, hyphens.front() - position_);

  std::string_view known;
  if (is_name_) {
    hyphens.push_back(end);
    for (std::size_t i = hyphens.size(); known.empty() && i > 0; --i) {
      const std::string_view candidate = run.substr(0, hyphens[i - 1] - position_);
      // The limit keeps a long chain a-a-a-... from asking about ever longer names at each of its links.
      if (candidate.size() <= Expression::kLongestName && is_name_(candidate)) known = candidate;
    }
  }
  const std::string_view word = known.empty() ? shortest : known;

  std::size_t after = position_ + word.size();
  while (is_space(at(after))) ++after;
  if (at(after) == '(') {
    if (!is_function(word)) throw_unknown_function(word, position_ + 1);
    return take(TokenKind::kFunction, word.size());
  }
  if (word == "pi") return take(TokenKind::kConstantName, word.size(), std::numbers::pi);
  if (word == "deg") return take(TokenKind::kConstantName, word.size(), std::numbers::pi / 180.0);
  if (is_function(word)) {
    throw ExpressionError("expected '(' after the function " + quoted(word), position_ + word.size() + 1);
  }
  if (is_name_ && known.empty()) {
    std::string message = quoted(word) + " is not known here";
    if (run != word) message += ", nor is " + quoted(run);
    if (is_unit(word)) message += ": numbers have no units, all are in m, kg, s and rad";
    throw ExpressionError(message, position_ + 1, std::string(run));
  }
  return take(TokenKind::kName, word.size());
}

Token Lexer::sign() {
  const char c = at(position_);
  const bool doubled = at(position_ + 1) == '=';
  if ((c == '<' || c == '>' || c == '=' || c == '!') && doubled) return take(TokenKind::kSign, 2);
  if (std::string_view("+-*/^<>?:(),").find(c) != std::string_view::npos) return take(TokenKind::kSign, 1);
  if (c == '=') throw ExpressionError("a single '=' is not an operator; '==' compares", position_ + 1);
  // Show a character of several bytes (UTF-8) whole.
  std::size_t length = 1;
  while ((static_cast<unsigned char>(c) & 0xc0) == 0xc0 && length < 4 &&
         (static_cast<unsigned char>(at(position_ + length)) & 0xc0) == 0x80) {
    ++length;
  }
  throw ExpressionError("the character " + quoted(text_.substr(position_, length)) + " has no meaning here",
                        position_ + 1);
}

}  // namespace detail

bool is_reserved_word(std::string_view word) { return word == "pi" || word == "deg" || detail::is_function(word); }

}  // namespace ricochet::math
