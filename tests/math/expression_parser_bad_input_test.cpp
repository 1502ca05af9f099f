// Every way to write a wrong expression: the sentence, the column, and no crash on anything.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>

#include "ricochet/math/expression.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::math {
namespace {

struct Complaint {
  std::string text;
  std::string message;
  std::size_t column;
};

void expect_complaint(const Complaint& complaint, const Expression::NamePredicate& is_name = {}) {
  try {
    Expression::parse(complaint.text, is_name);
    ADD_FAILURE() << "accepted: " << complaint.text.substr(0, 100);
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.what(), complaint.message) << complaint.text.substr(0, 100);
    EXPECT_EQ(error.column(), complaint.column) << complaint.text.substr(0, 100);
  }
}

std::string repeated(std::string_view part, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += part;
  return result;
}

TEST(ExpressionBadInput, SentencesAndColumns) {
  const Complaint complaints[] = {
      {"", "the expression is empty", 1},
      {"  \t", "the expression is empty", 1},
      {"2*", "expected a number, a name or '(' after '*'", 3},
      {"2 * / 3", "expected a number, a name or '(' after '*'", 5},
      {"2**3", "expected a number, a name or '(' after '*'", 3},
      {"*2", "expected a number, a name or '(' at the beginning, but found '*'", 1},
      {")", "expected a number, a name or '(' at the beginning, but found ')'", 1},
      {"()", "expected a number, a name or '(' after '('", 2},
      {"2^", "expected a number, a name or '(' after '^'", 3},
      {"-", "expected a number, a name or '(' after '-'", 2},
      {"min(1,)", "expected a number, a name or '(' after ','", 7},
      {"a<", "expected a number, a name or '(' after '<'", 3},
      {"(1+2", "expected ')' to close the '(' in column 1, but the text ends", 5},
      {"3*(1 2)", "expected ')' to close the '(' in column 3, but found '2'", 6},
      {"sin(1", "expected ')' to close the '(' in column 4, but the text ends", 6},
      {"1+2)", "there is no '(' for this ')'", 4},
      {"1,2", "a ',' may only separate the arguments of a function", 2},
      {"(1,2)", "expected ')' to close the '(' in column 1, but found ','", 3},
      {"1:2", "there is no '?' for this ':'", 2},
      {"a ? b", "expected ':' to go with the '?' in column 3, but the text ends", 6},
      {"a ? b ) c", "expected ':' to go with the '?' in column 3, but found ')'", 7},
      {"a < b < c", "comparisons cannot be chained; use parentheses", 7},
      {"1 == 2 != 3", "comparisons cannot be chained; use parentheses", 8},
      {"2x", "expected an operator after '2', but found 'x'", 2},
      {"2 3", "expected an operator after '2', but found '3'", 3},
      {"1.2.3", "expected an operator after '1.2', but found '.3'", 4},
      {"2e-x", "expected an operator after '2', but found 'e'", 2},
      {"0x10", "expected an operator after '0', but found 'x10'", 2},
      {"a (2)",
       "there is no function 'a'; the functions are sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, "
       "exp, log, log10, sqrt, abs, min, max",
       1},
      {"1+sine(2)", "there is no function 'sine'; did you mean 'sin'?", 3},
      {"sqr(2)", "there is no function 'sqr'; did you mean 'sqrt'?", 1},
      {"man(2)", "there is no function 'man'; did you mean 'tan'?", 1},
      {"sin*2", "expected '(' after the function 'sin'", 4},
      {"1 + sin-1", "expected '(' after the function 'sin'", 8},
      {"sin()", "'sin' takes 1 argument, not 0", 1},
      {"1+sin(1,2)", "'sin' takes 1 argument, not 2", 3},
      {"atan2(1)", "'atan2' takes 2 arguments, not 1", 1},
      {"atan2(1,2,3)", "'atan2' takes 2 arguments, not 3", 1},
      {"min(1)", "'min' takes at least 2 arguments, not 1", 1},
      {"max()", "'max' takes at least 2 arguments, not 0", 1},
      {"1 = 2", "a single '=' is not an operator; '==' compares", 3},
      {"a & b", "the character '&' has no meaning here", 3},
      {"!a", "the character '!' has no meaning here", 1},
      {"2\xc2\xb7t", "the character '\xc2\xb7' has no meaning here", 2},
      {"2\x01", "the character '\\x01' has no meaning here", 2},
      {".", "the character '.' has no meaning here", 1},
      {"_a", "the character '_' has no meaning here", 1},
      {"1+b@[0,1", "the '@[' of a name is not closed by ']'", 4},
      {"a@b", "the character '@' has no meaning here", 2},
      {"1e400", "the number '1e400' is outside the range of double precision", 1},
      {"1+1e-400", "the number '1e-400' is outside the range of double precision", 3},
  };
  for (const Complaint& complaint : complaints) expect_complaint(complaint);
  expect_complaint({std::string("1\0", 2), "the character '\\x00' has no meaning here", 2});
}

