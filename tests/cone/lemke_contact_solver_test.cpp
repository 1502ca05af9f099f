#include "ricochet/cone/lemke_contact_solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "cone/solver_checks.hpp"
#include "ricochet/cone/contact_solver.hpp"

namespace ricochet::cone {
namespace {

TEST(LemkeContactSolver, NoContacts) { test::expect_no_contacts<LemkeContactSolver>(); }

TEST(LemkeContactSolver, HeavyOnLight) { test::expect_heavy_on_light<LemkeContactSolver>(); }

TEST(LemkeContactSolver, ProblemWithoutSolutionIsNotCalledSolved) {
  test::expect_problem_without_solution_is_not_called_solved<LemkeContactSolver>();
}

TEST(LemkeContactSolverProperty, SolvesTiltedBoxesAndRandomBodies) {
  math::Random random(101);
  LemkeContactSolver solver;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const double friction = 0.2 * std::pow(50.0, random.uniform(0, 1));
    const ContactProblem problem =
        repeat % 2 == 0 ? test::tilted_box_problem(random, std::pow(10.0, random.uniform(-9, 0)), friction)
                        : test::random_bodies_problem(random, 8, 5, 2, {1, 2});
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    ASSERT_EQ(report.status, SolveStatus::converged) << "case " << repeat << ": " << report.residual;
    test::expect_honest_solution(problem, r, report, test::strict_options);
    EXPECT_LT(test::coulomb_violation(problem, r), 1e-10) << "case " << repeat;
  }
}

TEST(LemkeContactSolverProperty, AgreesWithTheDefaultSolverWhereTheSolutionIsUnique) {
  math::Random random(102);
  LemkeContactSolver lemke;
  ContactSolver automatic;
  int unique = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const ContactProblem problem =
        repeat % 3 == 0 ? test::tilted_box_problem(random, random.uniform(-0.7, 0.7), random.uniform(0, 1))
                        : test::random_bodies_problem(random, 3, 3, 1, {1, 2});
    linalg::ReusableVector r, other;
    ASSERT_EQ(lemke.solve(problem, r, test::strict_options).status, SolveStatus::converged) << "case " << repeat;
    ASSERT_EQ(automatic.solve(problem, other, test::strict_options).status, SolveStatus::converged);
    const PlanarSolutions all = all_planar_solutions(problem);
    const auto is_listed = [&](const VectorX& impulses) {
      return std::any_of(all.solutions.begin(), all.solutions.end(), [&](const PlanarSolution& solution) {
        return (solution.impulses - impulses).norm() <= 1e-6 * (1 + impulses.norm());
      });
    };
    EXPECT_TRUE(is_listed(r)) << "case " << repeat;
    if (all.solutions.size() > 1) continue;
    ++unique;
    EXPECT_TRUE(is_listed(other)) << "case " << repeat;
  }
  EXPECT_GT(unique, 250);
}

// A uniform rod of length 2 l at an angle to the floor, its lower end at (-l cos, -l sin) from its centre, n = e_y and
// t = e_x:  W_NN = (1 + 3 cos^2) / m,  W_NT = -3 cos sin / m,  W_TT = (1 + 3 sin^2) / m,  whatever l. If the end slides
// to the left and friction is large, W_NN + mu W_NT is negative: the harder it is pressed the more it is drawn in
// (Painleve 1895). mu = 4/3 at tan = 2 is the least for which that happens.
struct Rod {
  double mass = 1, angle = 0, friction = 0;
  MatrixX delassus() const {
    const double c = std::cos(angle), s = std::sin(angle);
    return MatrixX{{1 + 3 * c * c, -3 * c * s}, {-3 * c * s, 1 + 3 * s * s}} / mass;
  }
  double pressed_and_sliding_left() const { return delassus()(0, 0) + friction * delassus()(0, 1); }
};

// Every solution by the four cases of Coulomb's law, by hand. `margin`: how clear the inequalities are at least.
std::vector<Vector2> rod_solutions(const Rod& rod, const Vector2& b, double& margin) {
  const Matrix2 w = rod.delassus();
  std::vector<Vector2> solutions;
  const auto take_if = [&](std::initializer_list<double> not_negative, const Vector2& r) {
    bool all = true;
    for (const double number : not_negative) {
      all = all && number >= 0;
      margin = std::min(margin, std::abs(number));
    }
    if (all) solutions.push_back(r);
  };
  take_if({b[0]}, Vector2::Zero());
  const double determinant = w(0, 0) * w(1, 1) - w(0, 1) * w(1, 0);
  const Vector2 stick((w(0, 1) * b[1] - w(1, 1) * b[0]) / determinant, (w(1, 0) * b[0] - w(0, 0) * b[1]) / determinant);
  take_if({stick[0], rod.friction * stick[0] - std::abs(stick[1])}, stick);
  for (const double side : {1.0, -1.0}) {  // of the slip
    const Vector2 unit(1, -side * rod.friction);
    const double normal = -b[0] / w.row(0).dot(unit);
    take_if({normal, side * (b[1] + w.row(1).dot(unit) * normal)}, normal * unit);
  }
  return solutions;
}

