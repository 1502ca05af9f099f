#include "ricochet/io/scalar_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "io/problem_test_support.hpp"

namespace ricochet::io {
namespace {

using testing::HasSubstr;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string complaint_after(ScalarProblem scalars, const std::function<void(ScalarProblem&)>& spoil) {
  spoil(scalars);
  try {
    make_problem(scalars);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

// One free body of mass 2 and a massless-looking joint: M v = f + H r + G l, in three components.
ScalarProblem global_problem() {
  ScalarProblem scalars;
  scalars.global = true;
  scalars.dimension = 2;
  scalars.M.rows = scalars.M.columns = scalars.H.rows = scalars.G.rows = 3;
  for (int i = 0; i < 3; ++i) scalars.M.add(i, i, 2);
  scalars.H.columns = 2;
  scalars.H.add(1, 0, 1);
  scalars.H.add(0, 1, 1);
  scalars.G.columns = 1;
  scalars.G.add(2, 0, 4);
  scalars.f = {1, -2, 3};
  scalars.w = {0.5, 0};
  scalars.b = {-1};
  scalars.mu = {0.3};
  return scalars;
}

TEST(ScalarProblem, LocalProblemsSurvive) {
  for (const int dimension : {1, 2, 3, 5, 6}) {
    const cone::ContactProblem problem = test::chain_problem(4, dimension);
    const ScalarProblem scalars = to_scalars(problem);
    EXPECT_EQ(scalars.dimension, dimension);
    EXPECT_EQ(scalars.mu_r.size(), dimension > 3 ? 4u : 0u);
    EXPECT_TRUE(test::same(std::get<cone::ContactProblem>(make_problem(scalars)), problem));
  }
}

TEST(ScalarProblem, BilateralRowsFollowTheContacts) {
  const cone::ContactProblem contacts = test::chain_problem(2, 3);
  ScalarProblem scalars = to_scalars(contacts);
  scalars.V.rows = 6;
  scalars.V.columns = scalars.R.rows = scalars.R.columns = 2;
  scalars.V.add(4, 1, 0.25);
  scalars.R.add(0, 0, 2);
  scalars.s = {7, 8};
  const auto problem = std::get<cone::ContactProblem>(make_problem(scalars));
  ASSERT_EQ(problem.contacts(), 4);
  EXPECT_FALSE(problem.is_bilateral(1));
  EXPECT_TRUE(problem.is_bilateral(2) && problem.is_bilateral(3));
  const MatrixX dense = problem.delassus.dense();
  EXPECT_EQ(dense(4, 7), 0.25);
  EXPECT_EQ(dense(7, 4), 0.25);
  EXPECT_EQ(dense(6, 6), 2);
  EXPECT_EQ(problem.free_velocity[7], 8);
  EXPECT_TRUE(test::same(std::get<cone::ContactProblem>(make_problem(to_scalars(problem))), problem));
}

TEST(ScalarProblem, GlobalProblemsAreTransposed) {
  const ScalarProblem scalars = global_problem();
  auto problem = std::get<cone::GlobalContactProblem>(make_problem(scalars));
  ASSERT_EQ(problem.contacts(), 2);
  EXPECT_EQ(problem.gradients.scalar_rows(), 3);
  cone::GlobalSystem system;
  system.prepare(problem);
  VectorX v;
  linalg::ReusableVector u;
  system.velocity(problem, VectorX{{2.0, 0.0, 0.0}}, v, u);
  EXPECT_DOUBLE_EQ(v[1], 0);  // (-2 + 2) / 2
  EXPECT_DOUBLE_EQ(u[0], 0.5);
  EXPECT_DOUBLE_EQ(u[1], 0.5);
  EXPECT_DOUBLE_EQ(u[2], 4 * 1.5 - 1);
  const ScalarProblem back = to_scalars(problem);
  EXPECT_EQ(back.G.entries, scalars.G.entries);
  EXPECT_EQ(back.w, scalars.w);
  EXPECT_EQ(back.b, scalars.b);
}

TEST(ScalarProblem, MixedSizesHaveNoPlace) {
  cone::ContactProblem mixed;
  mixed.delassus.reset(std::vector<int>{3, 2});
  mixed.delassus.begin_row(3);
  mixed.delassus.append(0).setIdentity();
  mixed.delassus.begin_row(2);
  mixed.delassus.append(1).setIdentity();
  mixed.free_velocity = VectorX::Zero(5);
  mixed.friction = {0.5, 0.5};
  try {
    to_scalars(mixed);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("contact 1 has 2 components"));
  }
  // Bilateral blocks may have any size.
  mixed.bilateral = {0, 1};
  EXPECT_EQ(to_scalars(mixed).s.size(), 2u);
}

TEST(ScalarProblemBadInput, LocalProblems) {
  const ScalarProblem good = to_scalars(test::chain_problem(3, 3));
  const auto complaint = [&](const std::function<void(ScalarProblem&)>& spoil) { return complaint_after(good, spoil); };
  EXPECT_EQ(complaint([](ScalarProblem&) {}), "");
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.W.columns = 8; }), HasSubstr("W is a matrix of 9 x 8"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.W.add(9, 0, 1); }), HasSubstr("row 9, column 0"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.W.add(0, -1, 1); }), HasSubstr("column -1"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.W.entries[5].value = not_a_number; }), HasSubstr("not finite"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.q[2] = 1 / 0.0; }), HasSubstr("entry 2 of q is not finite"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.q.pop_back(); }), HasSubstr("W is a matrix of 9 x 9"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.mu.push_back(1); }), HasSubstr("4 friction coefficients"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.mu[1] = -0.1; }), HasSubstr("mu of contact 1 is negative"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.mu[1] = not_a_number; }), HasSubstr("mu"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.dimension = 4; }), HasSubstr("dimension 4"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.dimension = -3; }), HasSubstr("dimension -3"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.dimension = 2'000'000'000; }), HasSubstr("dimension 2000000000"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.s = {1}; }), HasSubstr("V is a matrix of 0 x 0"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.mu_r = {1, 1, 1}; }), HasSubstr("mu_r"));
  // Entries that are finite one by one, but not their sum.
  EXPECT_THAT(complaint([](ScalarProblem& p) {
                p.W.add(0, 0, 1e308);
                p.W.add(0, 0, 1e308);
              }),
              HasSubstr("not finite"));
}

TEST(ScalarProblemBadInput, GlobalProblems) {
  const ScalarProblem good = global_problem();
  const auto complaint = [&](const std::function<void(ScalarProblem&)>& spoil) { return complaint_after(good, spoil); };
  EXPECT_EQ(complaint([](ScalarProblem&) {}), "");
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.M.rows = 2'000'000'000; }), HasSubstr("M is a matrix of 2000000000"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.H.columns = 3; }), HasSubstr("H is a matrix of 3 x 3"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.G.rows = 2; }), HasSubstr("G is a matrix of 2 x 1"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.w.push_back(0); }), HasSubstr("H is a matrix"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.f[0] = not_a_number; }), HasSubstr("entry 0 of f"));
  EXPECT_THAT(complaint([](ScalarProblem& p) { p.b[0] = not_a_number; }), HasSubstr("entry 0 of b"));
}

}  // namespace
}  // namespace ricochet::io
