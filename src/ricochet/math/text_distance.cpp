#include "ricochet/math/text_distance.hpp"

#include <array>
#include <vector>

namespace ricochet::math {

// R. Lowrance, R. Wagner, "An extension of the string-to-string correction problem", J. ACM 22 (1975). distance(i, j)
// is between the first i characters of one word and the first j of the other.
std::size_t text_distance(std::string_view first, std::string_view second) {
  const std::size_t columns = second.size() + 1;
  std::vector<std::size_t> table((first.size() + 1) * columns);
  const auto distance = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * columns + j]; };
  for (std::size_t i = 0; i <= first.size(); ++i) distance(i, 0) = i;
  for (std::size_t j = 0; j <= second.size(); ++j) distance(0, j) = j;

  std::array<std::size_t, 256> last_row{};  // where each character last occurred in the first word, counted from one
  for (std::size_t i = 1; i <= first.size(); ++i) {
    std::size_t last_column = 0;  // where first[i-1] last occurred in the second word
    for (std::size_t j = 1; j <= second.size(); ++j) {
      const std::size_t row = last_row[static_cast<unsigned char>(second[j - 1])];
      const std::size_t column = last_column;
      const bool same = first[i - 1] == second[j - 1];
      if (same) last_column = j;
      std::size_t least = distance(i - 1, j - 1) + (same ? 0 : 1);
      least = std::min({least, distance(i - 1, j) + 1, distance(i, j - 1) + 1});
      // Swap the pair (row, i) with (column, j), deleting and inserting what stands between.
      if (row > 0 && column > 0) {
        least = std::min(least, distance(row - 1, column - 1) + (i - row - 1) + 1 + (j - column - 1));
      }
      distance(i, j) = least;
    }
    last_row[static_cast<unsigned char>(first[i - 1])] = i;
  }
  return distance(first.size(), second.size());
}

}  // namespace ricochet::math
