// The words of expressions: numbers, and where a name with hyphens ends.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/math/expression.hpp"

namespace ricochet::math {
namespace {

Expression::NamePredicate known(std::set<std::string, std::less<>> names) {
  return [names = std::move(names)](std::string_view name) { return names.contains(name); };
}

TEST(Expression, Numbers) {
  const auto number = [](std::string_view text) { return Expression::parse(text).value(); };
  EXPECT_EQ(number("1"), 1);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("5."), 5);
  EXPECT_EQ(number("1e-3"), 1e-3);
  EXPECT_EQ(number("1.5E+2"), 150);
  EXPECT_EQ(number("2.e1"), 20);
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number(" \t 12 \r\n"), 12);
}

TEST(Expression, HyphensWithoutPredicateSubtract) {
  const Expression e = Expression::parse("a-b");
  EXPECT_EQ(e.names(), (std::vector<std::string>{"a", "b"}));
  const double values[] = {5, 3};
  EXPECT_EQ(e.evaluate(values), 2);
  EXPECT_EQ(Expression::parse("t-1.5").names(), (std::vector<std::string>{"t"}));
}

TEST(Expression, HyphensWithPredicate) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(Expression::parse("a-b", known({"a-b", "a", "b"})).names(), Names{"a-b"});
  EXPECT_EQ(Expression::parse("a-b", known({"a", "b"})).names(), (Names{"a", "b"}));
  EXPECT_EQ(Expression::parse("a-b-c", known({"a-b", "c"})).names(), (Names{"a-b", "c"}));
  EXPECT_EQ(Expression::parse("a-b-c", known({"a", "b-c"})).names(), (Names{"a", "b-c"}));
  EXPECT_EQ(Expression::parse("pi-a-b", known({"a-b"})).names(), Names{"a-b"});
  EXPECT_EQ(Expression::parse("a-sin(b)", known({"a", "b"})).names(), (Names{"a", "b"}));
  EXPECT_EQ(Expression::parse("a--b", known({"a", "b"})).names(), (Names{"a", "b"}));
  const Expression e = Expression::parse("block-1.position.x*2-a-1", known({"block-1.position.x", "a"}));
  EXPECT_EQ(e.names(), (Names{"block-1.position.x", "a"}));
  const double values[] = {3, 2};
  EXPECT_EQ(e.evaluate(values), 3);
}

TEST(Expression, MaterialPointsBelongToTheName) {
  const std::string point = "my-block@[0, -0.1,0].velocity.y";
  const Expression e = Expression::parse("2*" + point + "-1", known({point}));
  EXPECT_EQ(e.names(), std::vector<std::string>{point});
  EXPECT_EQ(Expression::parse("block@[0,0.1,0].velocity.y/2").names(),
            std::vector<std::string>{"block@[0,0.1,0].velocity.y"});
}

TEST(Expression, ReservedWords) {
  for (const char* word : {"pi", "deg", "sin", "atan2", "max"}) EXPECT_TRUE(is_reserved_word(word)) << word;
  for (const char* word : {"t", "friction", "", "sine"}) EXPECT_FALSE(is_reserved_word(word)) << word;
}

}  // namespace
}  // namespace ricochet::math
