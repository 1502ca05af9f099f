#include "ricochet/cone/body_sweeps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "cone/solver_checks.hpp"
#include "cone/test_problems.hpp"
#include "ricochet/cone/gauss_seidel.hpp"

namespace ricochet::cone {
namespace {

MatrixX numbers(math::Random& random, int rows, int columns) {
  MatrixX result(rows, columns);
  for (int j = 0; j < columns; ++j) result.col(j) = test::random_vector(random, rows);
  return result;
}

struct BodyKinds {
  std::vector<int> node_sizes = {6};
  std::vector<int> contact_sizes = {3};
  double unsymmetric = 0;  // part of the masses
  double bilateral = 0;    // part of the contacts
  int most_nodes = 2;      // of a contact
};

// Contacts on one node or several. The masses are full matrices.
GlobalContactProblem random_bodies(math::Random& random, int nodes, int contacts, const BodyKinds& kinds) {
  GlobalContactProblem problem;
  std::vector<int> sizes;
  for (int i = 0; i < nodes; ++i) sizes.push_back(kinds.node_sizes[random.integer(kinds.node_sizes.size())]);
  problem.mass.reset(sizes);
  problem.gradients.reset(sizes);
  for (int i = 0; i < nodes; ++i) {
    problem.mass.begin_row(sizes[i]);
    const MatrixX root = numbers(random, sizes[i], sizes[i]);
    MatrixX mass = 0.3 * root * root.transpose() + MatrixX::Identity(sizes[i], sizes[i]);
    if (random.uniform() < kinds.unsymmetric) mass += 0.2 * numbers(random, sizes[i], sizes[i]);
    problem.mass.append(i) = mass;
  }
  for (int i = 0; i < contacts; ++i) {
    const int size = kinds.contact_sizes[random.integer(kinds.contact_sizes.size())];
    problem.gradients.begin_row(size);
    const int first = static_cast<int>(random.integer(nodes));
    const int count = 1 + static_cast<int>(random.integer(kinds.most_nodes));
    for (int k = first; k < std::min(first + count, nodes); ++k) {
      problem.gradients.append(k) = numbers(random, size, sizes[k]);
    }
    problem.friction.emplace_back(random.uniform(0, 0.4), random.uniform(0, 0.2), random.uniform(0, 0.2));
    problem.bilateral.push_back(static_cast<char>(random.uniform() < kinds.bilateral));
  }
  problem.momentum = test::random_vector(random, problem.mass.scalar_rows());
  problem.surface_velocity = 0.2 * test::random_vector(random, problem.gradients.scalar_rows());
  return problem;
}

ContactProblem reduced_form(const GlobalContactProblem& problem) {
  GlobalSystem system;
  ContactProblem reduced;
  system.prepare(problem);
  system.reduce(problem, reduced);
  return reduced;
}

// The same matrix with rows and columns cut into single components.
linalg::BlockSparseMatrix cut(const linalg::BlockSparseMatrix& matrix, bool rows_too) {
  const MatrixX dense = matrix.dense();
  const std::vector<int> single(static_cast<std::size_t>(dense.cols()), 1);
  linalg::BlockSparseMatrix result;
  result.reset(single);
  int row = 0;
  for (int i = 0; i < (rows_too ? matrix.scalar_rows() : matrix.rows()); ++i) {
    const int size = rows_too ? 1 : matrix.row_size(i);
    result.begin_row(size);
    for (int j = 0; j < dense.cols(); ++j) {
      const MatrixX block = dense.block(row, j, size, 1);
      if (!block.isZero(0)) result.append(j) = block;
    }
    row += size;
  }
  return result;
}

void expect_honest(const GlobalContactProblem& problem, const linalg::ReusableVector& r, const SolveReport& report,
                   const SolveOptions& options) {
  ASSERT_TRUE(r.allFinite());
  GlobalSystem judge;
  judge.prepare(problem);
  const Residual truth = judge.residual(problem, r);
  EXPECT_EQ(report.residual, truth.value);
  EXPECT_EQ(report.worst_contact, truth.worst_contact);
  EXPECT_EQ(report.status == SolveStatus::converged, report.residual <= options.tolerance);
  EXPECT_LE(report.iterations, options.max_iterations);
}

TEST(BodySweeps, BallOnTheFloor) {
  const GlobalContactProblem problem = test::ball_on_a_moving_floor();
  linalg::ReusableVector r;
  const SolveReport report = BodySweeps().solve(problem, r);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_LT((r - Vector3(4, 0, -1)).norm(), 1e-14);  // stops v_x, and slips
}

TEST(BodySweeps, NoContactsAndNothingThatMoves) {
  GlobalContactProblem problem;
  linalg::ReusableVector r = VectorX::Ones(4);
  EXPECT_EQ(BodySweeps().solve(problem, r).worst_contact, -1);
  EXPECT_EQ(r.size(), 0);
  problem.gradients.begin_row(3);  // a contact between things that cannot move
  problem.surface_velocity = Vector3(-3, 0, 0);
  problem.friction = {0.5};
  const SolveReport report = BodySweeps().solve(problem, r, {.max_iterations = 5});
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_NEAR(report.residual, 1, 1e-15);
}

TEST(BodySweepsProperty, TheIteratesAreThoseOfTheReducedForm) {
  math::Random random(411);
  BodySweeps sweeps;
  NonsmoothGaussSeidel blocks;
  const std::vector<BodyKinds> all_kinds = {
      {},
      {.node_sizes = {3, 6}, .contact_sizes = {1, 2, 3}},
      {.node_sizes = {1, 2, 3, 6}, .unsymmetric = 0.5, .most_nodes = 4},
      {.contact_sizes = {1, 2, 3, 5, 6}, .unsymmetric = 0.2, .bilateral = 0.2, .most_nodes = 3},
  };
  for (const BodyKinds& kinds : all_kinds) {
    for (int repeat = 0; repeat < 60; ++repeat) {
      const GlobalContactProblem problem = random_bodies(random, 8, 4 + repeat % 12, kinds);
      const ContactProblem reduced = reduced_form(problem);
      const VectorX guess = repeat % 2 == 0 ? VectorX::Zero(problem.gradients.scalar_rows()).eval()
                                            : test::random_vector(random, problem.gradients.scalar_rows());
      // Whoever is allowed one sweep has nothing else to return.
      linalg::ReusableVector mine = guess, theirs = guess;
      sweeps.prepare(problem, mine);
      for (int sweep = 0; sweep < 4; ++sweep) {
        blocks.solve(reduced, theirs, {.tolerance = 1e-300, .max_iterations = 1});
        for (int island = 0; island < sweeps.islands().count(); ++island) {
          if (sweep == 0) sweeps.load(island, mine);
          sweeps.sweep(island, 0);
          sweeps.store(island, mine);
        }
        ASSERT_LT((mine - theirs).norm(), 1e-9 * (1 + theirs.norm())) << repeat << ", " << sweep;
      }
    }
  }
}

TEST(BodySweepsProperty, SolvesWhatTheReducedFormSolvesAndIsHonest) {
  math::Random random(412);
  BodySweeps sweeps;
  NonsmoothGaussSeidel blocks;
  int solved = 0;
  for (int repeat = 0; repeat < 60; ++repeat) {
    const BodyKinds kinds{.node_sizes = {3, 6}, .contact_sizes = {1, 2, 3, 5}, .unsymmetric = 0.1, .bilateral = 0.05};
    const GlobalContactProblem problem = random_bodies(random, 20, 1 + repeat % 30, kinds);
    const ContactProblem reduced = reduced_form(problem);
    for (const SolveOptions& options : {SolveOptions{.tolerance = 1e-10, .max_iterations = 400},
                                        SolveOptions{.tolerance = 1e-8, .max_iterations = 13}}) {
      const VectorX guess = test::random_vector(random, problem.gradients.scalar_rows());
      linalg::ReusableVector r = guess, theirs = guess;
      const SolveReport report = sweeps.solve(problem, r, options);
      expect_honest(problem, r, report, options);
      EXPECT_EQ(report.status, blocks.solve(reduced, theirs, options).status);
      if (report.status != SolveStatus::converged) continue;
      ++solved;
      // Who starts at the solution is there after a sweep.
      const VectorX solution = r;
      EXPECT_LE(sweeps.solve(problem, r, {.tolerance = 1e-8}).iterations, 1);
      EXPECT_LT((r - solution).norm(), 1e-6 * (1 + solution.norm()));
    }
  }
  EXPECT_GE(solved, 60);
}

TEST(BodySweepsProperty, NodesCutIntoComponentsGiveTheSame) {
  math::Random random(413);
  for (int repeat = 0; repeat < 30; ++repeat) {
    GlobalContactProblem problem = random_bodies(random, 6, 10, {.node_sizes = {6}});
    // A file knows bodies in their principal axes as a diagonal matrix.
    problem.mass.reset(std::vector<int>(6, 6));
    for (int i = 0; i < 6; ++i) {
      problem.mass.begin_row(6);
      problem.mass.append(i) = VectorX(test::random_vector(random, 6).cwiseAbs2().array() + 0.5).asDiagonal();
    }
    GlobalContactProblem pieces = problem;
    pieces.mass = cut(problem.mass, true);
    pieces.gradients = cut(problem.gradients, false);
    const SolveOptions options{.tolerance = 1e-10, .max_iterations = 50};
    linalg::ReusableVector r, of_pieces;
    const SolveReport report = BodySweeps().solve(problem, r, options);
    const SolveReport report_of_pieces = BodySweeps().solve(pieces, of_pieces, options);
    EXPECT_EQ(report.status, report_of_pieces.status);
    EXPECT_LT((r - of_pieces).norm(), 1e-9 * r.norm());
  }
}

TEST(BodySweepsProperty, PowersOfTwoOfUnitsChangeNothing) {
  math::Random random(414);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const GlobalContactProblem problem = random_bodies(random, 6, 9, {.unsymmetric = 0.2});
    GlobalContactProblem scaled = problem;  // masses by 2^5, velocities by 2^-3
    scaled.mass.reset(std::vector<int>(6, 6));
    for (int i = 0; i < 6; ++i) {
      scaled.mass.begin_row(6);
      scaled.mass.append(i) = 32 * problem.mass.block(i, problem.mass.row(i)[0]);
    }
    scaled.momentum = 4 * problem.momentum;
    scaled.surface_velocity = 0.125 * problem.surface_velocity;
    linalg::ReusableVector r, scaled_r;
    const SolveReport report = BodySweeps().solve(problem, r);
    const SolveReport scaled_report = BodySweeps().solve(scaled, scaled_r);
    EXPECT_EQ(scaled_r, 4 * r);
    EXPECT_EQ(report.iterations, scaled_report.iterations);
    EXPECT_EQ(report.residual, scaled_report.residual);
  }
}

TEST(BodySweepsProperty, IslandsAreSolvedAsIfAlone) {
  math::Random random(415);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const BodyKinds kinds{.node_sizes = {6}, .contact_sizes = {2, 3}};
    const GlobalContactProblem one = random_bodies(random, 4, 6, kinds), two = random_bodies(random, 5, 12, kinds);
    GlobalContactProblem both;
    const std::vector<int> sizes(9, 6);
    both.mass.reset(sizes);
    both.gradients.reset(sizes);
    for (const auto& [part, start] : {std::pair{&one, 0}, std::pair{&two, 4}}) {
      for (int i = 0; i < part->nodes(); ++i) {
        both.mass.begin_row(6);
        both.mass.append(start + i) = part->mass.block(i, part->mass.row(i)[0]);
      }
      for (int i = 0; i < part->contacts(); ++i) {
        both.gradients.begin_row(part->gradients.row_size(i));
        for (const auto& entry : part->gradients.row(i)) {
          both.gradients.append(start + entry.column) = part->gradients.block(i, entry);
        }
        both.friction.push_back(part->friction[i]);
      }
    }
    const auto joined = [](const VectorX& first, const VectorX& second) {
      VectorX result(first.size() + second.size());
      result << first, second;
      return result;
    };
    both.momentum = joined(one.momentum, two.momentum);
    both.surface_velocity = joined(one.surface_velocity, two.surface_velocity);
    linalg::ReusableVector r, first, second;
    const SolveReport report = BodySweeps().solve(both, r);
    const SolveReport of_first = BodySweeps().solve(one, first), of_second = BodySweeps().solve(two, second);
    EXPECT_EQ(r, joined(first, second));
    EXPECT_EQ(report.iterations, std::max(of_first.iterations, of_second.iterations));
    EXPECT_EQ(report.residual, std::max(of_first.residual, of_second.residual));
  }
}

