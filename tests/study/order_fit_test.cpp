#include "ricochet/study/order_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ricochet/math/random.hpp"

namespace ricochet::study {
namespace {

std::vector<ErrorPoint> powers(double factor, double order, int count) {
  std::vector<ErrorPoint> points;
  for (int i = 0; i < count; ++i) {
    const double step = 0.1 * std::pow(0.7, i);
    points.push_back({step, factor * std::pow(step, order)});
  }
  return points;
}

TEST(OrderFit, KnownSlopesComeBack) {
  for (const double order : {0.5, 1.0, 2.0, 4.0}) {
    const OrderFit fit = fit_order(powers(3, order, 12), 0);
    EXPECT_NEAR(fit.order, order, 1e-12);
    EXPECT_NEAR(fit.plain_order, order, 1e-12);
    EXPECT_NEAR(fit.factor, 3, 1e-10);
    EXPECT_EQ(fit.points, 12);
    ASSERT_EQ(fit.pairs.size(), 11u);
    for (const double pair : fit.pairs) EXPECT_NEAR(pair, order, 1e-10);
  }
}

TEST(OrderFit, TheErrorOfTheReferenceIsTakenOut) {
  for (const double order : {1.0, 2.0}) {
    const double reference = 0.1 * std::pow(0.7, 11) / 4;
    std::vector<ErrorPoint> points = powers(3, order, 12);
    for (ErrorPoint& point : points) point.error -= 3 * std::pow(reference, order);
    const OrderFit fit = fit_order(points, reference);
    EXPECT_NEAR(fit.order, order, 1e-10);
    EXPECT_NEAR(fit.factor, 3, 1e-8);
    EXPECT_GT(fit.plain_order, order + 1e-3);  // what would come out without it
  }
}

TEST(OrderFit, RoundingAndUnknownErrorsTellNothing) {
  std::vector<ErrorPoint> points = powers(1, 2, 6);
  points[1].error = std::numeric_limits<double>::quiet_NaN();
  points[3].error = 0;
  points.push_back({1e-9, 3e-16});
  const OrderFit fit = fit_order(points, 0, rounding_of(100));
  EXPECT_NEAR(fit.order, 2, 1e-12);
  EXPECT_EQ(fit.points, 4);
  EXPECT_TRUE(std::isnan(fit.pairs[0]));
  EXPECT_NEAR(fit.pairs[4], 2, 1e-10);
  EXPECT_TRUE(std::isnan(fit.pairs[5]));
}

TEST(OrderFit, RoundingWalksAtRandom) {
  EXPECT_DOUBLE_EQ(rounding_of(10000), 100 * rounding_of(1));
  EXPECT_GT(rounding_of(1), 1e-15);
  EXPECT_LT(rounding_of(1000000), 1e-10);
}

TEST(OrderFit, OnePointHasNoOrder) {
  EXPECT_TRUE(std::isnan(fit_order(powers(1, 1, 1), 0).order));
  EXPECT_TRUE(std::isnan(fit_order({}, 0).order));
  EXPECT_TRUE(std::isnan(fit_order(powers(1, 1, 1), 1e-3).factor));
}

TEST(OrderFit, ErrorsThatGrowHaveANegativeOrder) {
  EXPECT_NEAR(fit_order(powers(1, -1, 8), 0).order, -1, 1e-10);
  EXPECT_LT(fit_order(powers(1, -1, 8), 1e-4).order, 0);
}

// Errors that jump by up to a factor of two, as with impacts. With 20 points in two decades (standard deviations: ln 2
// over sqrt(3) = 0.4 of log error, 1.4 of log h) that of the slope is 0.4/(1.4 sqrt(20)) = 0.064.
TEST(OrderFitProperty, ScatterAveragesOut) {
  math::Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<ErrorPoint> points;
    for (int i = 0; i < 20; ++i) {
      const double step = std::pow(10, -2 - i * 2 / 19.0);
      points.push_back({step, step * std::exp2(random.uniform(-1, 1))});
    }
    EXPECT_NEAR(fit_order(points, 0).order, 1, 5 * 0.064);
  }
}

}  // namespace
}  // namespace ricochet::study
