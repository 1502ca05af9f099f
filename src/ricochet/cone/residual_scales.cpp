#include "ricochet/cone/residual_scales.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::cone {

void ResidualScales::prepare(const ContactProblem& problem) {
  const int contacts = problem.contacts();
  islands_.find(problem.delassus);
  sums_.assign(islands_.count(), {});
  mass_.resize(contacts);
  speed_.resize(contacts);
  for (int i = 0; i < contacts; ++i) {
    const int size = problem.block_size(i);
    const double* block = problem.delassus.values().data() + diagonal_entry(problem, i).value_start;
    const double* b = problem.free_velocity.data() + problem.block_offset(i);
    double trace = 0, square = 0;
    for (int k = 0; k < size; ++k) {
      trace += block[k * (size + 1)];
      square += b[k] * b[k];
    }
    mass_[i] = trace > 0 ? size / trace : 0.0;
    IslandSums& sums = sums_[islands_.island_of(i)];
    sums.size += size;
    sums.trace += std::max(trace, 0.0);
    sums.largest_square = std::max(sums.largest_square, square);
  }
  for (int i = 0; i < contacts; ++i) {
    const IslandSums& sums = sums_[islands_.island_of(i)];
    if (mass_[i] == 0) mass_[i] = sums.trace > 0 ? sums.size / sums.trace : 1.0;
    speed_[i] = std::sqrt(sums.largest_square);
  }
}

}  // namespace ricochet::cone