TEST(BodySweeps, NothingThatClosesNeedsNoImpulseWhateverTheGuess) {
  math::Random random(416);
  GlobalContactProblem problem = random_bodies(random, 3, 4, {});
  problem.momentum.setZero();
  for (int i = 0; i < 4; ++i) problem.surface_velocity[3 * i] = 0.5;
  linalg::ReusableVector r = VectorX::Ones(12);
  const SolveReport report = BodySweeps().solve(problem, r);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_TRUE(r.isZero(0));
}

TEST(BodySweepsBadInput, GuessesAreRepairedAndMassesThatCoupleRefused) {
  math::Random random(417);
  GlobalContactProblem problem = random_bodies(random, 3, 3, {.node_sizes = {3}});
  linalg::ReusableVector r = VectorX::Constant(9, std::numeric_limits<double>::quiet_NaN()), from_zero;
  BodySweeps().solve(problem, r);
  BodySweeps().solve(problem, from_zero);
  EXPECT_EQ(r, from_zero);
  problem.mass.reset(std::vector<int>{3, 3, 3});
  for (int i = 0; i < 3; ++i) {
    problem.mass.begin_row(3);
    if (i == 1) problem.mass.append(0) = 0.1 * Matrix3::Identity();
    problem.mass.append(i) = Matrix3::Identity();
  }
  try {
    BodySweeps().solve(problem, r);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("couples nodes"));
  }
}

}  // namespace
}  // namespace ricochet::cone
