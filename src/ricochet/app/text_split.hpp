// Lists on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ricochet::app {

// Cuts a text at every `separator` that is not in quotes or brackets: "a:x='1,2',b" at commas is "a:x='1,2'" and "b".
inline std::vector<std::string> split_outside(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = '\0';
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[') {
      ++depth;
    } else if (c == ')' || c == ']') {
      --depth;
    } else if (c == separator && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

}  // namespace ricochet::app