TEST(PainleveRod, CriticalFriction) {
  const double angle = std::atan(2.0);
  EXPECT_GT((Rod{1, angle, 1.333}.pressed_and_sliding_left()), 0);
  EXPECT_LT((Rod{1, angle, 1.334}.pressed_and_sliding_left()), 0);
}

// While it slides to the left, the normal impulse is a complementarity problem of one row: w = A z + q.
TEST(PainleveRod, SlidingAlone) {
  for (const double friction : {0.5, 3.0}) {
    const double a = Rod{2, std::atan(2.0), friction}.pressed_and_sliding_left();
    for (const double closing : {0.1, -0.1}) {
      const ContactProblem problem = test::single_contact(MatrixX{{a}}, VectorX{{closing}}, 0);
      const PlanarSolutions all = all_planar_solutions(problem);
      LemkeContactSolver solver;
      linalg::ReusableVector r;
      const SolveReport report = solver.solve(problem, r);
      ASSERT_EQ(solver.complementarity().size(), 1U);
      const ComplementarityReport& found = solver.complementarity()[0];
      if (a < 0 && closing < 0) {  // no solution, and that is what is said
        EXPECT_TRUE(all.solutions.empty());
        EXPECT_EQ(report.status, SolveStatus::iteration_limit);
        EXPECT_GT(report.residual, 0.1);
        EXPECT_EQ(found.status, ComplementarityStatus::ray);
        EXPECT_TRUE(found.infeasible);
        continue;
      }
      EXPECT_EQ(report.status, SolveStatus::converged);
      EXPECT_EQ(found.status, ComplementarityStatus::solved);
      EXPECT_FALSE(found.infeasible);
      ASSERT_EQ(all.solutions.size(), a < 0 ? 2U : 1U);
      if (closing > 0) {
        EXPECT_EQ(all.solutions[0].impulses[0], 0);
        EXPECT_EQ(r[0], 0);
      }
      if (a < 0 || closing < 0) {
        EXPECT_NEAR(all.solutions.back().impulses[0], -closing / a, 1e-15 / std::abs(a));
      }
    }
  }
}

// With stick among the possibilities there is always a solution: the tangential impact. Where the rod would take off by
// itself (b_N > 0) there are three of them, open, sliding and stuck.
TEST(PainleveRodProperty, FullCoulombLaw) {
  math::Random random(103);
  LemkeContactSolver solver;
  int three = 0, impacts = 0;
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const Rod rod{std::exp2(random.uniform(-3, 3)), random.uniform(0.1, 1.4), random.uniform(0.1, 4)};
    const Vector2 b(random.uniform(-0.3, 0.3), random.uniform(-2, 0.5));
    double margin = 1;
    const std::vector<Vector2> expected = rod_solutions(rod, b, margin);
    if (margin < 1e-6 || std::abs(rod.pressed_and_sliding_left()) < 1e-6) continue;
    const ContactProblem problem = test::single_contact(rod.delassus(), b, rod.friction);
    const PlanarSolutions all = all_planar_solutions(problem);
    ASSERT_EQ(all.solutions.size(), expected.size()) << "case " << repeat;
    const auto is_expected = [&](const VectorX& r) {
      return std::any_of(expected.begin(), expected.end(),
                         [&](const Vector2& e) { return (e - r).norm() <= 1e-9 * (1e-3 + e.norm()); });
    };
    for (const PlanarSolution& solution : all.solutions) {
      EXPECT_TRUE(is_expected(solution.impulses)) << "case " << repeat;
      EXPECT_LE(solution.residual, 1e-12);
    }
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged) << "case " << repeat;
    EXPECT_TRUE(is_expected(r)) << "case " << repeat;
    three += expected.size() == 3 ? 1 : 0;
    impacts += rod.pressed_and_sliding_left() < 0 && b[0] < 0 && b[1] < -1 ? 1 : 0;
  }
  EXPECT_GT(three, 50);
  EXPECT_GT(impacts, 50);
}

TEST(LemkeContactSolver, FirstGuessThatSolvesStays) {
  const ContactProblem problem =
      test::problem_from_dense({1, 1}, MatrixX::Ones(2, 2), VectorX::Constant(2, -1), {0.0, 0.0});
  LemkeContactSolver solver;
  linalg::ReusableVector r = VectorX{{0.25, 0.75}};
  const SolveReport report = solver.solve(problem, r);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(r, (VectorX{{0.25, 0.75}}));
  EXPECT_EQ(solver.complementarity()[0].status, ComplementarityStatus::solved);
  r.setZero();
  EXPECT_GT(solver.solve(problem, r).iterations, 0);
  EXPECT_NEAR(r.sum(), 1, 1e-15);
}

