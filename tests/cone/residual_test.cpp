#include "ricochet/cone/residual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "cone/test_problems.hpp"
#include "ricochet/cone/contact_status.hpp"

namespace ricochet::cone {
namespace {

TEST(Residual, NothingToDoIsSolved) {
  EXPECT_EQ(residual(ContactProblem{}, VectorX(0)).value, 0);
  EXPECT_EQ(residual(ContactProblem{}, VectorX(0)).worst_contact, -1);
  const ContactProblem rest = test::single_contact(MatrixX::Identity(3, 3), VectorX::Zero(3), 0.5);
  EXPECT_EQ(residual(rest, VectorX::Zero(3)).value, 0);
  EXPECT_EQ(residual(rest, VectorX::Zero(3)).worst_contact, 0);
  EXPECT_EQ(fclib_residual(rest, VectorX::Zero(3)), 0);
}

TEST(Residual, IsZeroAtKnownSolutions) {
  const double mass = 3, mu = 0.5;
  const MatrixX block = MatrixX::Identity(3, 3) / mass;
  // A point mass thrown on the floor: sticks, slips, leaves.
  EXPECT_LT(residual(test::single_contact(block, Vector3(-2, 0.5, 0), mu), Vector3(6, -1.5, 0)).value, 1e-15);
  EXPECT_LT(residual(test::single_contact(block, Vector3(-2, 0, 4), mu), Vector3(6, 0, -3)).value, 1e-15);
  EXPECT_EQ(residual(test::single_contact(block, Vector3(0.1, 2, 4), mu), Vector3::Zero()).value, 0);
}

TEST(Residual, MeasuresVelocityErrorsRelativeToTheFreeVelocity) {
  // Nothing done about a closing velocity of 2 m/s: F = rho |b|. A hundredth of the impulse missing: one hundredth.
  for (const double mass : {1e-6, 1.0, 1e6}) {
    const ContactProblem problem = test::single_contact(MatrixX::Identity(1, 1) / mass, VectorX::Constant(1, -2), 0);
    EXPECT_NEAR(residual(problem, VectorX::Zero(1)).value, 1, 1e-14);
    EXPECT_NEAR(residual(problem, VectorX::Constant(1, 1.98 * mass)).value, 0.01, 1e-14);
  }
}

TEST(Residual, SeesLightContactsBesideHeavyOnes) {
  MatrixX delassus = MatrixX::Identity(2, 2);
  delassus(1, 1) = 1e9;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  const Residual found = residual(problem, (VectorX(2) << 1, 0).finished());
  EXPECT_NEAR(found.value, 1, 1e-14);
  EXPECT_EQ(found.worst_contact, 1);
}

TEST(Residual, IsNotFooledByGrowingImpulsesWhereNoSolutionExists) {
  // A block between two walls that close in on it: u_1 + u_2 = -2 whatever the impulses.
  MatrixX delassus(2, 2);
  delassus << 1, -1, -1, 1;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  for (const double r : {1.0, 1e2, 1e4, 1e6}) EXPECT_GT(residual(problem, VectorX::Constant(2, r)).value, 0.009);
}

TEST(Residual, ContactThatNothingCanMove) {
  const ContactProblem closing = test::single_contact(MatrixX::Zero(3, 3), Vector3(-1, 0, 0), 0.5);
  EXPECT_NEAR(residual(closing, Vector3::Zero()).value, 1, 1e-15);
  const ContactProblem opening = test::single_contact(MatrixX::Zero(3, 3), Vector3(1, 0, 0), 0.5);
  EXPECT_EQ(residual(opening, Vector3::Zero()).value, 0);
}

TEST(Residual, FclibFormByHand) {
  // r = 0, u = b = (-3, 0, 4), mu = 0: F = -P(-b) = (-3, 0, 0), |b| = 5.
  const ContactProblem problem = test::single_contact(7 * MatrixX::Identity(3, 3), Vector3(-3, 0, 4), 0);
  EXPECT_NEAR(fclib_residual(problem, Vector3::Zero()), 0.5, 1e-15);
}

TEST(Residual, VelocityAndNaN) {
  const ContactProblem problem = test::single_contact(2 * MatrixX::Identity(3, 3), Vector3(-3, 0, 4), 0.1);
  linalg::ReusableVector velocity;
  contact_velocity(problem, Vector3(1, 2, 3), velocity);
  EXPECT_EQ(velocity, Vector3(-1, 4, 10));
  EXPECT_TRUE(std::isnan(residual(problem, Vector3(std::nan(""), 0, 0)).value));
  EXPECT_THROW(residual(problem, VectorX::Zero(2)), std::invalid_argument);
}

TEST(ResidualProperty, DoesNotDependOnUnitsOrCopies) {
  math::Random random(4);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 6, 4, 2, {1, 2, 3});
    const VectorX r = test::random_vector(random, problem.delassus.scalar_rows());
    const Residual reference = residual(problem, r);
    ASSERT_GT(reference.value, 0);
    // Powers of two change nothing at all, other units nothing but round-off.
    for (const double mass : {0x1p20, 0x1p-13, 1e-3}) {
      for (const double speed : {0x1p7, 0x1p-30, 3.6}) {
        std::vector<int> sizes;
        for (int i = 0; i < problem.contacts(); ++i) sizes.push_back(problem.block_size(i));
        const ContactProblem scaled = test::problem_from_dense(sizes, problem.delassus.dense() / mass,
                                                               problem.free_velocity * speed, problem.friction);
        const Residual other = residual(scaled, r * (mass * speed));
        if (mass != 1e-3 && speed != 3.6) {
          EXPECT_EQ(other.value, reference.value);
        }
        EXPECT_NEAR(other.value / reference.value, 1, 1e-12);
      }
    }
    const test::SideBySide twice = test::side_by_side({problem, problem});
    VectorX r_twice(2 * r.size());
    for (int i = 0; i < problem.contacts(); ++i) {
      for (const auto& contacts : twice.contacts) {
        r_twice.segment(twice.whole.block_offset(contacts[i]), problem.block_size(i)) =
            r.segment(problem.block_offset(i), problem.block_size(i));
      }
    }
    EXPECT_EQ(residual(twice.whole, r_twice).value, reference.value);
    EXPECT_EQ(residual(twice.whole, r_twice).worst_contact, twice.contacts[0][reference.worst_contact]);
  }
}

