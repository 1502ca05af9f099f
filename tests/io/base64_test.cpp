// io/base64: the examples of RFC 4648, section 10, and numbers.
#include "ricochet/io/base64.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace ricochet::io {
namespace {

std::string encoded(std::string_view text) { return base64(std::span<const char>(text.data(), text.size())); }

TEST(Base64, ExamplesOfTheStandard) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, AllLettersAndNumbers) {
  EXPECT_EQ(encoded("\xfb\xff\xbf"), "+/+/");
  EXPECT_EQ(base64(std::span<const float>(std::vector<float>{1.0f})), "AACAPw==");  // 0x3f800000, low byte first
}

}  // namespace
}  // namespace ricochet::io
