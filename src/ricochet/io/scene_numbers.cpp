#include "ricochet/io/scene_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "ricochet/io/schema.hpp"

namespace ricochet::io {

namespace {

// The place of a character of a scalar, if its text stands in the file as it is.
Place place_within(const Value& scalar, std::size_t column) {
  Place place = scalar.place;
  if (place.line > 0 && scalar.text_column > 0) place.column = scalar.text_column + static_cast<int>(column) - 1;
  return place;
}

[[noreturn]] void throw_expression_error(const math::ExpressionError& error, const Value& scalar,
                                         const std::string& path, const KnownNames& known) {
  const std::string& name = error.unknown_name();
  const Place place = place_within(scalar, error.column());
  if (name.empty()) throw InputError(place, fmt::format("in '{}': {}", path, error.what()));
  if (const std::string why = known.explain ? known.explain(name) : ""; !why.empty()) {
    throw InputError(place, fmt::format("in '{}': {}", path, why));
  }
  const std::vector<std::string> candidates = known.candidates();
  if (name == "t") {
    const bool has_time = std::find(candidates.begin(), candidates.end(), "time") != candidates.end();
    throw InputError(place, has_time ? fmt::format("in '{}': 't' is not known here; did you mean 'time'?", path)
                                     : fmt::format("'{}' is not a function of time: 't' cannot be used here", path));
  }
  if (path.find("$" + name) != std::string::npos) {  // an index, in something that `generate` repeats
    throw InputError(place, fmt::format("in '{}': {}; did you mean '${}'?", path, error.what(), name));
  }
  std::vector<std::string> words = candidates;
  words.insert(words.end(), {"deg", "pi"});
  std::string hint = suggestion(name, words, "");
  if (hint.empty()) hint = suggestion(name.substr(0, name.find('-')), words, "");
  if (hint.empty() && !candidates.empty()) hint = "; the names known here are " + enumeration(candidates);
  throw InputError(place, fmt::format("in '{}': {}{}", path, error.what(), hint));
}

// What each parameter needs, and the order in which they can be evaluated.
struct Dependencies {
  std::vector<math::Expression> expressions;
  std::vector<std::vector<int>> needs;    // parameters in the expression of each
  std::vector<std::vector<int>> used_by;  // the other way round
};

// Among parameters that cannot be evaluated each needs another one of them: following the needs leads into a cycle.
[[noreturn]] void throw_parameter_cycle(const Value& section, const Dependencies& dependencies,
                                        const std::vector<int>& missing) {
  int current = 0;
  while (missing[current] == 0) ++current;
  std::vector<int> visited(missing.size(), 0);
  std::vector<int> path;
  while (visited[current] == 0) {
    visited[current] = 1;
    path.push_back(current);
    for (const int need : dependencies.needs[current]) {
      if (missing[need] > 0) current = need;
    }
  }
  std::string cycle;
  bool within = false;
  for (const int parameter : path) {
    within = within || parameter == current;
    if (within) cycle += section.keys[parameter].text + " -> ";
  }
  const std::string& name = section.keys[current].text;
  throw InputError(section.items[current].place,
                   fmt::format("parameter '{}' depends on itself: {}{}", name, cycle, name));
}

}  // namespace

std::optional<double> plain_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

void NamedValues::set(const std::string& name, double value) {
  if (values_.insert_or_assign(name, value).second) names_.push_back(name);
}

std::optional<double> NamedValues::find(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() ? std::nullopt : std::optional<double>(found->second);
}

KnownNames names_of(const NamedValues& values) {
  return {[&values](std::string_view name) { return values.find(name).has_value(); },
          [&values] { return values.names(); }};
}

math::Expression parse_expression(const Value& scalar, const std::string& path, const KnownNames& known) {
  try {
    return math::Expression::parse(scalar.text, known.is_known);
  } catch (const math::ExpressionError& error) {
    throw_expression_error(error, scalar, path, known);
  }
}

std::string value_in_words(const Value& scalar, double value) {
  if (plain_number(scalar.text)) return fmt::format("is {}", scalar.text);
  if (std::isnan(value)) return fmt::format("{} is not a number", in_quotes(scalar.text));
  if (std::isinf(value)) return fmt::format("{} is infinite", in_quotes(scalar.text));
  return fmt::format("{} is {}", in_quotes(scalar.text), value);
}

double evaluate_expression(const math::Expression& expression, const Value& scalar, const std::string& path,
                           const NamedValues& values) {
  const math::Expression bound = expression.bind([&](std::string_view name) { return values.find(name); });
  const double value = bound.value();
  if (!std::isfinite(value)) {
    throw InputError(scalar.place,
                     fmt::format("'{}' must be a finite number, but {}", path, value_in_words(scalar, value)));
  }
  return value;
}

double evaluate_number(const Value& scalar, const std::string& path, const NamedValues& values) {
  // Most numbers of a large scene are plain, and these need no parser.
  if (const std::optional<double> value = plain_number(scalar.text)) return *value;
  return evaluate_expression(parse_expression(scalar, path, names_of(values)), scalar, path, values);
}

NamedValues evaluate_parameters(const Value& section) {
  const int count = static_cast<int>(section.keys.size());
  std::unordered_map<std::string, int> index;
  for (int i = 0; i < count; ++i) index.emplace(section.keys[i].text, i);
  const KnownNames known = {[&](std::string_view name) { return index.contains(std::string(name)); },
                            [&] {
                              std::vector<std::string> names;
                              for (const Key& key : section.keys) names.push_back(key.text);
                              return names;
                            }};
  const auto path_of = [&](int i) { return "parameters." + section.keys[i].text; };

  Dependencies dependencies;
  dependencies.needs.resize(count);
  dependencies.used_by.resize(count);
  std::vector<int> missing(count, 0);  // how many needs are not evaluated yet
  std::vector<int> ready;
  for (int i = 0; i < count; ++i) {
    dependencies.expressions.push_back(parse_expression(section.items[i], path_of(i), known));
    for (const std::string& name : dependencies.expressions[i].names()) {
      dependencies.needs[i].push_back(index.at(name));
      dependencies.used_by[index.at(name)].push_back(i);
      ++missing[i];
    }
    if (missing[i] == 0) ready.push_back(i);
  }

  // A queue instead of recursion: a chain of parameters may be as long as the file.
  NamedValues values;
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const int i = ready[next];
    values.set(section.keys[i].text,
               evaluate_expression(dependencies.expressions[i], section.items[i], path_of(i), values));
    for (const int user : dependencies.used_by[i]) {
      if (--missing[user] == 0) ready.push_back(user);
    }
  }
  if (static_cast<int>(ready.size()) < count) throw_parameter_cycle(section, dependencies, missing);
  return values;
}

}  // namespace ricochet::io
