#include "ricochet/cone/contact_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

// Tilted boxes on which Gauss-Seidel alone does not get there.
std::vector<ContactProblem> boxes_that_need_newton(math::Random& random, int count) {
  std::vector<ContactProblem> boxes;
  NonsmoothGaussSeidel gauss_seidel;
  while (static_cast<int>(boxes.size()) < count) {
    ContactProblem box = test::tilted_box_problem(random, std::pow(10.0, random.uniform(-9, -4)), 1);
    linalg::ReusableVector r;
    const SolveReport report = gauss_seidel.solve(box, r, {.tolerance = 1e-10, .max_iterations = 1000});
    if (report.status != SolveStatus::converged) boxes.push_back(box);
  }
  return boxes;
}

TEST(ContactSolver, ManyBoxesThatNeedNewtonAreSolvedEachAsIfAlone) {
  math::Random random(66);
  const std::vector<ContactProblem> boxes = boxes_that_need_newton(random, 500);
  const test::SideBySide many = test::side_by_side(boxes);
  ASSERT_EQ(many.whole.delassus.scalar_rows(), 2000);
  const math::Threads two(2);
  ContactSolver solver, shared;
  shared.use(two);
  linalg::ReusableVector r, r_shared;
  for (int repeat = 0; repeat < 2; ++repeat) {  // cold, then from the solution
    const VectorX start = r;
    const SolveReport report = solver.solve(many.whole, r, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged) << report.residual << " at " << report.worst_contact;
    test::expect_honest_solution(many.whole, r, report, test::strict_options);
    const SolveReport shared_report = shared.solve(many.whole, r_shared, test::strict_options);
    EXPECT_EQ(VectorX(r_shared), VectorX(r));  // whoever solves which island
    EXPECT_EQ(shared_report.iterations, report.iterations);
    EXPECT_EQ(shared_report.residual, report.residual);
    EXPECT_EQ(shared_report.worst_contact, report.worst_contact);
    int most_iterations = 0;
    for (int p = 0; p < 500; ++p) {
      linalg::ReusableVector alone;
      if (repeat > 0) alone = many.part(start, p);
      const SolveReport alone_report = ContactSolver().solve(boxes[p], alone, test::strict_options);
      EXPECT_EQ(many.part(r, p), VectorX(alone)) << "box " << p;
      most_iterations = std::max(most_iterations, alone_report.iterations);
    }
    EXPECT_EQ(report.iterations, most_iterations);
  }
}

TEST(ContactSolver, IslandThatHasNoSolutionDoesNotSpoilTheOthers) {
  MatrixX closing_walls(2, 2);
  closing_walls << 1, -1, -1, 1;
  const ContactProblem hopeless = test::problem_from_dense({1, 1}, closing_walls, VectorX::Constant(2, -1), {0, 0});
  const ContactProblem table = test::table_problem(Vector3(1, 0, -1e-6), 0.3);
  const test::SideBySide both = test::side_by_side({table, hopeless, table});
  const SolveOptions options{.tolerance = 1e-8, .max_iterations = 500};
  linalg::ReusableVector r, alone;
  const SolveReport report = ContactSolver().solve(both.whole, r, options);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_TRUE(report.worst_contact == both.contacts[1][0] || report.worst_contact == both.contacts[1][1]);
  test::expect_honest_solution(both.whole, r, report, options);
  EXPECT_EQ(ContactSolver().solve(table, alone, options).status, SolveStatus::converged);
  EXPECT_EQ(both.part(r, 0), VectorX(alone));
  EXPECT_EQ(both.part(r, 2), VectorX(alone));
}

// What has no mark keeps its impulses, though they solve nothing, and the report does not tell of it.
TEST(ContactSolver, OnlyMarkedIslandsAreSolved) {
  math::Random random(68);
  const ContactProblem heap = test::random_bodies_problem(random, 12, 12, 0.5);
  const std::vector<ContactProblem> heaps(6, heap);
  const test::SideBySide many = test::side_by_side(heaps);
  std::vector<char> marks(many.whole.contacts(), 0);
  for (const int marked : {1, 4}) {
    for (const int contact : many.contacts[marked]) marks[contact] = 1;
  }
  const math::Threads two(2);
  linalg::ReusableVector alone;
  const SolveReport expected = ContactSolver().solve(heap, alone, test::strict_options);
  ASSERT_EQ(expected.status, SolveStatus::converged);
  for (const bool shared : {false, true}) {
    ContactSolver solver;
    if (shared) solver.use(two);
    linalg::ReusableVector r;
    r.setZero(many.whole.delassus.scalar_rows());
    const SolveReport report = solver.solve(many.whole, r, test::strict_options, marks);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_EQ(report.residual, expected.residual);
    EXPECT_EQ(report.iterations, expected.iterations);
    for (int p = 0; p < 6; ++p) {
      const VectorX wanted = p == 1 || p == 4 ? VectorX(alone) : VectorX::Zero(alone.size());
      EXPECT_EQ(many.part(r, p), wanted) << p;
    }
  }
  marks.pop_back();
  linalg::ReusableVector r;
  EXPECT_THROW(ContactSolver().solve(many.whole, r, test::strict_options, marks), std::invalid_argument);
}

