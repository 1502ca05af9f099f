#include "ricochet/study/thinned_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet::study {
namespace {

Trajectory thinned(std::size_t rows, std::size_t limit, double (*function)(double)) {
  ThinnedTable table(1, limit);
  for (std::size_t i = 0; i < rows; ++i) {
    const double time = static_cast<double>(i), value = function(time);
    table.add(time, {&value, 1});
  }
  return table.table();
}

TEST(ThinnedTable, KeepsAShortHistoryAsItIs) {
  for (const std::size_t rows : {0u, 1u, 2u, 99u, 100u}) {
    const Trajectory table = thinned(rows, 100, [](double t) { return std::sin(t); });
    ASSERT_EQ(table.time.size(), rows);
    for (std::size_t i = 0; i < rows; ++i) {
      EXPECT_EQ(table.time[i], static_cast<double>(i));
      EXPECT_EQ(table.values[0][i], std::sin(table.time[i]));
    }
  }
}

TEST(ThinnedTable, KeepsPeaksAndEndsOfALongOne) {
  for (const std::size_t rows : {101u, 1000u, 99'999u}) {
    const Trajectory table = thinned(rows, 100, [](double t) {
      return t == 77 ? 9.0 : t == 78 ? -9.0 : std::sin(0.01 * t);
    });
    EXPECT_LE(table.time.size(), 102u);
    EXPECT_GE(table.time.size(), 50u);
    EXPECT_TRUE(std::is_sorted(table.time.begin(), table.time.end()));
    EXPECT_EQ(std::adjacent_find(table.time.begin(), table.time.end()), table.time.end()) << "no row comes twice";
    EXPECT_EQ(table.time.front(), 0);
    EXPECT_EQ(table.time.back(), static_cast<double>(rows - 1));
    const auto peak = std::max_element(table.values[0].begin(), table.values[0].end());
    EXPECT_EQ(*peak, 9);
    EXPECT_EQ(table.time[static_cast<std::size_t>(peak - table.values[0].begin())], 77);
    EXPECT_EQ(*std::min_element(table.values[0].begin(), table.values[0].end()), -9);
  }
}

TEST(ThinnedTable, RowsOfTwoColumnsStayTogether) {
  ThinnedTable table(2, 200);
  for (int i = 0; i < 10'000; ++i) {
    const std::array<double, 2> values = {std::cos(0.01 * i), std::sin(0.01 * i)};
    table.add(i, values);
  }
  const Trajectory circle = table.table();
  ASSERT_EQ(circle.values.size(), 2u);
  EXPECT_LE(circle.time.size(), 202u);
  for (std::size_t i = 0; i < circle.time.size(); ++i) {
    EXPECT_NEAR(std::hypot(circle.values[0][i], circle.values[1][i]), 1, 1e-14);
  }
}

TEST(ThinnedTable, AGapStaysAGap) {
  const Trajectory table =
      thinned(5000, 40, [](double t) { return t > 2000 && t < 2010 ? std::numeric_limits<double>::quiet_NaN() : 1.0; });
  const auto gap = std::find_if(table.values[0].begin(), table.values[0].end(), [](double x) { return std::isnan(x); });
  ASSERT_NE(gap, table.values[0].end());
  EXPECT_EQ(table.time[static_cast<std::size_t>(gap - table.values[0].begin())], 2001);
}

}  // namespace
}  // namespace ricochet::study
