#include "ricochet/cone/focused_sweeps.hpp"

#include <gtest/gtest.h>

#include "cone/tower.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

using test::Tower;

SolveReport solve_focused(const Tower& tower, linalg::ReusableVector& impulses, const SolveOptions& options) {
  FocusedSweeps focused;
  EXPECT_TRUE(focused.prepare(tower.problem, tower.contacts));
  impulses.setZero(tower.problem.delassus.scalar_rows());
  return focused.solve(tower.problem, tower.scales, impulses, options);
}

// A tower at rest whose topmost cube gets a push.
struct PushedTower {
  math::Random random{3};
  Tower tower{random, 12, 0.5, 0};
  linalg::ReusableVector rest;  // the impulses before the push

  PushedTower() {
    SolveOptions options;
    options.tolerance = 1e-6;
    options.max_iterations = 100'000;
    EXPECT_EQ(NonsmoothGaussSeidel().solve(tower.problem, rest, options).status, SolveStatus::converged);
    VectorX push = VectorX::Zero(tower.gradients.scalar_columns());
    push.tail(6) << 0.03, -0.02, -0.01, 0.05, 0.05, 0.1;
    tower.gradients.multiply_add(push, tower.problem.free_velocity);
    tower.scales.prepare(tower.problem);
  }
};

TEST(FocusedSweepsProperty, SolvesTowersThatAreThrown) {
  math::Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const int size = trial % 4 == 3 ? 2 : 3;
    const Tower tower(random, 4 + static_cast<int>(random.integer(10)), random.uniform(0.1, 0.8), 0.1, size, 0.005);
    linalg::ReusableVector r;
    SolveOptions options;
    options.tolerance = 1e-4;
    const SolveReport report = solve_focused(tower, r, options);
    const Residual found = residual(tower.problem, tower.scales, r);
    EXPECT_EQ(report.status, SolveStatus::converged) << trial;
    EXPECT_NEAR(report.residual, found.value, 1e-9);  // rounding of u
    EXPECT_EQ(report.worst_contact, found.worst_contact);
  }
}

// As long as all sweeps are whole they are those of cone/gauss_seidel.
TEST(FocusedSweepsProperty, BeginsAsGaussSeidel) {
  math::Random random(2);
  const Tower tower(random, 8, 0.5, 0.1);
  SolveOptions options;
  options.tolerance = 1e-12;
  options.max_iterations = 10;
  linalg::ReusableVector focused, plain;
  solve_focused(tower, focused, options);
  NonsmoothGaussSeidel().solve(tower.problem, plain, options);
  EXPECT_LT((focused - plain).norm(), 1e-12 * plain.norm());
}

// The cubes below are not swept again and again, as in sweeps that are all whole.
TEST(FocusedSweeps, WorksWhereSomethingIsWrong) {
  const PushedTower pushed;
  const Tower& tower = pushed.tower;
  const linalg::ReusableVector& rest = pushed.rest;
  SolveOptions options;
  options.max_iterations = 100'000;
  options.tolerance = 1e-5;
  linalg::ReusableVector whole = rest, focused = rest;
  const SolveReport all = NonsmoothGaussSeidel().solve(tower.problem, whole, options);
  FocusedSweeps solver;
  ASSERT_TRUE(solver.prepare(tower.problem, tower.contacts));
  const SolveReport some = solver.solve(tower.problem, tower.scales, focused, options);
  EXPECT_EQ(some.status, SolveStatus::converged);
  EXPECT_GT(all.iterations, 100);
  EXPECT_LT(some.iterations, 0.8 * all.iterations);
}

// Rounds look again at what they have touched only, and write only that: wherever they are stopped, what they report is
// the residual of what they have written, to the last bit that a look at everything would find.
TEST(FocusedSweepsProperty, ReportsWhatItHasWrittenWhereverItIsStopped) {
  const PushedTower pushed;
  const Tower& tower = pushed.tower;
  SolveOptions options;
  FocusedSweeps focused;
  ASSERT_TRUE(focused.prepare(tower.problem, tower.contacts));
  options.tolerance = 1e-6;
  options.accept_guess = true;  // rounds from the first on, unless much is wrong
  int stopped = 0;
  for (options.max_iterations = 1; options.max_iterations < 200; ++options.max_iterations) {
    linalg::ReusableVector r = pushed.rest;
    const SolveReport report = focused.solve(tower.problem, tower.scales, r, options);
    const Residual found = residual(tower.problem, tower.scales, r);
    ASSERT_NEAR(report.residual, found.value, 1e-9) << options.max_iterations;
    ASSERT_EQ(report.worst_contact, found.worst_contact) << options.max_iterations;
    FocusedSweeps anew;
    ASSERT_TRUE(anew.prepare(tower.problem, tower.contacts));
    ASSERT_EQ(anew.solve(tower.problem, tower.scales, r, {.tolerance = 1, .accept_guess = true}).residual,
              report.residual)
        << options.max_iterations;
    stopped += report.status == SolveStatus::converged ? 0 : 1;
  }
  EXPECT_GT(stopped, 20);
}

TEST(FocusedSweeps, TakesAGuessOnlyIfAsked) {
  math::Random random(4);
  const Tower tower(random, 3, 0.5, 0);
  SolveOptions options;
  options.tolerance = 1e-5;
  linalg::ReusableVector r;
  ASSERT_EQ(solve_focused(tower, r, options).status, SolveStatus::converged);
  FocusedSweeps solver;
  ASSERT_TRUE(solver.prepare(tower.problem, tower.contacts));
  const linalg::ReusableVector solution = r;
  options.accept_guess = true;
  EXPECT_EQ(solver.solve(tower.problem, tower.scales, r, options).iterations, 0);
  EXPECT_EQ((r - solution).norm(), 0);
  options.accept_guess = false;
  EXPECT_GT(solver.solve(tower.problem, tower.scales, r, options).iterations, 0);
}

TEST(FocusedSweepsBadInput, NeedsBodies) {
  math::Random random(5);
  Tower tower(random, 2, 0.5, 0);
  tower.problem.bodies = nullptr;
  EXPECT_FALSE(FocusedSweeps().prepare(tower.problem, tower.contacts));
}

}  // namespace
}  // namespace ricochet::cone
