#include "ricochet/cone/semismooth_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "cone/test_problems.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

constexpr SolveOptions kStrictNewton{.tolerance = 1e-10, .max_iterations = 10'000};

// The report must carry THE residual of the returned point, which must be finite and in the cones.
void expect_honest_newton(const ContactProblem& problem, const VectorX& r, const SolveReport& report,
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

TEST(SemismoothNewton, NoContacts) {
  linalg::ReusableVector r = VectorX::Ones(7);
  const SolveReport report = SemismoothNewton().solve(ContactProblem{}, r, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.worst_contact, -1);
  EXPECT_EQ(r.size(), 0);
}

TEST(SemismoothNewton, NoClosingContactNeedsNoImpulseWhateverTheGuess) {
  linalg::ReusableVector r = VectorX::Ones(12);
  const SolveReport report = SemismoothNewton().solve(test::table_problem(Vector3(1, 2, 0.5), 0.5), r, {});
  EXPECT_TRUE(r.isZero(0));
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(SemismoothNewton, HeavyOnLight) {
  SemismoothNewton solver;
  for (const double ratio : {10.0, 1e3, 1e6}) {
    for (int count = 2; count <= 5; ++count) {
      std::vector<double> masses;
      double above = 0;
      for (int i = 0; i < count; ++i) above += masses.emplace_back(std::pow(ratio, i / (count - 1.0)));
      const ContactProblem problem = test::stack_problem(masses, 0.01);
      linalg::ReusableVector r;
      const SolveReport report = solver.solve(problem, r, kStrictNewton);
      EXPECT_EQ(report.status, SolveStatus::converged) << ratio << ", " << count << ": " << report.residual;
      expect_honest_newton(problem, r, report, kStrictNewton);
      for (int i = 0; i < count; above -= masses[i++]) EXPECT_NEAR(r[i], 0.01 * above, 1e-6 * 0.01 * above);
    }
  }
}

TEST(SemismoothNewton, HyperstaticTableAtRestAndSliding) {
  const double gh = 0.01, mu = 0.3, mass = 5;
  for (const double speed : {0.0, 10.0}) {
    const ContactProblem problem = test::table_problem(Vector3(speed, 0, -gh), mu, mass);
    linalg::ReusableVector r;
    const SolveReport report = SemismoothNewton().solve(problem, r, kStrictNewton);
    EXPECT_EQ(report.status, SolveStatus::converged);
    expect_honest_newton(problem, r, report, kStrictNewton);
    if (speed == 0) {
      EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], mass * gh, 1e-7 * mass * gh);
    } else {
      EXPECT_NEAR(r[1] + r[4] + r[7] + r[10], -mu * (r[0] + r[3] + r[6] + r[9]), 1e-6 * mass * gh);
    }
  }
}

TEST(SemismoothNewton, ProblemWithoutSolutionIsNotCalledSolved) {
  MatrixX delassus(2, 2);
  delassus << 1, -1, -1, 1;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  linalg::ReusableVector r;
  const SolveOptions options{.tolerance = 1e-4, .max_iterations = 2000};
  const SolveReport report = SemismoothNewton().solve(problem, r, options);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_GT(report.residual, 0.1);
  expect_honest_newton(problem, r, report, options);
}

TEST(SemismoothNewton, IterationLimitIsHonestAndNothingGetsWorse) {
  math::Random random(54);
  const ContactProblem problem = test::random_bodies_problem(random, 20, 8, 0.8);
  for (const int limit : {0, 1, 2, 3, 7, 60, 120, 400}) {
    linalg::ReusableVector r = test::random_vector(random, 60);
    linalg::ReusableVector unchanged = r;
    const SolveOptions options{.tolerance = 1e-16, .max_iterations = limit};
    const SolveReport given = SemismoothNewton().solve(problem, unchanged, {.tolerance = 1e-16, .max_iterations = 0});
    EXPECT_EQ(given.iterations, 0);
    const SolveReport report = SemismoothNewton().solve(problem, r, options);
    if (limit <= 3) {
      EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    }
    EXPECT_LE(report.residual, given.residual);
    expect_honest_newton(problem, r, report, options);
  }
}

TEST(SemismoothNewtonBadInput, IsRejectedOrRepaired) {
  ContactProblem problem = test::table_problem(Vector3(0, 0, -1), 0.5);
  linalg::ReusableVector r = VectorX::Constant(12, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(SemismoothNewton().solve(problem, r, {}).status, SolveStatus::converged);
  EXPECT_TRUE(r.allFinite());
  problem.friction[2] = -1;
  EXPECT_THROW(SemismoothNewton().solve(problem, r, {}), std::invalid_argument);
}

TEST(SemismoothNewtonProperty, TiltedBoxes) {
  // Newton may cycle where friction is large; the driver has further means.
  math::Random random(55);
  SemismoothNewton solver;
  int failures = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const double tilt = std::pow(10.0, random.uniform(-9, -2)), friction = 0.2 * std::pow(50.0, random.uniform(0, 1));
    const ContactProblem problem = test::tilted_box_problem(random, tilt, friction);
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, kStrictNewton);
    expect_honest_newton(problem, r, report, kStrictNewton);
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
    const SolveReport report = solver.solve(problem, r, kStrictNewton);
    expect_honest_newton(problem, r, report, kStrictNewton);
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
    const SolveReport report = solver.solve(problem, r, kStrictNewton);
    expect_honest_newton(problem, r, report, kStrictNewton);
    if (repeat % 2 == 0 && report.status != SolveStatus::converged) ++failures;
  }
  EXPECT_LE(failures, 2);
}

}  // namespace
}  // namespace ricochet::cone
