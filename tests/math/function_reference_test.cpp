#include "ricochet/math/function_reference.hpp"

#include <gtest/gtest.h>

#include <array>

namespace ricochet::math {
namespace {

int twice(FunctionReference<int(int)> function) { return function(function(1)); }

TEST(FunctionReference, CallsWhatItRefersTo) {
  std::array<int, 100> many{};  // more than fits into a std::function
  many[7] = 5;
  int calls = 0;
  const auto lambda = [many, &calls](int x) {
    ++calls;
    return 10 * x + many[7];
  };
  EXPECT_EQ(twice(lambda), 155);
  EXPECT_EQ(twice([&](int x) { return lambda(x) + 1; }), 166);
  EXPECT_EQ(calls, 4);
}

// A copy refers to the same, not to the reference it was copied from.
TEST(FunctionReference, CopiesReferToTheSame) {
  const auto make_one_more = [](int x) { return x + 1; };
  const auto take_one = [](int x) { return x - 1; };
  FunctionReference<int(int)> reference = make_one_more;
  const FunctionReference<int(int)> copy = reference;
  reference = take_one;
  EXPECT_EQ(copy(3), 4);
  EXPECT_EQ(reference(3), 2);
}

}  // namespace
}  // namespace ricochet::math
