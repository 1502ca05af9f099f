#include "ricochet/integrate/friction_refinement.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "cone/tower.hpp"
#include "ricochet/cone/residual.hpp"
#include "runner.hpp"

namespace ricochet::integrate {
namespace {

using cone::test::Tower;

double given(const cone::ContactProblem& problem, const linalg::VectorView& impulses) {
  std::vector<int> all(problem.contacts());
  std::iota(all.begin(), all.end(), 0);
  linalg::ReusableVector velocity;
  cone::contact_velocity(problem, impulses, velocity);
  return FrictionRefinement::given(problem, 0.5, impulses, velocity, all);
}

// Two contacts with u = r + b; one of them is driven by its friction.
TEST(FrictionRefinement, GivenIsTheSumOverContactsThatAreDriven) {
  cone::ContactProblem problem;
  problem.delassus.reset(std::vector<int>{3, 3});
  for (int i = 0; i < 2; ++i) {
    problem.delassus.begin_row(3);
    problem.delassus.append(i) = Matrix3::Identity();
  }
  problem.friction.assign(2, cone::Friction{0.5});
  problem.free_velocity.setZero(6);
  problem.free_velocity << 0, 1, 0, 0, -3, 0;
  linalg::ReusableVector impulses;
  impulses.setZero(6);
  impulses << 2, 0.5, 0, 2, 1, 0;  // r_T . u_T = 0.5 * 1.5 and 1 * (-2)
  EXPECT_DOUBLE_EQ(given(problem, impulses), 0.5 * 0.75);
  problem.bilateral = {1, 0};
  EXPECT_EQ(given(problem, impulses), 0);
}

// What sweeps leave is taken away, and the tolerance is met all the same.
TEST(FrictionRefinementProperty, TowersAreGivenNextToNothing) {
  math::Random random(3);
  cone::ContactSolver solver;
  for (const int cubes : {5, 10, 20}) {
    const Tower tower(random, cubes, 0.5, 0.1);
    linalg::ReusableVector swept, refined;
    cone::SolveOptions options{.tolerance = 1e-4, .max_iterations = 100'000, .kind = cone::SolverKind::gauss_seidel};
    ASSERT_EQ(solver.solve(tower.problem, swept, options).status, cone::SolveStatus::converged);
    options.kind = cone::SolverKind::automatic;
    options.accept_guess = true;
    refined = swept;
    FrictionRefinement refinement;
    const cone::SolveReport report = refinement.solve(tower.problem, 0.5, 0, options, solver, refined);
    EXPECT_EQ(report.status, cone::SolveStatus::converged);
    EXPECT_EQ(report.residual, cone::residual(tower.problem, refined).value);
    EXPECT_LE(report.residual, options.tolerance);
    EXPECT_TRUE(refinement.refined()) << cubes;
    EXPECT_LE(given(tower.problem, refined), 0.01 * given(tower.problem, swept)) << cubes;
  }
}

// Of two towers that do not feel each other one gives energy; nothing happens to the other.
TEST(FrictionRefinement, IslandsAreRefinedForThemselves) {
  math::Random random(3);
  const Tower towers(random, 25, 0.5, 0.1, 3, 0, 1, 20);
  const cone::Islands& islands = towers.scales.islands();
  ASSERT_EQ(islands.count(), 2);
  const auto given_by = [&](int island, const linalg::ReusableVector& impulses) {
    linalg::ReusableVector velocity;
    cone::contact_velocity(towers.problem, impulses, velocity);
    return FrictionRefinement::given(towers.problem, 0.5, impulses, velocity, islands.contacts(island));
  };
  cone::ContactSolver solver;
  cone::SolveOptions options{.tolerance = 1e-4, .max_iterations = 100'000, .kind = cone::SolverKind::gauss_seidel};
  linalg::ReusableVector swept, refined;
  solver.solve(towers.problem, swept, options);
  // Bearable of the second, not of the first.
  ASSERT_GT(given_by(0, swept), 2 * given_by(1, swept));
  const double energy = 0.5 * (given_by(0, swept) + given_by(1, swept)) / 1e-13;
  options.kind = cone::SolverKind::automatic;
  options.accept_guess = true;
  refined = swept;
  FrictionRefinement refinement;
  const cone::SolveReport report = refinement.solve(towers.problem, 0.5, energy, options, solver, refined);
  EXPECT_TRUE(refinement.refined());
  EXPECT_EQ(report.residual, cone::residual(towers.problem, refined).value);
  EXPECT_LT(given_by(0, refined), 0.1 * given_by(0, swept));
  const Eigen::Index second = 3 * 4 * 20;
  EXPECT_EQ((refined - swept).tail(refined.size() - second).norm(), 0);
  EXPECT_GT((refined - swept).head(second).norm(), 0);
}

// A body that bounces: a problem without contacts after one with some.
TEST(FrictionRefinement, NothingIsLeftOfTheProblemBefore) {
  math::Random random(3);
  const Tower tower(random, 5, 0.5, 0.1);
  cone::ContactSolver solver;
  FrictionRefinement refinement;
  linalg::ReusableVector impulses, none;
  refinement.solve(tower.problem, 0.5, 0, {.tolerance = 1e-4}, solver, impulses);
  const cone::SolveReport report = refinement.solve(cone::ContactProblem(), 0.5, 0, {.tolerance = 1e-4}, solver, none);
  EXPECT_EQ(report.status, cone::SolveStatus::converged);
  EXPECT_EQ(report.worst_contact, -1);
  EXPECT_FALSE(refinement.refined());
}

TEST(FrictionRefinement, NothingIsRefinedBesideLargeEnergies) {
  math::Random random(3);
  const Tower tower(random, 20, 0.5, 0.1);
  cone::SolveOptions options;
  options.tolerance = 1e-4;
  cone::ContactSolver solver;
  linalg::ReusableVector plain, same;
  solver.solve(tower.problem, plain, options);
  FrictionRefinement refinement;
  refinement.solve(tower.problem, 0.5, 1e30, options, solver, same);
  EXPECT_FALSE(refinement.refined());
  EXPECT_EQ((plain - same).norm(), 0);
}

// A contact that sticks, with a guess that meets the tolerance and drives it.
TEST(FrictionRefinement, GuessesThatMeetTheToleranceAreNotTakenIfTheyGive) {
  cone::ContactProblem problem;
  problem.delassus.reset(std::vector<int>{3});
  problem.delassus.begin_row(3);
  problem.delassus.append(0) = Matrix3::Identity();
  problem.friction.assign(1, cone::Friction{0.5});
  problem.free_velocity.setZero(3);
  problem.free_velocity << -2, -0.5, 0;
  linalg::ReusableVector impulses;
  impulses.setZero(3);
  impulses << 2, 0.5 + 1e-9, 0;
  ASSERT_GT(given(problem, impulses), 2e-10);
  cone::SolveOptions options{.tolerance = 1e-6};
  options.accept_guess = true;
  cone::ContactSolver solver;
  FrictionRefinement refinement;
  const cone::SolveReport report = refinement.solve(problem, 0.5, 1, options, solver, impulses);
  EXPECT_EQ(report.status, cone::SolveStatus::converged);
  EXPECT_TRUE(refinement.refined());
  EXPECT_LE(given(problem, impulses), 1e-15);
}

// Boxes that fall onto each other, tilted.
model::Model falling_boxes() {
  model::Model model;
  model.gravity = Vector3(0, -9.81, 0);
  for (int i = 0; i < 12; ++i) {
    const math::Quaternion orientation = math::Quaternion{1, 0.01 * i, 0.05, 0.015}.normalized();
    test::add_box(model, 1, Vector3(0.1, 0.1, 0.1), Vector3(0.03 * (i % 3), 0.12 + 0.21 * i, 0.02 * (i % 2)),
                  orientation);
    model.nodes.back().velocity = Vector3(0, -3, 0);
  }
  test::put_on_ground(model, {0.5, 0, 0});
  std::vector<model::Participant> all;
  for (int i = 0; i < 12; ++i) all.push_back(test::body(i));
  test::add_contact(model, all, all, {0.5, 0, 0});
  return model;
}

struct Given {
  int refined_steps = 0;
  double part = 0;  // of the energy
};

Given given_by(ImpactLaw law, double tolerance) {
  const model::Model model = falling_boxes();
  test::Runner run(model, {.h = 2e-3, .scheme = {.impact = law}, .solver = {.tolerance = tolerance}});
  Given sum;
  for (int step = 0; step < 150; ++step) {
    const StepReport& report = run.step();
    sum.refined_steps += report.refined ? 1 : 0;
    sum.part += report.works.contact_tangential_positive / run.energy_scale;
  }
  return sum;
}

TEST(FrictionRefinement, StepsOfFremondsLawSayThatTheyWereRefined) {
  EXPECT_GT(given_by(ImpactLaw::fremond, 1e-4).refined_steps, 0);
  EXPECT_EQ(given_by(ImpactLaw::newton, 1e-4).refined_steps, 0);
}

// Plain sweeps give 2e-2 to 4e-2 of the tolerance. Down to 1e-5 all steps together stay next to what is bearable in
// one.
TEST(FrictionRefinement, WhatFrictionGivesIsFarBelowTheTolerance) {
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
    EXPECT_LE(given_by(ImpactLaw::fremond, tolerance).part, 150 * 12 * 1e-9 * tolerance) << tolerance;
  }
  for (const double tolerance : {1e-6, 1e-7}) {
    EXPECT_LE(given_by(ImpactLaw::fremond, tolerance).part, 1e-3 * tolerance) << tolerance;
  }
}

}  // namespace
}  // namespace ricochet::integrate
