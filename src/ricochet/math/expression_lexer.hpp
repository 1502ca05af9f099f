// The words of an expression: numbers, names and signs. Internal to expressions.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace ricochet::math::detail {

enum class TokenKind { kEnd, kNumber, kName, kConstantName, kFunction, kSign };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;   // a part of the expression; empty at the end
  std::size_t column = 1;  // of its first character, from one
  double number = 0;       // of a number or a constant
};

// Reads one token after the other; throws ExpressionError for what is none. The text must outlive the lexer.
class Lexer {
 public:
  Lexer(std::string_view text, const std::function<bool(std::string_view)>& is_name) : text_(text), is_name_(is_name) {}

  Token next();

 private:
  Token number();
  Token name();
  Token sign();
  char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  Token take(TokenKind kind, std::size_t length, double value = 0);

  std::string_view text_;
  const std::function<bool(std::string_view)>& is_name_;
  std::size_t position_ = 0;
};

// A token or character as a message shows it: quoted, shortened, control characters as \x...
std::string quoted(std::string_view text);

}  // namespace ricochet::math::detail
