#include "ricochet/cone/global_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "cone/test_problems.hpp"
#include "ricochet/cone/contact_solver.hpp"

namespace ricochet::cone {
namespace {

using testing::HasSubstr;

MatrixX random_matrix(math::Random& random, int rows, int columns) {
  MatrixX result(rows, columns);
  for (int j = 0; j < columns; ++j) result.col(j) = test::random_vector(random, rows);
  return result;
}

// Nodes of size 1, 3 and 6 in pairs that a coupled M joins; contacts on one or two nodes of a pair. M is not symmetric.
GlobalContactProblem random_global(math::Random& random, int pairs, int contacts, bool coupled,
                                   const std::vector<int>& possible_sizes) {
  GlobalContactProblem problem;
  std::vector<int> node_sizes;
  for (int i = 0; i < 2 * pairs; ++i) node_sizes.push_back(std::vector<int>{1, 3, 6}[random.integer(3)]);
  problem.mass.reset(node_sizes);
  problem.gradients.reset(node_sizes);
  for (int i = 0; i < 2 * pairs; ++i) {
    const int size = node_sizes[i], other = i ^ 1;
    problem.mass.begin_row(size);
    if (coupled && other < i) problem.mass.append(other) = 0.3 * random_matrix(random, size, node_sizes[other]);
    problem.mass.append(i) = 0.3 * random_matrix(random, size, size) + 8 * MatrixX::Identity(size, size);
    if (coupled && other > i) problem.mass.append(other) = 0.3 * random_matrix(random, size, node_sizes[other]);
  }
  for (int i = 0; i < contacts; ++i) {
    const int size = possible_sizes[random.integer(possible_sizes.size())];
    const int first = 2 * static_cast<int>(random.integer(pairs));
    problem.gradients.begin_row(size);
    const int which = static_cast<int>(random.integer(3));  // the first, the second, or both
    if (which != 1) problem.gradients.append(first) = random_matrix(random, size, node_sizes[first]);
    if (which != 0) problem.gradients.append(first + 1) = random_matrix(random, size, node_sizes[first + 1]);
    problem.friction.emplace_back(random.uniform(), random.uniform(), random.uniform());
  }
  problem.momentum = test::random_vector(random, problem.mass.scalar_rows());
  problem.surface_velocity = test::random_vector(random, problem.gradients.scalar_rows());
  return problem;
}

TEST(GlobalProblem, BallOnTheFloor) {
  const GlobalContactProblem problem = test::ball_on_a_moving_floor();
  GlobalSystem system;
  system.prepare(problem);
  EXPECT_EQ(system.free_velocity(), Vector3(-2, 0, 2));
  const Vector3 r(4, 0, -1);  // stops v_x, and slips
  EXPECT_EQ(system.residual(problem, r).value, 0);
  EXPECT_EQ(system.fclib_residual(problem, r), 0);
  VectorX v;
  linalg::ReusableVector u;
  system.velocity(problem, r, v, u);
  EXPECT_EQ(v, Vector3(0, 0, 2.5));
  EXPECT_EQ(u, Vector3(0, 0, 1.5));
}

TEST(GlobalProblem, NoContactsAndNoNodes) {
  GlobalContactProblem problem;
  GlobalSystem system;
  system.prepare(problem);
  EXPECT_EQ(system.residual(problem, VectorX(0)).worst_contact, -1);
  // A contact between things that cannot move.
  problem.gradients.begin_row(1);
  problem.surface_velocity = VectorX::Constant(1, -3);
  problem.friction = {0};
  system.prepare(problem);
  EXPECT_NEAR(system.residual(problem, VectorX::Zero(1)).value, 1, 1e-15);
}

TEST(GlobalProblemProperty, ReducesToDenseAlgebra) {
  math::Random random(91);
  GlobalSystem system;
  ContactProblem reduced;
  for (int repeat = 0; repeat < 200; ++repeat) {
    GlobalContactProblem problem = random_global(random, 1 + repeat % 4, repeat % 9, repeat % 2 == 0, {1, 2, 3, 5, 6});
    if (repeat % 3 == 0) {
      for (int i = 0; i < problem.contacts(); ++i) problem.bilateral.push_back(static_cast<char>(i % 2));
    }
    system.prepare(problem);
    system.reduce(problem, reduced);
    validate(reduced);
    const MatrixX h = problem.gradients.dense(), inverse = problem.mass.dense().inverse();
    EXPECT_LT((reduced.delassus.dense() - h * inverse * h.transpose()).norm(), 1e-12 * (1 + h.squaredNorm()));
    const VectorX b = h * inverse * problem.momentum + problem.surface_velocity;
    EXPECT_LT((reduced.free_velocity - b).norm(), 1e-12 * (1 + b.norm()));
    EXPECT_EQ(reduced.friction, problem.friction);
    EXPECT_EQ(reduced.bilateral, problem.bilateral);

    const VectorX r = test::random_vector(random, problem.gradients.scalar_rows());
    const Residual global = system.residual(problem, r), local = residual(reduced, r);
    EXPECT_EQ(global.worst_contact, local.worst_contact);
    EXPECT_NEAR(global.value, local.value, 1e-11 * local.value);
    EXPECT_NEAR(system.fclib_residual(problem, r), fclib_residual(reduced, r), 1e-11 * fclib_residual(reduced, r));
    Islands islands;
    islands.find(reduced.delassus);
    ASSERT_EQ(islands.count(), system.scales().islands().count());
    for (int i = 0; i < problem.contacts(); ++i) {
      EXPECT_EQ(islands.island_of(i), system.scales().islands().island_of(i));
    }
  }
}

TEST(GlobalProblemProperty, SolutionOfTheReducedFormSolvesIt) {
  math::Random random(92);
  GlobalSystem system;
  ContactProblem reduced;
  ContactSolver solver;
  for (int repeat = 0; repeat < 30; ++repeat) {
    GlobalContactProblem problem = random_global(random, 6, 8, repeat % 2 == 0, {1, 2, 3});
    for (Friction& friction : problem.friction) friction.sliding *= 0.3;
    system.prepare(problem);
    system.reduce(problem, reduced);
    linalg::ReusableVector r;
    if (solver.solve(reduced, r, {.tolerance = 1e-10}).status != SolveStatus::converged) continue;
    EXPECT_LT(system.residual(problem, r).value, 2e-10);
  }
}

std::string complaint_about(const GlobalContactProblem& problem) {
  try {
    GlobalSystem().prepare(problem);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(GlobalProblemBadInput, IsRejectedWithASentence) {
  math::Random random(93);
  const GlobalContactProblem good = random_global(random, 2, 4, true, {3});
  EXPECT_EQ(complaint_about(good), "");
  GlobalContactProblem bad = good;
  bad.momentum = VectorX::Zero(1);
  EXPECT_THAT(complaint_about(bad), HasSubstr("the momentum f has 1 entries"));
  bad = good;
  bad.surface_velocity = VectorX::Zero(13);
  EXPECT_THAT(complaint_about(bad), HasSubstr("the surface velocity w has 13 entries, H has 12 rows"));
  bad = good;
  bad.friction[2] = -0.5;
  EXPECT_THAT(complaint_about(bad), HasSubstr("contact 2: the friction coefficient -0.5 is negative"));
  bad = good;
  bad.momentum[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(complaint_about(bad), HasSubstr("entry 1 of the momentum f is not finite"));
  bad = good;
  bad.gradients.begin_row(3);
  bad.gradients.append(0).setConstant(std::numeric_limits<double>::infinity());
  bad.surface_velocity = VectorX::Zero(15);
  bad.friction.emplace_back(0.5);
  EXPECT_THAT(complaint_about(bad), HasSubstr("contact 4: its block of H at node 0 is not finite"));
  bad = good;
  bad.gradients.reset(std::vector<int>{1, 2});
  EXPECT_THAT(complaint_about(bad), HasSubstr("the matrix H has 2 block columns for 4 nodes of M"));
  bad = good;
  bad.mass.begin_row(1);
  EXPECT_THAT(complaint_about(bad), HasSubstr("the mass matrix M has 5 block rows but 4 block columns"));
}

TEST(GlobalProblemBadInput, SingularMass) {
  for (const bool coupled : {false, true}) {
    GlobalContactProblem problem;
    problem.mass.reset(std::vector<int>{1, 1});
    problem.gradients.reset(std::vector<int>{1, 1});
    for (int i = 0; i < 2; ++i) {
      problem.mass.begin_row(1);
      for (int j = 0; j < 2; ++j) {
        if (coupled || i == j) problem.mass.append(j).setConstant(coupled ? 1 : i);
      }
    }
    problem.momentum = VectorX::Zero(2);
    EXPECT_THAT(complaint_about(problem), HasSubstr("the mass matrix M is singular"));
  }
}

}  // namespace
}  // namespace ricochet::cone
