#include "ricochet/model/shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "model/test_polyhedra.hpp"

namespace ricochet::model {
namespace {

TEST(Shape, HasTheNameOfItsKind) {
  EXPECT_EQ(shape_name(PointShape{}), "point");
  EXPECT_EQ(shape_name(SphereShape{1}), "sphere");
  EXPECT_EQ(shape_name(BoxShape{Vector3(1, 2, 3)}), "box");
  EXPECT_EQ(shape_name(CylinderShape{1, 2}), "cylinder");
  EXPECT_EQ(shape_name(CapsuleShape{1, 2}), "capsule");
  EXPECT_EQ(shape_name(FaceShape{}), "face");
  EXPECT_EQ(shape_name(HollowSphereShape{1}), "hollow-sphere");
  EXPECT_EQ(shape_name(HollowCylinderShape{1}), "hollow-cylinder");
  EXPECT_EQ(shape_name(ConeShape{1, 2}), "cone");
  EXPECT_EQ(shape_name(test::octahedron(1)), "polyhedron");
}

TEST(Shape, FacesAndHollowsHoldOthers) {
  EXPECT_TRUE(is_holder(FaceShape{}));
  EXPECT_TRUE(is_holder(HollowSphereShape{1}));
  EXPECT_TRUE(is_holder(HollowCylinderShape{1}));
  EXPECT_FALSE(is_holder(SphereShape{1}));
  EXPECT_FALSE(is_holder(CylinderShape{1, 1}));
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

TEST(Shape, APartLiesAtTheOriginOfItsBodyIfNothingElseIsSaid) {
  const ShapePart part;
  EXPECT_EQ(shape_name(part.shape), "point");
  EXPECT_TRUE(part.position.isZero(0));
  EXPECT_TRUE(part.orientation.matrix().isIdentity(0));
}

TEST(Shape, DimensionsOfSolidsAreAccepted) {
  const Shape shapes[] = {PointShape{},
                          SphereShape{1e-9},
                          BoxShape{Vector3(1, 2, 3)},
                          CylinderShape{1, 2},
                          CapsuleShape{1, 2},
                          CapsuleShape{1, 0},
                          FaceShape{},
                          FaceShape{Vector2(1, std::numeric_limits<double>::infinity())},
                          ConeShape{1, 2},
                          HollowSphereShape{1},
                          HollowCylinderShape{1},
                          HollowCylinderShape{1, 2},
                          test::l_shape(),
                          test::octahedron(1e-9)};
  for (const Shape& shape : shapes) EXPECT_NO_THROW(validate(shape, "body 'x'")) << shape_name(shape);
}

TEST(ShapeBadInput, SaysWhichDimensionIsWrong) {
  struct Spoiled {
    Shape shape;
    const char* sentence;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  PolyhedronShape open = test::octahedron(1);
  open.faces.pop_back();
  const std::vector<Spoiled> cases = {
      {SphereShape{0}, "the radius of body 'x' must be positive"},
      {SphereShape{nan}, "the radius of body 'x' must be positive"},
      {SphereShape{infinity}, "the radius of body 'x' must be positive"},
      {BoxShape{Vector3(1, -1, 1)}, "the half extents of body 'x' must be positive"},
      {BoxShape{Vector3(1, 1, nan)}, "the half extents of body 'x' must be positive"},
      {CylinderShape{-1, 1}, "the radius of body 'x' must be positive"},
      {CylinderShape{1, 0}, "the half length of body 'x' must be positive"},
      {CylinderShape{1, infinity}, "the half length of body 'x' must be positive"},
      {CapsuleShape{0, 1}, "the radius of body 'x' must be positive"},
      {CapsuleShape{1, -1}, "the half length of body 'x' must not be negative"},
      {CapsuleShape{1, nan}, "the half length of body 'x' must not be negative"},
      {ConeShape{0, 1}, "the radius of body 'x' must be positive"},
      {ConeShape{1, nan}, "the height of body 'x' must be positive"},
      {FaceShape{Vector2(1, 0)}, "the half extents of body 'x' must be positive"},
      {FaceShape{Vector2(nan, 1)}, "the half extents of body 'x' must be positive"},
      {HollowSphereShape{0}, "the radius of body 'x' must be positive"},
      {HollowSphereShape{infinity}, "the radius of body 'x' must be positive"},
      {HollowCylinderShape{nan}, "the radius of body 'x' must be positive"},
      {HollowCylinderShape{1, 0}, "the half length of body 'x' must be positive"},
      {HollowCylinderShape{1, nan}, "the half length of body 'x' must be positive"},
      {open, "the surface of body 'x' is not closed"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    try {
      validate(cases[i].shape, "body 'x'");
      ADD_FAILURE() << "case " << i << " (" << cases[i].sentence << ") was accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::StartsWith(cases[i].sentence)) << "case " << i;
    }
  }
}

}  // namespace
}  // namespace ricochet::model
