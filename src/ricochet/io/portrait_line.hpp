// A line of a phase portrait in the data of a page: {time, columns [[x], [y]]}, both probes at the same rows, thinned
// so that every peak of either survives.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "ricochet/io/report_json.hpp"
#include "ricochet/io/report_thinning.hpp"

namespace ricochet::io {

// Puts the members of the line into an object that the caller has begun.
inline void portrait_line(ReportJson& json, std::span<const double> time, std::span<const double> x,
                          std::span<const double> y, std::size_t limit) {
  const std::array<std::span<const double>, 2> columns = {x, y};
  const std::vector<std::size_t> rows = thinned_rows(columns, limit);
  const auto numbers = [&](std::span<const double> values) {
    json.begin_array();
    for (const std::size_t row : rows) json.number(values[row]);
    json.end_array();
  };
  json.key("time");
  numbers(time);
  json.key("columns").begin_array();
  for (const std::span<const double> values : columns) numbers(values);
  json.end_array();
}

}  // namespace ricochet::io