// What is known of the problem is used again: the same bits as from a solver that begins anew. In some of the problems
// nothing closes, where all impulses are zero, and local solvers are not needed before, or not any more.
TEST(ContactSolver, SolvesMarkedIslandsAgainWithAnotherFreeVelocity) {
  constexpr int marked = 2;
  math::Random random(66);
  const math::Threads two(2);
  for (const std::vector<int>& sizes : {std::vector<int>{3}, std::vector<int>{1, 2, 3, 5, 6}}) {
    ContactProblem heap = test::random_bodies_problem(random, 12, 12, 0.5, sizes);
    if (sizes.size() > 1) {
      heap.bilateral.assign(12, 0);
      heap.bilateral[5] = 1;
    }
    const test::SideBySide many = test::side_by_side(std::vector<ContactProblem>(4, heap));
    std::vector<char> marks(many.whole.contacts(), 0);
    for (const int contact : many.contacts[marked]) marks[contact] = 1;
    // b of the marked part, times a factor; opening if that is zero.
    const auto with = [&](double factor) {
      ContactProblem result = many.whole;
      for (const int contact : many.contacts[marked]) {
        auto b = result.free_velocity.segment(result.block_offset(contact), result.block_size(contact));
        b *= factor == 0 ? 1 : factor;
        if (factor == 0) b[0] = std::abs(b[0]);
        if (factor == 0 && result.is_bilateral(contact)) b.setZero();
      }
      return VectorX(result.free_velocity);
    };
    for (const SolverKind kind : {SolverKind::automatic, SolverKind::gauss_seidel}) {
      SolveOptions options = test::strict_options;
      options.kind = kind;
      for (const double begin : {1.0, 0.0}) {
        for (const bool shared : {false, true}) {
          ContactProblem problem = many.whole;
          problem.free_velocity = with(begin);
          ContactSolver solver;
          if (shared) solver.use(two);
          linalg::ReusableVector first;
          ASSERT_EQ(solver.solve(problem, first, options).status, SolveStatus::converged);
          for (const double factor : {1.3, 0.0, 0.9, -1.0}) {
            problem.free_velocity = with(factor);
            linalg::ReusableVector again = first, anew = first;
            const SolveReport report = solver.solve_again(problem, again, options, marks);
            const SolveReport expected = ContactSolver().solve(problem, anew, options, marks);
            EXPECT_EQ(report.status, expected.status);
            EXPECT_EQ(report.iterations, expected.iterations) << factor;
            EXPECT_EQ(report.residual, expected.residual) << factor;
            EXPECT_EQ(many.part(again, marked), many.part(anew, marked)) << factor;
            EXPECT_EQ(many.part(again, marked).isZero(0), factor == 0) << factor;
            for (const int other : {0, 1, 3}) EXPECT_EQ(many.part(again, other), many.part(first, other));
            ResidualScales scales;
            scales.prepare(problem);
            for (const int contact : many.contacts[marked])
              EXPECT_EQ(solver.scales().speed(contact), scales.speed(contact));
          }
        }
      }
    }
  }
}

TEST(ContactSolverBadInput, WhatIsSolvedAgainIsTheSameProblem) {
  math::Random random(68);
  const ContactProblem heap = test::random_bodies_problem(random, 12, 12, 0.5);
  ContactProblem problem = heap;
  const std::vector<char> marks(heap.contacts(), 1);
  ContactSolver solver;
  linalg::ReusableVector r;
  solver.solve(problem, r, test::strict_options);
  EXPECT_NO_THROW(solver.solve_again(problem, r, test::strict_options, marks));
  const ContactProblem another = test::random_bodies_problem(random, 12, 12, 0.5);
  EXPECT_THROW(solver.solve_again(another, r, test::strict_options, marks), std::logic_error);
  linalg::ReusableVector none;
  EXPECT_THROW(solver.solve_again(problem, none, test::strict_options, marks), std::logic_error);
  problem.free_velocity[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solver.solve_again(problem, r, test::strict_options, marks), std::invalid_argument);
}

TEST(ContactSolver, GaussSeidelGoesIslandByIslandToo) {
  math::Random random(67);
  const ContactProblem heap = test::random_bodies_problem(random, 12, 12, 0.5);
  const ContactProblem pair = test::random_bodies_problem(random, 2, 4, 0.5, {1, 2});
  const test::SideBySide both = test::side_by_side({pair, heap});
  const SolveOptions options{.tolerance = 1e-10, .kind = SolverKind::gauss_seidel};
  linalg::ReusableVector r, alone;
  const SolveReport report = ContactSolver().solve(both.whole, r, options);
  EXPECT_EQ(report.iterations, NonsmoothGaussSeidel().solve(heap, alone, options).iterations);
  EXPECT_EQ(both.part(r, 1), VectorX(alone));
  test::expect_honest_solution(both.whole, r, report, options);
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
