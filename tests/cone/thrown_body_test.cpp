// The default solver on what users do most: throw a body on the floor, and let it tumble until it lies still.
#include <gtest/gtest.h>

#include "cone/solver_checks.hpp"
#include "cone/thrown_body.hpp"
#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/cone/gauss_seidel.hpp"

namespace ricochet::cone {
namespace {

// Throws bodies and expects every contact problem on their way to be solved, to 1e-10 and 1e-12 in turn. At 1e-12 a few
// in a hundred thousand may miss: slips of 1e-12 of the velocities are not far from round-off.
void expect_all_steps_are_solved(std::uint64_t seed, int bodies, int steps) {
  math::Random random(seed);
  ContactSolver solver;
  long problems = 0, redundant = 0, missed = 0;
  for (int i = 0; i < bodies; ++i) {
    test::ThrownBody body(random, static_cast<test::ThrownShape>(i % test::kThrownShapes));
    const SolveOptions options{.tolerance = i / test::kThrownShapes % 2 == 0 ? 1e-10 : 1e-12};
    for (int k = 0; k < steps; ++k) {
      body.step([&](const ContactProblem& problem, linalg::ReusableVector& r) {
        const SolveReport report = solver.solve(problem, r, options);
        EXPECT_LE(report.residual, 1e-10)
            << "body " << i << ", step " << k << ", friction " << body.friction() << ", restitution "
            << body.restitution() << ", " << problem.contacts() << " contacts";
        ++problems;
        if (problem.contacts() > 2) ++redundant;
        if (report.status != SolveStatus::converged) ++missed;
      });
    }
  }
  EXPECT_GE(problems, 500L * bodies);
  EXPECT_GE(redundant, 100L * bodies);
  EXPECT_LE(missed, problems / 50'000);
}

TEST(ThrownBodyProperty, EveryStepIsSolved) { expect_all_steps_are_solved(81, 200, 800); }

TEST(ThrownBodySlow, EveryStepIsSolved) { expect_all_steps_are_solved(82, 5000, 3000); }

// Problems on which 200 sweeps of Gauss-Seidel do not get there, from no guess and from a wrong one as well.
TEST(ThrownBodyProperty, HardProblemsAreSolvedFromAnyStart) {
  math::Random random(83);
  ContactSolver solver;
  NonsmoothGaussSeidel gauss_seidel;
  int hard = 0;
  for (int i = 0; i < 60; ++i) {
    test::ThrownBody body(random, static_cast<test::ThrownShape>(i % test::kThrownShapes));
    linalg::ReusableVector other;
    for (int k = 0; k < 600; ++k) {
      body.step([&](const ContactProblem& problem, linalg::ReusableVector& r) {
        linalg::ReusableVector plain = r, cold, wrong = other;
        const SolveReport report = solver.solve(problem, r, test::strict_options);
        other = r;
        if (report.iterations < 50) return;
        const SolveOptions sweeps{.tolerance = 1e-10, .max_iterations = 200};
        if (gauss_seidel.solve(problem, plain, sweeps).status == SolveStatus::converged) return;
        ++hard;
        test::expect_honest_solution(problem, r, report, test::strict_options);
        EXPECT_EQ(solver.solve(problem, cold, test::strict_options).status, SolveStatus::converged);
        EXPECT_EQ(solver.solve(problem, wrong, test::strict_options).status, SolveStatus::converged);
        EXPECT_LT(test::coulomb_violation(problem, r), 1e-3);  // tiny slips make its branches touchy
      });
    }
  }
  EXPECT_GE(hard, 200);
}

}  // namespace
}  // namespace ricochet::cone
