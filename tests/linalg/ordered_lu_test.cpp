#include "ricochet/linalg/ordered_lu.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <stdexcept>

#include "linalg/test_masses.hpp"

namespace ricochet::linalg {
namespace {

// Compressed columns of all entries that are not zero.
struct Compressed {
  std::vector<int> starts = {0}, rows;
  std::vector<double> values;

  explicit Compressed(const MatrixX& matrix) {
    for (int j = 0; j < matrix.cols(); ++j) {
      for (int i = 0; i < matrix.rows(); ++i) {
        if (matrix(i, j) == 0 && i != j) continue;
        rows.push_back(i);
        values.push_back(matrix(i, j));
      }
      starts.push_back(static_cast<int>(rows.size()));
    }
  }
};

MatrixX sparse_and_dominant(math::Random& random, int size) {
  MatrixX matrix = MatrixX::Zero(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      if (random.integer(3) == 0) matrix(i, j) = random.normal();
    }
    matrix(i, i) = (random.integer(2) == 0 ? 4.0 : -4.0) * size;
  }
  return matrix;
}

std::vector<int> random_order(math::Random& random, int size) {
  std::vector<int> order(size);
  std::iota(order.begin(), order.end(), 0);
  for (int i = size - 1; i > 0; --i) std::swap(order[i], order[random.integer(i + 1)]);
  return order;
}

TEST(OrderedLuProperty, SolvesInAnyOrder) {
  math::Random random(1);
  OrderedLu factors;
  for (int i = 0; i < 100; ++i) {
    const int size = 1 + i % 12;
    const MatrixX matrix = sparse_and_dominant(random, size);
    const Compressed compressed(matrix);
    factors.set_pattern(compressed.starts, compressed.rows, random_order(random, size));
    ASSERT_TRUE(factors.factorise(compressed.values));
    const MatrixX right = test::random_matrix(random, size, 7);
    MatrixX x = right;
    factors.solve(x.data(), 7);
    EXPECT_LE((matrix * x - right).norm(), 1e-13 * right.norm());
    for (int column = 0; column < 7; ++column) {  // each as if it had been alone
      VectorX alone = right.col(column);
      factors.solve(alone.data());
      EXPECT_EQ(alone, x.col(column));
    }
  }
}

TEST(OrderedLu, RemembersNothingOfEarlierValues) {
  math::Random random(2);
  const MatrixX first = sparse_and_dominant(random, 9);
  MatrixX second = first;
  for (int i = 0; i < 9; ++i) second.row(i) *= random.uniform(1e-3, 1);
  const Compressed one(first), two(second);
  const std::vector<int> order = random_order(random, 9);
  OrderedLu old, fresh;
  old.set_pattern(one.starts, one.rows, order);
  fresh.set_pattern(two.starts, two.rows, order);
  ASSERT_TRUE(old.factorise(one.values));
  ASSERT_TRUE(old.factorise(two.values));
  ASSERT_TRUE(fresh.factorise(two.values));
  VectorX x = VectorX::Ones(9), y = x;
  old.solve(x.data());
  fresh.solve(y.data());
  EXPECT_EQ(x, y);
}

// A pattern with room for zeros gives the bits of the pattern without them.
TEST(OrderedLuProperty, ZerosInThePatternDoNotShow) {
  math::Random random(3);
  for (int i = 0; i < 50; ++i) {
    const MatrixX matrix = sparse_and_dominant(random, 8);
    const Compressed tight(matrix), wide(matrix + 1e-300 * MatrixX::Ones(8, 8));
    std::vector<double> values;
    for (int j = 0; j < 8; ++j) {
      for (int k = 0; k < 8; ++k) values.push_back(matrix(k, j));
    }
    ASSERT_EQ(wide.rows.size(), values.size());
    const std::vector<int> order = random_order(random, 8);
    OrderedLu first, second;
    first.set_pattern(tight.starts, tight.rows, order);
    second.set_pattern(wide.starts, wide.rows, order);
    ASSERT_TRUE(first.factorise(tight.values));
    ASSERT_TRUE(second.factorise(values));
    VectorX x = test::random_matrix(random, 8, 1), y = x;
    first.solve(x.data());
    second.solve(y.data());
    EXPECT_EQ(x, y);
  }
}

TEST(OrderedLu, SaysWhenThePivotsAreBad) {
  OrderedLu factors;
  const std::vector<int> starts = {0, 2, 4}, rows = {0, 1, 0, 1}, order = {0, 1};
  factors.set_pattern(starts, rows, order);
  EXPECT_TRUE(factors.factorise(std::vector<double>{1, 0.5, 0.5, -1}));
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& bad : std::vector<std::vector<double>>{
           {0, 1, 1, 0}, {1e-9, 1, 1, 1}, {1, 1, 1, 1}, {not_a_number, 1, 1, 1}, {1, not_a_number, 1, 1}}) {
    EXPECT_FALSE(factors.factorise(bad));
    VectorX x = VectorX::Ones(2);
    EXPECT_THROW(factors.solve(x.data()), std::logic_error);
  }
  EXPECT_TRUE(factors.factorise(std::vector<double>{1, 0.5, 0.5, -1}));
}

TEST(OrderedLuBadInput, PatternsAndOrders) {
  OrderedLu factors;
  EXPECT_THROW(factors.set_pattern(std::vector<int>{0, 1, 2}, std::vector<int>{1, 0}, std::vector<int>{0, 1}),
               std::invalid_argument);  // nothing on the diagonal
  EXPECT_THROW(factors.set_pattern(std::vector<int>{0, 1, 2}, std::vector<int>{0, 1}, std::vector<int>{0, 0}),
               std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::linalg
