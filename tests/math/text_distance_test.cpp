// Distances of words and suggestions.
#include "ricochet/math/text_distance.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ricochet/math/random.hpp"

namespace ricochet::math {
namespace {

TEST(TextDistance, Table) {
  EXPECT_EQ(text_distance("", ""), 0u);
  EXPECT_EQ(text_distance("", "abc"), 3u);
  EXPECT_EQ(text_distance("abc", ""), 3u);
  EXPECT_EQ(text_distance("friction", "friction"), 0u);
  EXPECT_EQ(text_distance("frction", "friction"), 1u);    // insertion
  EXPECT_EQ(text_distance("frictions", "friction"), 1u);  // deletion
  EXPECT_EQ(text_distance("fraction", "friction"), 1u);   // substitution
  EXPECT_EQ(text_distance("rfiction", "friction"), 1u);   // swap
  EXPECT_EQ(text_distance("ca", "abc"), 2u);              // swap, then insert in between
  EXPECT_EQ(text_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(text_distance("\xc3\xa9", "e"), 2u);
}

TEST(TextDistance, Metric) {
  Random random(1);
  const auto word = [&] {
    std::string text;
    for (std::uint64_t i = random.integer(7); i > 0; --i) text += static_cast<char>('a' + random.integer(3));
    return text;
  };
  for (int i = 0; i < 2000; ++i) {
    const std::string a = word();
    const std::string b = word();
    const std::string c = word();
    ASSERT_EQ(text_distance(a, b), text_distance(b, a)) << a << " " << b;
    ASSERT_EQ(text_distance(a, b) == 0, a == b) << a << " " << b;
    ASSERT_LE(text_distance(a, c), text_distance(a, b) + text_distance(b, c)) << a << " " << b << " " << c;
  }
}

TEST(TextDistance, Nearest) {
  const std::vector<std::string> keys = {"mass", "friction", "restitution", "radius"};
  EXPECT_EQ(nearest("frction", keys), "friction");
  EXPECT_EQ(nearest("restituton", keys), "restitution");
  EXPECT_EQ(nearest("mas", keys), "mass");
  EXPECT_EQ(nearest("mass", keys), "mass");
  EXPECT_EQ(nearest("velocity", keys), "");
  EXPECT_EQ(nearest("ma", keys), "");                       // two characters are missing, one is allowed
  EXPECT_EQ(nearest("fricxxon", keys), "friction");         // two of eight
  EXPECT_EQ(nearest("frixxxon", keys), "");                 // three of eight
  EXPECT_EQ(nearest("cat", {"bat", "cut", "cap"}), "bat");  // the first of equals
  EXPECT_EQ(nearest("cat", std::vector<std::string>()), "");
}

}  // namespace
}  // namespace ricochet::math
