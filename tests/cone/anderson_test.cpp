#include "ricochet/cone/anderson.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "cone/test_problems.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

TEST(Anderson, SolvesALinearMapInAsManyStepsAsItHasDimensions) {
  // x <- A x + c with spectral radius 0.99: plain iterations would need a thousand.
  const int size = 5;
  VectorX rates(size), c = VectorX::Ones(size), x = VectorX::Zero(size), next(size);
  rates << 0.99, 0.9, -0.5, 0.3, 0.1;
  Anderson anderson;
  anderson.reset(size);
  for (int step = 0; step < size + 3; ++step) {
    const VectorX image = rates.cwiseProduct(x) + c, change = image - x;
    EXPECT_EQ(anderson.extrapolate(change.data(), image.data(), next.data()), step > 0);
    x = next;
  }
  const VectorX solution = c.cwiseQuotient(VectorX::Ones(size) - rates);
  EXPECT_LT((x - solution).norm(), 1e-6 * solution.norm());
}

TEST(Anderson, FewerSweepsOnAStackAndTheSameImpulses) {
  const ContactProblem problem = test::stack_problem(std::vector<double>(20, 1.0), 0.01);
  linalg::ReusableVector plain, accelerated;
  const SolveReport slow = NonsmoothGaussSeidel().solve(problem, plain, {});
  const SolveReport fast = NonsmoothGaussSeidel().solve(problem, accelerated, {}, Sweeps::accelerated);
  EXPECT_EQ(fast.status, SolveStatus::converged);
  EXPECT_LE(3 * fast.iterations, slow.iterations);
  EXPECT_LT((plain - accelerated).norm(), 1e-4 * plain.norm());
  EXPECT_EQ(fast.residual, residual(problem, accelerated).value);
}

}  // namespace
}  // namespace ricochet::cone
