// Functions of time: exact derivatives and what is refused.
#include "ricochet/math/time_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace ricochet::math {
namespace {

TEST(TimeFunction, DefaultIsZero) {
  const TimeFunction f;
  EXPECT_TRUE(f.is_constant());
  EXPECT_EQ(f.value(3), 0);
  EXPECT_EQ(f.rate(3), 0);
  EXPECT_EQ(f.acceleration(3), 0);
}

TEST(TimeFunction, Constants) {
  EXPECT_EQ(TimeFunction::constant(2.5).value(7), 2.5);
  const TimeFunction f(Expression::parse("2*pi/4"));
  EXPECT_TRUE(f.is_constant());
  EXPECT_DOUBLE_EQ(f.value(1), std::acos(0.0));
  EXPECT_EQ(f.evaluate(1).value, f.value(1));
  EXPECT_EQ(f.evaluate(1).rate, 0);
}

TEST(TimeFunction, DerivativesOfAnOscillation) {
  const Expression expression = Expression::parse("amplitude*sin(3*t) + t^2");
  const TimeFunction f(expression.bind(
      [](std::string_view name) { return name == "amplitude" ? std::optional<double>(0.5) : std::nullopt; }));
  EXPECT_FALSE(f.is_constant());
  const double t = 0.7;
  EXPECT_DOUBLE_EQ(f.value(t), 0.5 * std::sin(3 * t) + t * t);
  EXPECT_DOUBLE_EQ(f.rate(t), 1.5 * std::cos(3 * t) + 2 * t);
  EXPECT_DOUBLE_EQ(f.acceleration(t), -4.5 * std::sin(3 * t) + 2);
  EXPECT_EQ(f.evaluate(t).value, f.value(t));
  EXPECT_EQ(f.evaluate(t).rate, f.rate(t));
  EXPECT_EQ(f.evaluate(t).acceleration, f.acceleration(t));
  EXPECT_EQ(f.acceleration(0), 2);
}

TEST(TimeFunction, CombinationsAreLinearInValueAndDerivatives) {
  const TimeFunction f(Expression::parse("sin(3*t)"));
  const TimeFunction g(Expression::parse("t^3"));
  const TimeFunction sum = 2 * f + (-0.5) * g + TimeFunction::constant(4);
  const double t = 0.7;
  EXPECT_DOUBLE_EQ(sum.value(t), 2 * f.value(t) - 0.5 * g.value(t) + 4);
  EXPECT_DOUBLE_EQ(sum.rate(t), 2 * f.rate(t) - 0.5 * g.rate(t));
  EXPECT_DOUBLE_EQ(sum.acceleration(t), 2 * f.acceleration(t) - 0.5 * g.acceleration(t));
  EXPECT_TRUE((0 * f).is_constant());
  EXPECT_EQ((3 * TimeFunction::constant(2)).value(t), 6);
}

TEST(TimeFunction, RefusesFreeNames) {
  try {
    const TimeFunction f(Expression::parse("t*speed"));
    FAIL() << "a free name was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "'t*speed' is not a function of time: 'speed' has no value");
  }
}

}  // namespace
}  // namespace ricochet::math
