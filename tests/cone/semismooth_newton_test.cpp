#include "ricochet/cone/semismooth_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cone/solver_checks.hpp"
#include "cone/test_problems.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

TEST(SemismoothNewton, NoContacts) { test::expect_no_contacts<SemismoothNewton>(); }
TEST(SemismoothNewton, NoClosingContactNeedsNoImpulseWhateverTheGuess) {
  test::expect_no_closing_contact_needs_no_impulse_whatever_the_guess<SemismoothNewton>();
}
TEST(SemismoothNewton, HeavyOnLight) { test::expect_heavy_on_light<SemismoothNewton>(); }
TEST(SemismoothNewton, HyperstaticTableAtRestAndSliding) {
  test::expect_hyperstatic_table_at_rest_and_sliding<SemismoothNewton>();
}
TEST(SemismoothNewton, ProblemWithoutSolutionIsNotCalledSolved) {
  test::expect_problem_without_solution_is_not_called_solved<SemismoothNewton>();
}
TEST(SemismoothNewton, IterationLimitIsHonestAndNothingGetsWorse) {
  test::expect_iteration_limit_is_honest_and_nothing_gets_worse<SemismoothNewton>();
}
TEST(SemismoothNewtonBadInput, IsRejectedOrRepaired) { test::expect_is_rejected_or_repaired<SemismoothNewton>(); }

TEST(SemismoothNewtonProperty, TiltedBoxes) {
  // Newton may cycle where friction is large; the driver has further means.
  math::Random random(55);
  SemismoothNewton solver;
  int failures = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const double tilt = std::pow(10.0, random.uniform(-9, -2)), friction = 0.2 * std::pow(50.0, random.uniform(0, 1));
    const ContactProblem problem = test::tilted_box_problem(random, tilt, friction);
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    test::expect_honest_solution(problem, r, report, test::strict_options);
    if (report.status == SolveStatus::converged) {
      EXPECT_LT(test::coulomb_violation(problem, r), 1e-6) << "case " << repeat;
    } else {
      ++failures;
    }
  }
  EXPECT_LE(failures, 40);
}

TEST(SemismoothNewtonProperty, AgreesWithGaussSeidel) {
  // Bodies enough for a unique velocity; the impulses are unique only if W is regular.
  math::Random random(56);
  SemismoothNewton solver;
  int solved = 0;
  for (int repeat = 0; repeat < 100; ++repeat) {
    const int contacts = 3 + static_cast<int>(random.integer(15));
    const ContactProblem problem = test::random_bodies_problem(
        random, contacts, contacts, 0.5, repeat % 2 == 0 ? std::vector<int>{3} : std::vector<int>{1, 2, 3});
    linalg::ReusableVector expected, r, expected_velocity, velocity;
    if (NonsmoothGaussSeidel().solve(problem, expected, {.tolerance = 1e-12}).status != SolveStatus::converged)
      continue;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    test::expect_honest_solution(problem, r, report, test::strict_options);
    if (report.status != SolveStatus::converged) continue;
    ++solved;
    contact_velocity(problem, expected, expected_velocity);
    contact_velocity(problem, r, velocity);
    EXPECT_LT((velocity - expected_velocity).norm(), 1e-6 * problem.free_velocity.norm()) << "case " << repeat;
  }
  EXPECT_GE(solved, 90);
}

TEST(SemismoothNewtonProperty, UnsymmetricAndIndefiniteMatricesNeverGiveNaN) {
  math::Random random(57);
  SemismoothNewton solver;
  int failures = 0;
  for (int repeat = 0; repeat < 100; ++repeat) {
    const ContactProblem base = test::random_bodies_problem(random, 5, 5, 0.5, {1, 2, 3});
    const int scalars = base.delassus.scalar_rows();
    const double size = repeat % 2 == 0 ? 0.05 : 5;  // a perturbation, or anything
    MatrixX delassus = base.delassus.dense();
    for (int j = 0; j < scalars; ++j) delassus.col(j) += size * test::random_vector(random, scalars);
    std::vector<int> sizes;
    for (int i = 0; i < base.contacts(); ++i) sizes.push_back(base.block_size(i));
    const ContactProblem problem = test::problem_from_dense(sizes, delassus, base.free_velocity, base.friction);
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    test::expect_honest_solution(problem, r, report, test::strict_options);
    if (repeat % 2 == 0 && report.status != SolveStatus::converged) ++failures;
  }
  EXPECT_LE(failures, 2);
}

