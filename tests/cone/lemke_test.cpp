#include "ricochet/cone/lemke.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "cone/complementarity_problems.hpp"
#include "ricochet/cone/lcp_enumeration.hpp"

namespace ricochet::cone {
namespace {

using Status = ComplementarityStatus;

double relative_distance(const VectorX& a, const VectorX& b) {
  return (a - b).norm() / std::max({a.norm(), b.norm(), std::numeric_limits<double>::min()});
}

bool is_among(const VectorX& z, const std::vector<VectorX>& solutions) {
  return std::any_of(solutions.begin(), solutions.end(),
                     [&](const VectorX& other) { return z == other || relative_distance(z, other) < 1e-7; });
}

// Lemke as in a textbook, without perturbation: of tied rows the first leaves, or the last. True if a basis comes back.
bool naive_pivoting_cycles(const LinearComplementarityProblem& problem, bool first) {
  const int size = problem.size();
  MatrixX tableau(size, 2 * size + 2);
  tableau << MatrixX::Identity(size, size), -problem.matrix, -VectorX::Ones(size), problem.offset;
  std::vector<int> basic;
  for (int i = 0; i < size; ++i) basic.push_back(i);
  std::set<std::vector<int>> seen;
  int entering = 2 * size;
  for (int row = -1;; row = -1) {
    const bool start = entering == 2 * size;
    double smallest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < size; ++i) {
      if (!start && tableau(i, entering) < 1e-9) continue;
      const double ratio = start ? problem.offset[i] : tableau(i, 2 * size + 1) / tableau(i, entering);
      const bool tie = std::abs(ratio - smallest) < 1e-9;
      if ((!tie && ratio < smallest) || (tie && (!first || basic[i] == 2 * size))) {
        if (tie && row >= 0 && basic[row] == 2 * size) continue;
        smallest = ratio;
        row = i;
      }
    }
    if (row < 0) return false;  // a ray
    const int leaving = basic[row];
    tableau.row(row) /= tableau(row, entering);
    for (int i = 0; i < size; ++i) {
      if (i != row) tableau.row(i) -= (tableau(i, entering) * tableau.row(row)).eval();
    }
    basic[row] = entering;
    if (leaving == 2 * size) return false;
    if (!seen.insert(basic).second) return true;
    entering = leaving < size ? leaving + size : leaving - size;
  }
}

TEST(Lemke, NothingToDo) {
  EXPECT_EQ(solve_lemke({}).report.status, Status::solved);
  const LemkeResult result = solve_lemke({MatrixX{{-1.0, 2.0}, {3.0, -4.0}}, VectorX{{0.0, 5.0}}});
  EXPECT_EQ(result.report.status, Status::solved);
  EXPECT_EQ(result.report.pivots, 0);
  EXPECT_EQ(result.z, VectorX(VectorX::Zero(2)));
}

TEST(Lemke, ByHand) {
  // Cottle, Pang & Stone's obstacle in miniature: z = (2, 1, 0), w = (0, 0, 1).
  const LinearComplementarityProblem problem{MatrixX{{2.0, -1.0, 0.0}, {-1.0, 3.0, 0.0}, {0.0, -1.0, 2.0}},
                                             VectorX{{-3.0, -1.0, 2.0}}};
  const LemkeResult result = solve_lemke(problem);
  EXPECT_EQ(result.report.status, Status::solved);
  EXPECT_LT((result.z - VectorX{{2.0, 1.0, 0.0}}).norm(), 1e-15);
  EXPECT_EQ(result.z[2], 0);
}

void expect_agreement_on_p_matrices(std::uint64_t seed, int repeats, int largest_size) {
  math::Random random(seed);
  int pivots = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const int size = 1 + static_cast<int>(random.integer(largest_size));
    const LinearComplementarityProblem problem{test::random_p_matrix(random, size), test::random_vector(random, size)};
    const LemkeResult result = solve_lemke(problem);
    const EnumerationResult all = enumerate_solutions(problem);
    ASSERT_EQ(result.report.status, Status::solved) << "case " << repeat;
    EXPECT_EQ(result.report.residual, complementarity_residual(problem, result.z));
    EXPECT_LT(test::complementarity_violation(problem, result.z), 1e-13) << "case " << repeat;
    ASSERT_EQ(all.solutions.size(), 1U) << "case " << repeat;
    EXPECT_TRUE(is_among(result.z, all.solutions)) << "case " << repeat;
    pivots = std::max(pivots, result.report.pivots);
  }
  EXPECT_LT(pivots, 40);
}

