#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "linalg/test_masses.hpp"

namespace ricochet::linalg {
namespace {

TEST(BlockDiagonalMassProperty, AgreesWithDenseAlgebra) {
  math::Random random(1);
  for (int i = 0; i < 200; ++i) {
    test::MassCase mass_case(random, 1 + i % 7, i % 3 == 0 ? 0.0 : 0.4, false);
    const auto mass = make_block_diagonal_mass(mass_case.sizes, mass_case.free);
    mass_case.assemble(*mass);
    test::expect_same_as_dense(random, mass_case, *mass);
  }
}

TEST(BlockDiagonalMass, CanBeAssembledAgain) {
  math::Random random(2);
  test::MassCase mass_case(random, 3, 0.2, false);
  const auto mass = make_block_diagonal_mass(mass_case.sizes, mass_case.free);
  mass_case.assemble(*mass);
  mass_case.dense *= 3;
  mass_case.assemble(*mass);
  test::expect_same_as_dense(random, mass_case, *mass);
}

TEST(BlockDiagonalMass, CannotCoupleNodes) {
  const std::vector<int> sizes = {3, 3};
  const std::vector<char> free(6, 1);
  const auto mass = make_block_diagonal_mass(sizes, free);
  EXPECT_THROW(mass->add(0, 1, MatrixX::Identity(3, 3)), std::logic_error);
}

TEST(BlockDiagonalMass, RefusesSingularMatrices) {
  const std::vector<int> sizes = {3, 6};
  const std::vector<char> free(9, 1);
  const auto mass = make_block_diagonal_mass(sizes, free);
  mass->add(0, 0, MatrixX::Identity(3, 3));
  EXPECT_THROW(mass->factorise(), std::runtime_error);  // the second node has no mass
  mass->add(1, 1, MatrixX::Identity(6, 6));
  EXPECT_NO_THROW(mass->factorise());
  mass->add(1, 1, MatrixX::Constant(6, 6, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_THROW(mass->factorise(), std::runtime_error);
}

TEST(BlockDiagonalMass, MassesOfAnySizeAreNotSingular) {
  const std::vector<int> sizes = {6};
  const std::vector<char> free(6, 1);
  const auto mass = make_block_diagonal_mass(sizes, free);
  Vector6 diagonal;
  diagonal << 1e12, 1e12, 1e12, 1e-12, 1e-20, 1e-30;
  mass->add(0, 0, MatrixX(diagonal.asDiagonal()));
  mass->factorise();
  VectorX x = VectorX::Ones(6);
  mass->solve_in_place(x);
  for (int i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(x[i] * diagonal[i], 1);
}

TEST(BlockDiagonalMass, AnEliminatedNodeNeedsNoMass) {
  const std::vector<int> sizes = {3};
  const std::vector<char> free(3, 0);
  const auto mass = make_block_diagonal_mass(sizes, free);
  mass->factorise();
  VectorX x = VectorX::Ones(3);
  mass->solve_in_place(x);
  EXPECT_TRUE(x.isZero(0));
}

// A contact of which no node can move still owns its (zero) diagonal block.
TEST(BlockDiagonalMass, ContactWithoutNodes) {
  const std::vector<int> sizes = {3};
  const std::vector<char> free(3, 1);
  const auto mass = make_block_diagonal_mass(sizes, free);
  mass->add(0, 0, MatrixX::Identity(3, 3));
  mass->factorise();
  BlockSparseMatrix gradients, delassus;
  gradients.reset(sizes);
  gradients.begin_row(2);
  mass->delassus(gradients, delassus);
  ASSERT_EQ(delassus.row(0).size(), 1u);
  EXPECT_TRUE(delassus.dense().isZero(0));
}

}  // namespace
}  // namespace ricochet::linalg
