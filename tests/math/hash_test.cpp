#include "ricochet/math/hash.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ricochet::math {
namespace {

std::uint64_t hash_of(const std::string& text) {
  ByteHash hash;
  hash.add(text.data(), text.size());
  return hash.value();
}

TEST(ByteHash, PublishedValues) {  // http://www.isthe.com/chongo/tech/comp/fnv/
  EXPECT_EQ(hash_of(""), 0xcbf29ce484222325U);
  EXPECT_EQ(hash_of("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(hash_of("foobar"), 0x85944171f73967e8U);
}

TEST(ByteHash, EveryBitCounts) {
  const std::string text = "a checkpoint has many bytes";
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = text;
      other[i] = static_cast<char>(other[i] ^ (1 << bit));
      EXPECT_NE(hash_of(other), hash_of(text));
    }
  }
}

}  // namespace
}  // namespace ricochet::math
