#include "ricochet/cone/residual_scales.hpp"

#include <gtest/gtest.h>

#include "cone/test_problems.hpp"

namespace ricochet::cone {
namespace {

TEST(ResidualScales, MassAndSpeedOfEachContact) {
  MatrixX delassus = MatrixX::Zero(6, 6);
  delassus.diagonal() << 0.25, 2, 4, 1, 2, 3;
  delassus(0, 2) = delassus(2, 0) = 0.1;  // contacts 0 and 1 are an island, 2 is another
  const VectorX b = (VectorX(6) << -7, 3, -4, 0, 0, 2).finished();
  ResidualScales scales;
  scales.prepare(test::problem_from_dense({1, 2, 3}, delassus, b, {0, 0.5, 0.5}));
  EXPECT_EQ(scales.mass(0), 4);
  EXPECT_EQ(scales.mass(1), 1.0 / 3);
  EXPECT_EQ(scales.mass(2), 0.5);
  EXPECT_EQ(scales.speed(0), 7);
  EXPECT_EQ(scales.speed(1), 7);
  EXPECT_EQ(scales.speed(2), 2);
  EXPECT_EQ(scales.impulse(2), 1);
}

TEST(ResidualScales, SpeedsOfAnIslandThatMovesInAnotherWay) {
  MatrixX delassus = MatrixX::Identity(6, 6);
  delassus(0, 2) = delassus(2, 0) = 0.1;  // contacts 0 and 1 are an island, 2 is another
  VectorX b = (VectorX(6) << -7, 3, -4, 0, 0, 2).finished();
  ResidualScales scales;
  scales.prepare(test::problem_from_dense({1, 2, 3}, delassus, b, {0, 0.5, 0.5}));
  b << 1, -6, 8, 0, 0, 20;
  scales.find_speeds(0, b);
  EXPECT_EQ(scales.speed(0), 10);
  EXPECT_EQ(scales.speed(1), 10);
  EXPECT_EQ(scales.speed(2), 2);  // not asked for
}

TEST(ResidualScales, ContactThatCannotMoveTakesTheMassOfItsIsland) {
  MatrixX delassus = MatrixX::Zero(4, 4);
  delassus(0, 0) = delassus(1, 1) = 6;
  delassus(1, 2) = 0.1;  // W_22 = 0, but it is coupled; contact 3 is alone
  ResidualScales scales;
  scales.prepare(test::problem_from_dense({2, 1, 1}, delassus, VectorX::Ones(4), {0.5, 0, 0}));
  EXPECT_EQ(scales.mass(1), 0.25);
  EXPECT_EQ(scales.mass(2), 1);
}

}  // namespace
}  // namespace ricochet::cone
