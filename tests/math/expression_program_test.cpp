// Derivatives of expressions: identities between jets, extrapolated differences, and the points where care is needed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "ricochet/math/expression.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::math {
namespace {

Jet jet_at(std::string_view text, double t) {
  const Expression e = Expression::parse(text);
  const Jet time[] = {{t, 1, 0}};
  return e.evaluate(std::span<const Jet>(time, 1));
}

void expect_jet(std::string_view text, double t, const Jet& expected) {
  const Jet found = jet_at(text, t);
  EXPECT_DOUBLE_EQ(found.value, expected.value) << text << " at " << t;
  EXPECT_DOUBLE_EQ(found.rate, expected.rate) << text << " at " << t;
  EXPECT_DOUBLE_EQ(found.acceleration, expected.acceleration) << text << " at " << t;
}

TEST(Expression, DerivativesAtAwkwardPoints) {
  expect_jet("t^2", 0, {0, 0, 2});
  expect_jet("t^1", 0, {0, 1, 0});
  expect_jet("t^0", 0, {1, 0, 0});
  expect_jet("t^3", 0, {0, 0, 0});
  expect_jet("t^3", -2, {-8, 12, -12});
  expect_jet("t^-1", -2, {-0.5, -0.25, -0.25});
  expect_jet("0^0 + t", 3, {4, 1, 0});
  expect_jet("0^(t+1)", 1, {0, 0, 0});
  expect_jet("2^t", 0, {1, std::log(2.0), std::log(2.0) * std::log(2.0)});
  expect_jet("t^t", 1, {1, 1, 2});
  expect_jet("t*t", 0, {0, 0, 2});
  expect_jet("sqrt(0)*t", 2, {0, 0, 0});
  expect_jet("sqrt(t)", 4, {2, 0.25, -1.0 / 32});
}

TEST(Expression, DerivativesOfTheBranchTaken) {
  expect_jet("abs(t)", -3, {3, -1, 0});
  expect_jet("abs(t)", 3, {3, 1, 0});
  expect_jet("abs(t)", 0, {0, 1, 0});
  expect_jet("min(t, t^2)", 0.5, {0.25, 1, 2});
  expect_jet("max(t, t^2)", 0.5, {0.5, 1, 0});
  expect_jet("min(t, t^2)", 1, {1, 1, 0});  // equal: the first
  expect_jet("max(t, t^2, 2*t)", 1, {2, 2, 0});
  expect_jet("t < 1 ? t^2 : 3*t", 0.5, {0.25, 1, 2});
  expect_jet("t < 1 ? t^2 : 3*t", 2, {6, 3, 0});
  expect_jet("(t > 1) * t^2", 2, {4, 4, 2});
  expect_jet("(t > 1) * t^2", 0.5, {0, 0, 0});
}

TEST(Expression, DerivativesThatDoNotExistAreNotFinite) {
  EXPECT_TRUE(std::isinf(jet_at("sqrt(t)", 0).rate));
  EXPECT_FALSE(std::isfinite(jet_at("sqrt(t^4)", 0).acceleration));  // 2 in truth, but never a wrong finite number
  EXPECT_FALSE(std::isfinite(jet_at("t^0.5", 0).rate));
  EXPECT_TRUE(std::isnan(jet_at("log(t)", -1).rate));
  EXPECT_TRUE(std::isnan(jet_at("log(t) ? 1 : 2", -1).rate));
  EXPECT_TRUE(std::isnan(jet_at("1^log(t)", -1).rate));
  EXPECT_TRUE(std::isnan(jet_at("(-1)^t", 2).rate));
  // A parameter that is zero is a constant, not the beginning of a square root.
  const Expression e = Expression::parse("sqrt(a) + t");
  const Jet jets[] = {{0, 0, 0}, {1, 1, 0}};
  EXPECT_EQ(e.evaluate(std::span<const Jet>(jets)).rate, 1);
}

TEST(ExpressionProperty, IdentitiesBetweenJets) {
  // Both sides have the same value and derivatives for x, y > 0 with any rates and accelerations.
  const std::pair<const char*, const char*> identities[] = {
      {"x^5", "x*x*x*x*x"},
      {"x^-2", "1/(x*x)"},
      {"x^0.5", "sqrt(x)"},
      {"sqrt(x)*sqrt(x)", "x"},
      {"x^y", "exp(y*log(x))"},
      {"exp(log(x))", "x"},
      {"log10(x)", "log(x)/log(10)"},
      {"tan(x)", "sin(x)/cos(x)"},
      {"sin(x)^2 + cos(x)^2", "1"},
      {"sin(x+y)", "sin(x)*cos(y) + cos(x)*sin(y)"},
      {"asin(x/3)", "atan2(x, sqrt(9 - x^2))"},
      {"acos(x/3)", "pi/2 - asin(x/3)"},
      {"sin(asin(x/3))", "x/3"},
      {"tan(atan(x))", "x"},
      {"atan2(y, x)", "atan(y/x)"},
      {"atan2(-y, -x)", "atan(y/x) - pi"},
      {"sinh(x)", "(exp(x) - exp(-x))/2"},
      {"cosh(x)", "(exp(x) + exp(-x))/2"},
      {"tanh(x)", "sinh(x)/cosh(x)"},
      {"(x - y)*(x + y)", "x^2 - y^2"},
      {"x/y - x*(1/y)", "0*x"},
      {"abs(-x*y)", "x*y"},
      {"min(x, x + y)", "x"},
      {"max(x, x + y)", "x + y"},
      {"x < x + y ? x*y : log(-1)", "y*x"},
      {"--x", "x"},
  };
  Random random(11);
  const Expression::NamePredicate is_name = [](std::string_view name) { return name == "x" || name == "y"; };
  for (const auto& [left, right] : identities) {
    // The sum of nothing fixes the order of the names.
    const Expression first = Expression::parse("0*(x+y) + (" + std::string(left) + ")", is_name);
    const Expression second = Expression::parse("0*(x+y) + (" + std::string(right) + ")", is_name);
    for (int i = 0; i < 50; ++i) {
      Jet jets[2];
      for (Jet& jet : jets) jet = {random.uniform(0.2, 1.4), random.uniform(-2, 2), random.uniform(-2, 2)};
      const Jet a = first.evaluate(std::span<const Jet>(jets));
      const Jet b = second.evaluate(std::span<const Jet>(jets));
      const double scale = 1e-11 * (1 + std::abs(a.acceleration));
      ASSERT_NEAR(a.value, b.value, 1e-12 * (1 + std::abs(a.value))) << left;
      ASSERT_NEAR(a.rate, b.rate, scale) << left;
      ASSERT_NEAR(a.acceleration, b.acceleration, scale) << left;
      const double values[] = {jets[0].value, jets[1].value};
      ASSERT_EQ(first.evaluate(values), a.value) << left;
    }
  }
}

// A random smooth expression of t, bounded together with its derivatives for t in [-1, 1].
std::string random_expression(Random& random, int depth) {
  if (depth == 0) {
    switch (random.integer(3)) {
      case 0:
        return "t";
      case 1:
        return "(t-0.3)";
      default:
        return std::to_string(random.uniform(0.1, 1.5));
    }
  }
  const std::string a = random_expression(random, depth - 1);
  const std::string b = random_expression(random, depth - 1);
  switch (random.integer(14)) {
    case 0:
      return "(" + a + "+" + b + ")";
    case 1:
      return "(" + a + "-" + b + ")";
    case 2:
      return "tanh(" + a + ")*" + "cos(" + b + ")";
    case 3:
      return a + "/(2+(" + b + ")^2)";
    case 4:
      return "sin(" + a + ")";
    case 5:
      return "exp(-(" + a + ")^2)";
    case 6:
      return "sqrt(1+(" + a + ")^2)";
    case 7:
      return "log(2+(" + a + ")^2)";
    case 8:
      return "atan2(" + a + ",2+(" + b + ")^2)";
    case 9:
      return "asin(0.5*sin(" + a + "))";
    case 10:
      return "acos(0.5*sin(" + a + "))";
    case 11:
      return "(1.5+sin(" + a + "))^cos(" + b + ")";
    case 12:
      return "atan(" + a + ")";
    default:
      return "cosh(sin(" + a + "))-sinh(cos(" + b + "))+tan(0.5*sin(" + a + "))";
  }
}

TEST(ExpressionProperty, DerivativesOfRandomExpressions) {
  Random random(12);
  for (int i = 0; i < 300; ++i) {
    const std::string text = random_expression(random, 3);
    const Expression e = Expression::parse(text + "+0*t");
    const double t = random.uniform(-0.8, 0.8);
    const auto f = [&](double at) { return e.evaluate(std::span<const double>(&at, 1)); };
    // Central differences with steps h, 2h, 4h, extrapolated twice: the error is of order h^6.
    const double h = 2e-3;
    const auto extrapolate = [](double d1, double d2, double d4) { return (64 * d1 - 20 * d2 + d4) / 45; };
    const auto slope = [&](double step) { return (f(t + step) - f(t - step)) / (2 * step); };
    const auto bend = [&](double step) { return (f(t + step) - 2 * f(t) + f(t - step)) / (step * step); };
    const Jet time[] = {{t, 1, 0}};
    const Jet jet = e.evaluate(std::span<const Jet>(time));
    const double scale = 1 + std::abs(jet.value) + std::abs(jet.rate) + std::abs(jet.acceleration);
    ASSERT_EQ(jet.value, f(t)) << text;
    ASSERT_NEAR(jet.rate, extrapolate(slope(h), slope(2 * h), slope(4 * h)), 1e-8 * scale) << text;
    ASSERT_NEAR(jet.acceleration, extrapolate(bend(h), bend(2 * h), bend(4 * h)), 1e-6 * scale) << text;
  }
}

}  // namespace
}  // namespace ricochet::math
