#include "ricochet/cone/anderson.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

// Iterates x <- G(x) with jumps; returns the number of steps to |G(x) - x| <= 1e-10, at most `limit`.
template <class Map>
int steps_to_rest(const Map& map, VectorX x, int limit) {
  SafeguardedAnderson anderson;
  anderson.reset(static_cast<int>(x.size()));
  std::fill(anderson.weights(), anderson.weights() + x.size(), 1.0);
  for (int step = 1; step < limit; ++step) {
    VectorX image = map(x);
    if ((image - x).norm() <= 1e-10) return step;
    anderson.choose_next(x.data(), image.data());
    x = image;
  }
  return limit;
}

template <class Map>
int plain_steps_to_rest(const Map& map, VectorX x, int limit) {
  for (int step = 1; step < limit; ++step) {
    const VectorX image = map(x);
    if ((image - x).norm() <= 1e-10) return step;
    x = image;
  }
  return limit;
}

TEST(SafeguardedAnderson, EndsACycleOfTwo) {
  const auto to_and_fro = [](const VectorX& x) { return VectorX(VectorX::Ones(3) - x); };
  EXPECT_EQ(plain_steps_to_rest(to_and_fro, VectorX::Zero(3), 100), 100);
  EXPECT_LT(steps_to_rest(to_and_fro, VectorX::Zero(3), 100), 10);
}

TEST(SafeguardedAnderson, IsNotLedBackWhereStepsGrow) {
  // Steps grow slowly up to x = 1 and vanish at x = 2: the smallest step is at the start, but there is no rest there.
  const auto hill = [](const VectorX& x) {
    return VectorX(x.array() + 0.001 + 0.01 * x.array().max(0).min((2 - x.array()).max(-1)) -
                   0.001 * (x.array() - 1).max(0));
  };
  const VectorX start = VectorX::Zero(2);
  const int plain = plain_steps_to_rest(hill, start, 10'000);
  ASSERT_LT(plain, 10'000);
  EXPECT_LE(steps_to_rest(hill, start, 10'000), plain);
}

TEST(SafeguardedAnderson, CostsLittleWhereItsPastIsWorthless) {
  // Shifts components round and shrinks them a little: the last few steps say nothing about the next (a shift of 40
  // components defeats every Krylov method for 40 steps, and the past is at most kWindow steps long).
  const int size = 40;
  const auto shift = [](const VectorX& x) {
    VectorX image(x.size());
    for (int k = 0; k < x.size(); ++k) image[k] = 0.99 * x[(k + 1) % x.size()];
    return image;
  };
  VectorX start = VectorX::Zero(size);
  start[0] = 1;
  const int plain = plain_steps_to_rest(shift, start, 100'000);
  EXPECT_LE(steps_to_rest(shift, start, 100'000), plain + plain / 20);
}

TEST(AndersonProperty, NeverMissesWhatPlainSweepsReach) {
  math::Random random(31);
  int compared = 0;
  for (int repeat = 0; repeat < 60; ++repeat) {
    const int contacts = 20 + static_cast<int>(random.integer(40));
    const int bodies = contacts / (1 + static_cast<int>(random.integer(3)));
    const ContactProblem problem = test::random_bodies_problem(random, contacts, bodies, 1);
    linalg::ReusableVector plain, accelerated;
    const SolveOptions options{.tolerance = 1e-6, .max_iterations = 2000};
    const SolveReport slow = NonsmoothGaussSeidel().solve(problem, plain, options);
    const SolveReport fast = NonsmoothGaussSeidel().solve(problem, accelerated, options, Sweeps::accelerated);
    EXPECT_EQ(fast.residual, residual(problem, accelerated).value);
    if (slow.status != SolveStatus::converged) continue;
    ++compared;
    EXPECT_EQ(fast.status, SolveStatus::converged) << "case " << repeat << ": " << fast.residual;
    EXPECT_LE(fast.iterations, slow.iterations + slow.iterations / 10 + 10) << "case " << repeat;
  }
  EXPECT_GE(compared, 50);
}

// Heavy on light: impulses grow over thousands of sweeps to a thousand times what the first ones were, and no point on
// the way may be taken for one that leads to infinity.
TEST(Anderson, HeavyOnLight) {
  for (const Sweeps kind : {Sweeps::plain, Sweeps::accelerated}) {
    const ContactProblem problem = test::stack_problem({1, 1e3}, 0.01);
    linalg::ReusableVector r;
    const SolveOptions options{.tolerance = 1e-8, .max_iterations = 100'000};
    const SolveReport report = NonsmoothGaussSeidel().solve(problem, r, options, kind);
    EXPECT_EQ(report.status, SolveStatus::converged) << report.residual;
    EXPECT_NEAR(r[0], 0.01 * 1001, 1e-4);
    if (kind == Sweeps::accelerated) {
      EXPECT_LE(report.iterations, 100);
    }
  }
}

// A block between two closing walls has no solution. Impulses so large that their residual is small are none, whether
// they are the first guess or the end of a jump.
TEST(Anderson, NothingIsCredibleBetweenClosingWalls) {
  MatrixX delassus(2, 2);
  delassus << 1, -1, -1, 1;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  for (const double guess : {0.0, 1e13}) {
    for (const Sweeps kind : {Sweeps::plain, Sweeps::accelerated}) {
      linalg::ReusableVector r;
      r = VectorX::Constant(2, guess);
      const SolveReport report =
          NonsmoothGaussSeidel().solve(problem, r, {.tolerance = 1e-6, .max_iterations = 1000}, kind);
      EXPECT_EQ(report.status, SolveStatus::iteration_limit);
      EXPECT_EQ(report.residual, residual(problem, r).value);
      EXPECT_GT(report.residual, 1e-3);
    }
  }
}

}  // namespace
}  // namespace ricochet::cone
