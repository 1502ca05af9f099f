#include "ricochet/cone/contact_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "cone/test_problems.hpp"

namespace ricochet::cone {
namespace {

using testing::HasSubstr;

std::string complaint_about(const ContactProblem& problem) {
  try {
    validate(problem);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

ContactProblem small_valid_problem() {
  math::Random random(3);
  return test::random_bodies_problem(random, 4, 4, 0.5, {1, 2, 3});
}

TEST(ContactProblem, ValidProblemsPass) {
  EXPECT_EQ(complaint_about(ContactProblem{}), "");
  EXPECT_EQ(complaint_about(small_valid_problem()), "");
}

TEST(ContactProblem, DiagonalEntryIsFound) {
  const ContactProblem problem = small_valid_problem();
  for (int i = 0; i < problem.contacts(); ++i) EXPECT_EQ(diagonal_entry(problem.delassus, i).column, i);
}

TEST(ContactProblemBadInput, SizesThatDisagree) {
  ContactProblem problem = small_valid_problem();
  problem.friction.pop_back();
  EXPECT_THAT(complaint_about(problem), HasSubstr("3 friction coefficients for 4 contacts"));
  problem = small_valid_problem();
  problem.free_velocity = VectorX(problem.free_velocity.head(2));
  EXPECT_THAT(complaint_about(problem), HasSubstr("free velocity has 2 entries"));
  problem = small_valid_problem();
  problem.delassus.begin_row(3);
  EXPECT_THAT(complaint_about(problem), HasSubstr("5 block rows but 4 block columns"));
}

TEST(ContactProblemBadInput, RowAndColumnOfDifferentSize) {
  ContactProblem problem;
  problem.delassus.reset(std::vector<int>{2});
  problem.delassus.begin_row(3);
  problem.delassus.append(0);
  problem.free_velocity = VectorX::Zero(3);
  problem.friction = {0.5};
  EXPECT_THAT(complaint_about(problem), HasSubstr("contact 0: its block row has size 3"));
}

TEST(ContactProblemBadInput, UnsupportedBlockSize) {
  for (const int size : {4, 7}) {
    ContactProblem problem = test::single_contact(MatrixX::Identity(size, size), VectorX::Zero(size), 0.5);
    EXPECT_THAT(complaint_about(problem), HasSubstr("is not 1, 2, 3, 5 or 6"));
    problem.bilateral = {1};
    EXPECT_THAT(complaint_about(problem), HasSubstr(size == 4 ? "" : "size 7 is larger than 6"));
    EXPECT_EQ(complaint_about(problem).empty(), size == 4);
  }
}

TEST(ContactProblem, MixedBlocksPassAndHaveTheirLaws) {
  ContactProblem problem = test::problem_from_dense({1, 2, 3, 5, 6, 4}, MatrixX::Identity(21, 21), VectorX::Zero(21),
                                                    {{}, 0.1, 0.2, {0.3, 0.03, -7}, {0.4, 0.04, 0.004}, -1.0});
  problem.bilateral = {0, 0, 0, 0, 0, 1};
  EXPECT_EQ(complaint_about(problem), "");  // coefficients that a block has no use for do not matter
  EXPECT_EQ(problem.law(3).group_count(), 2);
  EXPECT_EQ(problem.law(4).friction, Friction(0.4, 0.04, 0.004));
  EXPECT_TRUE(problem.law(5).bilateral);
  problem.bilateral.pop_back();
  EXPECT_THAT(complaint_about(problem), HasSubstr("5 entries say which of 6 blocks are bilateral"));
}

TEST(ContactProblemBadInput, RollingAndSpinningCoefficients) {
  const auto complaint = [](int size, const Friction& friction) {
    return complaint_about(test::single_contact(MatrixX::Identity(size, size), VectorX::Zero(size), friction));
  };
  EXPECT_THAT(complaint(5, {0.5, -0.1, 0}), HasSubstr("contact 0: the rolling friction coefficient -0.1 is negative"));
  EXPECT_THAT(complaint(6, {0.5, 0.1, -0.2}), HasSubstr("the spinning friction coefficient -0.2 is negative"));
  EXPECT_THAT(complaint(6, {0.5, std::nan(""), 0}), HasSubstr("the rolling friction coefficient is not finite"));
  EXPECT_EQ(complaint(3, {0.5, -0.1, -0.1}), "");
}

TEST(ContactProblemBadInput, NumbersThatAreNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    ContactProblem problem = small_valid_problem();
    problem.friction[2].sliding = bad;
    EXPECT_THAT(complaint_about(problem), HasSubstr("contact 2: the friction coefficient is not finite"));
    problem = small_valid_problem();
    problem.free_velocity[problem.block_offset(1)] = bad;
    EXPECT_THAT(complaint_about(problem), HasSubstr("contact 1: the free velocity is not finite"));
    MatrixX block = MatrixX::Identity(3, 3);
    block(2, 1) = bad;
    EXPECT_THAT(complaint_about(test::single_contact(block, VectorX::Zero(3), 0.5)),
                HasSubstr("contact 0: the Delassus"));
  }
}

TEST(ContactProblemBadInput, NegativeFriction) {
  ContactProblem problem = small_valid_problem();
  problem.friction[3] = -0.1;
  EXPECT_THAT(complaint_about(problem), HasSubstr("contact 3: the friction coefficient -0.1"));
}

TEST(ContactProblemBadInput, MissingDiagonalBlock) {
  ContactProblem problem;
  problem.delassus.reset(std::vector<int>{1, 1});
  problem.delassus.begin_row(1);
  problem.delassus.append(0).setOnes();
  problem.delassus.begin_row(1);
  problem.delassus.append(0).setOnes();
  problem.free_velocity = VectorX::Zero(2);
  problem.friction = {0, 0};
  EXPECT_THAT(complaint_about(problem), HasSubstr("contact 1: its diagonal block"));
}

}  // namespace
}  // namespace ricochet::cone
