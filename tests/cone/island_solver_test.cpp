#include "ricochet/cone/island_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "cone/crate.hpp"
#include "cone/test_problems.hpp"
#include "cone/tower.hpp"
#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

using test::Crate;
using test::Tower;

// Small, middling and large islands, each by other stages.
TEST(IslandSolverProperty, SolvesTowersOfAnyHeight) {
  math::Random random(1);
  for (const int cubes : {1, 2, 5, 20, 60, 110}) {
    for (const double tolerance : {1e-4, 1e-7}) {
      Tower tower(random, cubes, 0.5, 0.02);
      NonsmoothGaussSeidel sweeps;
      linalg::ReusableVector r;
      sweeps.prepare(tower.problem, r);
      SolveOptions options;
      options.tolerance = tolerance;
      const SolveReport report = IslandSolver().solve(sweeps, tower.problem, 0, r, options);
      EXPECT_LE(report.iterations, options.max_iterations);
      const double found = residual(tower.problem, tower.scales, r).value;
      EXPECT_EQ(report.residual, found) << cubes;
      EXPECT_EQ(report.status == SolveStatus::converged, found <= tolerance);
      if (tolerance == 1e-4 || cubes < 60) {
        EXPECT_EQ(report.status, SolveStatus::converged) << cubes << " " << found;
      }
    }
  }
}

// A large heap at rest without a cheap path, in which a few balls are pushed: what is wrong in a few places is put
// right there. Many impulses are what the one sweep of cone/local_repairs has made of them.
TEST(IslandSolver, GoesToWhereSomethingIsWrong) {
  Crate crate(8, 0.4);
  ASSERT_GT(crate.problem.delassus.scalar_rows(), 4000);
  std::vector<int> all(crate.problem.contacts());
  std::iota(all.begin(), all.end(), 0);
  ResidualScales scales;
  scales.prepare(crate.problem);
  ASSERT_FALSE(BodyPath().prepare(crate.problem, scales, all, crate.problem.free_velocity, PathCost::cheap));
  SolveOptions options;
  options.tolerance = 1e-5;
  linalg::ReusableVector rest;
  ASSERT_EQ(ContactSolver().solve(crate.problem, rest, options).status, SolveStatus::converged);
  crate.push(300, Vector3(4e-4, -8e-4, 1.2e-3));
  crate.push(40, Vector3(-8e-4, 4e-4, 0));
  options.tolerance = 1e-4;
  linalg::ReusableVector r = rest, swept = rest;
  NonsmoothGaussSeidel sweeps;
  sweeps.prepare(crate.problem, swept);
  for (const int contact : all) sweeps.visit(crate.problem, contact, swept);
  const SolveReport report = ContactSolver().solve(crate.problem, r, options);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.residual, residual(crate.problem, r).value);
  EXPECT_GT(report.iterations, 5) << "repairs alone have solved it";
  const auto untouched = std::count_if(
      all.begin(), all.end(), [&](int contact) { return r.segment<3>(3 * contact) == swept.segment<3>(3 * contact); });
  EXPECT_GT(untouched, crate.problem.contacts() / 3);
}

// A large heap that is thrown about, from no impulses at all: sweeps creep there, within ten thousand of them, and a
// path is not cheap. It is taken all the same.
TEST(IslandSolver, TakesADearPathRatherThanNone) {
  Crate crate(8, 0.6);
  math::Random random(3);
  for (int ball = 0; ball < 512; ++ball) {
    crate.push(ball, 0.3 * Vector3(random.normal(), random.normal(), random.normal()));
  }
  SolveOptions options;
  options.tolerance = 1e-4;
  linalg::ReusableVector r;
  const SolveReport report = ContactSolver().solve(crate.problem, r, options);
  EXPECT_EQ(report.status, SolveStatus::converged) << report.residual;
  EXPECT_EQ(report.residual, residual(crate.problem, r).value);
}