TEST(ExpressionBadInput, UnknownNames) {
  const Expression::NamePredicate is_name = [](std::string_view name) { return name == "friction" || name == "a"; };
  expect_complaint({"2*frction", "'frction' is not known here", 3}, is_name);
  expect_complaint({"a-x-y", "'x' is not known here, nor is 'x-y'", 3}, is_name);
  expect_complaint({"t", "'t' is not known here", 1}, is_name);
  expect_complaint({"40 cm", "'cm' is not known here: numbers have no units, all are in m, kg, s and rad", 4}, is_name);
  expect_complaint({"1/2. mm", "'mm' is not known here: numbers have no units, all are in m, kg, s and rad", 6},
                   is_name);
  try {
    Expression::parse("1 + block-1.positon.x", is_name);
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.unknown_name(), "block-1.positon.x");
  }
  try {
    Expression::parse("1 +", is_name);
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.unknown_name(), "");
  }
}

TEST(ExpressionBadInput, Limits) {
  const std::string too_long(Expression::kLongestText + 1, '1');
  expect_complaint({too_long, "the expression is longer than 10000 characters", 10001});
  const std::string nested = "the expression is nested more than 200 levels deep";
  expect_complaint({repeated("(", 5000), nested, 201});
  expect_complaint({repeated("2^", 3000) + "2", nested, 400});
  expect_complaint({repeated("1?1:", 2000) + "1", nested, 799});
  expect_complaint({repeated("sin(", 2000), nested, 801});
  // Four values wait at each level: 1 < 1 + 1 * 1 ^ ( ... 64 levels are 256 values.
  const std::string level = "1<1+1*1^(";
  expect_complaint({repeated(level, 70), "the expression needs more than 256 values at once", 64 * 9 + 1});
  EXPECT_EQ(Expression::parse(repeated(level, 63) + "1" + repeated(")", 63)).value(), 1);
}

TEST(ExpressionBadInput, LongTextsInMessagesAreShortened) {
  expect_complaint(
      {"1 " + std::string(100, 'x'), "expected an operator after '1', but found '" + std::string(60, 'x') + "...'", 3});
}

TEST(ExpressionBadInput, ManyHyphensTakeLittleTime) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string chain = repeated("a-", 4999) + "a";
  std::size_t asked = 0;
  const Expression e = Expression::parse(chain, [&](std::string_view name) {
    ++asked;
    return name == "a";
  });
  EXPECT_EQ(e.names().size(), 1u);
  EXPECT_LE(asked, 5000u * 101u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(ExpressionBadInput, RandomTextNeverCrashes) {
  Random random(21);
  const std::string alphabet = "0123456789.eE+-*/^()<>=!?:,@[] abtxpi_sinmaxcosqrt\t";
  const std::vector<std::string> words = {"sin(", "(",    ")",    ")", "1",  "2.5e-3", "t",    "a-b",  "+", "-",
                                          "*",    "/",    "^",    "<", "==", "?",      ":",    "min(", ",", "x",
                                          "pi",   "@[1]", "log(", ".", "\n", "atan2(", "\xff", "max("};
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::uint64_t length = random.integer(24); length > 0; --length) {
      switch (i % 3) {
        case 0:
          text += alphabet[random.integer(alphabet.size())];
          break;
        case 1:
          text += words[random.integer(words.size())];
          break;
        default:
          text += static_cast<char>(random.integer(256));
      }
    }
    try {
      const Expression e = Expression::parse(text);
      ++accepted;
      const std::vector<Jet> jets(e.names().size(), Jet{0.5, 1, 0});
      const std::vector<double> values(e.names().size(), 0.5);
      const double value = e.evaluate(std::span<const double>(values));
      const Jet jet = e.evaluate(std::span<const Jet>(jets));
      EXPECT_TRUE(jet.value == value || (std::isnan(jet.value) && std::isnan(value))) << text;
    } catch (const ExpressionError& error) {
      EXPECT_GE(error.column(), 1u) << text;
      EXPECT_LE(error.column(), text.size() + 1) << text;
      EXPECT_STRNE(error.what(), "");
    }
  }
  EXPECT_GT(accepted, 500);  // the texts are not all nonsense
}

}  // namespace
}  // namespace ricochet::math
