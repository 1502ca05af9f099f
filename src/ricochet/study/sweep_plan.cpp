#include "ricochet/study/sweep_plan.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ricochet/math/hash.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::study {

namespace {

// Each path has a stream of its own.
math::Random stream_of(const std::string& path, std::uint64_t seed) {
  math::ByteHash hash;
  hash.add(&seed, sizeof(seed));
  hash.add(path.data(), path.size());
  return math::Random(hash.value());
}

double range_value(const Variation& variation, int i) {
  if (i == 0) return variation.first;
  if (i == variation.count - 1) return variation.second;  // without rounding
  const double share = static_cast<double>(i) / (variation.count - 1);
  if (variation.kind == Variation::Kind::logarithmic) {
    return variation.first * std::pow(variation.second / variation.first, share);
  }
  return variation.first + share * (variation.second - variation.first);
}

// How many samples all of them make together.
std::size_t count_samples(std::span<const Variation> variations) {
  double count = 1;
  const Variation* random = nullptr;
  for (const Variation& each : variations) {
    if (each.is_random() && random != nullptr) {
      if (each.count == random->count) continue;
      throw std::invalid_argument(
          fmt::format("random values are drawn together and need the same count, but {} has {} and {} has {}",
                      random->path, random->count, each.path, each.count));
    }
    if (each.is_random()) random = &each;
    count *= each.kind == Variation::Kind::list ? static_cast<double>(each.list.size()) : each.count;
  }
  if (count > static_cast<double>(most_samples)) {
    throw std::invalid_argument(fmt::format("that makes {:.0f} samples, and {} is the most", count, most_samples));
  }
  return static_cast<std::size_t>(count);
}

}  // namespace

std::vector<std::string> values_of(const Variation& variation, std::uint64_t seed) {
  if (variation.kind == Variation::Kind::list) return variation.list;
  std::vector<std::string> values;
  math::Random random = stream_of(variation.path, seed);
  for (int i = 0; i < variation.count; ++i) {
    double value = 0;
    switch (variation.kind) {
      case Variation::Kind::uniform:
        value = random.uniform(variation.first, variation.second);
        break;
      case Variation::Kind::normal:
        value = variation.first + variation.second * random.normal();
        break;
      default:
        value = range_value(variation, i);
    }
    values.push_back(fmt::format("{}", value));
  }
  return values;
}

std::vector<std::vector<std::string>> plan_sweep(std::span<const Variation> variations, std::uint64_t seed) {
  for (std::size_t i = 0; i < variations.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (variations[i].path == variations[j].path) {
        throw std::invalid_argument(fmt::format("{} is varied twice", variations[i].path));
      }
    }
  }
  const std::size_t count = count_samples(variations);
  std::vector<std::vector<std::string>> values;
  for (const Variation& each : variations) values.push_back(values_of(each, seed));

  std::vector<std::vector<std::string>> samples(count, std::vector<std::string>(variations.size()));
  for (std::size_t sample = 0; sample < count; ++sample) {
    std::size_t rest = sample;  // random samples run fastest, then the last of the grid
    for (std::size_t i = 0; i < variations.size(); ++i) {
      if (variations[i].is_random()) samples[sample][i] = values[i][sample % values[i].size()];
    }
    for (const Variation& each : variations) {
      if (each.is_random()) {
        rest /= static_cast<std::size_t>(each.count);
        break;
      }
    }
    for (std::size_t i = variations.size(); i-- > 0;) {
      if (variations[i].is_random()) continue;
      samples[sample][i] = values[i][rest % values[i].size()];
      rest /= values[i].size();
    }
  }
  return samples;
}

}  // namespace ricochet::study
