// io/version: the build says which version it is.
#include "ricochet/io/version.hpp"

#include <gtest/gtest.h>

#include <cctype>

namespace ricochet::io {
namespace {

TEST(Version, StartsWithANumber) {
  ASSERT_FALSE(version().empty());
  EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(version().front())));
  EXPECT_NE(version().find('.'), std::string_view::npos);
}

}  // namespace
}  // namespace ricochet::io
