#include <gtest/gtest.h>

#include <algorithm>

#include "cone/path_towers.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

using test::thrown_tower;
using test::Tower;

SolveReport solve_held(const Tower& tower, linalg::ReusableVector& impulses, double tolerance, double phi) {
  return test::prepared_path(tower).solve_held(tower.scales, impulses, {.tolerance = tolerance}, phi);
}

bool sweep(const Tower& tower, linalg::ReusableVector& impulses, double tolerance) {
  const SolveOptions options{.tolerance = tolerance, .max_iterations = 100'000};
  return NonsmoothGaussSeidel().solve(tower.problem, impulses, options).status == SolveStatus::converged;
}

// J: what friction gives to contacts that it drives.
double given(const Tower& tower, const linalg::ReusableVector& impulses) {
  linalg::ReusableVector velocity;
  contact_velocity(tower.problem, impulses, velocity);
  double sum = 0;
  for (int i = 0; i < tower.problem.contacts(); ++i) {
    const int start = tower.problem.block_offset(i) + 1, size = tower.problem.block_size(i) - 1;
    sum += std::max(impulses.segment(start, size).dot(velocity.segment(start, size)), 0.0);
  }
  return sum;
}

// A cube that slides: with slip held as impulses have it that are wrong by a thousandth, it is braked all the same.
TEST(BodyPathHeld, ASlidingCubeIsBraked) {
  math::Random random(1);
  Tower tower(random, 1, 0.3, 0);
  for (int i = 0; i < 4; ++i) tower.problem.free_velocity[3 * i + 1] = 2;
  tower.scales.prepare(tower.problem);
  for (const double phi : {0.0, 0.5}) {
    linalg::ReusableVector wrong, r, u;
    ASSERT_TRUE(sweep(tower, wrong, 1e-10));
    wrong *= 1.001;
    r = wrong;
    ASSERT_EQ(solve_held(tower, r, 1e-5, phi).status, SolveStatus::converged);
    EXPECT_GT((r - wrong).norm(), 0);
    contact_velocity(tower.problem, r, u);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(u[3 * i + 1], 2 - 0.3 * 0.05, 2e-5);
      EXPECT_NEAR(u[3 * i], 0, 2e-5);
    }
  }
}

// Held where sweeps have solved the problem, slip is all but right: most towers are solved again, and friction gives
// nothing any more, where it gave something.
TEST(BodyPathHeldProperty, FrictionGivesNothing) {
  math::Random random(2);
  int all = 0, solved = 0, gave = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Tower tower = thrown_tower(random, trial);
    linalg::ReusableVector r;
    if (!sweep(tower, r, 3e-6)) continue;
    ++all;
    const double before = given(tower, r);
    const SolveReport report = solve_held(tower, r, 1e-5, trial % 2 == 0 ? 0.0 : 0.5);
    EXPECT_NEAR(report.residual, residual(tower.problem, tower.scales, r).value, 1e-9) << trial;  // rounding of u
    if (report.status != SolveStatus::converged) continue;
    ++solved;
    if (before < 1e-8) continue;
    ++gave;
    EXPECT_LE(given(tower, r), 1e-2 * before) << trial;
  }
  EXPECT_GE(all, 50);
  EXPECT_GE(10 * solved, 9 * all);
  EXPECT_GE(gave, 10);
}

TEST(BodyPathHeldProperty, UnitsOfMassAndVelocityChangeNoBit) {
  test::in_two_units([](const test::TowersInTwoUnits& towers) {
    linalg::ReusableVector r, scaled;
    ASSERT_TRUE(sweep(towers.tower, r, 1e-6));
    scaled = towers.velocity_unit * towers.mass_unit * r;
    solve_held(towers.tower, r, 1e-5, 0.5);
    solve_held(towers.other, scaled, 1e-5, 0.5);
    EXPECT_EQ(towers.difference(r, scaled), 0) << towers.velocity_unit << " " << towers.mass_unit;
  });
}

// Slip is held for one problem only.
TEST(BodyPathHeld, OtherPathsDoNotRememberIt) {
  math::Random random(8);
  const Tower tower(random, 8, 0.5, 0.1);
  linalg::ReusableVector r, after;
  const SolveOptions options{.tolerance = 1e-6};
  test::solve_by_path(tower, r, options.tolerance);
  BodyPath path = test::prepared_path(tower);
  after = r;
  path.solve_held(tower.scales, after, options, 0.5);
  path.solve(tower.scales, after, options);
  EXPECT_EQ((after - r).norm(), 0);
}

}  // namespace
}  // namespace ricochet::cone
