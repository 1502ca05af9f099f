// A small seeded random generator whose numbers are the same on every machine and with every standard library.
//
// xoshiro256** (D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47, 2021), its state
// filled by splitmix64 from one seed. The distributions of <random> differ between libraries, and log and cos differ
// between mathematical libraries in the last bit: so the distributions here use comparisons and exact arithmetic only.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>

namespace ricochet::math {

class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  // 64 random bits.
  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // In [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // Between the bounds.
  double uniform(double lower, double upper) { return lower + (upper - lower) * uniform(); }

  // In 0 ... count - 1, each equally likely.
  std::uint64_t integer(std::uint64_t count) {
    if (count == 0) throw std::invalid_argument("a random integer needs at least one possible value");
    const std::uint64_t unfair = (0 - count) % count;  // 2^64 mod count: the first values, which would be too frequent
    std::uint64_t bits = next();
    while (bits < unfair) bits = next();
    return bits % count;
  }

  // Mean 0, variance 1. C. Karney, "Sampling exactly from the normal distribution", ACM TOMS 42 (2016), algorithm N:
  // |result| = k + x, where k has probability proportional to exp(-k^2/2) and x in [0, 1) is accepted with probability
  // exp(-x (2k + x)/2).
  double normal() {
    for (;;) {
      int k = 0;
      while (happens_with_exponential(0.5)) ++k;
      bool accepted = true;
      for (int i = 0; accepted && i < k * (k - 1); ++i) accepted = happens_with_exponential(0.5);
      if (!accepted) continue;
      const double x = uniform();
      for (int i = 0; accepted && i <= k; ++i) accepted = happens_with_exponential(x * (2 * k + x) / (2 * k + 2));
      if (!accepted) continue;
      return (next() >> 63) != 0 ? -(k + x) : k + x;
    }
  }

 private:
  // True with probability exp(-p), 0 <= p <= 1 (von Neumann): the run p > u1 > u2 > ... of uniform numbers has even
  // length with probability 1 - p + p^2/2! - ...
  bool happens_with_exponential(double p) {
    bool even = true;
    double previous = p;
    for (double u = uniform(); u < previous; u = uniform()) {
      previous = u;
      even = !even;
    }
    return even;
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace ricochet::math
