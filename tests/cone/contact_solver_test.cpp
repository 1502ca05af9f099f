#include "ricochet/cone/contact_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cone/solver_checks.hpp"
#include "cone/test_problems.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

TEST(ContactSolver, NoContacts) { test::expect_no_contacts<ContactSolver>(); }
TEST(ContactSolver, NoClosingContactNeedsNoImpulseWhateverTheGuess) {
  test::expect_no_closing_contact_needs_no_impulse_whatever_the_guess<ContactSolver>();
}
TEST(ContactSolver, HeavyOnLight) { test::expect_heavy_on_light<ContactSolver>(); }
TEST(ContactSolver, HyperstaticTableAtRestAndSliding) {
  test::expect_hyperstatic_table_at_rest_and_sliding<ContactSolver>();
}
TEST(ContactSolver, ProblemWithoutSolutionIsNotCalledSolved) {
  test::expect_problem_without_solution_is_not_called_solved<ContactSolver>();
}
TEST(ContactSolver, IterationLimitIsHonestAndNothingGetsWorse) {
  test::expect_iteration_limit_is_honest_and_nothing_gets_worse<ContactSolver>();
}
TEST(ContactSolverBadInput, IsRejectedOrRepaired) { test::expect_is_rejected_or_repaired<ContactSolver>(); }

TEST(ContactSolver, IsGaussSeidelIfAsked) {
  math::Random random(61);
  const ContactProblem problem = test::tilted_box_problem(random, 1e-5, 2);
  linalg::ReusableVector r, expected;
  const SolveOptions options{.tolerance = 1e-10, .max_iterations = 300, .kind = SolverKind::gauss_seidel};
  const SolveReport report = ContactSolver().solve(problem, r, options);
  EXPECT_EQ(report.iterations, NonsmoothGaussSeidel().solve(problem, expected, options).iterations);
  EXPECT_EQ(r, VectorX(expected));
}

TEST(ContactSolver, EqualProblemsGetEqualBits) {
  math::Random random(62);
  ContactSolver solver;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 12, 3, 2);
    linalg::ReusableVector first, second;
    const SolveReport report = solver.solve(problem, first, {.tolerance = 1e-10, .max_iterations = 1000});
    const SolveReport again = ContactSolver().solve(problem, second, {.tolerance = 1e-10, .max_iterations = 1000});
    EXPECT_EQ(first, VectorX(second));
    EXPECT_EQ(report.iterations, again.iterations);
  }
}

TEST(ContactSolverProperty, TiltedBoxesAreAllSolved) {
  math::Random random(63);
  ContactSolver solver;
  linalg::ReusableVector warm;
  int worst_iterations = 0;
  for (int repeat = 0; repeat < 600; ++repeat) {
    const double tilt = std::pow(10.0, random.uniform(-9, -2)), friction = 0.2 * std::pow(50.0, random.uniform(0, 1));
    const ContactProblem problem = test::tilted_box_problem(random, tilt, friction);
    linalg::ReusableVector r;
    if (repeat % 3 != 0) r = warm;  // the solution of another landing
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged)
        << "case " << repeat << ", tilt " << tilt << ", friction " << friction << ": " << report.residual;
    test::expect_honest_solution(problem, r, report, test::strict_options);
    worst_iterations = std::max(worst_iterations, report.iterations);
    // A neighbouring problem from this solution, as in the next time step.
    ContactProblem next = problem;
    next.free_velocity *= random.uniform(0.9, 1.1);
    next.free_velocity[1] += 1e-3 * random.normal();
    warm = r;
    const SolveReport again = solver.solve(next, warm, test::strict_options);
    EXPECT_EQ(again.status, SolveStatus::converged) << "after case " << repeat << ": " << again.residual;
    worst_iterations = std::max(worst_iterations, again.iterations);
  }
  EXPECT_LE(worst_iterations, 700);
}

TEST(ContactSolverProperty, RandomBodiesAndRedundantContacts) {
  math::Random random(64);
  ContactSolver solver;
  int failures = 0;
  for (int repeat = 0; repeat < 150; ++repeat) {
    const int contacts = 3 + static_cast<int>(random.integer(15));
    const int bodies = repeat % 3 == 0 ? contacts : std::max(1, contacts / (repeat % 3 == 1 ? 2 : 6));
    const ContactProblem problem = test::random_bodies_problem(
        random, contacts, bodies, 1, repeat % 2 == 0 ? std::vector<int>{3} : std::vector<int>{1, 2});
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    test::expect_honest_solution(problem, r, report, test::strict_options);
    if (report.status != SolveStatus::converged) ++failures;
  }
  EXPECT_LE(failures, 3);
}

TEST(ContactSolverProperty, HyperstaticTables) {
  math::Random random(65);
  ContactSolver solver;
  for (int repeat = 0; repeat < 100; ++repeat) {
    Vector3 velocity = test::random_vector(random, 3) * random.uniform(0, 2);
    velocity[2] = -1;
    const ContactProblem problem =
        test::table_problem(velocity, random.uniform(0, 1.5), std::exp2(random.uniform(-20, 20)));
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged) << "case " << repeat << ": " << report.residual;
    test::expect_honest_solution(problem, r, report, test::strict_options);
  }
}

}  // namespace
}  // namespace ricochet::cone
