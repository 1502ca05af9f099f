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

TEST(ContactLaw, StatusOfRollingAndBilateralBlocks) {
  ContactProblem problem = test::problem_from_dense({5, 2}, MatrixX::Identity(7, 7), VectorX::Zero(7), {0.5, 0.5});
  problem.bilateral = {0, 1};
  const VectorX r = (VectorX(7) << 2, 0.6, 0.8, 9, 9, -1, 0).finished();
  EXPECT_EQ(contact_status(problem, r, 0), ContactStatus::slip);
  EXPECT_EQ(contact_status(problem, r, 1), ContactStatus::stick);
}

}  // namespace
}  // namespace ricochet::cone
