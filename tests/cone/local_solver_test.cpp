#include "ricochet/cone/local_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "cone/test_problems.hpp"
#include "ricochet/cone/contact_status.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

double violation_of(const MatrixX& block, const VectorX& b, double friction, const VectorX& r) {
  return test::coulomb_violation(test::single_contact(block, b, friction), r);
}

// Symmetric, with eigenvalues spread over the given condition number, in random axes.
MatrixX random_definite_block(math::Random& random, int size, double condition) {
  MatrixX axes(size, size);
  for (int i = 0; i < size; ++i) {
    VectorX axis = test::random_vector(random, size);
    for (int pass = 0; pass < 2; ++pass) {
      for (int j = 0; j < i; ++j) axis -= VectorX(axes.col(j)) * axes.col(j).dot(axis);
    }
    axes.col(i) = axis.normalized();
  }
  VectorX eigenvalues(size);
  for (int i = 0; i < size; ++i) eigenvalues[i] = std::pow(condition, -random.uniform());
  eigenvalues[0] = 1;
  if (size > 1) eigenvalues[1] = 1 / condition;
  const MatrixX block = axes * eigenvalues.asDiagonal() * axes.transpose();
  return 0.5 * (block + block.transpose());
}

TEST(LocalSolver, TakesOff) {
  const MatrixX block = MatrixX::Identity(3, 3);
  EXPECT_EQ(solve_single_contact(block, Vector3(1, 5, -5), 0.3), Vector3::Zero());
  EXPECT_EQ(solve_single_contact(block, Vector3(0, 5, -5), 0.3), Vector3::Zero());
  EXPECT_EQ(solve_single_contact(block.topLeftCorner(2, 2), Vector2(1, 5), 0.3), Vector2::Zero());
  EXPECT_EQ(solve_single_contact(block.topLeftCorner(1, 1), VectorX::Constant(1, 1), 0.3)[0], 0);
}

TEST(LocalSolver, SticksExactly) {
  MatrixX block(3, 3);
  block << 4, 1, -1, 1, 3, 0.5, -1, 0.5, 2;
  const Vector3 r(3, 0.4, -0.5);
  EXPECT_LT((solve_single_contact(block, -block * r, 0.3) - r).norm(), 1e-15 * 10);
  const MatrixX planar = block.topLeftCorner(2, 2);
  EXPECT_LT((solve_single_contact(planar, -planar * r.head<2>(), 0.3) - r.head<2>()).norm(), 1e-15 * 10);
}

TEST(LocalSolver, SlipsAgainstTheMotionOfAPointMass) {
  for (const double mass : {1e-6, 1.0, 1e6}) {
    for (int k = 0; k < 16; ++k) {
      const double angle = 2 * std::numbers::pi * k / 16 + 0.1, mu = 0.4, normal = 2, speed = 3;
      const Vector3 b(-normal, speed * std::cos(angle), speed * std::sin(angle));
      const VectorX r = solve_single_contact(MatrixX::Identity(3, 3) / mass, b, mu);
      const Vector3 expected(normal, -mu * normal * std::cos(angle), -mu * normal * std::sin(angle));
      EXPECT_LT((r / mass - expected).norm(), 1e-14);
      EXPECT_EQ(contact_status(mu, r[0], r[1], r[2]), ContactStatus::slip);
    }
  }
}

TEST(LocalSolver, SlipsInThePlaneWithCoupling) {
  // r_T = -mu r_N d with d = sign of slip and W_NN r_N + W_NT r_T + b_N = 0.
  MatrixX block(2, 2);
  block << 2, 0.5, 0.5, 1;
  for (const double side : {-1.0, 1.0}) {
    const double mu = 0.3;
    const VectorX r = solve_single_contact(block, Vector2(-1, side * 5), mu);
    const double normal = 1 / (2 - side * mu * 0.5);
    EXPECT_NEAR(r[0], normal, 1e-15);
    EXPECT_NEAR(r[1], -side * mu * normal, 1e-15);
  }
}

