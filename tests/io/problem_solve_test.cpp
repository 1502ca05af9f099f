#include "ricochet/io/problem_solve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ricochet::io {
namespace {

// Two points of one kilogram each that fall on the floor with 1 m/s and do not feel each other; one sticks, one slips.
cone::GlobalContactProblem two_masses() {
  cone::GlobalContactProblem problem;
  const std::vector<int> sizes = {3, 3};
  problem.mass.reset(sizes);
  problem.gradients.reset(sizes);
  for (int i = 0; i < 2; ++i) {
    problem.mass.begin_row(3);
    problem.mass.append(i).setIdentity();
    problem.gradients.begin_row(3);
    problem.gradients.append(i).setIdentity();
  }
  problem.momentum = VectorX{{-1.0, 0.2, 0.0, -1.0, 3.0, 0.0}};
  problem.surface_velocity = VectorX::Zero(6);
  problem.friction = {0.5, 0.5};
  return problem;
}

TEST(ProblemSolve, GlobalAndReducedProblemsAreJudgedAlike) {
  const cone::GlobalContactProblem global = two_masses();
  cone::GlobalSystem system;
  cone::ContactProblem reduced;
  system.prepare(global);
  system.reduce(global, reduced);
  for (const AnyContactProblem& problem : {AnyContactProblem(global), AnyContactProblem(reduced)}) {
    const ProblemResult result =
        solve_problem("two", problem, *cone::find_solver("auto"), {.tolerance = 1e-12, .max_iterations = 100}, 2);
    EXPECT_EQ(result.status, "converged");
    EXPECT_EQ(result.file, "two");
    EXPECT_EQ(result.solver, "auto");
    EXPECT_EQ(result.contacts, 2);
    EXPECT_EQ(result.dimension, 3);
    EXPECT_LE(result.residual, 1e-12);
    ASSERT_EQ(result.r.size(), 6u);
    EXPECT_NEAR(result.r[0], 1, 1e-11);  // sticks: r = -b
    EXPECT_NEAR(result.r[1], -0.2, 1e-11);
    EXPECT_NEAR(result.u[4], 2.5, 1e-11);  // slips: 3 - mu 1
    ASSERT_EQ(result.worst.size(), 2u);
    for (const ProblemContact& contact : result.worst) {
      EXPECT_EQ(contact.status, contact.number == 0 ? "stick" : "slip");
      EXPECT_EQ(contact.r.size(), 3u);
      EXPECT_EQ(contact.u[1], result.u[3 * contact.number + 1]);
    }
  }
}

TEST(ProblemSolve, WorstContactsWhereTheToleranceIsMissed) {
  const AnyContactProblem problem = two_masses();
  const auto solve = [&](double tolerance, int iterations, std::optional<int> worst) {
    return solve_problem("two", problem, *cone::find_solver("gauss-seidel"),
                         {.tolerance = tolerance, .max_iterations = iterations}, worst);
  };
  EXPECT_TRUE(solve(1e-8, 100, {}).worst.empty());
  const ProblemResult missed = solve(1e-8, 0, {});
  EXPECT_EQ(missed.status, "not_reached");
  ASSERT_EQ(missed.worst.size(), 2u);  // all there are, fewer than five
  EXPECT_EQ(missed.worst[0].residual, missed.residual);
  EXPECT_EQ(missed.worst[0].status, "open");
  EXPECT_EQ(solve(1e-8, 0, 1).worst.size(), 1u);
  EXPECT_TRUE(solve(1e-8, 0, 0).worst.empty());
}

TEST(ProblemSolve, WhatCannotBeSolved) {
  const ProblemResult refused = solve_problem("two", two_masses(), *cone::find_solver("enumeration"), {});
  EXPECT_EQ(refused.status, "not_applicable");
  EXPECT_THAT(refused.message, testing::HasSubstr("planar"));
  cone::GlobalContactProblem singular = two_masses();
  singular.mass.reset(std::vector<int>{3, 3});
  for (int i = 0; i < 2; ++i) {
    singular.mass.begin_row(3);
    singular.mass.append(i).setZero();
  }
  EXPECT_THROW(solve_problem("two", singular, *cone::find_solver("auto"), {}), FileError);
}

}  // namespace
}  // namespace ricochet::io
