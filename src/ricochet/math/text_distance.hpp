// How far two words are apart, and which of several words was probably meant: for error messages that suggest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace ricochet::math {

// The Damerau-Levenshtein distance: the least number of insertions, deletions, substitutions and swaps of neighbouring
// characters that turns one word into the other. Bytes count as characters.
std::size_t text_distance(std::string_view first, std::string_view second);

// The candidate with the least distance to the word (the first of several); empty if even that one is further away than
// max(1, length of the word / 3), or has no character in common with the word. Candidates are any range of strings or
// string views.
template <class Range = std::initializer_list<std::string_view>>
std::string nearest(std::string_view word, const Range& candidates) {
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view best;
  for (const auto& candidate : candidates) {
    const std::string_view text(candidate);
    // The distance is at least the difference of the lengths: most candidates need no more than this.
    if (std::max(text.size(), word.size()) - std::min(text.size(), word.size()) >= least) continue;
    const std::size_t distance = text_distance(word, text);
    if (distance < least && distance < std::max(word.size(), text.size())) {
      least = distance;
      best = text;
    }
  }
  return std::string(best);
}

}  // namespace ricochet::math
