// The plan of a sweep: which values a scene gets in which sample.
//
// A variation is a path of the scene with its values: a list, equal steps or equal ratios between two ends, or random
// numbers. Values are texts, as the scene would have them. Lists and ranges form a grid, in which the last one runs
// fastest. Random ones are drawn together: sample k of each. With both, every point of the grid has the same n samples,
// so that points differ by what the grid changes and not by chance.
//
// A random value depends on the seed, its path and its number alone: not on what else is varied, nor on how many
// samples there are. More samples with the same seed begin with those that were there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ricochet::study {

struct Variation {
  enum class Kind {
    list,         // values as they are
    linear,       // from first to second in equal steps
    logarithmic,  // from first to second in equal ratios
    uniform,      // random, from first up to second
    normal,       // random: mean first, standard deviation second
  };

  std::string path;
  Kind kind = Kind::list;
  std::vector<std::string> list = {};
  double first = 0, second = 0;
  int count = 0;  // of all kinds but the list

  bool is_random() const { return kind == Kind::uniform || kind == Kind::normal; }
};

inline constexpr std::size_t most_samples = 1'000'000;

// All values of a variation, in order.
std::vector<std::string> values_of(const Variation& variation, std::uint64_t seed);

// One list of values per sample, one value per variation. Throws std::invalid_argument, with a sentence, if random
// variations have different counts, if a path comes twice, and if there are more than `most_samples`.
std::vector<std::vector<std::string>> plan_sweep(std::span<const Variation> variations, std::uint64_t seed);

}  // namespace ricochet::study
