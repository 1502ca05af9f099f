#include "ricochet/model/coefficient.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace ricochet::model {
namespace {

TEST(Coefficient, ANumberIsTheSameAtEverySpeed) {
  const Coefficient friction = 0.3;
  EXPECT_TRUE(friction.is_constant());
  EXPECT_EQ(friction.at(0), 0.3);
  EXPECT_EQ(friction.at(17), 0.3);
  EXPECT_EQ(friction.text(), "0.3");
  EXPECT_EQ(Coefficient().at(1), 0);
  EXPECT_TRUE(Coefficient(math::Expression::parse("1/4")).is_constant());
  EXPECT_EQ(Coefficient(math::Expression::parse("1/4")).at(3), 0.25);
}

TEST(Coefficient, AFunctionIsEvaluatedAtItsSpeed) {
  const Coefficient friction(math::Expression::parse("0.2 + 0.3*exp(-speed/2)"));
  EXPECT_FALSE(friction.is_constant());
  EXPECT_EQ(friction.at(0), 0.5);
  EXPECT_DOUBLE_EQ(friction.at(2), 0.2 + 0.3 * std::exp(-1.0));
  EXPECT_EQ(friction.text(), "0.2 + 0.3*exp(-speed/2)");
}

TEST(Coefficient, NothingButTheSpeedIsFree) {
  EXPECT_THROW(Coefficient(math::Expression::parse("speed*scale")), std::invalid_argument);
}

TEST(Coefficient, BoundsOverAllSpeeds) {
  const Coefficient function(math::Expression::parse("0.1/(1 + speed)"));
  EXPECT_EQ(largest_restitution(0.4), 0.4);
  EXPECT_EQ(largest_restitution(function), 1);
  EXPECT_FALSE(may_act(0.0));
  EXPECT_TRUE(may_act(0.1));
  EXPECT_TRUE(may_act(function));
}

TEST(CoefficientBadInput, OnlyNumbersInTheirRangeAreCoefficients) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(is_friction(0) && is_friction(3));
  EXPECT_TRUE(is_restitution(0) && is_restitution(1));
  for (const double value : {-1e-9, nan, infinity}) EXPECT_FALSE(is_friction(value)) << value;
  for (const double value : {-1e-9, 1 + 1e-9, nan, infinity}) EXPECT_FALSE(is_restitution(value)) << value;
}

}  // namespace
}  // namespace ricochet::model
