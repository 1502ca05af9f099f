#include "ricochet/io/placeholders.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/scene_test_support.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::test {
namespace {

io::Value scalar_of(const std::string& text) {
  io::Value value{.kind = io::Value::Kind::scalar, .text_column = 11, .text = text};
  value.place = {std::make_shared<const std::string>("scene.yaml"), 3, 11, {}};
  return value;
}

// With the indices i = 3 and k = -2 and the parameters n = 10, length = 0.5 and half-life = 7.
std::string replaced(const std::string& text, bool in_expression = false) {
  io::NamedValues names;
  for (const auto& [name, value] : {std::pair("i", 3.0), std::pair("k", -2.0), std::pair("n", 10.0),
                                    std::pair("length", 0.5), std::pair("half-life", 7.0)}) {
    names.set(name, value);
  }
  return io::Placeholders(names).replaced(scalar_of(text), "bodies.link-$i", in_expression);
}

TEST(Placeholders, AreReplacedByTheirValue) {
  EXPECT_EQ(replaced("link-$i"), "link-3");
  EXPECT_EQ(replaced("link-$(i-1)"), "link-2");
  EXPECT_EQ(replaced("$i-$(i*n)-left"), "3-30-left");
  EXPECT_EQ(replaced("$(min(i, n))$i"), "33");
  EXPECT_EQ(replaced("half of $n is $(n/2), not $(length)"), "half of 10 is 5, not 0.5");
  EXPECT_EQ(replaced("$(half-life)"), "7");
  EXPECT_EQ(replaced("$(i == 3 ? n : k)"), "10");
  EXPECT_EQ(replaced("nothing"), "nothing");
  EXPECT_EQ(replaced(""), "");
}

TEST(Placeholders, TwoDollarsAreOne) {
  EXPECT_EQ(replaced("$$i costs $$$i"), "$i costs $3");
  EXPECT_EQ(replaced("$$"), "$");
}

TEST(Placeholders, ANameEndsWhereItsCharactersDo) {
  EXPECT_EQ(replaced("bar-$i.position.x"), "bar-3.position.x");
  EXPECT_EQ(replaced("bar-$i@[$(length/2),0,0].position.x"), "bar-3@[0.25,0,0].position.x");
  EXPECT_EQ(replaced("$(i)_left"), "3_left");
}

TEST(Placeholders, NegativeNumbersStandInParenthesesInExpressions) {
  EXPECT_EQ(replaced("link$k"), "link-2");
  EXPECT_EQ(replaced("$k^2 - $i", true), "(-2)^2 - 3");
  EXPECT_EQ(replaced("ball$k.position.x*$k", true), "ball-2.position.x*(-2)");
  EXPECT_EQ(replaced("$(k*0)", true), "0");  // minus zero
}

TEST(Placeholders, AnExpressionIsReadAgainWithOtherValues) {
  io::NamedValues names;
  names.set("i", 1);
  io::Placeholders placeholders(names);
  EXPECT_EQ(placeholders.replaced(scalar_of("$(i+1) $i"), "", false), "2 1");
  names.set("i", 8);
  EXPECT_EQ(placeholders.replaced(scalar_of("$(i+1) $i"), "", false), "9 8");
}

TEST(Placeholders, IndicesHaveNamesWithoutHyphens) {
  EXPECT_TRUE(io::is_index_name("i"));
  EXPECT_TRUE(io::is_index_name("row_2"));
  EXPECT_FALSE(io::is_index_name(""));
  EXPECT_FALSE(io::is_index_name("2"));
  EXPECT_FALSE(io::is_index_name("_i"));
  EXPECT_FALSE(io::is_index_name("row-2"));
}

TEST(PlaceholdersBadInput, AreRefusedAtTheirPlace) {
  const auto complaint = [](const std::string& text) { return input_complaint([&] { replaced(text); }); };
  const std::string where = "in 'bodies.link-$i': ";
  EXPECT_EQ(complaint("link-$"), "scene.yaml:3:16: " + where +
                                     "a '$' is followed by a name, as in '$i', or by '(', as in '$(i - 1)'; '$$' is a "
                                     "dollar");
  EXPECT_EQ(complaint("5 $ - 3"), "scene.yaml:3:13: " + where +
                                      "a '$' is followed by a name, as in '$i', or by '(', as in '$(i - 1)'; '$$' is "
                                      "a dollar");
  EXPECT_EQ(complaint("link-$(i-(1)"), "scene.yaml:3:16: " + where + "a '$(' is not closed by ')'");
  EXPECT_EQ(complaint("x$($i - 1)"), "scene.yaml:3:14: " + where + "between '$(' and ')' names stand without a '$'");
  EXPECT_EQ(complaint("x$lenght"), "scene.yaml:3:13: " + where + "'lenght' is not known here; did you mean 'length'?");
  EXPECT_EQ(complaint("$i_left").substr(0, 64), "scene.yaml:3:12: " + where + "'i_left' is not known here");
  EXPECT_EQ(complaint("$()").substr(0, 38), "scene.yaml:3:13: " + where);
  EXPECT_EQ(complaint("$(1/(i - 3))"),
            "scene.yaml:3:11: 'bodies.link-$i' must be a finite number, but '1/(i - 3)' is infinite");
}

// Whatever number takes the place of a placeholder, the same number is read from the text.
TEST(PlaceholdersProperty, NumbersAreReadBackAsTheyWere) {
  math::Random random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    double value = random.normal() * std::pow(10, random.uniform(-300, 300));
    if (trial % 4 == 0) value = std::round(random.uniform(-1e6, 1e6));
    if (trial % 4 == 1) value = std::round(random.uniform(-1e17, 1e17));
    const std::string text = io::placeholder_text(value, false);
    EXPECT_EQ(io::plain_number(text), value) << text;
    EXPECT_EQ(math::Expression::parse("2*" + io::placeholder_text(value, true)).value(), 2 * value) << text;
    if (trial % 4 == 0) {
      EXPECT_EQ(text, std::to_string(static_cast<long>(value)));
      EXPECT_EQ(math::Expression::parse(io::placeholder_text(value, true) + "^2").value(), value * value) << text;
    }
  }
}

// Text around placeholders stays, whatever it is.
TEST(PlaceholdersProperty, OtherTextStaysAsItIs) {
  const std::string alphabet = "ab_-.(){}[]0 *+\xc3\xa9";
  math::Random random(4);
  const auto any_text = [&] {
    std::string text;
    for (int length = static_cast<int>(random.uniform(0, 12)); length > 0; --length) {
      text += alphabet[static_cast<std::size_t>(random.uniform(0, static_cast<double>(alphabet.size())))];
    }
    return text;
  };
  for (int trial = 0; trial < 500; ++trial) {
    const std::string before = any_text(), after = any_text();
    EXPECT_EQ(replaced(before + "$(i+n)" + after + "$$"), before + "13" + after + "$");
  }
}

}  // namespace
}  // namespace ricochet::test
