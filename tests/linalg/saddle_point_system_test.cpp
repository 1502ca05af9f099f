#include "ricochet/linalg/saddle_point_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "linalg/test_masses.hpp"

namespace ricochet::linalg {
namespace {

// A dense saddle-point matrix and its system, with components eliminated first.
struct SaddleCase {
  MatrixX matrix, g;
  SaddlePointSystem system;
  std::vector<double> values;

  SaddleCase(MatrixX of_components, MatrixX of_rows) : matrix(std::move(of_components)), g(std::move(of_rows)) {
    const auto components = static_cast<int>(matrix.rows()), rows = static_cast<int>(g.rows());
    SaddlePointPattern pattern;
    pattern.components = components;
    pattern.rows = rows;
    for (int j = 0; j < components + rows; ++j) {
      for (int i = 0; i < components + rows; ++i) {
        if (std::min(i, j) < components || i == j) pattern.indices.push_back(i);
      }
      pattern.starts.push_back(static_cast<int>(pattern.indices.size()));
    }
    pattern.order.resize(components + rows);
    std::iota(pattern.order.begin(), pattern.order.end(), 0);
    system.set_pattern(pattern);
  }

  MatrixX dense() const {
    const Eigen::Index components = matrix.rows(), all = components + g.rows();
    MatrixX result = MatrixX::Zero(all, all);
    result.topLeftCorner(components, components) = matrix;
    result.bottomLeftCorner(g.rows(), components) = g;
    result.topRightCorner(components, g.rows()) = g.transpose();
    return result;
  }

  void factorise() {
    const MatrixX all = dense();
    values.clear();
    const SaddlePointPattern& pattern = system.pattern();
    for (int j = 0; j < pattern.unknowns(); ++j) {
      for (int k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k) values.push_back(all(pattern.indices[k], j));
    }
    system.factorise(values);
  }

