#include "ricochet/cone/newton_function.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cone/known_sphere.hpp"
#include "cone/test_problems.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {
namespace {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

VectorX value_at(NewtonFunction function, const BlockLaw& law, const VectorX& x, const VectorX& y) {
  VectorX value(law.size);
  newton_value(function, law, x.data(), y.data(), value.data());
  return value;
}

BlockLaw random_law(math::Random& random) {
  const int sizes[] = {1, 2, 3, 5, 6};
  BlockLaw law;
  law.bilateral = random.integer(10) == 0;
  law.size = law.bilateral ? 1 + static_cast<int>(random.integer(6)) : sizes[random.integer(5)];
  law.friction = Friction(random.uniform(0.05, 2), random.uniform(0.05, 2), random.uniform(0.05, 2));
  return law;
}

TEST(NewtonFunctionProperty, DerivativeIsThatOfTheValue) {
  // Central differences with two steps agree wherever the function is smooth near the point: only there is the
  // derivative compared, and that must be nearly everywhere.
  math::Random random(93);
  for (const NewtonFunction function : {NewtonFunction::alart_curnier, NewtonFunction::natural_map}) {
    int compared = 0, open = 0;
    for (int repeat = 0; repeat < 2000; ++repeat) {
      const BlockLaw law = random_law(random);
      VectorX x = test::random_vector(random, law.size);
      const VectorX y = test::random_vector(random, law.size);
      x[0] += 1;
      BlockDerivative derivative;
      newton_derivative(function, law, x.data(), y.data(), derivative);
      const RowMajorMatrix by_impulse = Eigen::Map<RowMajorMatrix>(derivative.by_impulse, law.size, law.size);
      const RowMajorMatrix by_velocity = Eigen::Map<RowMajorMatrix>(derivative.by_velocity, law.size, law.size);
      EXPECT_EQ(derivative.only_impulse, by_velocity.isZero(0));
      open += derivative.only_impulse ? 1 : 0;
      for (int k = 0; k < 2 * law.size; ++k) {
        const auto slope = [&](double step) {
          VectorX direction = VectorX::Zero(law.size);
          direction[k % law.size] = step;
          const bool of_x = k < law.size;
          const VectorX forward = value_at(function, law, of_x ? VectorX(x + direction) : x, of_x ? y : y + direction);
          const VectorX back = value_at(function, law, of_x ? VectorX(x - direction) : x, of_x ? y : y - direction);
          return VectorX((forward - back) / (2 * step));
        };
        const VectorX coarse = slope(1e-4), fine = slope(1e-5);
        if ((coarse - fine).norm() > 1e-6) continue;  // the derivative jumps in between, or the curvature is large
        ++compared;
        const VectorX expected = k < law.size ? by_impulse.col(k) : by_velocity.col(k - law.size);
        EXPECT_LT((fine - expected).norm(), 1e-6) << "size " << law.size << ", column " << k;
      }
    }
    EXPECT_GE(compared, 10'000);
    EXPECT_GE(open, 100);
  }
}

TEST(NewtonFunction, IsZeroAtKnownSolutionsAndNowhereNear) {
  math::Random random(94);
  for (const known_sphere::Case& known : known_sphere::known_solutions()) {
    const ContactProblem problem = known_sphere::sphere(6, known);
    const VectorX x = known.impulse;
    linalg::ReusableVector velocity;
    contact_velocity(problem, x, velocity);
    const VectorX y = velocity;
    for (const NewtonFunction function : {NewtonFunction::alart_curnier, NewtonFunction::natural_map}) {
      EXPECT_LT(value_at(function, problem.law(0), x, y).norm(), 1e-12) << known.name;
      for (int k = 0; k < 6; ++k) {
        VectorX wrong = x;
        wrong[k] += 1e-3 * (random.integer(2) == 0 ? 1 : -1);
        EXPECT_GT(value_at(function, problem.law(0), wrong, problem.delassus.dense() * (wrong - x) + y).norm(), 1e-6)
            << known.name << ", component " << k;
      }
    }
  }
}

TEST(NewtonFunction, NaturalMapIsThatOfTheResidual) {
  math::Random random(95);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const BlockLaw law = random_law(random);
    const VectorX x = test::random_vector(random, law.size), y = test::random_vector(random, law.size);
    EXPECT_NEAR(value_at(NewtonFunction::natural_map, law, x, y).squaredNorm(),
                natural_map_square(law, 1.0, x.data(), y.data()), 1e-12);
  }
}

TEST(NewtonFunction, StatusesHaveTheRowsThatTheyMean) {
  BlockLaw law{3, false, 0.5};
  BlockDerivative derivative;
  const double loaded[3] = {2, 0.1, 0.2}, still[3] = {0, 0, 0}, away[3] = {3, 0, 0};
  for (const NewtonFunction function : {NewtonFunction::alart_curnier, NewtonFunction::natural_map}) {
    newton_derivative(function, law, loaded, still, derivative);  // sticks: F = y
    EXPECT_TRUE(Eigen::Map<RowMajorMatrix>(derivative.by_velocity, 3, 3).isIdentity(0));
    EXPECT_TRUE(Eigen::Map<RowMajorMatrix>(derivative.by_impulse, 3, 3).isZero(0));
    newton_derivative(function, law, still, away, derivative);  // open: F = x
    EXPECT_TRUE(derivative.only_impulse);
    EXPECT_TRUE(Eigen::Map<RowMajorMatrix>(derivative.by_impulse, 3, 3).isIdentity(0));
    law.bilateral = true;
    newton_derivative(function, law, still, away, derivative);
    EXPECT_TRUE(Eigen::Map<RowMajorMatrix>(derivative.by_velocity, 3, 3).isIdentity(0));
    law.bilateral = false;
  }
}

}  // namespace
}  // namespace ricochet::cone
