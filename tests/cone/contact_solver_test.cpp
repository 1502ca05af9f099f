#include "ricochet/cone/contact_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cone/test_problems.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

constexpr SolveOptions kStrictDriver{.tolerance = 1e-10, .max_iterations = 10'000};

// The report must carry THE residual of the returned point, which must be finite and in the cones.
void expect_honest_driver(const ContactProblem& problem, const VectorX& r, const SolveReport& report,
                          const SolveOptions& options) {
  ASSERT_TRUE(r.allFinite());
  const Residual true_residual = residual(problem, r);
  EXPECT_EQ(report.residual, true_residual.value);
  EXPECT_EQ(report.worst_contact, true_residual.worst_contact);
  EXPECT_EQ(report.status == SolveStatus::converged, report.residual <= options.tolerance);
  EXPECT_LE(report.iterations, options.max_iterations);
  for (int i = 0; i < problem.contacts(); ++i) {
    const double* block = r.data() + problem.block_offset(i);
    EXPECT_GE(block[0], 0);
    if (problem.block_size(i) == 1) continue;
    const double second = problem.block_size(i) > 2 ? block[2] : 0.0;
    EXPECT_LE(std::sqrt(block[1] * block[1] + second * second), problem.friction[i] * block[0] * (1 + 0x1p-50));
  }
}

TEST(ContactSolver, NoContacts) {
  linalg::ReusableVector r = VectorX::Ones(7);
  const SolveReport report = ContactSolver().solve(ContactProblem{}, r, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.worst_contact, -1);
  EXPECT_EQ(r.size(), 0);
}

TEST(ContactSolver, NoClosingContactNeedsNoImpulseWhateverTheGuess) {
  linalg::ReusableVector r = VectorX::Ones(12);
  const SolveReport report = ContactSolver().solve(test::table_problem(Vector3(1, 2, 0.5), 0.5), r, {});
  EXPECT_TRUE(r.isZero(0));
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(ContactSolver, HeavyOnLight) {
  ContactSolver solver;
  for (const double ratio : {10.0, 1e3, 1e6}) {
    for (int count = 2; count <= 5; ++count) {
      std::vector<double> masses;
      double above = 0;
      for (int i = 0; i < count; ++i) above += masses.emplace_back(std::pow(ratio, i / (count - 1.0)));
      const ContactProblem problem = test::stack_problem(masses, 0.01);
      linalg::ReusableVector r;
      const SolveReport report = solver.solve(problem, r, kStrictDriver);
      EXPECT_EQ(report.status, SolveStatus::converged) << ratio << ", " << count << ": " << report.residual;
      expect_honest_driver(problem, r, report, kStrictDriver);
      for (int i = 0; i < count; above -= masses[i++]) EXPECT_NEAR(r[i], 0.01 * above, 1e-6 * 0.01 * above);
    }
  }
}

TEST(ContactSolver, HyperstaticTableAtRestAndSliding) {
  const double gh = 0.01, mu = 0.3, mass = 5;
  for (const double speed : {0.0, 10.0}) {
    const ContactProblem problem = test::table_problem(Vector3(speed, 0, -gh), mu, mass);
    linalg::ReusableVector r;
    const SolveReport report = ContactSolver().solve(problem, r, kStrictDriver);
    EXPECT_EQ(report.status, SolveStatus::converged);
    expect_honest_driver(problem, r, report, kStrictDriver);
    if (speed == 0) {
      EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], mass * gh, 1e-7 * mass * gh);
    } else {
      EXPECT_NEAR(r[1] + r[4] + r[7] + r[10], -mu * (r[0] + r[3] + r[6] + r[9]), 1e-6 * mass * gh);
    }
  }
}

TEST(ContactSolver, ProblemWithoutSolutionIsNotCalledSolved) {
  MatrixX delassus(2, 2);
  delassus << 1, -1, -1, 1;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  linalg::ReusableVector r;
  const SolveOptions options{.tolerance = 1e-4, .max_iterations = 2000};
  const SolveReport report = ContactSolver().solve(problem, r, options);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_GT(report.residual, 0.1);
  expect_honest_driver(problem, r, report, options);
}

TEST(ContactSolver, IterationLimitIsHonestAndNothingGetsWorse) {
  math::Random random(54);
  const ContactProblem problem = test::random_bodies_problem(random, 20, 8, 0.8);
  for (const int limit : {0, 1, 2, 3, 7, 60, 120, 400}) {
    linalg::ReusableVector r = test::random_vector(random, 60);
    linalg::ReusableVector unchanged = r;
    const SolveOptions options{.tolerance = 1e-16, .max_iterations = limit};
    const SolveReport given = ContactSolver().solve(problem, unchanged, {.tolerance = 1e-16, .max_iterations = 0});
    EXPECT_EQ(given.iterations, 0);
    const SolveReport report = ContactSolver().solve(problem, r, options);
    if (limit <= 3) {
      EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    }
    EXPECT_LE(report.residual, given.residual);
    expect_honest_driver(problem, r, report, options);
  }
}

TEST(ContactSolverBadInput, IsRejectedOrRepaired) {
  ContactProblem problem = test::table_problem(Vector3(0, 0, -1), 0.5);
  linalg::ReusableVector r = VectorX::Constant(12, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(ContactSolver().solve(problem, r, {}).status, SolveStatus::converged);
  EXPECT_TRUE(r.allFinite());
  problem.friction[2] = -1;
  EXPECT_THROW(ContactSolver().solve(problem, r, {}), std::invalid_argument);
}

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
    const SolveReport report = solver.solve(problem, r, kStrictDriver);
    EXPECT_EQ(report.status, SolveStatus::converged)
        << "case " << repeat << ", tilt " << tilt << ", friction " << friction << ": " << report.residual;
    expect_honest_driver(problem, r, report, kStrictDriver);
    worst_iterations = std::max(worst_iterations, report.iterations);
    // A neighbouring problem from this solution, as in the next time step.
    ContactProblem next = problem;
    next.free_velocity *= random.uniform(0.9, 1.1);
    next.free_velocity[1] += 1e-3 * random.normal();
    warm = r;
    const SolveReport again = solver.solve(next, warm, kStrictDriver);
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
    const SolveReport report = solver.solve(problem, r, kStrictDriver);
    expect_honest_driver(problem, r, report, kStrictDriver);
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
    const SolveReport report = solver.solve(problem, r, kStrictDriver);
    EXPECT_EQ(report.status, SolveStatus::converged) << "case " << repeat << ": " << report.residual;
    expect_honest_driver(problem, r, report, kStrictDriver);
  }
}

}  // namespace
}  // namespace ricochet::cone
