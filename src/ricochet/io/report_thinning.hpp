// Which rows of a long history a plot needs. A screen has some thousand columns of pixels; a history may have millions
// of rows. Rows are taken in buckets of equal size, and of each bucket those where a column is smallest and largest:
// every peak survives, at its own time and with its own value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace ricochet::io {

// Rows in increasing order, with the first and the last one. All of them if there are at most `limit`; otherwise at
// most `limit`, and one more per column and bucket where the column has both numbers and gaps (NaN or infinity), so
// that a gap stays a gap. The columns have equal lengths.
inline std::vector<std::size_t> thinned_rows(std::span<const std::span<const double>> columns, std::size_t limit) {
  const std::size_t count = columns.empty() ? 0 : columns.front().size();
  std::vector<std::size_t> rows;
  if (count <= limit) {
    rows.resize(count);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }
  const std::size_t buckets = std::max<std::size_t>(1, (std::max<std::size_t>(limit, 2) - 2) / (2 * columns.size()));
  rows.push_back(0);
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const std::size_t begin = count * bucket / buckets, end = count * (bucket + 1) / buckets;
    for (const std::span<const double> values : columns) {
      std::size_t smallest = end, largest = end, gap = end;  // `end`: none
      for (std::size_t row = begin; row < end; ++row) {
        if (!std::isfinite(values[row])) {
          if (gap == end) gap = row;
          continue;
        }
        if (smallest == end || values[row] < values[smallest]) smallest = row;
        if (largest == end || values[row] > values[largest]) largest = row;
      }
      for (const std::size_t row : {smallest, largest, gap}) {
        if (row != end) rows.push_back(row);
      }
    }
  }
  rows.push_back(count - 1);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace ricochet::io
