// A stick and a block in coordinates of their own.
#include "ricochet/model/systems/planar_body.hpp"

#include <gtest/gtest.h>

#include "model/system_models.hpp"

namespace ricochet::model {
namespace {

TEST(PlanarBody, StickTouchesWithItsLowerTip) {
  const auto stick = make_impacting_stick(2, 3, 1, {0, -10});
  const double angle = 0.7;
  const std::array<double, 3> q = {0.5, 1.5, angle};
  std::array<double, 2> found = {};
  stick->displacements(0, 0, q, found);
  EXPECT_NEAR(found[0], 1.5 - std::cos(angle), 1e-15);
  EXPECT_NEAR(found[1], -(0.5 + std::sin(angle)), 1e-15);  // along -x
  EXPECT_NEAR(stick->potential(0, q), 3 * 10 * 1.5, 1e-14);
  EXPECT_EQ(stick->size(), 2);
}

TEST(PlanarBody, BlockHasTwoLowerCorners) {
  const auto block = make_rocking_block(1, 2, 3, 0.25, {0, -10});
  ASSERT_EQ(block->contacts().size(), 2U);
  EXPECT_EQ(block->contacts()[0].first, "left");
  const std::array<double, 3> q = {0, 1.25, std::acos(-1.0) / 2};  // on its side: the left corner is below
  std::array<double, 2> left = {}, right = {};
  block->displacements(0, 0, q, left);
  block->displacements(1, 0, q, right);
  EXPECT_NEAR(left[0], 0.75, 1e-15);
  EXPECT_NEAR(right[0], 1.75, 1e-15);
}

TEST(PlanarBodyProperty, GradientsAreThoseOfTheDisplacements) {
  math::Random random(4);
  const System system{"block", {0}, make_rocking_block(1, 0.7, 3, 0.25, {1, -10})};
  for (int i = 0; i < 50; ++i) {
    const std::array<double, 3> q = {random.normal(), random.normal(), 3 * random.normal()}, v = {1, 2, 3};
    EXPECT_NO_THROW(check_system(system, 0, q, v));
  }
}

}  // namespace
}  // namespace ricochet::model
