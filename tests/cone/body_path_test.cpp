#include "ricochet/cone/body_path.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cone/path_towers.hpp"
#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

using test::solve_by_path;
using test::thrown_tower;
using test::Tower;

// One cube that slides by itself: it loses mu g h of its velocity, and its weight is what the ground gives.
TEST(BodyPath, ASlidingCubeIsBraked) {
  math::Random random(1);
  Tower tower(random, 1, 0.3, 0);
  for (int i = 0; i < 4; ++i) tower.problem.free_velocity[3 * i + 1] = 2;
  tower.scales.prepare(tower.problem);
  linalg::ReusableVector r, u;
  ASSERT_EQ(solve_by_path(tower, r, 1e-9).status, SolveStatus::converged);
  contact_velocity(tower.problem, r, u);
  double normal = 0, tangential = 0;
  for (int i = 0; i < 4; ++i) {
    normal += r[3 * i];
    tangential += r[3 * i + 1];
    EXPECT_NEAR(u[3 * i + 1], 2 - 0.3 * 0.05, 1e-8);
    EXPECT_NEAR(u[3 * i], 0, 1e-8);
  }
  EXPECT_NEAR(normal, 0.05, 1e-8);
  EXPECT_NEAR(tangential, -0.3 * 0.05, 1e-8);
}

TEST(BodyPathProperty, SolvesTowersThatAreThrown) {
  math::Random random(2);
  int solved = 0, all = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Tower tower = thrown_tower(random, trial);
    linalg::ReusableVector r;
    const SolveReport report = solve_by_path(tower, r, 1e-5);
    const Residual found = residual(tower.problem, tower.scales, r);
    EXPECT_NEAR(report.residual, found.value, 1e-9);  // rounding of u
    EXPECT_EQ(report.worst_contact, found.worst_contact);
    ++all;
    if (report.status == SolveStatus::converged) ++solved;
  }
  EXPECT_GE(10 * solved, 9 * all);  // more is not promised: the problem is not monotone
}

// One way is the beginning of all of them: never more steps, never a better point.
TEST(BodyPathProperty, OneWayIsTheBeginningOfAll) {
  math::Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    Tower tower(random, 1 + trial, random.uniform(0.1, 0.8), 0.5);
    SolveReport reports[2];
    for (const PathEffort effort : {PathEffort::one_way, PathEffort::all_ways}) {
      BodyPath path;
      ASSERT_TRUE(path.prepare(tower.problem, tower.scales, tower.contacts, tower.problem.free_velocity));
      linalg::ReusableVector r;
      r.setZero(tower.problem.delassus.scalar_rows());
      SolveOptions options;
      options.tolerance = 1e-5;
      reports[effort == PathEffort::all_ways] = path.solve(tower.scales, r, options, effort);
    }
    EXPECT_LE(reports[0].iterations, reports[1].iterations) << trial;
    EXPECT_GE(reports[0].residual, reports[1].residual) << trial;
  }
}

// Velocities do not depend on which of the impulses of redundant corners is found.
TEST(BodyPathProperty, AgreesWithGaussSeidel) {
  math::Random random(3);
  for (int trial = 0; trial < 10; ++trial) {
    Tower tower(random, 3, 0.5, 0);
    linalg::ReusableVector path, sweeps, path_velocity, sweeps_velocity;
    ASSERT_EQ(solve_by_path(tower, path, 1e-8).status, SolveStatus::converged);
    SolveOptions options;
    options.max_iterations = 100'000;
    ASSERT_EQ(NonsmoothGaussSeidel().solve(tower.problem, sweeps, options).status, SolveStatus::converged);
    contact_velocity(tower.problem, path, path_velocity);
    contact_velocity(tower.problem, sweeps, sweeps_velocity);
    EXPECT_LT((path_velocity - sweeps_velocity).norm(), 1e-7);
  }
}

TEST(BodyPathProperty, UnitsOfMassAndVelocityChangeNoBit) {
  test::in_two_units([](const test::TowersInTwoUnits& towers) {
    linalg::ReusableVector r, scaled;
    solve_by_path(towers.tower, r, 1e-6, 40);
    solve_by_path(towers.other, scaled, 1e-6, 40);
    EXPECT_EQ(towers.difference(r, scaled), 0) << towers.velocity_unit << " " << towers.mass_unit;
  });
}

TEST(BodyPath, LeavesOtherIslandsAlone) {
  math::Random random(5);
  Tower tower(random, 2, 0.5, 0.1);
  const std::vector<int> lower = {0, 1, 2, 3};
  BodyPath path;
  ASSERT_TRUE(path.prepare(tower.problem, tower.scales, lower, tower.problem.free_velocity));
  linalg::ReusableVector r;
  r.resize(24);
  r.setConstant(7);
  path.solve(tower.scales, r, {});
  EXPECT_TRUE((r.tail(12).array() == 7).all());
  EXPECT_FALSE((r.head(12).array() == 7).any());
}

TEST(BodyPathBadInput, RefusesWhatItDoesNotKnow) {
  math::Random random(6);
  Tower tower(random, 2, 0.5, 0.1);
  BodyPath path;
  tower.problem.bilateral.assign(8, 0);
  EXPECT_TRUE(path.prepare(tower.problem, tower.scales, tower.contacts, tower.problem.free_velocity));
  tower.problem.bilateral[3] = 1;
  EXPECT_FALSE(path.prepare(tower.problem, tower.scales, tower.contacts, tower.problem.free_velocity));
  tower.problem.bilateral.clear();
  tower.problem.bodies = nullptr;
  EXPECT_FALSE(path.prepare(tower.problem, tower.scales, tower.contacts, tower.problem.free_velocity));

  // Two bodies on a spring.
  const std::vector<int> sizes(2, 6);
  const std::vector<char> free(12, 1);
  const auto coupled = linalg::make_sparse_mass(sizes, free);
  coupled->clear();
  for (int i = 0; i < 2; ++i) coupled->add(i, i, 2 * Matrix6::Identity());
  coupled->add(0, 1, -Matrix6::Identity());
  coupled->add(1, 0, -Matrix6::Identity());
  coupled->factorise();
  const BodyForm form{&tower.gradients, coupled.get(), 8};
  tower.problem.bodies = &form;
  EXPECT_FALSE(path.prepare(tower.problem, tower.scales, tower.contacts, tower.problem.free_velocity));
}

// The default solver comes to it where sweeps creep.
TEST(BodyPath, HelpsTheDefaultSolver) {
  math::Random random(7);
  Tower tower(random, 30, 0.5, 0.02);
  linalg::ReusableVector with, without;
  SolveOptions options;
  options.tolerance = 1e-4;
  const SolveReport helped = ContactSolver().solve(tower.problem, with, options);
  tower.problem.bodies = nullptr;
  const SolveReport alone = ContactSolver().solve(tower.problem, without, options);
  EXPECT_EQ(helped.status, SolveStatus::converged);
  EXPECT_LT(helped.iterations, alone.iterations);
}

}  // namespace
}  // namespace ricochet::cone