TEST(LocalSolver, SlipWithAnisotropicMassIsNotAgainstTheFreeVelocity) {
  MatrixX block = MatrixX::Zero(3, 3);
  block.diagonal() << 1, 1, 4;
  // Constructed backwards: r on the cone, slip opposite to r_T with lambda = 2, so b = -W r - (0, 2 r_T).
  const Vector3 r(5, 0.6, 0.8);
  const Vector3 b = -block * r - 2 * Vector3(0, 0.6, 0.8);
  EXPECT_LT((solve_single_contact(block, b, 0.2) - r).norm(), 1e-14);
}

TEST(LocalSolver, BoundariesBetweenTheBranches) {
  const MatrixX block = MatrixX::Identity(3, 3);
  const double mu = 0.5;
  // On the border of stick and slip, and within round-off on both sides of it.
  for (const double factor : {1.0, 1 - 1e-15, 1 + 1e-15, 1 - 1e-12, 1 + 1e-12}) {
    const VectorX r = solve_single_contact(block, Vector3(-2, 0.6 * factor, 0.8 * factor), mu);
    EXPECT_LT((r - Vector3(2, -0.6, -0.8)).norm(), 2e-12);
  }
  // On the border of take-off.
  for (const double normal : {-1e-100, -1e-30, -1e-15}) {
    const VectorX r = solve_single_contact(block, Vector3(normal, 1, 2), mu);
    EXPECT_NEAR(r[0] / -normal, 1, 1e-15);
    EXPECT_NEAR(r.tail(2).norm() / (mu * -normal), 1, 1e-14);
  }
}

TEST(LocalSolver, ExtremeFriction) {
  MatrixX block(3, 3);
  block << 2, 0.3, -0.2, 0.3, 1, 0.1, -0.2, 0.1, 1.5;
  const Vector3 b(-1, 3, -2);
  const VectorX frictionless = solve_single_contact(block, b, 0);
  EXPECT_EQ(frictionless, Vector3(0.5, 0, 0));
  EXPECT_LT(violation_of(block, b, 10, solve_single_contact(block, b, 10)), 1e-15);
  EXPECT_LT(violation_of(block, b, 1e-12, solve_single_contact(block, b, 1e-12)), 1e-15);
  EXPECT_LT(violation_of(block, b, 1e12, solve_single_contact(block, b, 1e12)), 1e-15);
}

TEST(LocalSolver, DirectionInWhichNothingCanMove) {
  // A planar body in a spatial problem: no motion along t2.
  MatrixX block = MatrixX::Zero(3, 3);
  block.topLeftCorner(2, 2) << 2, 0.5, 0.5, 1;
  const VectorX planar = solve_single_contact(block.topLeftCorner(2, 2), Vector2(-1, 5), 0.3);
  const VectorX spatial = solve_single_contact(block, Vector3(-1, 5, 0), 0.3);
  EXPECT_LT((spatial.head(2) - planar).norm(), 1e-15);
  EXPECT_EQ(spatial[2], 0);
  const Vector3 sticking(0.6, -0.4, 0);
  EXPECT_LT((solve_single_contact(block, -block * sticking, 0.9) - sticking).norm(), 1e-15);
  // But the surface may move along t2, and then friction acts along it.
  const VectorX dragged = solve_single_contact(block, Vector3(-1, 0, 2), 0.3);
  EXPECT_LT(violation_of(block, Vector3(-1, 0, 2), 0.3, dragged), 1e-14);
  EXPECT_LT(dragged[2], 0);
}