TEST(LemkeProperty, AgreesWithEnumerationOnPMatrices) { expect_agreement_on_p_matrices(72, 3000, 6); }
TEST(LemkeSlow, AgreesWithEnumerationOnPMatrices) { expect_agreement_on_p_matrices(172, 50'000, 10); }

TEST(LemkeProperty, DecidesPositiveSemidefiniteProblems) {
  math::Random random(73);
  int without = 0;
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const int size = 2 + static_cast<int>(random.integer(5));
    const int rank = static_cast<int>(random.integer(size));
    const MatrixX root = test::random_matrix(random, size, rank);
    MatrixX m = root * root.transpose();
    if (random.integer(2) == 0) m += test::random_skew(random, size);
    const LinearComplementarityProblem problem{m, test::random_vector(random, size)};
    const LemkeResult result = solve_lemke(problem);
    const EnumerationResult all = enumerate_solutions(problem);
    if (all.solutions.empty()) {
      EXPECT_EQ(result.report.status, Status::ray) << "case " << repeat;
      EXPECT_TRUE(result.report.infeasible) << "case " << repeat;
      ++without;
    } else {
      EXPECT_EQ(result.report.status, Status::solved) << "case " << repeat;
      EXPECT_FALSE(result.report.infeasible);
      EXPECT_LT(test::complementarity_violation(problem, result.z), 1e-12) << "case " << repeat;
      EXPECT_TRUE(is_among(result.z, all.solutions)) << "case " << repeat;  // Lemke ends in a corner
    }
  }
  EXPECT_GT(without, 100);
  EXPECT_LT(without, 900);
}

TEST(LemkeProperty, SolvesStrictlyCopositiveProblems) {
  math::Random random(74);
  int several = 0;
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const int size = 1 + static_cast<int>(random.integer(6));
    MatrixX m = test::random_matrix(random, size, size).cwiseAbs() + test::random_skew(random, size);
    m.diagonal() = m.diagonal().cwiseAbs().array() + 0.01;
    const LinearComplementarityProblem problem{m, test::random_vector(random, size)};
    const LemkeResult result = solve_lemke(problem);
    const EnumerationResult all = enumerate_solutions(problem);
    ASSERT_EQ(result.report.status, Status::solved) << "case " << repeat;
    EXPECT_TRUE(is_among(result.z, all.solutions)) << "case " << repeat;
    several += all.solutions.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 50);
}

// A matrix of no class: whatever is said must be true.
TEST(LemkeProperty, IsHonestAboutAnyMatrix) {
  math::Random random(75);
  int solved = 0, missed = 0, proved = 0;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const int size = 1 + static_cast<int>(random.integer(6));
    const LinearComplementarityProblem problem{test::random_matrix(random, size, size),
                                               test::random_vector(random, size)};
    const LemkeResult result = solve_lemke(problem);
    const EnumerationResult all = enumerate_solutions(problem);
    EXPECT_NE(result.report.status, Status::limit) << "case " << repeat;
    if (result.report.status == Status::solved) {
      EXPECT_TRUE(is_among(result.z, all.solutions)) << "case " << repeat;
      ++solved;
    } else {
      EXPECT_GT(result.report.residual, 1e-10);
      missed += all.solutions.empty() ? 0 : 1;
    }
    if (result.report.infeasible) {
      EXPECT_TRUE(all.solutions.empty()) << "case " << repeat;
      ++proved;
    }
  }
  EXPECT_GT(solved, 500);
  EXPECT_GT(missed, 10);  // what the header warns of
  EXPECT_GT(proved, 50);
}

TEST(Lemke, RaysAreReportedAsSuch) {
  // Two closing walls (positive semidefinite), and a rod that friction drives into the floor (Painleve).
  for (const LinearComplementarityProblem& problem :
       {LinearComplementarityProblem{MatrixX{{1.0, -1.0}, {-1.0, 1.0}}, VectorX{{-1.0, -1.0}}},
        LinearComplementarityProblem{MatrixX{{-0.25}}, VectorX{{-2.0}}},
        LinearComplementarityProblem{MatrixX::Zero(3, 3), VectorX{{1.0, -1.0, 0.0}}}}) {
    const LemkeResult result = solve_lemke(problem);
    EXPECT_EQ(result.report.status, Status::ray);
    EXPECT_TRUE(result.report.infeasible);
    EXPECT_TRUE(result.z.allFinite());
    EXPECT_EQ(result.report.residual, complementarity_residual(problem, result.z));
    EXPECT_GT(result.report.residual, 0.01);
  }
  // Feasible (z = (0, 1)), but w_1 = z_2 - 1 needs z_2 >= 1, and then w_2 = z_1 + 1 is not zero: the ray proves
  // nothing.
  const LinearComplementarityProblem crossed{MatrixX{{0.0, 1.0}, {1.0, 0.0}}, VectorX{{-1.0, 1.0}}};
  const LemkeResult ray = solve_lemke(crossed);
  EXPECT_EQ(ray.report.status, Status::ray);
  EXPECT_FALSE(ray.report.infeasible);
  EXPECT_TRUE(enumerate_solutions(crossed).solutions.empty());
}

