#include "ricochet/integrate/augmented_newton.hpp"

#include <gtest/gtest.h>

#include "integrate/alpha_models.hpp"

namespace ricochet::integrate {
namespace {

TEST(AugmentedNewton, OneIterationForAPointAtRest) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 2, Vector3::Zero());
  test::put_on_ground(model, test::alpha_law(0.3));
  test::AlphaRunner run(model, 1e-3);
  run.steps(5);
  EXPECT_EQ(run.level(SubproblemLevel::position).iterations, 1);
  EXPECT_EQ(run.level(SubproblemLevel::velocity).iterations, 1);
  EXPECT_EQ(run.level(SubproblemLevel::position).residuals.size(), 2);
}

// Both stopping tests end at the same point if they ask for the same.
TEST(AugmentedNewton, BothStoppingTests) {
  const auto place = [](StoppingTest test, double tolerance) {
    NonsmoothGeneralizedAlphaOptions options;
    options.newton.test = test;
    options.newton.tolerance = tolerance;
    test::AlphaRunner run(test::tumbling_box(0.3, 0.2), 1e-3, options);
    run.steps(400);
    return VectorX(run.now.state.q);
  };
  EXPECT_LE((place(StoppingTest::relative, 1e-12) - place(StoppingTest::absolute, 1e-14)).norm(), 1e-9);
}

// The solvers of cone/ within Newton, and Newton alone, on a heap of balls.
TEST(AugmentedNewton, ConeAndNewtonAgree) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  for (int i = 0; i < 8; ++i) {
    test::add_ball(model, 1, 0.25, Vector3(0.3 * (i % 2) + 0.01 * i, 0.3 + 0.45 * (i / 2), 0.1 * (i % 3)));
  }
  test::put_on_ground(model, test::alpha_law(0.4, 0.1));
  std::vector<model::Participant> all;
  for (int i = 0; i < 8; ++i) all.push_back(test::body(i));
  test::add_contact(model, all, all, test::alpha_law(0.4, 0.1));
  const auto place = [&](SubproblemSolver solver) {
    NonsmoothGeneralizedAlphaOptions options;
    options.newton.solver = solver;
    options.newton.tolerance = 1e-12;
    test::AlphaRunner run(model, 1e-3, options);
    run.steps(150);
    EXPECT_GE(run.report.contacts.size(), 4);
    return VectorX(run.now.state.q);
  };
  EXPECT_LE((place(SubproblemSolver::newton) - place(SubproblemSolver::cone)).norm(), 1e-8);
}

}  // namespace
}  // namespace ricochet::integrate
