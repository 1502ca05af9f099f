// The random generator: published reference values, ranges and moments.
#include "ricochet/math/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>

namespace ricochet::math {
namespace {

TEST(Random, ReferenceSequence) {
  // splitmix64(0) fills the state with e220a8397b1dcdaf 6e789e6aa1b965f4 06c45d188009454f f88bb8a8724c81ec; the first
  // outputs of xoshiro256** follow from rotl(s1*5, 7)*9.
  Random random(0);
  EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4u);
  EXPECT_EQ(random.next(), 0xbf6e1f784956452au);
  EXPECT_EQ(random.next(), 0x1a5f849d4933e6e0u);
}

TEST(Random, SameSeedSameNumbers) {
  Random first(7);
  Random second(7);
  Random other(8);
  int different = 0;
  for (int i = 0; i < 100; ++i) {
    const double x = first.normal();
    EXPECT_EQ(x, second.normal());
    different += x != other.normal() ? 1 : 0;
  }
  EXPECT_GT(different, 90);
}

TEST(Random, IntegersAreFair) {
  Random random(1);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts.at(random.integer(6));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 450);  // five standard deviations
  EXPECT_EQ(random.integer(1), 0u);
  EXPECT_THROW(random.integer(0), std::invalid_argument);
}

TEST(Random, UniformMoments) {
  Random random(2);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform(-1, 3);
    ASSERT_GE(x, -1);
    ASSERT_LE(x, 3);
    sum += x;
    squares += (x - 1) * (x - 1);
  }
  EXPECT_NEAR(sum / 100000, 1, 0.02);
  EXPECT_NEAR(squares / 100000, 16.0 / 12.0, 0.02);
}

TEST(Random, NormalDistribution) {
  Random random(3);
  const int count = 200000;
  double sum = 0;
  double squares = 0;
  double fourth = 0;
  std::array<int, 4> below{};  // at -1, 0, 1, 2
  for (int i = 0; i < count; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    for (int j = 0; j < 4; ++j) below.at(static_cast<std::size_t>(j)) += x < j - 1 ? 1 : 0;
  }
  EXPECT_NEAR(sum / count, 0, 0.012);
  EXPECT_NEAR(squares / count, 1, 0.016);
  EXPECT_NEAR(fourth / count, 3, 0.12);
  for (int j = 0; j < 4; ++j) {
    const double expected = 0.5 * std::erfc(-(j - 1) / std::sqrt(2.0));
    EXPECT_NEAR(below.at(static_cast<std::size_t>(j)) / static_cast<double>(count), expected, 0.006);
  }
}

}  // namespace
}  // namespace ricochet::math
