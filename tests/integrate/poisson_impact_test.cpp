// Poisson's hypothesis: closed forms, and its two-phase law on random problems.
#include "ricochet/integrate/poisson_impact.hpp"

#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

// Three equal balls in a row, the first flies at 1 m/s against the two that touch; only the second contact is elastic.
// Compression: u = 0 at both, p_c = (2/3, 1/3). The second gives back 1/3, which presses the first, inelastic contact
// together again: 1/6 more. Balls fly off at 1/6, 1/6 and 2/3. (Newton's law: 1/3 for all three.)
TEST(PoissonImpact, ARowOfThreeBalls) {
  model::Model model;
  for (int i = 0; i < 3; ++i) test::add_ball(model, 1, 0.5, Vector3(i, 0, 0));
  model.nodes[0].velocity = Vector3(1, 0, 0);
  test::add_contact(model, {test::body(0)}, {test::body(1)}, {0, 0, 0});
  test::add_contact(model, {test::body(1)}, {test::body(2)}, {0, 1, 0});
  test::Runner poisson(model, {.scheme = {.impact = ImpactLaw::poisson}});
  poisson.step();
  EXPECT_NEAR(poisson.velocity(0).x(), 1.0 / 6, 1e-12);
  EXPECT_NEAR(poisson.velocity(1).x(), 1.0 / 6, 1e-12);
  EXPECT_NEAR(poisson.velocity(2).x(), 2.0 / 3, 1e-12);
  test::Runner newton(model, {});
  newton.step();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(newton.velocity(i).x(), 1.0 / 3, 1e-12);
}

// The weight of a body at rest is no compression: it does not hop.
TEST(PoissonImpact, ABodyAtRestStays) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_box(model, 1, Vector3(0.1, 0.1, 0.1), Vector3(0, 0.1, 0));
  test::put_on_ground(model, {0.3, 0.8, 0});
  test::Runner run(model, {.scheme = {.impact = ImpactLaw::poisson}});
  run.steps(1000);
  EXPECT_LE(run.velocity(0).norm(), 1e-12);
  EXPECT_LE((run.position(0) - Vector3(0, 0.1, 0)).norm(), 1e-12);
}

// What the law says, checked with nothing of its implementation: p - p_c is a Coulomb impulse with at least e p_cN.
TEST(PoissonImpactProperty, TwoPhaseLawOnRandomProblems) {
  math::Random random(3);
  int slips = 0, sticks = 0, given_back = 0;
  for (int i = 0; i < 300; ++i) {
    const int contacts = 1 + static_cast<int>(random.integer(3));
    const int size = random.integer(2) == 0 ? 2 : 3;
    const int scalars = contacts * size;
    MatrixX root(scalars, scalars + 3);
    for (Eigen::Index k = 0; k < root.size(); ++k) root.data()[k] = random.normal();
    const MatrixX w = root * root.transpose();
    cone::ContactProblem problem;
    problem.delassus.reset(std::vector<int>(static_cast<std::size_t>(contacts), size));
    for (int row = 0; row < contacts; ++row) {
      problem.delassus.begin_row(size);
      for (int column = 0; column < contacts; ++column) {
        problem.delassus.append(column) = w.block(row * size, column * size, size, size);
      }
    }
    linalg::ReusableVector before;
    before.setZero(scalars);
    problem.free_velocity.setZero(scalars);
    for (int k = 0; k < scalars; ++k) {
      before[k] = random.normal();
      problem.free_velocity[k] = before[k] + 0.01 * random.normal();
    }
    std::vector<double> restitution;
    for (int k = 0; k < contacts; ++k) {
      problem.friction.emplace_back(random.uniform(0, 1));
      restitution.push_back(random.uniform());
    }
    PoissonImpact poisson;
    cone::ContactSolver solver;
    linalg::ReusableVector p;
    p.setZero(scalars);
    const cone::SolveOptions options{.tolerance = 1e-12, .max_iterations = 100'000};
    const cone::SolveReport report = poisson.solve(problem, before, restitution, options, solver, p);
    ASSERT_EQ(report.status, cone::SolveStatus::converged) << i;
    cone::ContactProblem compression = problem;
    compression.free_velocity = before;
    linalg::ReusableVector compressed;
    compressed.setZero(scalars);
    solver.solve(compression, compressed, options);
    if (poisson.problem() == nullptr) compressed.setZero();  // nothing approaches: nothing is compressed
    const VectorX u = w * p + problem.free_velocity;
    for (int k = 0; k < contacts; ++k) {
      const int n = k * size;
      const double floor = restitution[static_cast<std::size_t>(k)] * compressed[n];
      const double expansion = p[n] - compressed[n];
      EXPECT_GE(expansion, floor - 1e-9) << i;
      EXPECT_GE(u[n], -1e-9) << i;
      EXPECT_LE((expansion - floor) * u[n], 1e-9) << i;
      const VectorX tangent = p.segment(n + 1, size - 1) - compressed.segment(n + 1, size - 1);
      const VectorX slip = u.segment(n + 1, size - 1);
      const double most = problem.friction[static_cast<std::size_t>(k)].sliding * expansion;
      EXPECT_LE(tangent.norm(), most + 1e-9) << i;
      EXPECT_NEAR(tangent.dot(slip), -most * slip.norm(), 1e-8 * (1 + slip.norm())) << i;
      if (floor > 1e-6) ++given_back;
      if (expansion > 1e-6) ++(slip.norm() > 1e-8 ? slips : sticks);
    }
  }
  EXPECT_GT(slips, 20);
  EXPECT_GT(sticks, 20);
  EXPECT_GT(given_back, 100);
}

}  // namespace
}  // namespace ricochet::integrate
