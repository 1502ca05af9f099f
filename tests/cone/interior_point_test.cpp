#include "ricochet/cone/interior_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "cone/solver_checks.hpp"
#include "cone/test_problems.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

TEST(InteriorPoint, NoContacts) { test::expect_no_contacts<InteriorPoint>(); }
TEST(InteriorPoint, NoClosingContactNeedsNoImpulseWhateverTheGuess) {
  test::expect_no_closing_contact_needs_no_impulse_whatever_the_guess<InteriorPoint>();
}
TEST(InteriorPoint, HyperstaticTableAtRestAndSliding) {
  test::expect_hyperstatic_table_at_rest_and_sliding<InteriorPoint>();
}
TEST(InteriorPoint, ProblemWithoutSolutionIsNotCalledSolved) {
  test::expect_problem_without_solution_is_not_called_solved<InteriorPoint>();
}
TEST(InteriorPoint, IterationLimitIsHonestAndNothingGetsWorse) {
  test::expect_iteration_limit_is_honest_and_nothing_gets_worse<InteriorPoint>();
}
TEST(InteriorPointBadInput, IsRejectedOrRepaired) { test::expect_is_rejected_or_repaired<InteriorPoint>(); }

// Four corners that have to slip a millionth of what restitution asks of their normals: a tilt of `misfit` rad and
// normal velocities that no rigid motion has.
ContactProblem nearly_flat_landing(math::Random& random, double misfit, double friction) {
  ContactProblem problem = test::table_problem(Vector3(0, 0, -1), friction);
  for (Eigen::Index k = 0; k < problem.free_velocity.size(); ++k) {
    problem.free_velocity[k] += (k % 3 == 0 ? 0.0 : misfit) * random.normal();
  }
  return problem;
}

TEST(InteriorPointProperty, TinySlipAgainstFullFriction) {
  math::Random random(71);
  InteriorPoint solver;
  int hard = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const double misfit = std::pow(10.0, random.uniform(-9, -3)), friction = random.uniform(0.05, 1.5);
    const ContactProblem problem = nearly_flat_landing(random, misfit, friction);
    linalg::ReusableVector r, plain;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged)
        << "case " << repeat << ", misfit " << misfit << ", friction " << friction << ": " << report.residual;
    test::expect_honest_solution(problem, r, report, test::strict_options);
    const SolveOptions some{.tolerance = 1e-10, .max_iterations = 1000};
    if (NonsmoothGaussSeidel().solve(problem, plain, some).status != SolveStatus::converged) ++hard;
  }
  EXPECT_GE(hard, 150);  // it is worth the trouble
}

TEST(InteriorPointProperty, AgreesWithGaussSeidelWhereTheSolutionIsUnique) {
  math::Random random(72);
  InteriorPoint solver;
  int compared = 0;
  for (int repeat = 0; repeat < 100; ++repeat) {
    const int contacts = 1 + static_cast<int>(random.integer(8));
    const std::vector<int> sizes = repeat % 2 == 0 ? std::vector<int>{3} : std::vector<int>{1, 2, 3};
    const ContactProblem problem = test::random_bodies_problem(random, contacts, 2 * contacts, 0.3, sizes);
    linalg::ReusableVector r, expected;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged) << "case " << repeat << ": " << report.residual;
    if (NonsmoothGaussSeidel().solve(problem, expected, test::strict_options).status != SolveStatus::converged)
      continue;
    ++compared;
    EXPECT_LT((r - expected).norm(), 1e-7 * (1 + expected.norm())) << "case " << repeat;
  }
  EXPECT_GE(compared, 90);
}

TEST(InteriorPointProperty, PowersOfTwoChangeNoBit) {
  math::Random random(73);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const ContactProblem problem = nearly_flat_landing(random, 1e-6, 0.4);
    linalg::ReusableVector r, scaled;
    const SolveReport report = InteriorPoint().solve(problem, r, test::strict_options);
    ContactProblem faster = problem;
    faster.free_velocity *= 0x1p20;
    const SolveReport again = InteriorPoint().solve(faster, scaled, test::strict_options);
    EXPECT_EQ(VectorX(scaled), VectorX(0x1p20 * r));
    EXPECT_EQ(report.iterations, again.iterations);
  }
}

}  // namespace
}  // namespace ricochet::cone