  VectorX solve(const VectorX& right) const {
    VectorX x = right;
    system.solve(x.data());
    return x;
  }
};

MatrixX positive_matrix(math::Random& random, int size) {
  const MatrixX root = test::random_matrix(random, size, size);
  return root * root.transpose() + MatrixX::Identity(size, size);
}

TEST(SaddlePointSystemProperty, AgreesWithDenseAlgebra) {
  math::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const int components = 1 + i % 9, rows = static_cast<int>(random.integer(components + 1));
    MatrixX matrix = positive_matrix(random, components);
    matrix += 0.1 * test::random_matrix(random, components, components);  // gyroscopic forces are not symmetric
    SaddleCase saddle(matrix, test::random_matrix(random, rows, components));
    saddle.factorise();
    const VectorX right = test::random_matrix(random, components + rows, 1), x = saddle.solve(right);
    EXPECT_LE((saddle.dense() * x - right).norm(), 1e-13 * saddle.dense().norm() * x.norm());
  }
}

// Rows that say what others say already: the solution obeys them all, as if there were no delta.
TEST(SaddlePointSystemProperty, RedundantRowsDoNoHarm) {
  math::Random random(2);
  for (int i = 0; i < 100; ++i) {
    const int components = 4 + i % 5;
    const MatrixX g = test::random_matrix(random, 3, components), mix = test::random_matrix(random, 4, 3);
    MatrixX redundant(7, components);
    redundant << g, mix * g;
    const MatrixX matrix = positive_matrix(random, components);
    SaddleCase all(matrix, redundant), few(matrix, g);
    all.factorise();
    few.factorise();
    const VectorX momentum = test::random_matrix(random, components, 1), rates = test::random_matrix(random, 3, 1);
    VectorX right(components + 7), right_of_few(components + 3);
    right << momentum, rates, mix * rates;
    right_of_few << momentum, rates;
    const VectorX x = all.solve(right), expected = few.solve(right_of_few);
    EXPECT_LE((x.head(components) - expected.head(components)).norm(), 1e-9 * expected.norm());
    EXPECT_LE((redundant * x.head(components) - right.tail(7)).norm(), 1e-12 * (1 + right.norm() + x.norm()));
  }
}

TEST(SaddlePointSystemProperty, ColumnsTogetherAreColumnsAlone) {
  math::Random random(3);
  SaddleCase saddle(positive_matrix(random, 6), test::random_matrix(random, 3, 6));
  saddle.factorise();
  MatrixX together = test::random_matrix(random, 9, 11);
  together.col(4).setZero();
  together.col(7) *= 1e-9;
  const MatrixX right = together;
  saddle.system.solve(together.data(), 11);
  for (int i = 0; i < 11; ++i) EXPECT_EQ(saddle.solve(right.col(i)), together.col(i)) << i;
}

// Units that are powers of two: mass, length of rotations and rows, impulses.
TEST(SaddlePointSystemProperty, UnitsThatArePowersOfTwoGiveTheSameBits) {
  math::Random random(4);
  const MatrixX matrix = positive_matrix(random, 6), g = test::random_matrix(random, 2, 6);
  const VectorX right = test::random_matrix(random, 8, 1);
  SaddleCase plain(matrix, g);
  plain.factorise();
  const VectorX expected = plain.solve(right);
  const double mass = std::ldexp(1, -13), length = std::ldexp(1, 9);
  VectorX unit = VectorX::Ones(6);  // components 3 to 5 are rotations: kg m^2, and what they do in rows is a length
  unit.tail(3).setConstant(length);
  SaddleCase scaled(mass * unit.asDiagonal() * matrix * unit.asDiagonal(), length * g * unit.asDiagonal());
  scaled.factorise();
  VectorX scaled_right = right;
  scaled_right.head(6).array() *= mass * unit.array();
  scaled_right.tail(2) *= length;
  VectorX x = scaled.solve(scaled_right);
  x.head(6).array() *= unit.array();
  x.tail(2) *= length / mass;
  EXPECT_EQ(x, expected);
}

// Springs in compression can take away all stiffness along a component while others hold it: no pivot on the diagonal.
TEST(SaddlePointSystem, SearchesForPivotsWhereTheDiagonalHasNone) {
  for (const double small : {0.0, 1e-18, 1e-6}) {
    MatrixX matrix(2, 2);
    matrix << small, 1, 1, small;
    SaddleCase saddle(matrix, MatrixX::Zero(0, 2));
    saddle.factorise();
    const VectorX x = saddle.solve(Vector2(2, 3));
    EXPECT_LE((matrix * x - Vector2(2, 3)).norm(), 1e-15);
    saddle.matrix = MatrixX::Identity(2, 2);  // and back to good ones
    saddle.factorise();
    EXPECT_EQ(saddle.solve(Vector2(2, 3)), Vector2(2, 3));
  }
}

TEST(SaddlePointSystem, RefusesSingularMatrices) {
  SaddleCase singular(MatrixX::Ones(2, 2), MatrixX::Zero(0, 2));
  EXPECT_THROW(singular.factorise(), std::runtime_error);
  SaddleCase no_number(MatrixX::Constant(2, 2, std::numeric_limits<double>::quiet_NaN()), MatrixX::Ones(1, 2));
  EXPECT_THROW(no_number.factorise(), std::runtime_error);
}

TEST(SaddlePointSystem, ARowThatHoldsNothingDoesNotMatter) {
  math::Random random(5);
  MatrixX g = test::random_matrix(random, 2, 3);
  g.row(1).setZero();
  SaddleCase saddle(positive_matrix(random, 3), g);
  saddle.factorise();
  VectorX right = test::random_matrix(random, 5, 1);
  right[4] = 0;
  const VectorX x = saddle.solve(right);
  EXPECT_LE((saddle.dense() * x - right).norm(), 1e-13 * right.norm());
  EXPECT_EQ(x[4], 0);
}

}  // namespace
}  // namespace ricochet::linalg
