// Looking up names, and suggesting one: what the readers of probe sources share.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "ricochet/math/text_distance.hpp"

namespace ricochet::simulation {

// "; did you mean 'x'?", or the whole choice if nothing is near and the choice is short enough to read.
template <class Range>
std::string suggestion(std::string_view word, const Range& choice) {
  if (const std::string near = math::nearest(word, choice); !near.empty()) {
    return fmt::format("; did you mean '{}'?", near);
  }
  if (choice.empty() || choice.size() > 16) return {};
  return fmt::format(" (choose from: {})", fmt::join(choice, ", "));
}

template <class Range>
std::vector<std::string_view> names_of(const Range& elements) {
  std::vector<std::string_view> names;
  names.reserve(elements.size());
  for (const auto& element : elements) names.push_back(element.name);
  return names;
}

template <class Range>
int index_of(const Range& names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

template <class Range>
int index_of_name(const Range& elements, std::string_view name) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace ricochet::simulation
