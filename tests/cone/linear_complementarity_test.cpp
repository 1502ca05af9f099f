#include "ricochet/cone/linear_complementarity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "cone/complementarity_problems.hpp"

namespace ricochet::cone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(LinearComplementarity, ResidualIsTheRelativeChangeThatMakesAPointASolution) {
  const LinearComplementarityProblem problem{MatrixX{{2.0, 1.0}, {0.0, 1.0}}, VectorX{{-4.0, 3.0}}};
  EXPECT_EQ(complementarity_residual(problem, VectorX{{2.0, 0.0}}), 0);
  EXPECT_DOUBLE_EQ(complementarity_residual(problem, VectorX{{2.25, 0.0}}), 0.5 / 8.5);  // w_1 = 0.5 of 4 + 4.5
  EXPECT_DOUBLE_EQ(complementarity_residual(problem, VectorX{{0.0, 0.0}}), 1);           // w_1 = -4 of 4
  EXPECT_DOUBLE_EQ(complementarity_residual(problem, VectorX{{1.5, 1.0}}), 1);           // w_2 = 4 although z_2 > 0
  EXPECT_EQ(complementarity_residual(problem, VectorX{{2.0, -1e-30}}), kInfinity);
  EXPECT_TRUE(std::isnan(complementarity_residual(problem, VectorX{{kNaN, 0.0}})));
  EXPECT_EQ(complementarity_residual(problem, VectorX{{kInfinity, 0.0}}), kInfinity);
  EXPECT_EQ(complementarity_residual({}, VectorX()), 0);
  EXPECT_THROW(complementarity_residual(problem, VectorX::Zero(3)), std::invalid_argument);
}

TEST(LinearComplementarityProperty, EquilibrationLosesNoBitAndBalances) {
  math::Random random(71);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const int size = 1 + static_cast<int>(random.integer(8));
    LinearComplementarityProblem problem{test::random_matrix(random, size, size), test::random_vector(random, size)};
    for (int i = 0; i < size; ++i) {
      const double row = std::pow(10.0, random.uniform(-8, 8));
      problem.matrix.row(i) *= row;
      problem.offset[i] *= row;
      problem.matrix.col(i) *= std::pow(10.0, random.uniform(-8, 8));
    }
    const ScaledComplementarity scaled = equilibrated(problem);
    const MatrixX& m = scaled.problem.matrix;
    for (int i = 0; i < size; ++i) {
      EXPECT_THAT(m.row(i).cwiseAbs().maxCoeff(), testing::AllOf(testing::Ge(0.125), testing::Lt(2.1)));
      EXPECT_THAT(m.col(i).cwiseAbs().maxCoeff(), testing::AllOf(testing::Ge(0.125), testing::Lt(2.1)));
    }
    // The residual does not know the units, to the last bit.
    const VectorX z = test::random_vector(random, size).cwiseMax(0.0);
    EXPECT_EQ(complementarity_residual(scaled.problem, z),
              complementarity_residual(problem, scaled.unknown_scale.cwiseProduct(z)));
    // Powers of two in M and q change the scales and nothing else.
    const ScaledComplementarity other = equilibrated({0x1p-37 * problem.matrix, 0x1p21 * problem.offset});
    EXPECT_EQ(other.problem.matrix, m);
    EXPECT_EQ(other.problem.offset, scaled.problem.offset);
    EXPECT_EQ(other.unknown_scale, VectorX(0x1p58 * scaled.unknown_scale));
  }
}

TEST(LinearComplementarity, EquilibrationOfZeros) {
  const ScaledComplementarity scaled = equilibrated({MatrixX::Zero(3, 3), VectorX{{-8.0, 0.0, 0.25}}});
  EXPECT_TRUE(scaled.problem.matrix.isZero(0));
  EXPECT_EQ(scaled.problem.offset, (VectorX{{-1.0, 0.0, 1.0}}));
  EXPECT_EQ(equilibrated({}).problem.size(), 0);
}

TEST(LinearComplementarityBadInput, IsNamed) {
  const auto complaint = [](const MatrixX& matrix, const VectorX& offset) -> std::string {
    try {
      validate(LinearComplementarityProblem{matrix, offset});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(complaint(MatrixX::Zero(2, 2), VectorX::Zero(2)), "");
  EXPECT_THAT(complaint(MatrixX::Zero(2, 3), VectorX::Zero(2)), testing::HasSubstr("2 rows and 3 columns"));
  EXPECT_THAT(complaint(MatrixX::Zero(2, 2), VectorX::Zero(5)), testing::HasSubstr("5 entries"));
  EXPECT_THAT(complaint(MatrixX{{1.0, 0.0}, {0.0, kNaN}}, VectorX::Zero(2)), testing::HasSubstr("row 1: the matrix"));
  EXPECT_THAT(complaint(MatrixX::Zero(2, 2), VectorX{{kInfinity, 0.0}}), testing::HasSubstr("row 0: q"));
}

}  // namespace
}  // namespace ricochet::cone
