#include "ricochet/model/shape.hpp"

#include <gtest/gtest.h>

namespace ricochet::model {
namespace {

TEST(Shape, HasTheNameOfItsKind) {
  EXPECT_EQ(shape_name(PointShape{}), "point");
  EXPECT_EQ(shape_name(SphereShape{1}), "sphere");
  EXPECT_EQ(shape_name(BoxShape{Vector3(1, 2, 3)}), "box");
}

TEST(Shape, InertiaOfSolids) {
  EXPECT_TRUE(solid_inertia(PointShape{}, 3).isZero(0));
  const Matrix3 ball = 0.4 * 3 * 0.25 * Matrix3::Identity();
  EXPECT_TRUE(solid_inertia(SphereShape{0.5}, 3).isApprox(ball, 1e-15));
  // Edges 2, 4, 6: m/12 (b^2 + c^2).
  const Matrix3 box = Vector3(16 + 36, 4 + 36, 4 + 16).asDiagonal().toDenseMatrix() * 0.25;
  EXPECT_TRUE(solid_inertia(BoxShape{Vector3(1, 2, 3)}, 3).isApprox(box, 1e-15));
}

// The closed form against a sum over small cells, each with its own point mass at the centre.
TEST(Shape, InertiaOfABoxIsTheSumOfItsCells) {
  const Vector3 half(0.3, 0.7, 1.1);
  constexpr int kCells = 40;
  Matrix3 sum = Matrix3::Zero();
  for (int i = 0; i < kCells; ++i) {
    for (int j = 0; j < kCells; ++j) {
      for (int k = 0; k < kCells; ++k) {
        const Vector3 x =
            half.cwiseProduct(Vector3(2 * i + 1 - kCells, 2 * j + 1 - kCells, 2 * k + 1 - kCells) / kCells);
        sum += (x.squaredNorm() * Matrix3::Identity() - x * x.transpose()) / (kCells * kCells * kCells);
      }
    }
  }
  EXPECT_TRUE(solid_inertia(BoxShape{half}, 1).isApprox(sum, 2.0 / (kCells * kCells)));
}

}  // namespace
}  // namespace ricochet::model
