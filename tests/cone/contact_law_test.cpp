#include "ricochet/cone/contact_law.hpp"

#include <gtest/gtest.h>

#include "cone/test_problems.hpp"
#include "ricochet/cone/contact_status.hpp"

namespace ricochet::cone {
namespace {

TEST(ContactLaw, DeSaxceTermHoldsEveryGroupOfTheBlock) {
  const double u[6] = {7, 3, 4, 5, 12, -2};
  const Friction friction{0.5, 0.25, 2};
  EXPECT_EQ(de_saxce_term({1, false, friction}, u), 0);
  EXPECT_EQ(de_saxce_term({2, false, friction}, u), 1.5);
  EXPECT_EQ(de_saxce_term({3, false, friction}, u), 2.5);
  EXPECT_EQ(de_saxce_term({5, false, friction}, u), 2.5 + 3.25);
  EXPECT_EQ(de_saxce_term({6, false, friction}, u), 2.5 + 3.25 + 4);
  EXPECT_EQ(de_saxce_term({6, true, friction}, u), 0);
}

TEST(ContactLaw, ProjectsOntoTheConeOfTheBlock) {
  const Friction friction{0.5, 0.25, 2};
  for (const int size : {1, 2, 3, 5, 6}) {
    double below[6] = {-8, 1, 1, 1, 1, 1};
    project_onto_law({size, false, friction}, below);
    for (int k = 0; k < 6; ++k) EXPECT_EQ(below[k], k < size ? 0 : 1);
    double inside[6] = {8, 1, 1, 1, 1, 1};
    project_onto_law({size, false, friction}, inside);
    EXPECT_EQ(inside[0], 8);
    EXPECT_EQ(inside[size - 1], size == 1 ? 8 : 1);
  }
  double anything[4] = {-8, 1, 2, 3};
  project_onto_law({4, true, friction}, anything);
  EXPECT_EQ(anything[0], -8);
}

Friction coupled(double sliding, double rolling = 0) {
  Friction friction{sliding, rolling, 0};
  friction.coupled = true;
  return friction;
}

TEST(ContactLaw, CoupledSlidingAndSpinningShareOneBound) {
  const double u[6] = {7, 2, 3, 6, 3, 4};
  EXPECT_EQ(de_saxce_term({4, false, coupled(0.5)}, u), 3.5);
  EXPECT_EQ(de_saxce_term({6, false, coupled(0.5, 2)}, u), 3.5 + 10);
  double r[6] = {0, 2, 3, 6, 0, 1};  // n = 7/2, the rolling moment is within 1 n
  project_onto_law({6, false, coupled(1, 1)}, r);
  EXPECT_EQ(r[0], 3.5);
  EXPECT_EQ(r[1], 1);
  EXPECT_EQ(r[3], 3);
  EXPECT_EQ(r[5], 1);
  EXPECT_EQ(contact_status({4, false, coupled(1)}, r), ContactStatus::slip);
  r[3] = 2.9;
  EXPECT_EQ(contact_status({4, false, coupled(1)}, r), ContactStatus::stick);
  // For bilateral and smaller blocks the flag means nothing.
  EXPECT_EQ((BlockLaw{3, false, coupled(1)}).linear_size(), 3);
  EXPECT_EQ((BlockLaw{6, true, coupled(1)}).group_count(), 0);
}

TEST(ContactLawBadInput, CoupledBlocksHaveSizesOfTheirOwn) {
  for (const int size : {2, 3, 5}) {
    ContactProblem problem =
        test::problem_from_dense({size}, MatrixX::Identity(size, size), VectorX::Zero(size), {0.5});
    problem.friction[0].coupled = true;
    EXPECT_THROW(validate(problem), std::invalid_argument) << size;
  }
  ContactProblem four = test::problem_from_dense({4}, MatrixX::Identity(4, 4), VectorX::Zero(4), {0.5});
  EXPECT_THROW(validate(four), std::invalid_argument);
  four.friction[0].coupled = true;
  validate(four);
}

TEST(ContactLaw, StatusOfRollingAndBilateralBlocks) {
  ContactProblem problem = test::problem_from_dense({5, 2}, MatrixX::Identity(7, 7), VectorX::Zero(7), {0.5, 0.5});
  problem.bilateral = {0, 1};
  const VectorX r = (VectorX(7) << 2, 0.6, 0.8, 9, 9, -1, 0).finished();
  EXPECT_EQ(contact_status(problem, r, 0), ContactStatus::slip);
  EXPECT_EQ(contact_status(problem, r, 1), ContactStatus::stick);
}

}  // namespace
}  // namespace ricochet::cone
