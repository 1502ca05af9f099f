#include "ricochet/linalg/node_inverse.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "linalg/test_masses.hpp"

namespace ricochet::linalg {
namespace {

TEST(NodeInverseProperty, InvertsTheFreePart) {
  math::Random random(11);
  for (int i = 0; i < 200; ++i) {
    test::MassCase one(random, 1, i % 2 == 0 ? 0.0 : 0.4, false);
    if (i % 4 == 1) one.dense = MatrixX(one.dense.diagonal().asDiagonal());  // as of a body in its principal axes
    const int size = one.sizes[0];
    Matrix6 matrix = Matrix6::Constant(std::numeric_limits<double>::quiet_NaN());  // nobody looks beyond the node
    matrix.topLeftCorner(size, size) = one.dense;
    NodeInverse inverse(one.free);
    inverse.invert(matrix);
    const MatrixX expected = one.inverse();
    EXPECT_EQ(inverse.movable(), !expected.isZero(0));
    const VectorX right = test::random_matrix(random, size, 1);
    VectorX x = right;
    inverse.multiply(x.data());
    EXPECT_LE((x - expected * right).norm(), 1e-14 * right.norm());

    const int rows = 1 + static_cast<int>(random.integer(6)), others = i % 3 == 0 ? rows : 1 + i % 6;
    const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> left = test::random_matrix(random, rows, size),
                                                         other = test::random_matrix(random, others, size);
    Eigen::Matrix<double, -1, -1, Eigen::RowMajor> product = test::random_matrix(random, rows, others);
    const MatrixX sum = product + left * expected * other.transpose();
    NodeInverse::Product half;
    inverse.multiply_rows(BlockView(left.data(), rows, size), half);
    inverse.add_product(half, other.data(), others, product.data());
    EXPECT_LE((product - sum).norm(), 1e-13);
  }
}

// Whichever way the sizes go: the same bits as from the loops that the formula says.
TEST(NodeInverseProperty, SumsAreTakenInOneOrder) {
  math::Random random(12);
  for (int i = 0; i < 200; ++i) {
    test::MassCase one(random, 1, 0.2, false);
    if (i % 2 == 0) one.dense = MatrixX(one.dense.diagonal().asDiagonal());
    const int size = one.sizes[0], rows = i % 5 == 0 ? 1 : 2 + i % 2;
    Matrix6 matrix = Matrix6::Zero();
    matrix.topLeftCorner(size, size) = one.dense;
    NodeInverse inverse(one.free);
    inverse.invert(matrix);
    const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> left = test::random_matrix(random, rows, size),
                                                         other = test::random_matrix(random, rows, size);
    Eigen::Matrix<double, -1, -1, Eigen::RowMajor> product = test::random_matrix(random, rows, rows), sum = product;
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < rows; ++column) {
        double of_block = 0;
        for (int k = 0; k < size; ++k) {
          double half = 0;
          for (int l = 0; l < size; ++l) half += left(row, l) * inverse.inverse()(l, k);
          of_block += half * other(column, k);
        }
        sum(row, column) += of_block;
      }
    }
    NodeInverse::Product half;
    inverse.multiply_rows(BlockView(left.data(), rows, size), half);
    inverse.add_product(half, other.data(), rows, product.data());
    EXPECT_EQ(product, sum);
  }
}

TEST(NodeInverse, RefusesWhatHasNoInverse) {
  NodeInverse inverse(std::vector<char>(6, 1));
  EXPECT_THROW(inverse.invert(Matrix6::Zero()), std::runtime_error);
  EXPECT_THROW(inverse.invert(Matrix6::Constant(std::numeric_limits<double>::quiet_NaN())), std::runtime_error);
  EXPECT_THROW(NodeInverse(std::vector<char>(7, 1)), std::invalid_argument);
  NodeInverse fixed(std::vector<char>(6, 0));
  EXPECT_NO_THROW(fixed.invert(Matrix6::Zero()));
  EXPECT_FALSE(fixed.movable());
}

}  // namespace
}  // namespace ricochet::linalg
