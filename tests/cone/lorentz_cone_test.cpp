#include "ricochet/cone/lorentz_cone.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "ricochet/math/random.hpp"

namespace ricochet::cone {
namespace {

// Inside the cone, as near to its surface as `room` tells.
Vector3 point_inside(math::Random& random, double room) {
  const Eigen::Vector2d tail(random.uniform(-1, 1), random.uniform(-1, 1));
  return {tail.norm() * (1 + room) + 1e-3 * room, tail[0], tail[1]};
}

Matrix3 matrix_of(const LorentzScaling& scaling) {
  Matrix3 result;
  for (int k = 0; k < 3; ++k) result.col(k) = scaling.apply(Vector3::Unit(k));
  return result;
}

TEST(LorentzConeProperty, ScalingMeetsInTheMiddle) {
  math::Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Vector3 x = random.uniform(0.01, 100) * point_inside(random, 0.1);
    const Vector3 z = random.uniform(0.01, 100) * point_inside(random, 0.1);
    const LorentzScaling scaling(x, z);
    const Matrix3 matrix = matrix_of(scaling);
    EXPECT_TRUE(matrix.isApprox(matrix.transpose(), 1e-12));
    EXPECT_TRUE(scaling.apply(x).isApprox(scaling.undo(z), 1e-10));
    EXPECT_TRUE(scaling.undo(scaling.apply(x)).isApprox(x, 1e-10));
    const double shift = random.uniform(0, 0.1);
    const Matrix3 shifted = matrix * matrix + shift * Matrix3::Identity();
    EXPECT_TRUE(scaling.inverse_square(shift).isApprox(shifted.inverse(), 1e-7));
  }
}

TEST(LorentzConeProperty, QuotientUndoesProduct) {
  math::Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Vector3 x = point_inside(random, 0.1), y(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    EXPECT_TRUE(lorentz_quotient(x, lorentz_product(x, y)).isApprox(y, 1e-10));
  }
}

TEST(LorentzConeProperty, StepEndsOnTheSurface) {
  math::Random random(3);
  int ends = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Vector3 x = point_inside(random, 0.3), d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const double step = lorentz_step(x, d);
    ASSERT_GT(step, 0);
    if (std::isinf(step)) {
      EXPECT_GE(d[0], d.tail<2>().norm());
      continue;
    }
    ++ends;
    const Vector3 end = x + step * d;
    EXPECT_NEAR(end[0], end.tail<2>().norm(), 1e-9 * (1 + step));
    const Vector3 before = x + 0.999 * step * d;
    EXPECT_GT(before[0], before.tail<2>().norm());
    EXPECT_TRUE(is_inside_lorentz(before));
    EXPECT_FALSE(is_inside_lorentz(x + 1.001 * step * d));
  }
  EXPECT_GT(ends, 200);
}

// The rest of a point and its projection are orthogonal, and the rest is in the polar cone.
TEST(LorentzConeProperty, ProjectionLeavesAnOrthogonalRest) {
  math::Random random(5);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector3 x(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Vector3 nearest = project_onto_lorentz(x), rest = x - nearest;
    EXPECT_GE(nearest[0], nearest.tail<2>().norm() - 1e-15);
    EXPECT_LE(rest[0], -rest.tail<2>().norm() + 1e-15);
    EXPECT_NEAR(nearest.dot(rest), 0, 1e-15);
  }
}

TEST(LorentzCone, ComplementaryPointsHaveNoProduct) {
  const Vector3 x(2, 2, 0), z(3, -3, 0);
  EXPECT_TRUE(lorentz_product(x, z).isZero(0));
}

}  // namespace
}  // namespace ricochet::cone