TEST(LocalSolver, RankOneBlocks) {
  // A point that can move only along one oblique line; b is consistent with it.
  const Vector3 line(1, 0.7, -0.4);
  const MatrixX block = 2 * line * line.transpose();
  const VectorX r = solve_single_contact(block, -3 * line, 0.5);
  EXPECT_LT(violation_of(block, -3 * line, 0.5, r), 1e-14);
  const VectorX inconsistent = solve_single_contact(block, Vector3(-3, 1, 1), 0.5);
  EXPECT_LT(violation_of(block, Vector3(-3, 1, 1), 0.5, inconsistent), 1e-14);
  const MatrixX planar = block.topLeftCorner(2, 2);
  EXPECT_LT(violation_of(planar, Vector2(-3, -2.1), 0.5, solve_single_contact(planar, Vector2(-3, -2.1), 0.5)), 1e-14);
  // Only the normal can move.
  MatrixX normal_only = MatrixX::Zero(3, 3);
  normal_only(0, 0) = 2;
  EXPECT_LT((solve_single_contact(normal_only, Vector3(-1, 3, 4), 0.5) - Vector3(0.5, -0.15, -0.2)).norm(), 1e-15);
  EXPECT_LT((solve_single_contact(normal_only, Vector3(-1, 0, 0), 0.5) - Vector3(0.5, 0, 0)).norm(), 1e-15);
}

TEST(LocalSolver, NothingThatCanMove) {
  EXPECT_EQ(solve_single_contact(MatrixX::Zero(3, 3), Vector3(-1, 1, 0), 0.5), Vector3::Zero());
  EXPECT_EQ(solve_single_contact(MatrixX::Zero(1, 1), VectorX::Constant(1, -1), 0.5)[0], 0);
}

TEST(LocalSolver, RejectsOtherSizes) {
  EXPECT_THROW(solve_single_contact(MatrixX::Identity(4, 4), VectorX::Zero(4), 0.5), std::invalid_argument);
  EXPECT_THROW(solve_single_contact(MatrixX::Identity(3, 3), VectorX::Zero(2), 0.5), std::invalid_argument);
}

TEST(LocalSolverProperty, SolvesCoulombsLawForRandomBlocks) {
  math::Random random(5);
  int slips = 0, sticks = 0;
  for (int repeat = 0; repeat < 20'000; ++repeat) {
    const int size = repeat % 4 == 0 ? 2 : 3;
    const MatrixX block = random_definite_block(random, size, std::pow(10, random.uniform(0, 8)));
    VectorX b = test::random_vector(random, size);
    if (random.uniform() < 0.5) b = block * b;  // otherwise blocks with large condition hardly ever stick
    b[0] = -std::abs(b[0]) * std::pow(10, random.uniform(-3, 1));
    const double friction = repeat % 16 == 1 ? 0.0 : random.uniform(0, 5);
    const VectorX r = solve_single_contact(block, b, friction);
    ASSERT_GE(r[0], 0);
    ASSERT_LE(r.tail(size - 1).norm(), friction * r[0] * (1 + 1e-15));
    ASSERT_LT(violation_of(block, b, friction, r), 1e-12) << "case " << repeat << "\n"
                                                          << block << "\n"
                                                          << b.transpose();
    const ContactStatus status = contact_status(friction, r[0], r[1], size == 3 ? r[2] : 0.0);
    slips += status == ContactStatus::slip ? 1 : 0;
    sticks += status == ContactStatus::stick ? 1 : 0;
  }
  EXPECT_GT(slips, 2000);
  EXPECT_GT(sticks, 2000);
}

TEST(LocalSolverProperty, IndependentJudgeAndResidualAgree) {
  math::Random random(6);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const ContactProblem problem = test::single_contact(random_definite_block(random, 3, 100),
                                                        test::random_vector(random, 3), random.uniform(0, 2));
    const VectorX r =
        solve_single_contact(problem.delassus.dense(), problem.free_velocity, problem.friction[0].sliding);
    EXPECT_LT(residual(problem, r).value, 1e-12);
    if (r[0] > 0) {
      EXPECT_GT(residual(problem, r * 1.001).value, 1e-6);
    }
  }
}

