#include "ricochet/linalg/all_finite.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ricochet::linalg {
namespace {

TEST(AllFinite, FindsWhatIsNotFiniteAnywhere) {
  for (std::size_t size = 0; size < 10; ++size) {
    std::vector<double> values(size, std::numeric_limits<double>::max());
    EXPECT_TRUE(all_finite(values));
    for (std::size_t i = 0; i < size; ++i) {
      for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()}) {
        std::vector<double> spoilt = values;
        spoilt[i] = bad;
        EXPECT_FALSE(all_finite(spoilt));
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::linalg