TEST(LemkeContactSolverProperty, IterationLimitIsHonest) {
  math::Random random(104);
  const ContactProblem problem = test::random_bodies_problem(random, 20, 8, 0.8, {1, 2});
  for (const int limit : {0, 1, 2, 5, 200}) {
    const SolveOptions options{.tolerance = 1e-12, .max_iterations = limit};
    linalg::ReusableVector r = test::random_vector(random, problem.delassus.scalar_rows());
    linalg::ReusableVector unchanged = r;
    const SolveReport given = LemkeContactSolver().solve(problem, unchanged, {.max_iterations = 0});
    const SolveReport report = LemkeContactSolver().solve(problem, r, options);
    EXPECT_LE(report.residual, given.residual);
    EXPECT_EQ(report.status == SolveStatus::converged, limit == 200);
    test::expect_honest_solution(problem, r, report, options);
  }
}

// Islands to the last bit as if they were alone, and powers of two in masses and velocities change no bit.
TEST(LemkeContactSolverProperty, IslandsAndUnits) {
  math::Random random(105);
  std::vector<ContactProblem> problems;
  for (int i = 0; i < 20; ++i) {
    problems.push_back(i % 2 == 0 ? test::tilted_box_problem(random, 0.2, 0.7)
                                  : test::random_bodies_problem(random, 4, 2, 1, {1, 2}));
  }
  const test::SideBySide together = test::side_by_side(problems);
  linalg::ReusableVector r;
  LemkeContactSolver solver;
  ASSERT_EQ(solver.solve(together.whole, r, test::strict_options).status, SolveStatus::converged);
  for (int i = 0; i < 20; ++i) {
    linalg::ReusableVector alone, heavy;
    solver.solve(problems[i], alone, test::strict_options);
    EXPECT_EQ(together.part(r, i), alone);
    std::vector<int> sizes;
    for (int c = 0; c < problems[i].contacts(); ++c) sizes.push_back(problems[i].block_size(c));
    solver.solve(test::problem_from_dense(sizes, 0x1p-20 * problems[i].delassus.dense(),
                                          0x1p10 * problems[i].free_velocity, problems[i].friction),
                 heavy, test::strict_options);
    EXPECT_EQ(heavy, VectorX(0x1p30 * alone));
  }
}

TEST(LemkeContactSolverProperty, FortyContacts) {
  math::Random random(106);
  LemkeContactSolver solver;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 40, 14, 1, {1, 2});
    linalg::ReusableVector r;
    const SolveReport report = solver.solve(problem, r, test::strict_options);
    EXPECT_EQ(report.status, SolveStatus::converged) << "case " << repeat;
    test::expect_honest_solution(problem, r, report, test::strict_options);
  }
}

TEST(LemkeContactSolverBadInput, ObjectionsAreSentences) {
  const ContactProblem table = test::table_problem(Vector3(0, 0, -1), 0.5);
  EXPECT_THAT(objection_to_lemke(table), testing::HasSubstr("contact 0 has size 3"));
  ContactProblem joint = test::single_contact(MatrixX::Identity(2, 2), VectorX{{-1.0, 0.0}}, 0.5);
  EXPECT_EQ(objection_to_lemke(joint), "");
  linalg::ReusableVector r = VectorX::Constant(2, std::nan(""));
  EXPECT_EQ(LemkeContactSolver().solve(joint, r).status, SolveStatus::converged);
  EXPECT_TRUE(r.allFinite());
  joint.bilateral = {1};
  EXPECT_THAT(objection_to_lemke(joint), testing::HasSubstr("bilateral"));
  joint.bilateral.clear();
  joint.free_velocity[0] = std::nan("");
  EXPECT_THROW(LemkeContactSolver().solve(joint, r), std::invalid_argument);
  EXPECT_THROW(LemkeContactSolver().solve(table, r), std::invalid_argument);
  EXPECT_THROW(all_planar_solutions(table), std::invalid_argument);
  const int many = 301;
  MatrixX chain = MatrixX::Identity(2 * many, 2 * many);
  const auto chained = [&] {
    return test::problem_from_dense(std::vector<int>(many, 2), chain, VectorX::Zero(2 * many),
                                    std::vector<Friction>(many, 0.5));
  };
  EXPECT_EQ(objection_to_lemke(chained()), "");  // each an island of its own
  for (int i = 2; i < 2 * many; i += 2) chain(i, i - 2) = chain(i - 2, i) = 0.25;
  EXPECT_THAT(objection_to_lemke(chained()), testing::HasSubstr("903"));
}

}  // namespace
}  // namespace ricochet::cone
