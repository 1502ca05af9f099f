#include <gtest/gtest.h>

#include <stdexcept>

#include "linalg/test_masses.hpp"

namespace ricochet::linalg {
namespace {

TEST(SparseMassProperty, AgreesWithDenseAlgebra) {
  math::Random random(3);
  for (int i = 0; i < 200; ++i) {
    test::MassCase mass_case(random, 1 + i % 7, i % 3 == 0 ? 0.0 : 0.4, true);
    const auto mass = make_sparse_mass(mass_case.sizes, mass_case.free);
    mass_case.assemble(*mass);
    test::expect_same_as_dense(random, mass_case, *mass);
  }
}

TEST(SparseMassProperty, AgreesWithTheBlockDiagonalOne) {
  math::Random random(4);
  for (int i = 0; i < 100; ++i) {
    test::MassCase mass_case(random, 1 + i % 5, 0.3, false);
    const auto sparse = make_sparse_mass(mass_case.sizes, mass_case.free);
    const auto diagonal = make_block_diagonal_mass(mass_case.sizes, mass_case.free);
    mass_case.assemble(*sparse);
    mass_case.assemble(*diagonal);
    VectorX x = test::random_matrix(random, static_cast<int>(mass_case.free.size()), 1);
    VectorX y = x;
    sparse->solve_in_place(x);
    diagonal->solve_in_place(y);
    EXPECT_LE((x - y).norm(), 1e-13);
    BlockSparseMatrix gradients, first, second;
    mass_case.random_gradients(random, 5, gradients);
    sparse->delassus(gradients, first);
    diagonal->delassus(gradients, second);
    EXPECT_LE((first.dense() - second.dense()).norm(), 1e-12);
  }
}

TEST(SparseMass, ContactsThatNothingConnectAreNotCoupled) {
  math::Random random(6);
  test::MassCase two_pairs(random, 4, 0, true);
  two_pairs.block(1, 2).setZero();
  two_pairs.block(2, 1).setZero();
  const auto mass = make_sparse_mass(two_pairs.sizes, two_pairs.free);
  two_pairs.assemble(*mass);
  BlockSparseMatrix gradients, delassus;
  gradients.reset(two_pairs.sizes);
  for (int node = 0; node < 4; ++node) {
    gradients.begin_row(2);
    gradients.append(node) = test::random_matrix(random, 2, two_pairs.sizes[node]);
  }
  mass->delassus(gradients, delassus);
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(delassus.row(i).size(), 2);
    EXPECT_EQ(delassus.row(i)[0].column, i < 2 ? 0 : 2);
  }
}

// The same object, with new values in the old pattern, then with another pattern, then with the first one again.
TEST(SparseMass, FollowsValuesAndPattern) {
  math::Random random(5);
  test::MassCase coupled(random, 4, 0.2, true);
  const auto mass = make_sparse_mass(coupled.sizes, coupled.free);
  coupled.assemble(*mass);
  test::expect_same_as_dense(random, coupled, *mass);
  coupled.dense *= -3;
  coupled.assemble(*mass);
  test::expect_same_as_dense(random, coupled, *mass);
  test::MassCase uncoupled = coupled;
  for (int i = 1; i < 4; ++i) {
    uncoupled.block(i, i - 1).setZero();
    uncoupled.block(i - 1, i).setZero();
  }
  uncoupled.assemble(*mass);
  test::expect_same_as_dense(random, uncoupled, *mass);
  coupled.assemble(*mass);
  test::expect_same_as_dense(random, coupled, *mass);
}

// Another pattern with as many entries in every column: only their rows tell the two apart.
TEST(SparseMass, NoticesAPatternOfTheSameSize) {
  math::Random random(7);
  test::MassCase cyclic(random, 3, 0, false);
  cyclic.sizes = {3, 3, 3};
  cyclic.starts = {0, 3, 6};
  cyclic.free.assign(9, 1);
  const auto mass = make_sparse_mass(cyclic.sizes, cyclic.free);
  for (const int shift : {1, 2, 1}) {
    cyclic.dense = 8 * MatrixX::Identity(9, 9);
    for (int i = 0; i < 3; ++i) {
      cyclic.block(i, i) += test::random_matrix(random, 3, 3);
      cyclic.block(i, (i + shift) % 3) = test::random_matrix(random, 3, 3);
    }
    cyclic.assemble(*mass);
    test::expect_same_as_dense(random, cyclic, *mass);
  }
}

// Pivots that were good for the first values and vanish for the next ones.
TEST(SparseMass, DoesNotRelyOnThePivotsOfEarlierValues) {
  const std::vector<int> sizes = {3};
  const std::vector<char> free = {1, 1, 1};
  const auto mass = make_sparse_mass(sizes, free);
  Matrix3 matrix;
  matrix << 2, 1, 0, 1, 3, 0, 0, 0, 1;
  mass->add(0, 0, matrix);
  mass->factorise();
  for (const double small : {0.0, 1e-18}) {
    matrix << small, 1, 0, 1, small, 0, 0, 0, 1;
    mass->clear();
    mass->add(0, 0, matrix);
    mass->factorise();
    VectorX x = Vector3(2, 3, 4);
    mass->solve_in_place(x);
    EXPECT_LE((x - Vector3(3, 2, 4)).norm(), 1e-14);
  }
}

// What was assembled before must not show in the result: a restarted run has not assembled it.
TEST(SparseMass, ResultsDoNotDependOnHistory) {
  math::Random random(6);
  test::MassCase first(random, 5, 0.2, true);
  test::MassCase second = first;
  for (int i = 0; i < second.dense.rows(); ++i) second.dense.row(i) *= random.uniform(1e-6, 1);
  const auto old = make_sparse_mass(first.sizes, first.free), fresh = make_sparse_mass(first.sizes, first.free);
  first.assemble(*old);
  second.assemble(*old);
  second.assemble(*fresh);
  VectorX x = test::random_matrix(random, static_cast<int>(first.free.size()), 1);
  VectorX y = x;
  old->solve_in_place(x);
  fresh->solve_in_place(y);
  EXPECT_EQ((x - y).cwiseAbs().maxCoeff(), 0);
}

TEST(SparseMass, RefusesSingularMatrices) {
  const std::vector<int> sizes = {3, 3};
  const std::vector<char> free(6, 1);
  const auto mass = make_sparse_mass(sizes, free);
  EXPECT_THROW(mass->factorise(), std::runtime_error);  // nothing assembled
  const MatrixX one = MatrixX::Identity(3, 3);
  // A spring between two nodes without mass.
  for (const int i : {0, 1}) {
    for (const int j : {0, 1}) mass->add(i, j, i == j ? one : MatrixX(-one));
  }
  EXPECT_THROW(mass->factorise(), std::runtime_error);
  mass->add(0, 0, one);
  EXPECT_NO_THROW(mass->factorise());
  VectorX x(6);
  x << 1, 2, 3, 0, 0, 0;
  mass->solve_in_place(x);
  for (int i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(x[i], i + 1);
    EXPECT_DOUBLE_EQ(x[i + 3], i + 1);
  }
}

TEST(SparseMass, EverythingEliminated) {
  const std::vector<int> sizes = {3};
  const std::vector<char> free(3, 0);
  const auto mass = make_sparse_mass(sizes, free);
  mass->add(0, 0, MatrixX::Identity(3, 3));
  mass->factorise();
  VectorX x = VectorX::Ones(3);
  mass->solve_in_place(x);
  EXPECT_TRUE(x.isZero(0));
}

}  // namespace
}  // namespace ricochet::linalg
