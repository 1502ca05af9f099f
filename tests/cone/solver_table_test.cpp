#include "ricochet/cone/solver_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cone/solver_checks.hpp"

namespace ricochet::cone {
namespace {

// A box on two feet that is pushed: one planar foot sticks or slips, the other carries.
ContactProblem two_feet() {
  MatrixX delassus(4, 4);
  delassus << 2, 0.1, -0.5, 0.1, 0.1, 1.5, -0.1, 1, -0.5, -0.1, 2, -0.1, 0.1, 1, -0.1, 1.5;
  return test::problem_from_dense({2, 2}, delassus, VectorX{{-1.0, 0.4, -0.5, 0.4}}, {0.3, 0.3});
}

TEST(SolverTable, NamesAreUniqueAndFound) {
  EXPECT_EQ(solver_table().front().name, "auto");
  for (const NamedSolver& solver : solver_table()) {
    EXPECT_EQ(find_solver(solver.name), &solver);
    EXPECT_FALSE(solver.summary.empty());
    EXPECT_NE(solver.name, "all");  // what the command line says for every solver
  }
  EXPECT_EQ(find_solver("simplex"), nullptr);
  EXPECT_EQ(solver_names().size(), solver_table().size());
  EXPECT_THAT(step_solver_names(), testing::ElementsAre("auto", "gauss-seidel", "lemke", "enumeration"));
}

TEST(SolverTable, EverySolverSolvesAndIsHonest) {
  const ContactProblem problem = two_feet();
  for (const NamedSolver& solver : solver_table()) {
    SCOPED_TRACE(solver.name);
    if (solver.solve_global != nullptr) continue;
    ASSERT_EQ(solver.objection(problem), "");
    linalg::ReusableVector impulses;
    const SolveReport report = solver.solve(problem, impulses, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged);
    test::expect_honest_solution(problem, impulses, report, test::strict_options);
  }
}

TEST(SolverTable, SolversOfTheGlobalForm) {
  GlobalContactProblem problem;
  for (linalg::BlockSparseMatrix* matrix : {&problem.mass, &problem.gradients}) {
    matrix->reset(std::vector<int>{2, 2});
    for (int i = 0; i < 2; ++i) {
      matrix->begin_row(2);
      matrix->append(i) = (i + 1.0) * MatrixX::Identity(2, 2);
    }
  }
  problem.momentum = VectorX{{-1.0, 0.4, -0.5, 0.4}};
  problem.surface_velocity = VectorX::Zero(4);
  problem.friction = {0.3, 0.3};
  GlobalContactProblem coupled = problem;
  coupled.mass.reset(std::vector<int>{2, 2});
  for (int i = 0; i < 2; ++i) {
    coupled.mass.begin_row(2);
    for (int j = 0; j < 2; ++j) coupled.mass.append(j) = (i == j ? 1.0 : 0.1) * MatrixX::Identity(2, 2);
  }
  GlobalSystem judge;
  judge.prepare(problem);
  int found = 0;
  for (const NamedSolver& solver : solver_table()) {
    EXPECT_EQ(solver.solve_global == nullptr, solver.objection_to_global == nullptr);
    if (solver.solve_global == nullptr) continue;
    SCOPED_TRACE(solver.name);
    ++found;
    EXPECT_EQ(solver.objection_to_global(problem), "");
    linalg::ReusableVector impulses;
    const SolveReport report = solver.solve_global(problem, impulses, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_EQ(report.residual, judge.residual(problem, impulses).value);
    EXPECT_THAT(solver.objection_to_global(coupled), testing::HasSubstr("does not couple"));
    EXPECT_THAT(solver.objection(two_feet()), testing::HasSubstr("global form"));
    EXPECT_THROW(solver.solve(two_feet(), impulses, {}), std::invalid_argument);
  }
  EXPECT_EQ(found, 1);
}

TEST(SolverTable, ObjectionsAreSentences) {
  const ContactProblem spatial = test::single_contact(MatrixX::Identity(3, 3), VectorX{{-1.0, 0.0, 0.0}}, 0.5);
  EXPECT_THAT(find_solver("enumeration")->objection(spatial), testing::HasSubstr("planar"));
  EXPECT_EQ(find_solver("newton")->objection(spatial), "");
  const int many = 701;
  MatrixX chain = MatrixX::Identity(3 * many, 3 * many);  // every contact feels the next one
  for (int i = 3; i < 3 * many; i += 3) chain(i, i - 3) = chain(i - 3, i) = 0.25;
  const ContactProblem large = test::problem_from_dense(std::vector<int>(many, 3), chain, VectorX::Zero(3 * many),
                                                        std::vector<Friction>(many, 0.5));
  EXPECT_THAT(find_solver("interior-point")->objection(large), testing::HasSubstr("2103"));
  EXPECT_EQ(find_solver("newton")->objection(large), "");
}

// A planar contact whose friction drags it down: W_NT r_T exceeds W_NN r_N. With b_N > 0 it may open, slip or stick
// (Painleve); with b_N < 0 and nothing that could push it up there is no solution.
TEST(SolverTable, WhatIsKnownAboutSeveralSolutionsAndNone) {
  MatrixX several(2, 2);
  several << 1, 0.9, 0.9, 1;
  linalg::ReusableVector r;
  const SolveReport found = find_solver("enumeration")
                                ->solve(test::single_contact(several, VectorX{{0.01, 100.0}}, 2), r,
                                        {.tolerance = 1e-10, .max_iterations = 100});
  EXPECT_EQ(found.remark, SolveRemark::several_solutions);
  MatrixX walls(2, 2);
  walls << 1, -1, -1, 1;
  const ContactProblem none = test::problem_from_dense({1, 1}, walls, VectorX::Constant(2, -1), {0, 0});
  r.setZero(2);
  EXPECT_EQ(find_solver("enumeration")->solve(none, r, {}).remark, SolveRemark::no_combination);
  r.setZero(2);
  const SolveReport ray = find_solver("lemke")->solve(none, r, {});
  EXPECT_NE(ray.status, SolveStatus::converged);
  EXPECT_TRUE(ray.remark == SolveRemark::ray || ray.remark == SolveRemark::no_solution);
  EXPECT_STREQ(sentence(SolveRemark::none), "");
}

}  // namespace
}  // namespace ricochet::cone
