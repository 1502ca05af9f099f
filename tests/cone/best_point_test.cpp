#include "ricochet/cone/best_point.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cone/test_problems.hpp"

namespace ricochet::cone {
namespace {

TEST(BestPoint, KeepsTheBestOfWhatIsOffered) {
  const ContactProblem problem = test::single_contact(MatrixX::Identity(3, 3), VectorX{{-1.0, 0.2, 0.0}}, 0.5);
  ScaledProblem scaled;
  find_scales(problem, scaled);
  const auto offer = [&](BestPoint& best, const VectorX& r) {
    const VectorX x = r.cwiseQuotient(scaled.scale);
    const VectorX y = scaled.velocity_scale.cwiseProduct(problem.delassus.dense() * r + problem.free_velocity);
    return best.offer(problem, scaled, x, y);
  };
  BestPoint best;
  linalg::ReusableVector r = VectorX{{0.9, -0.2, 0.0}};
  ASSERT_TRUE(best.open(problem, r, {}));
  const double first = best.residual_value();
  EXPECT_FALSE(offer(best, VectorX{{0.5, 0.0, 0.0}}));
  EXPECT_EQ(best.residual_value(), first) << "a worse point was taken";
  EXPECT_FALSE(offer(best, VectorX{{0.99, -0.2, 0.0}}));
  EXPECT_LT(best.residual_value(), first);
  EXPECT_FALSE(offer(best, VectorX::Constant(3, std::numeric_limits<double>::quiet_NaN())));
  const SolveReport report = best.close(7, r);
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 7);
  EXPECT_EQ(report.residual, residual(problem, r).value);
  EXPECT_EQ(r[0], 0.99);

  ASSERT_TRUE(best.open(problem, r, {}));
  EXPECT_TRUE(offer(best, VectorX{{1.0, -0.2, 0.0}}));
  EXPECT_EQ(best.close(1, r).status, SolveStatus::converged);
  EXPECT_FALSE(best.open(problem, r, {})) << "the first guess solves it";
  EXPECT_EQ(best.close(0, r).status, SolveStatus::converged);
}

TEST(BestPoint, NothingToDoWithoutIterations) {
  const ContactProblem problem = test::single_contact(MatrixX::Identity(3, 3), VectorX{{-1.0, 0.2, 0.0}}, 0.5);
  BestPoint best;
  linalg::ReusableVector r;
  EXPECT_FALSE(best.open(problem, r, {.max_iterations = 0}));
  EXPECT_EQ(best.close(0, r).status, SolveStatus::iteration_limit);
}

}  // namespace
}  // namespace ricochet::cone