TEST(Lemke, TiesDoNotCycle) {
  for (int size = 3; size <= 31; size += 2) {
    const LinearComplementarityProblem problem{test::cyclic_matrix(size), -VectorX::Ones(size)};
    if (size < 13) {
      EXPECT_TRUE(naive_pivoting_cycles(problem, true)) << size;
    }
    LemkeOptions options;
    options.covering = VectorX::Ones(size);
    const LemkeResult result = solve_lemke(problem, options);
    EXPECT_EQ(result.report.status, Status::solved);
    EXPECT_LT((result.z - VectorX::Constant(size, 1.0 / 3)).norm(), 1e-15);
    EXPECT_LE(result.report.pivots, size + 1);
  }
}

// Small integers: ties at every step. About one in a hundred of these makes a naive choice cycle.
void expect_degenerate_problems_end(std::uint64_t seed, int repeats) {
  math::Random random(seed);
  int cycles = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const int size = 3 + static_cast<int>(random.integer(4));
    LinearComplementarityProblem problem{MatrixX(size, size), VectorX(size)};
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) problem.matrix(i, j) = static_cast<double>(random.integer(5)) - 2;
      problem.matrix(i, i) = 1 + static_cast<double>(random.integer(2));
      problem.offset[i] = -static_cast<double>(random.integer(2));
    }
    if (problem.offset.minCoeff() >= 0) continue;
    cycles += naive_pivoting_cycles(problem, repeat % 2 == 0) ? 1 : 0;
    LemkeOptions options;
    options.covering = VectorX::Ones(size);
    const LemkeResult result = solve_lemke(problem, options);
    ASSERT_NE(result.report.status, Status::limit) << "case " << repeat;
    if (result.report.status == Status::solved) {
      EXPECT_LT(test::complementarity_violation(problem, result.z), 1e-14);
    }
  }
  EXPECT_GT(cycles, repeats / 200);
}

TEST(LemkeProperty, DegenerateProblemsEnd) { expect_degenerate_problems_end(76, 5000); }
TEST(LemkeSlow, DegenerateProblemsEnd) { expect_degenerate_problems_end(176, 1'000'000); }

// Linear programs as complementarity problems, with Beale's example on which the simplex method cycles.
TEST(Lemke, BealesLinearProgram) {
  // minimise c'x subject to A x >= b, x >= 0:   M = [0, -A'; A, 0],  q = (c, -b)
  const MatrixX a{{-0.25, 60, 0.04, -9}, {-0.5, 90, 0.02, -3}, {0, 0, -1, 0}};
  const VectorX b{{0.0, 0.0, -1.0}}, c{{-0.75, 150.0, -0.02, 6.0}};
  LinearComplementarityProblem problem{MatrixX::Zero(7, 7), VectorX(7)};
  problem.matrix.topRightCorner(4, 3) = -a.transpose();
  problem.matrix.bottomLeftCorner(3, 4) = a;
  problem.offset << c, -b;
  const LemkeResult result = solve_lemke(problem);
  EXPECT_EQ(result.report.status, Status::solved);
  EXPECT_NEAR(c.dot(result.z.head(4)), -0.05, 1e-15);
  EXPECT_NEAR(result.z[2], 1, 1e-14);
}

TEST(LemkeProperty, BadlyScaledProblems) {
  math::Random random(77);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const int size = 1 + static_cast<int>(random.integer(20));
    MatrixX m = test::random_matrix(random, size, size);
    for (int i = 0; i < size; ++i) m(i, i) = m.row(i).cwiseAbs().sum();
    const LinearComplementarityProblem problem{m, test::random_vector(random, size)};
    LinearComplementarityProblem scaled = problem;
    VectorX columns(size);
    for (int i = 0; i < size; ++i) {
      const double row = std::pow(10.0, random.uniform(-8, 8));
      columns[i] = std::pow(10.0, random.uniform(-8, 8));
      scaled.matrix.row(i) *= row;
      scaled.offset[i] *= row;
      scaled.matrix.col(i) *= columns[i];
    }
    const LemkeResult result = solve_lemke(problem), other = solve_lemke(scaled);
    ASSERT_EQ(result.report.status, Status::solved) << "case " << repeat;
    ASSERT_EQ(other.report.status, Status::solved) << "case " << repeat;
    EXPECT_LT(test::complementarity_violation(scaled, other.z), 1e-13);
    for (int i = 0; i < size; ++i) {
      EXPECT_NEAR(columns[i] * other.z[i], result.z[i], 1e-9 * result.z[i]) << "case " << repeat;
    }
  }
}

