#include "ricochet/cone/planar_uniqueness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "cone/solver_checks.hpp"
#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/cone/lemke_contact_solver.hpp"
#include "ricochet/cone/status_enumeration.hpp"

namespace ricochet::cone {
namespace {

bool is_proved(const ContactProblem& problem) {
  DenseProblem dense;
  assemble_dense(problem, dense);
  return proves_unique_velocities(dense);
}

// How many different velocities solve a problem, through the complementarity problem: knows nothing of statuses.
int count_by_complementarity(const ContactProblem& problem) {
  DenseProblem dense;
  assemble_dense(problem, dense);
  std::vector<linalg::ReusableVector> distinct;
  for (const PlanarSolution& each : all_planar_solutions(problem).solutions) {
    const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const linalg::ReusableVector& other) {
      return same_velocities(dense, each.impulses, other);
    });
    if (!known) distinct.push_back(each.impulses);
  }
  return static_cast<int>(distinct.size());
}

// The lower end of a rod of mass 1 at tan = 2 to the floor, see PainleveRod: W_NN = 8/5, W_NT = -6/5, W_TT = 17/5.
ContactProblem rod(double friction, const Vector2& b) {
  return test::single_contact(MatrixX{{1.6, -1.2}, {-1.2, 3.4}}, b, friction);
}

// A planar body of mass and gyration 1 that strikes with two corners at x = -1 and 1, at height -1 below its centre:
// four rows of W, of rank three.
ContactProblem two_corners(double friction, const Vector3& velocity) {
  MatrixX gradients(4, 3);
  gradients << 0, 1, -1, 1, 0, 1, 0, 1, 1, 1, 0, 1;
  return test::problem_from_dense({2, 2}, gradients * gradients.transpose(), gradients * velocity,
                                  {friction, friction});
}

// W_NN > mu |W_NT| is mu < 4/3.
TEST(PlanarUniqueness, OneContactIsUniqueBelowPainlevesFriction) {
  for (const double friction : {0.0, 0.5, 1.333}) EXPECT_TRUE(is_proved(rod(friction, Vector2(-1, 0)))) << friction;
  for (const double friction : {1.334, 3.0}) EXPECT_FALSE(is_proved(rod(friction, Vector2(-1, 0)))) << friction;
}

// By hand, for mu = 3, b = (0.1, -2): open with u = b; sliding to the left, r_T = 3 r_N, with 0.1 + (1.6 - 3.6) r_N =
// 0, so r_N = 0.05 and u_T = -2 + (-1.2 + 10.2) 0.05 = -1.55; stuck, with det W = 4 and r = ((-3.4 0.1 + 1.2 2) / 4,
// (-1.2 0.1 + 1.6 2) / 4) = (0.515, 0.77), inside of the cone.
TEST(PlanarUniqueness, RodOfPainleveHasThreeSolutions) {
  const ContactProblem problem = rod(3, Vector2(0.1, -2));
  const std::vector<linalg::ReusableVector> all = solutions_by_status(problem, VectorX::Zero(2), 1e-12);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0], (VectorX{{0.0, 0.0}}));  // the nearest to nothing
  EXPECT_NEAR((all[1] - VectorX{{0.515, 0.77}}).norm(), 0, 1e-14);
  EXPECT_NEAR((all[2] - VectorX{{0.05, 0.15}}).norm(), 0, 1e-14);
  for (const SolverKind kind : {SolverKind::lemke, SolverKind::enumeration}) {
    linalg::ReusableVector r = VectorX::Zero(2);
    const SolveReport report = ContactSolver().solve(problem, r, {.tolerance = 1e-12, .kind = kind});
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_EQ(report.remark, SolveRemark::several_solutions);
    EXPECT_EQ(report.search, SolutionSearch::all);
    EXPECT_EQ(report.solutions, 3);
    EXPECT_EQ(report.second.contact, 0);
    EXPECT_THAT(report.second.velocity, testing::ElementsAre(0.1, -2.0));
    EXPECT_NEAR(std::hypot(report.second.alternative[0], report.second.alternative[1]), 0, 1e-14);  // stuck
  }
  // From the impulses of the one that slides, enumeration takes that one.
  linalg::ReusableVector r = VectorX{{0.06, 0.16}};
  EXPECT_EQ(solve_by_enumeration(problem, r, 1e-12), true);
  EXPECT_NEAR((r - VectorX{{0.05, 0.15}}).norm(), 0, 1e-14);
}

