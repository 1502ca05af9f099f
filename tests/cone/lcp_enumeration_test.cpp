#include "ricochet/cone/lcp_enumeration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "cone/complementarity_problems.hpp"

namespace ricochet::cone {
namespace {

TEST(LcpEnumeration, FindsAllSolutionsOfOneRow) {
  const auto count = [](double m, double q) {
    return enumerate_solutions({MatrixX{{m}}, VectorX{{q}}}).solutions.size();
  };
  EXPECT_EQ(count(1, 1), 1U);
  EXPECT_EQ(count(1, -1), 1U);
  EXPECT_EQ(count(-1, 1), 2U);  // z = 0 and z = 1
  EXPECT_EQ(count(-1, -1), 0U);
  EXPECT_EQ(count(0, -1), 0U);
  EXPECT_EQ(count(0, 1), 1U);
  EXPECT_EQ(count(0, 0), 1U);  // every z >= 0: its only corner
  EXPECT_EQ(enumerate_solutions({}).solutions.size(), 1U);
}

TEST(LcpEnumeration, IndependentRowsMultiply) {
  const int size = 6;
  VectorX q = VectorX::LinSpaced(size, 1, 2);
  const EnumerationResult all = enumerate_solutions({-MatrixX::Identity(size, size), q});
  EXPECT_EQ(all.solutions.size(), 64U);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.systems, 64);
  EXPECT_TRUE(all.solutions.front().isZero(0));
  EXPECT_EQ(all.solutions.back(), q);
}

TEST(LcpEnumeration, SingularBasesHaveCorners) {
  // w_1 = z_2 - 1, w_2 = 0: z = (0, 1) or more, and z = (any, 1). No complementary basis with z_2 is regular.
  const EnumerationResult all = enumerate_solutions({MatrixX{{0.0, 1.0}, {0.0, 0.0}}, VectorX{{-1.0, 0.0}}});
  ASSERT_EQ(all.solutions.size(), 1U);
  EXPECT_EQ(all.solutions[0], (VectorX{{0.0, 1.0}}));
  // Three legs carry a load that two could: z_1 + z_2 + z_3 = 3, a triangle.
  const EnumerationResult legs = enumerate_solutions({MatrixX::Ones(3, 3), -VectorX::Constant(3, 3)});
  ASSERT_EQ(legs.solutions.size(), 3U);
  for (int i = 0; i < 3; ++i) EXPECT_LT((legs.solutions[i] - 3 * VectorX::Unit(3, i)).norm(), 1e-14);
}

// Solutions are planted, and must be found among whatever else there is.
TEST(LcpEnumerationProperty, FindsPlantedSolutions) {
  math::Random random(81);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const int size = 1 + static_cast<int>(random.integer(7));
    LinearComplementarityProblem problem{test::random_matrix(random, size, size), VectorX(size)};
    VectorX z(size), w(size);
    for (int i = 0; i < size; ++i) {
      const double number = random.normal();
      z[i] = std::max(number, 0.0);
      w[i] = std::max(-number, 0.0);
    }
    problem.offset = w - problem.matrix * z;
    const EnumerationResult all = enumerate_solutions(problem);
    bool found = false;
    for (const VectorX& solution : all.solutions) {
      EXPECT_LT(test::complementarity_violation(problem, solution), 1e-9);
      found = found || (solution - z).norm() <= 1e-8 * (1 + z.norm());
    }
    EXPECT_TRUE(found) << "case " << repeat;
  }
}

TEST(LcpEnumeration, LimitIsReported) {
  EnumerationOptions options;
  options.system_limit = 10;
  const EnumerationResult some = enumerate_solutions({-MatrixX::Identity(5, 5), VectorX::Ones(5)}, options);
  EXPECT_FALSE(some.complete);
  EXPECT_EQ(some.systems, 10);
  EXPECT_EQ(some.solutions.size(), 10U);
}

TEST(LcpEnumerationBadInput, IsRejected) {
  const int size = kLargestEnumeration + 1;
  EXPECT_THROW(enumerate_solutions({MatrixX::Identity(size, size), VectorX::Ones(size)}), std::invalid_argument);
  EXPECT_THROW(enumerate_solutions({MatrixX::Identity(2, 2), VectorX::Ones(3)}), std::invalid_argument);
  EXPECT_THROW(enumerate_solutions({MatrixX{{std::numeric_limits<double>::infinity()}}, VectorX::Ones(1)}),
               std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::cone
