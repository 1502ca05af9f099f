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

TEST(BlockDiagonalMass, FixedNodeCouplesNothing) {
  const std::vector<int> sizes = {3, 3, 3};
  const std::vector<char> free = {1, 1, 1, 0, 0, 0, 1, 1, 1};
  const auto mass = make_block_diagonal_mass(sizes, free);
  for (int node = 0; node < 3; ++node) mass->add(node, node, MatrixX::Identity(3, 3));
  mass->factorise();
  BlockSparseMatrix gradients, delassus;
  gradients.reset(sizes);
  for (int contact = 0; contact < 3; ++contact) {  // 0 on 1, 1 alone, 1 on 2
    gradients.begin_row(1);
    if (contact == 0) gradients.append(0).setOnes();
    gradients.append(1).setOnes();
    if (contact == 2) gradients.append(2).setOnes();
  }
  mass->delassus(gradients, delassus);
  for (int contact = 0; contact < 3; ++contact) EXPECT_EQ(delassus.row(contact).size(), 1);
  EXPECT_EQ(delassus.dense(), MatrixX(Vector3(3, 0, 3).asDiagonal()));
}

TEST(BlockDiagonalMassBadInput, NodeOfSevenComponents) {
  EXPECT_THROW(make_block_diagonal_mass(std::vector<int>{7}, std::vector<char>(7, 1)), std::invalid_argument);
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