// Impulses of two corners that stick are not unique, velocities are.
TEST(PlanarUniqueness, RedundantImpulsesAreNoSecondSolution) {
  const ContactProblem problem = two_corners(0.5, Vector3(0.1, -1, 0));
  EXPECT_GT(all_planar_solutions(problem).solutions.size(), 1U);
  EXPECT_TRUE(is_proved(problem));
  linalg::ReusableVector r;
  const SolveReport report = LemkeContactSolver().solve(problem, r);
  EXPECT_EQ(report.solutions, 1);
  EXPECT_EQ(report.search, SolutionSearch::all);
  EXPECT_EQ(report.second.contact, -1);
  EXPECT_EQ(count_by_complementarity(problem), 1);
}

// Whenever the proof holds, all solutions of the complementarity problem have the same velocities, whatever b.
TEST(PlanarUniquenessProperty, ProofAgreesWithAllSolutions) {
  math::Random random(201);
  int proved = 0, refuted = 0;
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const int contacts = repeat % 5 == 0 ? 3 : 1 + repeat % 2;
    ContactProblem problem = repeat % 3 == 0 && contacts == 2
                                 ? two_corners(random.uniform(0, 3), Vector3::Zero())
                                 : test::random_bodies_problem(random, contacts, 2, 4, {1, 2});
    problem.free_velocity = problem.delassus.dense() * test::random_vector(random, problem.delassus.scalar_rows());
    const int found = count_by_complementarity(problem);
    const bool unique = is_proved(problem);
    proved += unique ? 1 : 0;
    refuted += found > 1 ? 1 : 0;
    EXPECT_TRUE(found == 1 || !unique) << "case " << repeat;
    // What enumeration of statuses finds is the same.
    const auto all = solutions_by_status(problem, VectorX::Zero(problem.delassus.scalar_rows()), 1e-10);
    EXPECT_EQ(static_cast<int>(all.size()), found) << "case " << repeat;
  }
  EXPECT_GT(proved, 300);
  EXPECT_GT(refuted, 20);
}

// If the proof fails with W of full rank, some b has several solutions or none.
TEST(PlanarUniquenessProperty, WithoutProofSomeFreeVelocityHasNotOneSolution) {
  math::Random random(202);
  int tried = 0;
  for (int repeat = 0; tried < 30 && repeat < 2000; ++repeat) {
    ContactProblem problem = test::random_bodies_problem(random, 2, 3, 4, {2});
    DenseProblem dense;
    assemble_dense(problem, dense);
    if (dense.delassus.fullPivLu().rcond() < 1e-3 || proves_unique_velocities(dense)) continue;
    ++tried;
    bool counterexample = false;
    for (int other = 0; other < 3000 && !counterexample; ++other) {
      problem.free_velocity = test::random_vector(random, problem.delassus.scalar_rows());
      counterexample = solutions_by_status(problem, VectorX::Zero(4), 1e-10).size() != 1;
    }
    EXPECT_TRUE(counterexample) << "case " << repeat;
  }
  EXPECT_GE(tried, 20);
}

// Planar problems of up to eight contacts, many of them redundant: all are solved, and where velocities are known to be
// unique they are those of the default solver.
TEST(PlanarUniquenessProperty, LemkeFindsTheVelocitiesOfTheDefaultSolver) {
  math::Random random(203);
  ContactSolver solver;
  int compared = 0;
  for (int repeat = 0; repeat < 800; ++repeat) {
    const int contacts = 1 + repeat % 8;
    const ContactProblem problem = test::random_bodies_problem(random, contacts, 1 + contacts / 3, 0.8, {1, 2});
    linalg::ReusableVector r, other;
    const SolveReport report = solver.solve(problem, r, {.tolerance = 1e-11, .kind = SolverKind::lemke});
    ASSERT_EQ(report.status, SolveStatus::converged) << "case " << repeat;
    ASSERT_EQ(solver.solve(problem, other, {.tolerance = 1e-11}).status, SolveStatus::converged) << "case " << repeat;
    if (contacts <= kMostContactsOfAProof) {
      EXPECT_EQ(report.search, SolutionSearch::all);
    }
    if (report.solutions > 1) continue;
    ++compared;
    linalg::ReusableVector u, w;
    contact_velocity(problem, r, u);
    contact_velocity(problem, other, w);
    EXPECT_LE((u - w).norm(), 1e-9 * (1 + problem.free_velocity.norm())) << "case " << repeat;
  }
  EXPECT_GT(compared, 700);
}

