#include "ricochet/app/vary_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "ricochet/app/text_split.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/math/expression.hpp"
#include "ricochet/math/text_distance.hpp"

namespace ricochet::app {

namespace {

using Kind = study::Variation::Kind;

constexpr std::array<std::pair<const char*, Kind>, 4> vary_words = {{{"linear", Kind::linear},
                                                                     {"logarithmic", Kind::logarithmic},
                                                                     {"uniform", Kind::uniform},
                                                                     {"normal", Kind::normal}}};

std::optional<Kind> vary_kind(std::string_view word) {
  for (const auto& [name, kind] : vary_words) {
    if (name == word) return kind;
  }
  return std::nullopt;
}

// The word before a bracket that ends the text: "uniform" of "uniform(0,1)"; empty if it is nothing of the kind.
std::string word_of_call(const std::string& text) {
  const std::size_t bracket = text.find('(');
  return bracket == std::string::npos || text.back() != ')' ? "" : text.substr(0, bracket);
}

class VariationReader {
 public:
  explicit VariationReader(const std::string& text) : text_(text) {}

  study::Variation read() const {
    const std::size_t equals = text_.find('=');
    if (equals == 0 || equals == std::string::npos) {
      refuse("write PATH=VALUES, as in parameters.friction=0.1,0.4 or parameters.friction=uniform(0,1):100");
    }
    study::Variation variation{text_.substr(0, equals)};
    const std::string values = text_.substr(equals + 1);
    if (values.empty()) refuse("there are no values after '='");
    const std::vector<std::string> parts = split_outside(values, ':');
    // a ? b : c is an expression.
    const bool is_range =
        parts.size() == 2 && values.find('?') == std::string::npos && values.front() != '\'' && values.front() != '"';
    is_range ? read_range(parts[0], parts[1], variation) : read_list(values, variation);
    return variation;
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw io::InputError({std::make_shared<const std::string>("--vary " + text_)}, sentence);
  }

  void read_list(const std::string& values, study::Variation& variation) const {
    for (const std::string& value : split_outside(values, ',')) {
      if (value.find_first_not_of(" \t") == std::string::npos) refuse("a value is missing between two commas");
      const std::string word = word_of_call(value);
      if (vary_kind(word)) refuse(fmt::format("how many values? Write {}:COUNT", value));
      if (std::find(variation.list.begin(), variation.list.end(), value) != variation.list.end()) {
        refuse(fmt::format("{} comes twice", io::in_quotes(value)));
      }
      variation.list.push_back(value);
    }
  }

  void read_range(const std::string& call, const std::string& count, study::Variation& variation) const {
    const std::string word = word_of_call(call);
    const std::optional<Kind> kind = vary_kind(word);
    if (!kind) {
      std::vector<std::string> known;
      known.reserve(vary_words.size());
      for (const auto& [name, each] : vary_words) known.emplace_back(name);
      const std::string near = math::nearest(word, known);
      refuse(fmt::format("{} is none of linear(a,b), logarithmic(a,b), uniform(a,b), normal(mean,deviation){}",
                         io::in_quotes(call), near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    }
    variation.kind = *kind;
    const std::vector<std::string> numbers =
        split_outside(call.substr(word.size() + 1, call.size() - word.size() - 2), ',');
    if (numbers.size() != 2) refuse(fmt::format("{} needs two numbers", word));
    variation.first = read_number(numbers[0]);
    variation.second = read_number(numbers[1]);
    variation.count = read_count(count, variation.is_random() ? 1 : 2);
    switch (*kind) {
      case Kind::logarithmic:
        if (!(variation.first / variation.second > 0))
          refuse("the ends of equal ratios must both be above 0, or below");
        [[fallthrough]];
      case Kind::linear:
        if (variation.first == variation.second) refuse("the two ends must differ");
        break;
      case Kind::uniform:
        if (!(variation.first < variation.second)) refuse("the first end must be below the second");
        break;
      default:
        if (!(variation.second > 0)) refuse("the deviation must be above 0");
    }
  }

  double read_number(const std::string& text) const {
    try {
      const double value = math::Expression::parse(text, [](std::string_view) { return false; }).value();
      if (!std::isfinite(value)) refuse(fmt::format("{} is not finite", io::in_quotes(text)));
      return value;
    } catch (const math::ExpressionError& error) {
      refuse(fmt::format("{}: {}; here stand numbers, or expressions without names of the scene", io::in_quotes(text),
                         error.what()));
    }
  }

  int read_count(const std::string& text, int least) const {
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || end != text.data() + text.size() || count < least ||
        static_cast<std::size_t>(count) > study::most_samples) {
      refuse(fmt::format("the count {} must be a whole number from {} to {}", io::in_quotes(text), least,
                         study::most_samples));
    }
    return count;
  }

  const std::string& text_;
};

}  // namespace

study::Variation read_variation(const std::string& text) { return VariationReader(text).read(); }

std::vector<std::string> trial_values(const study::Variation& variation) {
  const auto text = [](double value) { return fmt::format("{}", value); };
  switch (variation.kind) {
    case Kind::list:
      return variation.list;
    case Kind::uniform:
      return {text(variation.first + (variation.second - variation.first) / 2)};
    case Kind::normal:
      return {text(variation.first)};
    default:
      return {text(variation.first), text(variation.second)};
  }
}

}  // namespace ricochet::app
