// Whether an array holds nothing but finite numbers, fast enough to ask at every step.
#pragma once

#include <cstddef>
#include <span>

namespace ricochet::linalg {

inline bool all_finite(std::span<const double> values) {
  // 0 * x is 0 for finite x and NaN otherwise. Four sums, because one would wait for itself at every addition.
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += 0.0 * values[i + k];
  }
  for (; i < values.size(); ++i) sums[0] += 0.0 * values[i];
  return sums[0] + sums[1] + sums[2] + sums[3] == 0.0;
}

}  // namespace ricochet::linalg