// Bodies on all kinds of contacts, and joints, which Gauss-Seidel solves too.
TEST(SemismoothNewtonProperty, AllKindsOfBlocksAgreeWithGaussSeidel) {
  math::Random random(58);
  for (const NewtonFunction function : {NewtonFunction::alart_curnier, NewtonFunction::natural_map}) {
    SemismoothNewton solver(function);
    int solved = 0, asked = 0;
    for (int repeat = 0; repeat < 60; ++repeat) {
      const int contacts = 3 + static_cast<int>(random.integer(repeat % 3 == 0 ? 30 : 8));
      ContactProblem problem = test::random_bodies_problem(random, contacts, 2 * contacts, 0.5, {1, 2, 3, 5, 6});
      for (int i = 0; i < contacts; ++i) problem.bilateral.push_back(random.integer(6) == 0);
      linalg::ReusableVector expected, r, expected_velocity, velocity;
      if (NonsmoothGaussSeidel().solve(problem, expected, {.tolerance = 1e-12}).status != SolveStatus::converged) {
        continue;
      }
      ++asked;
      const SolveReport report = solver.solve(problem, r, test::strict_options);
      EXPECT_EQ(report.residual, residual(problem, r).value);
      if (report.status != SolveStatus::converged) continue;
      ++solved;
      EXPECT_LT(test::coulomb_violation(problem, r), 1e-6) << "case " << repeat;
      contact_velocity(problem, expected, expected_velocity);
      contact_velocity(problem, r, velocity);
      EXPECT_LT((velocity - expected_velocity).norm(), 1e-6 * problem.free_velocity.norm()) << "case " << repeat;
    }
    EXPECT_GE(asked, 50);
    EXPECT_GE(solved, asked - 3);
  }
}

TEST(SemismoothNewton, NaturalMapSolvesTheSameProblems) {
  math::Random random(59);
  SemismoothNewton solver(NewtonFunction::natural_map);
  int solved = 0;
  for (int repeat = 0; repeat < 100; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 12, 12, 0.5, {1, 2, 3});
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    test::expect_honest_solution(problem, r, report, test::strict_options);
    if (report.status == SolveStatus::converged) ++solved;
  }
  EXPECT_GE(solved, 95);
}

// Two walls of boxes, one above the other: large and sparse, hyperstatic, far more rows than a dense matrix is for.
ContactProblem wall_of_tables(int columns, int storeys) {
  const ContactProblem leg = test::table_problem(Vector3(0, 0, -0.1), 0.6);
  const MatrixX one = leg.delassus.dense();  // of the four feet of one table on the ground
  const int feet = columns * storeys * 4;
  MatrixX delassus = MatrixX::Zero(3 * feet, 3 * feet);
  VectorX b(3 * feet);
  for (int c = 0; c < columns; ++c) {
    for (int s = 0; s < storeys; ++s) {
      const int k = 12 * (c * storeys + s);
      delassus.block(k, k, 12, 12) += one;
      b.segment(k, 12) = s == 0 ? VectorX(leg.free_velocity) : VectorX(VectorX::Zero(12));
      if (s == 0) continue;
      // The table below feels the feet above it with the opposite sign (as if they stood on its own feet).
      delassus.block(k, k, 12, 12) += one;
      delassus.block(k, k - 12, 12, 12) -= one;
      delassus.block(k - 12, k, 12, 12) -= one;
    }
  }
  return test::problem_from_dense(std::vector<int>(feet, 3), delassus, b, std::vector<Friction>(feet, 0.6));
}

TEST(SemismoothNewton, LargeSparseProblem) {
  const ContactProblem problem = wall_of_tables(1, 60);
  for (const NewtonFunction function : {NewtonFunction::alart_curnier, NewtonFunction::natural_map}) {
    linalg::ReusableVector r;
    const SolveReport report = SemismoothNewton(function).solve(problem, r, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged) << report.residual;
    EXPECT_LE(report.iterations, 100);
    test::expect_honest_solution(problem, r, report, test::strict_options);
    double floor = 0;  // the feet on the floor carry all storeys
    for (int foot = 0; foot < 4; ++foot) floor += r[3 * foot];
    EXPECT_NEAR(floor, 60 * 0.1, 1e-6);
  }
}

TEST(SemismoothNewtonProperty, ResultDoesNotDependOnWhatWasSolvedBefore) {
  math::Random random(60);
  SemismoothNewton used;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const ContactProblem problem = repeat % 2 == 0 ? test::random_bodies_problem(random, 60, 30, 0.7)
                                                   : wall_of_tables(1, 12 + static_cast<int>(random.integer(3)));
    linalg::ReusableVector fresh_impulses, impulses;
    const SolveOptions options{.tolerance = 1e-10, .max_iterations = 100};
    const SolveReport fresh = SemismoothNewton().solve(problem, fresh_impulses, options);
    const SolveReport report = used.solve(problem, impulses, options);
    EXPECT_EQ(fresh.iterations, report.iterations);
    EXPECT_EQ(fresh_impulses, impulses);
  }
}

TEST(SemismoothNewtonProperty, ScalesWithPowersOfTwo) {
  math::Random random(61);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 40, 25, 0.7, {3, 6});
    std::vector<int> sizes;
    for (int i = 0; i < problem.contacts(); ++i) sizes.push_back(problem.block_size(i));
    const ContactProblem other = test::problem_from_dense(sizes, 0x1p20 * problem.delassus.dense(),
                                                          0x1p-10 * problem.free_velocity, problem.friction);
    linalg::ReusableVector r, scaled;
    const SolveOptions options{.tolerance = 1e-10, .max_iterations = 100};
    const SolveReport report = SemismoothNewton().solve(problem, r, options);
    const SolveReport scaled_report = SemismoothNewton().solve(other, scaled, options);
    EXPECT_EQ(report.residual, scaled_report.residual);
    EXPECT_EQ(r, VectorX(0x1p30 * scaled));
  }
}

}  // namespace
}  // namespace ricochet::cone
