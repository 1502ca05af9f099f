// What every solver of small contact problems must do: solve what has a solution, and be honest about the rest.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "cone/test_problems.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone::test {

inline constexpr SolveOptions strict_options{.tolerance = 1e-10, .max_iterations = 10'000};

// The report must carry THE residual of the returned point, which must be finite and in the cones.
inline void expect_honest_solution(const ContactProblem& problem, const VectorX& r, const SolveReport& report,
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
    EXPECT_LE(std::sqrt(block[1] * block[1] + second * second), problem.friction[i].sliding * block[0] * (1 + 0x1p-50));
  }
}

template <class Solver>
void expect_no_contacts() {
  linalg::ReusableVector r = VectorX::Ones(7);
  const SolveReport report = Solver().solve(ContactProblem{}, r, {});
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.worst_contact, -1);
  EXPECT_EQ(r.size(), 0);
}

template <class Solver>
void expect_no_closing_contact_needs_no_impulse_whatever_the_guess() {
  linalg::ReusableVector r = VectorX::Ones(12);
  const SolveReport report = Solver().solve(test::table_problem(Vector3(1, 2, 0.5), 0.5), r, {});
  EXPECT_TRUE(r.isZero(0));
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
}

template <class Solver>
void expect_heavy_on_light() {
  Solver solver;
  for (const double ratio : {10.0, 1e3, 1e6}) {
    for (int count = 2; count <= 5; ++count) {
      std::vector<double> masses;
      double above = 0;
      for (int i = 0; i < count; ++i) above += masses.emplace_back(std::pow(ratio, i / (count - 1.0)));
      const ContactProblem problem = test::stack_problem(masses, 0.01);
      linalg::ReusableVector r;
      const SolveReport report = solver.solve(problem, r, strict_options);
      EXPECT_EQ(report.status, SolveStatus::converged) << ratio << ", " << count << ": " << report.residual;
      expect_honest_solution(problem, r, report, strict_options);
      for (int i = 0; i < count; above -= masses[i++]) EXPECT_NEAR(r[i], 0.01 * above, 1e-6 * 0.01 * above);
    }
  }
}

template <class Solver>
void expect_hyperstatic_table_at_rest_and_sliding() {
  const double gh = 0.01, mu = 0.3, mass = 5;
  for (const double speed : {0.0, 10.0}) {
    const ContactProblem problem = test::table_problem(Vector3(speed, 0, -gh), mu, mass);
    linalg::ReusableVector r;
    const SolveReport report = Solver().solve(problem, r, strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged);
    expect_honest_solution(problem, r, report, strict_options);
    if (speed == 0) {
      EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], mass * gh, 1e-7 * mass * gh);
    } else {
      EXPECT_NEAR(r[1] + r[4] + r[7] + r[10], -mu * (r[0] + r[3] + r[6] + r[9]), 1e-6 * mass * gh);
    }
  }
}

template <class Solver>
void expect_problem_without_solution_is_not_called_solved() {
  MatrixX delassus(2, 2);
  delassus << 1, -1, -1, 1;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  linalg::ReusableVector r;
  const SolveOptions options{.tolerance = 1e-4, .max_iterations = 2000};
  const SolveReport report = Solver().solve(problem, r, options);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_GT(report.residual, 0.1);
  expect_honest_solution(problem, r, report, options);
}

template <class Solver>
void expect_iteration_limit_is_honest_and_nothing_gets_worse() {
  math::Random random(54);
  const ContactProblem problem = test::random_bodies_problem(random, 20, 8, 0.8);
  for (const int limit : {0, 1, 2, 3, 7, 60, 120, 400}) {
    linalg::ReusableVector r = test::random_vector(random, 60);
    linalg::ReusableVector unchanged = r;
    const SolveOptions options{.tolerance = 1e-16, .max_iterations = limit};
    const SolveReport given = Solver().solve(problem, unchanged, {.tolerance = 1e-16, .max_iterations = 0});
    EXPECT_EQ(given.iterations, 0);
    const SolveReport report = Solver().solve(problem, r, options);
    if (limit <= 3) {
      EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    }
    EXPECT_LE(report.residual, given.residual);
    expect_honest_solution(problem, r, report, options);
  }
}

template <class Solver>
void expect_is_rejected_or_repaired() {
  ContactProblem problem = test::table_problem(Vector3(0, 0, -1), 0.5);
  linalg::ReusableVector r = VectorX::Constant(12, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(Solver().solve(problem, r, {}).status, SolveStatus::converged);
  EXPECT_TRUE(r.allFinite());
  problem.friction[2] = -1;
  EXPECT_THROW(Solver().solve(problem, r, {}), std::invalid_argument);
}

}  // namespace ricochet::cone::test
