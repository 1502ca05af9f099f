#include "ricochet/cone/alart_curnier_step.hpp"

#include <gtest/gtest.h>

#include "cone/test_problems.hpp"
#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

// One contact with a general W.
ContactProblem one_contact(const Vector3& free_velocity, double friction) {
  ContactProblem problem;
  problem.delassus.reset(std::vector<int>{3});
  problem.delassus.begin_row(3);
  Matrix3 w;
  w << 1.0, 0.1, 0.05, 0.1, 1.2, 0.0, 0.05, 0.0, 0.9;
  problem.delassus.append(0) = w;
  problem.free_velocity = free_velocity;
  problem.friction = {friction};
  return problem;
}

// Newton from nothing, with y = W r + b; returns the number of steps.
int iterate(const ContactProblem& problem, const PenaltyFactors& factors, VectorX& r) {
  AlartCurnierStep step;
  step.prepare(problem, factors);
  r.setZero(problem.free_velocity.size());
  const VectorX no_drift = VectorX::Zero(r.size());
  VectorX y, value, change;
  for (int i = 0; i < 50; ++i) {
    y = problem.free_velocity;
    problem.delassus.multiply_add(r, y);
    step.value(r, y, value);
    if (value.norm() < 1e-13) return i;
    if (!step.find(r, y, no_drift, change)) return -1;
    r += change;
  }
  return -1;
}

TEST(AlartCurnierStep, OpenStickAndSlip) {
  VectorX r;
  EXPECT_EQ(iterate(one_contact(Vector3(1, 5, 0), 0.3), {}, r), 0);
  EXPECT_TRUE(r.isZero(0));
  const ContactProblem sticks = one_contact(Vector3(-1, 0.1, 0.05), 0.3);
  EXPECT_LE(iterate(sticks, {}, r), 3);
  EXPECT_LE(residual(sticks, r).value, 1e-12);
  const ContactProblem slips = one_contact(Vector3(-1, 5, 2), 0.3);
  EXPECT_GT(iterate(slips, {}, r), 0);
  EXPECT_LE(residual(slips, r).value, 1e-12);
  EXPECT_NEAR(r.tail<2>().norm(), 0.3 * r[0], 1e-13);
}

// The factors change the way, not the end.
TEST(AlartCurnierStep, TheSolutionDoesNotDependOnTheFactors) {
  const ContactProblem slips = one_contact(Vector3(-1, 5, 2), 0.3);
  VectorX reference, r;
  ASSERT_GT(iterate(slips, {}, reference), 0);
  for (const double normal : {1e-2, 1e-1, 1e1, 1e2}) {
    for (const double tangential : {1e-2, 1.0, 1e2}) {
      EXPECT_GE(iterate(slips, {normal, tangential}, r), 0) << normal << " " << tangential;
      EXPECT_LE((r - reference).norm(), 1e-9) << normal << " " << tangential;
    }
  }
}

// What the motion does by itself counts as if it were in b.
TEST(AlartCurnierStep, TheDriftCounts) {
  const ContactProblem problem = one_contact(Vector3(-1, 0.1, 0.05), 0.3);
  const Vector3 drift(0.25, -0.02, 0.01);
  AlartCurnierStep step;
  step.prepare(problem, {});
  const VectorX r = Vector3(1, 0, 0);  // closed and sticking
  const VectorX y = Vector3(-1, 0.1, 0.05);
  VectorX change;
  ASSERT_TRUE(step.find(r, y, drift, change));
  VectorX after = y + drift;
  problem.delassus.multiply_add(change, after);
  EXPECT_LE(after.norm(), 1e-7);  // but for the smallest response
}

TEST(AlartCurnierStepProperty, AgreesWithTheContactSolver) {
  math::Random random(11);
  for (int i = 0; i < 100; ++i) {
    const Vector3 b(-random.uniform(0.1, 1), random.normal(), random.normal());
    const ContactProblem problem = one_contact(b, random.uniform(0, 1));
    VectorX r;
    ASSERT_GE(iterate(problem, {}, r), 0) << i;
    linalg::ReusableVector other;
    other.setZero(3);
    ASSERT_EQ(ContactSolver().solve(problem, other, {.tolerance = 1e-13}).status, SolveStatus::converged);
    EXPECT_LE((r - other).norm(), 1e-10) << i;
  }
}

}  // namespace
}  // namespace ricochet::cone