// Inside the cones: a solution, or the impulses as they were.
TEST(IslandSolver, InsideKeepsSolutionsAndNothingElse) {
  math::Random random(6);
  const Tower tower(random, 20, 0.5, 0.1);
  NonsmoothGaussSeidel sweeps;
  linalg::ReusableVector zero, r;
  zero.setZero(tower.problem.delassus.scalar_rows());
  r = zero;
  sweeps.prepare(tower.problem, r);
  SolveOptions options;
  options.inside = true;
  options.tolerance = 1e-6;
  const SolveReport solved = IslandSolver().solve(sweeps, tower.problem, 0, r, options);
  EXPECT_EQ(solved.status, SolveStatus::converged);
  EXPECT_EQ(solved.residual, residual(tower.problem, tower.scales, r).value);
  EXPECT_LE(solved.residual, options.tolerance);
  r = zero;
  options.max_iterations = 3;
  const SolveReport stopped = IslandSolver().solve(sweeps, tower.problem, 0, r, options);
  EXPECT_EQ(stopped.status, SolveStatus::iteration_limit);
  EXPECT_EQ(stopped.residual, residual(tower.problem, tower.scales, zero).value);
  EXPECT_EQ(r.norm(), 0);
}

// Where sweeps have solved the problem and friction gives something, it does not any more.
TEST(IslandSolverProperty, InsideFrictionGivesNothing) {
  math::Random random(7);
  int better = 0, all = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Tower tower(random, 2 + trial % 9, random.uniform(0.2, 0.9), 0.5);
    SolveOptions options{.tolerance = 1e-5, .max_iterations = 100'000, .kind = SolverKind::gauss_seidel};
    linalg::ReusableVector r;
    ContactSolver solver;
    if (solver.solve(tower.problem, r, options).status != SolveStatus::converged) continue;
    const auto given = [&] {
      linalg::ReusableVector u;
      contact_velocity(tower.problem, r, u);
      double sum = 0;
      for (int i = 0; i < tower.problem.contacts(); ++i) {
        sum += std::max(r.segment<2>(3 * i + 1).dot(u.segment<2>(3 * i + 1)), 0.0);
      }
      return sum;
    };
    const double before = given();
    if (before < 1e-9) continue;
    ++all;
    options.kind = SolverKind::automatic;
    options.inside = true;
    const SolveReport report = solver.solve(tower.problem, r, options);
    EXPECT_EQ(report.status, SolveStatus::converged) << trial;
    EXPECT_EQ(report.residual, residual(tower.problem, tower.scales, r).value) << trial;
    if (given() <= 1e-2 * before) ++better;
  }
  EXPECT_GE(all, 15);
  EXPECT_GE(10 * better, 9 * all);
}

// Whatever has been solved before, with the same solver or another: equal problems get equal bits.
TEST(IslandSolverProperty, RemembersNothing) {
  math::Random random(2);
  std::vector<std::unique_ptr<Tower>> towers;
  for (const int cubes : {30, 3, 110, 8}) towers.push_back(std::make_unique<Tower>(random, cubes, 0.4, 0.1));
  ContactSolver used;
  SolveOptions options;
  options.tolerance = 1e-4;
  for (const auto& tower : towers) {
    linalg::ReusableVector once, again;
    used.solve(tower->problem, once, options);
    ContactSolver().solve(tower->problem, again, options);
    EXPECT_EQ((once - again).norm(), 0);
  }
}

// A tower under a ceiling that comes down: no impulse can help, and a point that is good only by comparison with its
// own size is not the best one.
TEST(IslandSolver, NoSolutionIsNotCalledOne) {
  math::Random random(4);
  Tower tower(random, 8, 0, 0);
  tower.problem.free_velocity.setZero();
  for (int i = 0; i < tower.problem.contacts(); ++i) tower.problem.free_velocity[3 * i] = -0.01;
  // The topmost contacts close whatever happens.
  linalg::BlockSparseMatrix& delassus = tower.problem.delassus;
  for (int i = tower.problem.contacts() - 4; i < tower.problem.contacts(); ++i) {
    for (const auto& entry : delassus.row(i)) delassus.block(i, entry).setZero();
  }
  linalg::ReusableVector r;
  SolveOptions options;
  options.tolerance = 1e-3;
  options.max_iterations = 2000;
  const SolveReport report = ContactSolver().solve(tower.problem, r, options);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_GT(report.residual, options.tolerance);
  EXPECT_LE(report.iterations, options.max_iterations);
}