TEST(LocalSolverProperty, UnsymmetricBlocks) {
  math::Random random(7);
  for (int repeat = 0; repeat < 5000; ++repeat) {
    MatrixX block = random_definite_block(random, 3, std::pow(10, random.uniform(0, 3)));
    const VectorX twist = test::random_vector(random, 3) * random.uniform(0, 0.5);
    MatrixX antisymmetric(3, 3);
    antisymmetric << 0, twist[0], twist[1], -twist[0], 0, twist[2], -twist[1], -twist[2], 0;
    block += antisymmetric;
    VectorX b = test::random_vector(random, 3);
    b[0] = -std::abs(b[0]);
    const double friction = random.uniform(0, 1);
    const VectorX r = solve_single_contact(block, b, friction);
    ASSERT_LT(violation_of(block, b, friction, r), 1e-11) << "case " << repeat << "\n"
                                                          << block << "\n"
                                                          << b.transpose();
  }
}

TEST(LocalSolverProperty, SingularBlocks) {
  math::Random random(8);
  for (int repeat = 0; repeat < 5000; ++repeat) {
    // W = G G^T of rank one or two, b in the range of W (the case of mechanics), exact only to round-off.
    const int rank = 1 + repeat % 2;
    MatrixX gradient(3, rank);
    for (int j = 0; j < rank; ++j) gradient.col(j) = test::random_vector(random, 3);
    const MatrixX block = gradient * gradient.transpose();
    VectorX b = gradient * test::random_vector(random, rank);
    if (b[0] > 0) b = -b;
    const double friction = random.uniform(0, 2);
    const VectorX r = solve_single_contact(block, b, friction);
    ASSERT_LT(violation_of(block, b, friction, r), 1e-11) << "case " << repeat << "\n"
                                                          << block << "\n"
                                                          << b.transpose();
  }
}

TEST(LocalSolverProperty, IndefiniteBlocksGiveFiniteImpulsesInTheCone) {
  math::Random random(9);
  for (int repeat = 0; repeat < 5000; ++repeat) {
    const int size = 1 + repeat % 3;
    MatrixX block(size, size);
    for (int i = 0; i < size; ++i)
      block.col(i) = test::random_vector(random, size) * std::exp2(random.uniform(-40, 40));
    const double friction = random.uniform(0, 5);
    const VectorX r = solve_single_contact(block, test::random_vector(random, size), friction);
    ASSERT_TRUE(r.allFinite());
    ASSERT_GE(r[0], 0);
    if (size > 1) {
      ASSERT_LE(r.tail(size - 1).norm(), friction * r[0] * (1 + 1e-15));
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity}) {
    EXPECT_TRUE(solve_single_contact(MatrixX::Identity(3, 3), Vector3(bad, 1, 1), 0.5).allFinite());
    EXPECT_TRUE(solve_single_contact(MatrixX::Identity(3, 3), Vector3(-1, bad, 1), 0.5).allFinite());
    EXPECT_TRUE(solve_single_contact(MatrixX::Constant(3, 3, bad), Vector3(-1, 1, 1), 0.5).allFinite());
  }
}

TEST(LocalSolverProperty, ScalingByPowersOfTwoIsExact) {
  math::Random random(10);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const int size = 1 + repeat % 3;
    const MatrixX block = random_definite_block(random, size, 1e4);
    const VectorX b = test::random_vector(random, size);
    const double friction = random.uniform(0, 2);
    const VectorX r = solve_single_contact(block, b, friction);
    for (const double block_scale : {0x1p31, 0x1p-17}) {
      for (const double velocity_scale : {0x1p-40, 0x1p11}) {
        const VectorX scaled = solve_single_contact(block * block_scale, b * velocity_scale, friction);
        ASSERT_EQ(scaled, VectorX(r * (velocity_scale / block_scale)));
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::cone
