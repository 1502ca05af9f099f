// Random numbers of the benchmarks: SplitMix64 (Steele, Lea, Flood 2014). Unlike the distributions of <random>, the
// same numbers with every library. The calibration kernel stands on it, so it stays as it is, whatever becomes of
// ricochet/math/random.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace ricochet::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t integer() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::size_t below(std::size_t bound) { return integer() % bound; }
  double between(double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(integer() >> 11U);
  }
  std::array<double, 3> direction() {  // uniform on the sphere, after Archimedes
    const double z = between(-1, 1);
    const double angle = between(-3.14159265358979, 3.14159265358979);
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }

 private:
  std::uint64_t state_;
};

}  // namespace ricochet::bench
