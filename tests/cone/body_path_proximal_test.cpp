#include <gtest/gtest.h>

#include "cone/path_towers.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

using test::solve_by_path;
using test::thrown_tower;
using test::Tower;

SolveReport approach(const Tower& tower, linalg::ReusableVector& impulses, double tolerance, int most_steps = 10'000) {
  if (impulses.size() == 0) impulses.setZero(tower.problem.delassus.scalar_rows());
  const SolveOptions options{.tolerance = tolerance, .max_iterations = most_steps};
  return test::prepared_path(tower).approach(tower.scales, impulses, options);
}

// Proximal points end where no path does, too: nearly all towers are solved, and the velocities are those of the path.
TEST(BodyPathProximalProperty, PointsSolveTowersThatAreThrown) {
  math::Random random(2);
  int solved = 0, compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Tower tower = thrown_tower(random, trial);
    linalg::ReusableVector r, by_path, u, path_velocity;
    const SolveReport report = approach(tower, r, 1e-5);
    EXPECT_NEAR(report.residual, residual(tower.problem, tower.scales, r).value, 1e-9) << trial;
    EXPECT_LE(report.residual, 2e-5) << trial;
    if (report.status != SolveStatus::converged) continue;
    ++solved;
    if (tower.problem.contacts() > 12 || solve_by_path(tower, by_path, 1e-5).status != SolveStatus::converged) continue;
    contact_velocity(tower.problem, r, u);
    contact_velocity(tower.problem, by_path, path_velocity);
    EXPECT_LE((u - path_velocity).norm(), 3e-3 * tower.problem.free_velocity.norm()) << trial;
    ++compared;
  }
  EXPECT_GE(solved, 57);  // of 60
  EXPECT_GE(compared, 5);
}

// A solution is a proximal point of itself: from there it takes one path.
TEST(BodyPathProximal, ASolutionIsItsOwnProximalPoint) {
  math::Random random(8);
  Tower tower(random, 8, 0.5, 0.1);
  linalg::ReusableVector r;
  ASSERT_EQ(approach(tower, r, 1e-7).status, SolveStatus::converged);
  const SolveReport again = approach(tower, r, 1e-5);
  EXPECT_EQ(again.status, SolveStatus::converged);
  EXPECT_LE(again.iterations, 30);
}

TEST(BodyPathProximalProperty, UnitsOfMassAndVelocityChangeNoBit) {
  test::in_two_units([](const test::TowersInTwoUnits& towers) {
    linalg::ReusableVector r, scaled;
    approach(towers.tower, r, 1e-6, 100);
    approach(towers.other, scaled, 1e-6, 100);
    EXPECT_EQ(towers.difference(r, scaled), 0) << towers.velocity_unit << " " << towers.mass_unit;
  });
}

}  // namespace
}  // namespace ricochet::cone
