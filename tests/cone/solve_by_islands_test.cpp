#include "ricochet/cone/solve_by_islands.hpp"

#include <gtest/gtest.h>

#include "cone/test_problems.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/semismooth_newton.hpp"

namespace ricochet::cone {
namespace {

TEST(SolveByIslands, EachIslandIsSolvedAsIfItWereAlone) {
  math::Random random(62);
  std::vector<ContactProblem> problems;
  for (int i = 0; i < 4; ++i) problems.push_back(test::random_bodies_problem(random, 4 + i, 1, 0.5));
  const test::SideBySide all = test::side_by_side(problems);
  SemismoothNewton solver;
  linalg::ReusableVector r;
  const SolveReport report = solve_by_islands(solver, all.whole, r, {});
  const Residual judged = residual(all.whole, r);
  EXPECT_EQ(report.residual, judged.value);
  EXPECT_EQ(report.worst_contact, judged.worst_contact);
  int most = 0;
  for (int i = 0; i < 4; ++i) {
    linalg::ReusableVector alone;
    most = std::max(most, SemismoothNewton().solve(problems[i], alone, {}).iterations);
    EXPECT_EQ(all.part(r, i), alone) << "problem " << i;
  }
  EXPECT_EQ(report.iterations, most);
}

}  // namespace
}  // namespace ricochet::cone
