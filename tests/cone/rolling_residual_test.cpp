// The residual of blocks with rolling and spinning resistance and of bilateral blocks: closed forms of one sphere on
// the floor, independence of units, and the judge of test_problems.hpp, which shares no code with it.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "cone/known_sphere.hpp"
#include "cone/test_problems.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

using namespace known_sphere;

TEST(RollingResidual, IsZeroAtKnownSolutions) {
  for (const Case& known : known_solutions()) {
    for (const int size : {5, 6}) {
      if (size == 5 && known.impulse[5] != 0) continue;
      const ContactProblem problem = sphere(size, known);
      const VectorX r = known.impulse.head(size);
      EXPECT_LT(test::coulomb_violation(problem, r), 1e-12) << known.name;
      EXPECT_LT(residual(problem, r).value, 1e-14) << known.name;
      EXPECT_LT(fclib_residual(problem, r), 1e-13) << known.name;
    }
  }
}

TEST(RollingResidual, SeesEveryError) {
  math::Random random(81);
  for (const Case& known : known_solutions()) {
    const ContactProblem problem = sphere(6, known);
    for (int k = 0; k < 6; ++k) {
      VectorX r = known.impulse;
      r[k] += 1e-3 * (random.integer(2) == 0 ? 1 : -1) * (k < 3 ? kNormal : kRadius * kNormal);
      EXPECT_GT(residual(problem, r).value, 1e-5) << known.name << ", component " << k;
      EXPECT_GT(fclib_residual(problem, r), 1e-6) << known.name << ", component " << k;
    }
  }
}

TEST(RollingResidual, SlidingTermAloneWouldLiftTheBody) {
  // With s(u) = mu |u_T| only, the rolling body would have to leave the floor: u_N = mu_R |omega_R| is not a solution.
  const Case known = known_solutions()[2];
  const ContactProblem problem = sphere(5, known);
  const double spin_after = known.angular_velocity[1] + (-kRadius * known.impulse[1] + known.impulse[4]) / kInertia;
  VectorX lifted = known.impulse.head(5);
  lifted[0] += kMass * kFriction.rolling * spin_after;
  EXPECT_GT(residual(problem, lifted).value, 0.01);
}

// Units of length and mass: W, b, r and the coefficients of another system of units.
TEST(RollingResidualProperty, DoesNotDependOnUnits) {
  math::Random random(82);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const ContactProblem problem = test::random_bodies_problem(random, 5, 3, 1, {1, 2, 3, 5, 6});
    const int scalars = problem.delassus.scalar_rows();
    const VectorX r = test::random_vector(random, scalars);
    const double reference = residual(problem, r).value;
    for (const double length : {0x1p10, 0x1p-7, 1e-3}) {
      const double unit_mass = length == 1e-3 ? 3.7 : 0x1p-5;
      VectorX angular = VectorX::Ones(scalars);  // 1 / length for rolling and spinning components
      std::vector<int> sizes;
      std::vector<Friction> coefficients;
      for (int i = 0; i < problem.contacts(); ++i) {
        const int size = problem.block_size(i);
        if (size > 3) angular.segment(problem.block_offset(i) + 3, size - 3).setConstant(1 / length);
        sizes.push_back(size);
        const Friction& old = problem.friction[i];
        coefficients.emplace_back(old.sliding, old.rolling * length, old.spinning * length);
      }
      const MatrixX delassus = angular.asDiagonal() * problem.delassus.dense() * angular.asDiagonal() / unit_mass;
      const VectorX b = length * angular.cwiseProduct(problem.free_velocity);
      const double other = residual(test::problem_from_dense(sizes, delassus, b, coefficients),
                                    unit_mass * length * r.cwiseQuotient(angular))
                               .value;
      if (length == 1e-3) {
        EXPECT_NEAR(other / reference, 1, 1e-12);
      } else {
        EXPECT_EQ(other, reference);
      }
    }
  }
}

TEST(BilateralResidual, IsTheVelocityThatShouldBeZero) {
  MatrixX delassus(3, 3);
  delassus << 2, 0.5, 0.25, 0, 4, 1, 0.5, 0, 8;  // not symmetric
  ContactProblem problem = test::problem_from_dense({2, 1}, delassus, Vector3(-1, 2, -3), {-5, 0});
  problem.bilateral = {1, 0};
  const Vector3 r = Matrix3(delassus).inverse() * Vector3(1, -2, 3);  // both closed
  ASSERT_GT(r[2], 0);
  EXPECT_LT(residual(problem, r).value, 1e-15);
  EXPECT_LT(fclib_residual(problem, r), 1e-15);
  EXPECT_LT(test::coulomb_violation(problem, r), 1e-15);
  EXPECT_GT(residual(problem, Vector3(r + Vector3(1e-3, 0, 0))).value, 1e-4);
  // The other triangle would be another problem.
  ContactProblem transposed = test::problem_from_dense({2, 1}, delassus.transpose(), Vector3(-1, 2, -3), {0, 0});
  transposed.bilateral = {1, 0};
  EXPECT_GT(residual(transposed, r).value, 1e-2);
}

TEST(BilateralResidualProperty, DoesNotDependOnTheScaleOfItsRows) {
  math::Random random(83);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const ContactProblem base = test::random_bodies_problem(random, 6, 3, 1, {1, 2, 3, 4, 5, 6});
    std::vector<int> sizes;
    VectorX units = VectorX::Ones(base.delassus.scalar_rows());
    std::vector<char> bilateral;
    for (int i = 0; i < base.contacts(); ++i) {
      sizes.push_back(base.block_size(i));
      bilateral.push_back(static_cast<char>(sizes.back() == 4 || random.integer(3) == 0));
      for (int k = 0; k < sizes.back() && bilateral.back() != 0; ++k) {
        units[base.block_offset(i) + k] = std::exp2(std::floor(random.uniform(-20, 20)));
      }
    }
    ContactProblem problem = base;
    problem.bilateral = bilateral;
    const MatrixX delassus = units.asDiagonal() * base.delassus.dense() * units.asDiagonal();
    ContactProblem scaled =
        test::problem_from_dense(sizes, delassus, units.cwiseProduct(base.free_velocity), base.friction);
    scaled.bilateral = bilateral;
    const VectorX r = test::random_vector(random, base.delassus.scalar_rows());
    EXPECT_EQ(residual(problem, r).value, residual(scaled, r.cwiseQuotient(units)).value);
  }
}

}  // namespace
}  // namespace ricochet::cone
