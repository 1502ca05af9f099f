// Expressions: the grammar, values and binding.
#include "ricochet/math/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <thread>

namespace ricochet::math {
namespace {

double value_of(std::string_view text) { return Expression::parse(text).value(); }

TEST(Expression, PrecedenceTable) {
  const std::map<std::string, double> table = {
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"10-4-3", 3},
      {"16/4/2", 2},
      {"2*3/4*2", 3},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-1", 0.5},
      {"2^3^2", 512},
      {"2^-2^2", 1.0 / 16},
      {"-2^-2", -0.25},
      {"2*-3", -6},
      {"2- -3", 5},
      {"2--3", 5},
      {"---2", -2},
      {"--2", 2},
      {"+3", 3},
      {"2*3^2", 18},
      {"1+2<4", 1},
      {"1<2", 1},
      {"2<1", 0},
      {"1<=1", 1},
      {"2<=1", 0},
      {"1>2", 0},
      {"2>1", 1},
      {"1>=1", 1},
      {"1>=2", 0},
      {"3==3", 1},
      {"3==4", 0},
      {"3!=4", 1},
      {"3!=3", 0},
      {"(1<2)+(2<3)", 2},
      {"1?2:3", 2},
      {"0?2:3", 3},
      {"-0.5?2:3", 2},
      {"1?0?10:20:30", 20},
      {"0?1:0?2:3", 3},
      {"0?1:1?2:3", 2},
      {"1<2?5:6+1", 5},
      {"2<1?5:6+1", 7},
      {"(2<1?5:6)+1", 7},
      {"1+(1?2:3)*10", 21},
      {"min(3,1,2)", 1},
      {"max(3,1,7,2)", 7},
      {"min(0?1:2, 3)", 2},
      {"max(1, 0 ? 9 : 5) + 1", 6},
      {"0^0", 1},
      {"0^2", 0},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(value_of(text), expected) << text;
}

TEST(Expression, Functions) {
  EXPECT_EQ(value_of("sin(0.3)"), std::sin(0.3));
  EXPECT_EQ(value_of("cos(0.3)"), std::cos(0.3));
  EXPECT_EQ(value_of("tan(0.3)"), std::tan(0.3));
  EXPECT_EQ(value_of("asin(0.3)"), std::asin(0.3));
  EXPECT_EQ(value_of("acos(0.3)"), std::acos(0.3));
  EXPECT_EQ(value_of("atan(0.3)"), std::atan(0.3));
  EXPECT_EQ(value_of("atan2(-1, -2)"), std::atan2(-1, -2));
  EXPECT_EQ(value_of("sinh(0.3)"), std::sinh(0.3));
  EXPECT_EQ(value_of("cosh(0.3)"), std::cosh(0.3));
  EXPECT_EQ(value_of("tanh(0.3)"), std::tanh(0.3));
  EXPECT_EQ(value_of("exp(0.3)"), std::exp(0.3));
  EXPECT_EQ(value_of("log(0.3)"), std::log(0.3));
  EXPECT_EQ(value_of("log10(1000)"), 3);
  EXPECT_EQ(value_of("sqrt (2)"), std::sqrt(2));
  EXPECT_EQ(value_of("abs(-2)"), 2);
  EXPECT_EQ(value_of("pi"), std::numbers::pi);
  EXPECT_EQ(value_of("180*deg"), std::numbers::pi);
  EXPECT_EQ(value_of("pi-1"), std::numbers::pi - 1);
}

TEST(Expression, NamesInOrderOfFirstUse) {
  const Expression e = Expression::parse("b + a*b + sin(c_1) + pi");
  EXPECT_EQ(e.names(), (std::vector<std::string>{"b", "a", "c_1"}));
  EXPECT_FALSE(e.is_constant());
  EXPECT_TRUE(Expression::parse("2*deg").is_constant());
  const double values[] = {2, 3, 0.5};
  EXPECT_DOUBLE_EQ(e.evaluate(values), 2 + 3 * 2 + std::sin(0.5) + std::numbers::pi);
  EXPECT_THROW(e.evaluate(std::span<const double>(values, 2)), std::invalid_argument);
  EXPECT_THROW(e.value(), std::invalid_argument);
}

TEST(Expression, ConditionalIsLazyAndNotANumberStays) {
  EXPECT_EQ(value_of("1 ? 2 : log(-1)"), 2);
  EXPECT_EQ(value_of("0 ? log(-1) : 2"), 2);
  for (const char* text : {"log(-1) ? 1 : 2", "log(-1) < 1", "1 == log(-1)", "min(1, log(-1))", "max(log(-1), 1)",
                           "log(-1)^0", "1^log(-1)", "3 + (sqrt(-1) ? 1 : 0)"}) {
    EXPECT_TRUE(std::isnan(value_of(text))) << text;
  }
}

TEST(Expression, ConstantAndDefault) {
  EXPECT_EQ(Expression().value(), 0);
  EXPECT_EQ(Expression().text(), "0");
  EXPECT_EQ(Expression::constant(0.1).value(), 0.1);
  EXPECT_EQ(Expression::constant(0.1).text(), "0.1");
  EXPECT_TRUE(Expression::constant(-3).is_constant());
  EXPECT_EQ(Expression::parse(" 1 + x").text(), " 1 + x");
}

TEST(Expression, BindReplacesKnownNames) {
  const Expression e = Expression::parse("a*t + b*a - t");
  const Expression bound = e.bind([](std::string_view name) -> std::optional<double> {
    if (name == "a") return 2.0;
    if (name == "b") return 10.0;
    return std::nullopt;
  });
  EXPECT_EQ(bound.names(), std::vector<std::string>{"t"});
  const double t[] = {3};
  EXPECT_EQ(bound.evaluate(t), 23);
  EXPECT_EQ(bound.text(), e.text());
  EXPECT_EQ(e.names().size(), 3u);  // the original is unchanged
}

TEST(Expression, LongAndDeepOnesStillWork) {
  std::string sum = "1";
  double expected = 1;
  for (; sum.size() + 2 <= Expression::kLongestText; ++expected) sum += "+1";
  EXPECT_EQ(value_of(sum), expected);
  std::string conditionals = "0";  // one after the other, they need no more room than one
  for (int i = 0; i < 300; ++i) conditionals += "+(1?2:3)";
  EXPECT_EQ(value_of(conditionals), 600);
  const int levels = Expression::kDeepestNesting - 1;
  std::string deep(static_cast<std::size_t>(levels), '(');
  deep += "7" + std::string(static_cast<std::size_t>(levels), ')');
  EXPECT_EQ(value_of(deep), 7);
  std::string nested;  // a stack of more than a hundred values
  for (int i = 0; i < 150; ++i) nested += "1+(";
  nested += "x" + std::string(150, ')');
  const double x[] = {5};
  EXPECT_EQ(Expression::parse(nested).evaluate(x), 155);
  const Jet t[] = {{5, 1, 0}};
  EXPECT_EQ(Expression::parse(nested).evaluate(t).rate, 1);
}

TEST(Expression, EvaluatesFromSeveralThreads) {
  const Expression e = Expression::parse("sin(t)^2 + cos(t)^2 + t");
  double worst[2] = {0, 0};
  const auto work = [&e](double& error) {
    for (int i = 0; i < 2000; ++i) {
      const double t[] = {0.001 * i};
      error = std::max(error, std::abs(e.evaluate(t) - 1 - t[0]));
    }
  };
  std::thread first(work, std::ref(worst[0]));
  std::thread second(work, std::ref(worst[1]));
  first.join();
  second.join();
  EXPECT_LT(std::max(worst[0], worst[1]), 1e-15 * 8);
}

}  // namespace
}  // namespace ricochet::math