TEST(ResidualProperty, IndependentProblemsHaveTheResidualsThatTheyHaveAlone) {
  math::Random random(5);
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<ContactProblem> problems;
    for (int p = 0; p < 3; ++p) {
      problems.push_back(test::random_bodies_problem(random, 1 + static_cast<int>(random.integer(5)), 2, 2, {1, 2, 3}));
      problems.back().free_velocity *= std::exp2(random.uniform(-30, 30));
    }
    const test::SideBySide all = test::side_by_side(problems);
    const VectorX r = test::random_vector(random, all.whole.delassus.scalar_rows());
    double worst = 0;
    for (int p = 0; p < 3; ++p) worst = std::max(worst, residual(problems[p], all.part(r, p)).value);
    EXPECT_EQ(residual(all.whole, r).value, worst);
  }
}

TEST(ContactStatus, IsReadFromTheImpulse) {
  EXPECT_EQ(contact_status(0.5, 0), ContactStatus::open);
  EXPECT_EQ(contact_status(0.5, 2, 0.3, 0.4), ContactStatus::stick);
  EXPECT_EQ(contact_status(0.5, 2, 0.6, -0.8), ContactStatus::slip);
  EXPECT_EQ(contact_status(0.5, 2, 0.6 * (1 - 1e-15), -0.8), ContactStatus::slip);
  EXPECT_EQ(contact_status(0.5, 2, 0.6 * (1 - 1e-9), -0.8), ContactStatus::stick);
  EXPECT_EQ(contact_status(0, 2), ContactStatus::slip);
  const ContactProblem problem =
      test::problem_from_dense({1, 2, 3}, MatrixX::Identity(6, 6), VectorX::Zero(6), {0.5, 0.5, 0.5});
  const VectorX r = (VectorX(6) << 1, 2, 1, 5, 1, 1).finished();
  EXPECT_EQ(contact_status(problem, r, 0), ContactStatus::slip);
  EXPECT_EQ(contact_status(problem, r, 1), ContactStatus::slip);
  EXPECT_EQ(contact_status(problem, r, 2), ContactStatus::stick);
}

TEST(Residual, HugeImpulsesBetweenClosingWallsAreNotCredible) {
  MatrixX delassus(2, 2);
  delassus << 1, -1, -1, 1;
  const ContactProblem problem = test::problem_from_dense({1, 1}, delassus, VectorX::Constant(2, -1), {0, 0});
  ResidualScales scales;
  scales.prepare(problem);
  const VectorX huge = VectorX::Constant(2, 0x1p40);
  const double value = residual(problem, huge).value;
  EXPECT_LT(value, 1e-7);
  EXPECT_FALSE(credible(problem, scales, huge, value));
  // A million times what stops V is right under a weight of that size.
  const ContactProblem stack = test::stack_problem({1, 1e6}, 1);
  scales.prepare(stack);
  EXPECT_TRUE(credible(stack, scales, VectorX::Constant(2, 1e6), 1e-10));
}

}  // namespace
}  // namespace ricochet::cone