// Powers of two in masses and velocities change neither the answer nor, but for the factor, its velocities.
TEST(PlanarUniqueness, DoesNotDependOnUnits) {
  for (const double mass : {1.0, 0x1p20, 0x1p-20}) {
    const ContactProblem problem =
        test::single_contact(MatrixX{{1.6, -1.2}, {-1.2, 3.4}} / mass, 0x1p12 * VectorX{{0.1, -2.0}}, 3);
    linalg::ReusableVector r;
    const SolveReport report = LemkeContactSolver().solve(problem, r);
    EXPECT_EQ(report.solutions, 3);
    EXPECT_EQ(report.second.velocity[0], 0x1p12 * 0.1);
    EXPECT_TRUE(is_proved(test::single_contact(MatrixX{{1.6, -1.2}, {-1.2, 3.4}} / mass, VectorX::Zero(2), 1.3)));
  }
}

// Of more contacts a second solution is looked for by another path, and the report says that this is no proof.
TEST(PlanarUniqueness, OfManyContactsOnlySomeIsLookedFor) {
  math::Random random(204);
  const ContactProblem problem = test::random_bodies_problem(random, 12, 3, 0.5, {2});
  linalg::ReusableVector r;
  const SolveReport report = LemkeContactSolver().solve(problem, r);
  EXPECT_EQ(report.search, SolutionSearch::some);
  EXPECT_GE(report.solutions, 1);
  SolveReport untouched;
  EXPECT_FALSE(look_for_others(problem, r, 1e-8, untouched));
  EXPECT_EQ(untouched.search, SolutionSearch::none);
  DenseProblem dense;
  assemble_dense(problem, dense);
  EXPECT_THROW(proves_unique_velocities(dense), std::invalid_argument);
}

// Two islands, one of them the rod: their solutions combine, and the contact is numbered as in the whole.
TEST(PlanarUniqueness, IslandsCombine) {
  const test::SideBySide both = test::side_by_side({rod(0.5, Vector2(-1, 0)), rod(3, Vector2(0.1, -2))});
  for (const SolverKind kind : {SolverKind::lemke, SolverKind::enumeration}) {
    linalg::ReusableVector r;
    const SolveReport report = ContactSolver().solve(both.whole, r, {.tolerance = 1e-12, .kind = kind});
    EXPECT_EQ(report.solutions, 3);
    EXPECT_EQ(report.second.contact, 1);
  }
  const test::SideBySide twice = test::side_by_side({rod(3, Vector2(0.1, -2)), rod(3, Vector2(0.1, -2))});
  linalg::ReusableVector r;
  EXPECT_EQ(LemkeContactSolver().solve(twice.whole, r).solutions, 9);
}

// What the solver of steps says of problems that its kind does not take.
TEST(PlanarUniquenessBadInput, SpatialAndLargeProblemsAreRemarks) {
  const ContactProblem spatial = test::table_problem(Vector3(0, 0, -1), 0.5);
  math::Random random(205);
  const ContactProblem large = test::random_bodies_problem(random, 9, 1, 0.5, {2});
  for (const SolverKind kind : {SolverKind::lemke, SolverKind::enumeration}) {
    linalg::ReusableVector r;
    const SolveReport report = ContactSolver().solve(spatial, r, {.kind = kind});
    EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    EXPECT_EQ(report.remark, SolveRemark::not_planar);
    EXPECT_EQ(report.solutions, 0);
    r.resize(0);
    const SolveReport of_large = ContactSolver().solve(large, r, {.kind = kind});
    EXPECT_EQ(of_large.remark == SolveRemark::too_large, kind == SolverKind::enumeration);
  }
}

}  // namespace
}  // namespace ricochet::cone
