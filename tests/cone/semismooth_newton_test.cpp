#include "ricochet/cone/semismooth_newton.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

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

TEST(SemismoothNewtonBadInput, BlocksThatItDoesNotKnowAreNamed) {
  ContactProblem problem = test::problem_from_dense({3, 5}, MatrixX::Identity(8, 8), VectorX::Constant(8, -1), {0, 0});
  linalg::ReusableVector r;
  EXPECT_THAT(
      [&] { SemismoothNewton().solve(problem, r); },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("contact 1: this solver takes neither")));
  problem.bilateral = {1, 0};
  EXPECT_THAT(
      [&] { SemismoothNewton().solve(problem, r); },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("contact 0: this solver takes neither")));
}

}  // namespace
}  // namespace ricochet::cone
