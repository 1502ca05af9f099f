#include "ricochet/io/placeholders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ricochet::io {

namespace {

bool is_index_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_index_character(char c) { return is_index_letter(c) || (c >= '0' && c <= '9') || c == '_'; }

// The length of the name at the beginning of a text, 0 if there is none.
std::size_t index_name_length(std::string_view text) {
  if (text.empty() || !is_index_letter(text.front())) return 0;
  const auto end = std::find_if_not(text.begin(), text.end(), is_index_character);
  return static_cast<std::size_t>(end - text.begin());
}

// The length of what stands in parentheses at the beginning of a text, with them; 0 if they are not closed.
std::size_t parentheses_length(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return 0;
}

// A part of a scalar, as a scalar of its own.
Value part_of(const Value& scalar, std::size_t begin, std::size_t length) {
  Value part{.kind = Value::Kind::scalar, .text = scalar.text.substr(begin, length), .place = scalar.place};
  if (scalar.text_column > 0) part.text_column = scalar.text_column + static_cast<int>(begin);
  return part;
}

[[noreturn]] void refuse_part(const Value& part, const std::string& path, const std::string& sentence) {
  Place place = part.place;
  if (place.line > 0 && part.text_column > 0) place.column = part.text_column;
  throw InputError(place, fmt::format("in '{}': {}", path, sentence));
}

}  // namespace

bool is_index_name(std::string_view name) { return !name.empty() && index_name_length(name) == name.size(); }

std::string placeholder_text(double value, bool in_parentheses) {
  constexpr double kExactWholeNumbers = 9e15;  // below 2^53
  if (value == 0) return "0";                  // not -0
  const bool is_whole = value == std::floor(value) && std::abs(value) < kExactWholeNumbers;
  std::string text = is_whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
  return in_parentheses && value < 0 ? "(" + text + ")" : text;
}

std::string Placeholders::replaced(const Value& scalar, const std::string& path, bool in_expression) {
  const std::string_view text = scalar.text;
  std::string result;
  const auto put = [&](double value) {
    const bool continues_name = !result.empty() && is_index_character(result.back());
    result += placeholder_text(value, in_expression && !continues_name);
  };
  std::size_t done = 0;
  for (std::size_t dollar = text.find('$'); dollar != std::string_view::npos; dollar = text.find('$', done)) {
    result += text.substr(done, dollar - done);
    const std::string_view rest = text.substr(dollar + 1);
    done = dollar + 1;
    if (rest.starts_with('$')) {
      result += '$';
      done += 1;
    } else if (const std::size_t length = index_name_length(rest); length > 0) {
      const std::optional<double> value = names_.find(rest.substr(0, length));  // most are an index: no parser
      put(value ? *value : value_of(part_of(scalar, done, length), path));
      done += length;
    } else if (const std::size_t closed = parentheses_length(rest); rest.starts_with('(') && closed > 0) {
      const Value part = part_of(scalar, done + 1, closed - 2);
      if (has_placeholder(part.text)) refuse_part(part, path, "between '$(' and ')' names stand without a '$'");
      put(value_of(part, path));
      done += closed;
    } else {
      refuse_part(part_of(scalar, dollar, 1), path,
                  rest.starts_with('(')
                      ? "a '$(' is not closed by ')'"
                      : "a '$' is followed by a name, as in '$i', or by '(', as in '$(i - 1)'; '$$' is a dollar");
    }
  }
  return result += text.substr(done);
}

double Placeholders::value_of(const Value& expression, const std::string& path) {
  auto known = parsed_.find(expression.text);
  if (known == parsed_.end()) {
    known = parsed_.emplace(expression.text, parse_expression(expression, path, names_of(names_))).first;
  }
  return evaluate_expression(known->second, expression, path, names_);
}

}  // namespace ricochet::io