// Two contacts with the friction 10, W positive definite. There is a solution, in which both slip: both are loaded, one
// more by friction than by weight. No sweep comes near it, nor does Newton from zero.
TEST(IslandSolver, FindsWhatHugeFrictionHides) {
  MatrixX delassus(6, 6);
  VectorX b(6);
  delassus << 0.36065845, 0.15585194, -0.22963698, 0.10395425, 0.17911848, 0.21535633,  //
      0.15585194, 0.61318317, 0.10950068, 0.03792696, 0.39109144, -0.11743625,          //
      -0.22963698, 0.10950068, 0.52615838, -0.29252317, 0.04657328, -0.23075553,        //
      0.10395425, 0.03792696, -0.29252317, 0.71589245, -0.06908509, 0.13030156,         //
      0.17911848, 0.39109144, 0.04657328, -0.06908509, 1.09575316, -0.15906919,         //
      0.21535633, -0.11743625, -0.23075553, 0.13030156, -0.15906919, 0.84412490;
  b << -0.00439411, -0.44097478, -0.95337977, 0.00863117, -1.71740165, -1.33348085;
  const ContactProblem problem = test::problem_from_dense({3, 3}, delassus, b, {10, 10});
  linalg::ReusableVector r;
  SolveOptions options;
  options.tolerance = 1e-10;
  const SolveReport report = ContactSolver().solve(problem, r, options);
  EXPECT_EQ(report.status, SolveStatus::converged) << report.residual;
  EXPECT_LE(test::coulomb_violation(problem, VectorX(r)), 1e-8);
}

// So do most of small problems with large friction. (Some may have no solution that any method knows.)
TEST(IslandSolverProperty, SolvesSmallProblemsWithLargeFriction) {
  math::Random random(8);
  int missed = 0;
  for (int i = 0; i < 600; ++i) {
    const int contacts = 2 + i % 2, size = 3 * contacts;
    MatrixX factor(size, size);
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) factor(row, column) = random.normal();
    }
    const MatrixX delassus = factor * factor.transpose() + 0.1 * MatrixX::Identity(size, size);
    const ContactProblem problem = test::problem_from_dense(
        std::vector<int>(contacts, 3), delassus, test::random_vector(random, size), std::vector<Friction>(contacts, 5));
    linalg::ReusableVector r;
    SolveOptions options;
    options.tolerance = 1e-10;
    missed += ContactSolver().solve(problem, r, options).status != SolveStatus::converged;
  }
  EXPECT_EQ(missed, 0);
}

TEST(IslandSolver, TheLimitOfIterationsHoldsInLargeIslands) {
  math::Random random(5);
  Tower tower(random, 120, 0.5, 0.3);
  ASSERT_GT(tower.problem.delassus.scalar_rows(), 1200);
  SolveOptions options;
  options.tolerance = 1e-9;
  for (int limit = 5; limit < 420; limit += 13) {
    linalg::ReusableVector r;
    options.max_iterations = limit;
    const SolveReport report = ContactSolver().solve(tower.problem, r, options);
    EXPECT_LE(report.iterations, limit);
    EXPECT_EQ(report.residual, residual(tower.problem, tower.scales, r).value);
    // The stages on bodies have been reached: without bodies it goes another way after the first stretch of sweeps.
    if (limit < 100) continue;
    tower.problem.bodies = nullptr;
    linalg::ReusableVector without;
    ContactSolver().solve(tower.problem, without, options);
    tower.problem.bodies = &tower.form;
    EXPECT_GT((r - without).norm(), 0) << limit;
  }
}

TEST(IslandSolver, TheLimitOfIterationsHolds) {
  math::Random random(3);
  const Tower tower(random, 20, 0.5, 0.2);
  SolveOptions options;
  options.tolerance = 1e-9;
  for (const int limit : {0, 3, 60, 150, 400, 700}) {
    linalg::ReusableVector r;
    options.max_iterations = limit;
    const SolveReport report = ContactSolver().solve(tower.problem, r, options);
    EXPECT_LE(report.iterations, limit);
    EXPECT_EQ(report.residual, residual(tower.problem, tower.scales, r).value);
  }
}

}  // namespace
}  // namespace ricochet::cone
