#include "ricochet/cone/local_repairs.hpp"

#include <gtest/gtest.h>

#include "cone/tower.hpp"
#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

using test::Tower;

// A tower, and impulses that solve it.
struct Solved {
  explicit Solved(int cubes) : tower(random, cubes, 0.5, 0.02) {
    SolveOptions exact;
    exact.tolerance = 1e-6;
    EXPECT_EQ(ContactSolver().solve(tower.problem, impulses, exact).status, SolveStatus::converged);
    sweeps.prepare(tower.problem, impulses);
  }
  SolveReport repair(const SolveOptions& options) { return repairs.solve(sweeps, tower.problem, 0, impulses, options); }

  math::Random random{1};
  Tower tower;
  NonsmoothGaussSeidel sweeps;
  linalg::ReusableVector impulses;
  LocalRepairs repairs;
};

SolveOptions at(double tolerance, bool accept_guess = false) {
  SolveOptions options;
  options.tolerance = tolerance;
  options.accept_guess = accept_guess;
  return options;
}

TEST(LocalRepairs, ASolutionNeedsOneSweepOrNone) {
  Solved solved(60);
  const linalg::ReusableVector guess = solved.impulses;
  const SolveReport taken = solved.repair(at(1e-4, true));
  EXPECT_EQ(taken.status, SolveStatus::converged);
  EXPECT_EQ(taken.iterations, 0);
  EXPECT_EQ((solved.impulses - guess).norm(), 0);
  const SolveReport swept = solved.repair(at(1e-4));
  EXPECT_EQ(swept.status, SolveStatus::converged);
  EXPECT_EQ(swept.iterations, 1);
}

// One impulse is wrong: what is reported is the residual of all contacts, and little is visited.
TEST(LocalRepairs, WhatIsWrongIsRepaired) {
  Solved solved(60);
  const int last = solved.tower.problem.contacts() - 1;
  solved.impulses[solved.tower.problem.block_offset(last)] += 5e-4;
  ASSERT_GT(residual(solved.tower.problem, solved.impulses).value, 2e-3);
  const SolveReport report = solved.repair(at(1e-3));
  const Residual found = residual(solved.tower.problem, solved.impulses);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.residual, found.value);
  EXPECT_EQ(report.worst_contact, found.worst_contact);
  EXPECT_LE(report.residual, 1e-3);
  EXPECT_LE(report.iterations, 2);
  EXPECT_TRUE(solved.repairs.few_were_wrong());
}

// Nothing is known of the impulses: one sweep tells that this is not the way.
TEST(LocalRepairs, ManyWrongContactsAreLeftToOthers) {
  Solved solved(60);
  solved.impulses.setZero();
  solved.sweeps.prepare(solved.tower.problem, solved.impulses);
  const SolveReport report = solved.repair(at(1e-4));
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.residual, residual(solved.tower.problem, solved.impulses).value);
  EXPECT_FALSE(solved.repairs.few_were_wrong());
}

// With none allowed nothing is touched; with one there is a sweep, and no round.
TEST(LocalRepairs, TheLimitOfIterationsHolds) {
  Solved solved(60);
  const int last = solved.tower.problem.contacts() - 1;
  solved.impulses[solved.tower.problem.block_offset(last)] += 5e-4;
  const linalg::ReusableVector guess = solved.impulses;
  SolveOptions options = at(1e-3);
  options.max_iterations = 0;
  const SolveReport none = solved.repair(options);
  EXPECT_EQ(none.status, SolveStatus::iteration_limit);
  EXPECT_EQ(none.iterations, 0);
  EXPECT_EQ((solved.impulses - guess).norm(), 0);
  linalg::ReusableVector swept = guess;
  for (int i = 0; i <= last; ++i) solved.sweeps.visit(solved.tower.problem, i, swept);
  options.max_iterations = 1;
  const SolveReport one = solved.repair(options);
  EXPECT_EQ(one.iterations, 1);
  EXPECT_EQ((solved.impulses - swept).norm(), 0);
}

}  // namespace
}  // namespace ricochet::cone