TEST(LemkeProperty, PowersOfTwoChangeNoBit) {
  math::Random random(78);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const int size = 1 + static_cast<int>(random.integer(12));
    const LinearComplementarityProblem problem{test::random_matrix(random, size, size),
                                               test::random_vector(random, size)};
    const LemkeResult result = solve_lemke(problem);
    const LemkeResult other = solve_lemke({0x1p-30 * problem.matrix, 0x1p11 * problem.offset});
    EXPECT_EQ(other.report.status, result.report.status);
    EXPECT_EQ(other.report.pivots, result.report.pivots);
    EXPECT_EQ(other.z, VectorX(0x1p41 * result.z));
  }
}

TEST(LemkeProperty, LargerProblems) {
  math::Random random(79);
  for (const int size : {30, 60, 120, 200}) {
    const MatrixX root = test::random_matrix(random, size, size);
    const LinearComplementarityProblem problem{root * root.transpose() + test::random_skew(random, size),
                                               test::random_vector(random, size)};
    const LemkeResult result = solve_lemke(problem);
    EXPECT_EQ(result.report.status, Status::solved) << size;
    EXPECT_LT(test::complementarity_violation(problem, result.z), 1e-12) << size;
    EXPECT_LT(result.report.pivots, 5 * size);
  }
}

// A P-matrix on which the entering columns, and z, range over 3^n: what is small in them is not round-off.
TEST(Lemke, SmallEntriesAreNotTakenForARay) {
  for (const int size : {10, 20, 40, 80, 160}) {
    MatrixX m = -2 * MatrixX::Ones(size, size).triangularView<Eigen::StrictlyLower>().toDenseMatrix();
    m.diagonal().setOnes();
    VectorX q = VectorX::Constant(size, 0.1);
    q[0] = -1;
    for (int i = 0; i < size; ++i) m.row(i) /= 1 + 0.3 * i;
    const LinearComplementarityProblem problem{m, q};
    const LemkeResult result = solve_lemke(problem);
    EXPECT_EQ(result.report.status, Status::solved) << size;
    EXPECT_LT(test::complementarity_violation(problem, result.z), 1e-13) << size;
  }
}

TEST(Lemke, PivotLimitIsReported) {
  const LinearComplementarityProblem problem{test::cyclic_matrix(15), -VectorX::Ones(15)};
  for (int limit = 0; limit <= 12; ++limit) {
    LemkeOptions options;
    options.pivot_limit = limit;
    const LemkeResult result = solve_lemke(problem, options);
    EXPECT_EQ(result.report.status, Status::limit);
    EXPECT_EQ(result.report.pivots, limit);
    EXPECT_EQ(result.report.residual, complementarity_residual(problem, result.z));
  }
}

TEST(LemkeBadInput, IsRejected) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solve_lemke({MatrixX::Zero(2, 3), VectorX::Zero(2)}), std::invalid_argument);
  EXPECT_THROW(solve_lemke({MatrixX::Identity(2, 2), VectorX{{nan, -1.0}}}), std::invalid_argument);
  for (const VectorX& covering : {VectorX{{1.0}}, VectorX{{1.0, 0.0}}, VectorX{{1.0, nan}}}) {
    LemkeOptions options;
    options.covering = covering;
    EXPECT_THROW(solve_lemke({MatrixX::Identity(2, 2), VectorX{{-1.0, -1.0}}}, options), std::invalid_argument);
  }
  // Numbers at the ends of the range: any answer, but an honest one.
  for (const double huge : {1e300, 1e-300}) {
    const LinearComplementarityProblem problem{MatrixX{{huge, 1.0}, {-1.0, 1 / huge}}, VectorX{{-huge, -1.0}}};
    const LemkeResult result = solve_lemke(problem);
    EXPECT_EQ(result.report.status == Status::solved, result.report.residual <= 1e-10);
  }
}

}  // namespace
}  // namespace ricochet::cone
