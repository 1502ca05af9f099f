#include "ricochet/cone/status_enumeration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "cone/test_problems.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

TEST(StatusEnumeration, IsForAHandfulOfPlanarContacts) {
  math::Random random(41);
  EXPECT_TRUE(can_enumerate(test::random_bodies_problem(random, 6, 4, 1, {1, 2})));
  EXPECT_FALSE(can_enumerate(test::random_bodies_problem(random, 7, 4, 1, {1, 2})));
  const ContactProblem table = test::table_problem(Vector3(0, 0, -1), 0.5);
  EXPECT_FALSE(can_enumerate(table));
  linalg::ReusableVector r = VectorX::Zero(12);
  EXPECT_THROW(solve_by_enumeration(table, r, 1e-10), std::invalid_argument);
}

TEST(StatusEnumeration, ProblemWithoutSolutionLeavesTheImpulses) {
  MatrixX delassus(2, 2);
  delassus << 1, -1, -1, 1;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  linalg::ReusableVector r = VectorX::Constant(2, 3);
  EXPECT_FALSE(solve_by_enumeration(problem, r, 1e-4));
  EXPECT_EQ(r, VectorX(VectorX::Constant(2, 3)));
}

TEST(StatusEnumerationProperty, SolvesTiltedBoxesAndRandomBodies) {
  math::Random random(42);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const double friction = 0.2 * std::pow(50.0, random.uniform(0, 1));
    const ContactProblem problem =
        repeat % 2 == 0 ? test::tilted_box_problem(random, std::pow(10.0, random.uniform(-9, -2)), friction)
                        : test::random_bodies_problem(random, 4, 3, 0.8, {1, 2});
    linalg::ReusableVector r = VectorX::Zero(problem.delassus.scalar_rows());
    EXPECT_TRUE(solve_by_enumeration(problem, r, 1e-10)) << "case " << repeat;
    EXPECT_LE(residual(problem, r).value, 1e-10);
  }
}

}  // namespace
}  // namespace ricochet::cone
