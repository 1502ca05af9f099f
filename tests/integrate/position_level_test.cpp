#include "ricochet/integrate/position_level.hpp"

#include <gtest/gtest.h>

#include "integrate/alpha_models.hpp"

namespace ricochet::integrate {
namespace {

// The tangent of the sub-problem, with joints and curvature, is the derivative of its residual.
TEST(PositionLevel, TheTangentIsTheDerivative) {
  model::Model model = test::tumbling_box(0.3, 0.4);
  model.nodes[0].position = Vector3(0, 0.3, 0);
  const mechanics::Equations equations(model);
  const contact::ContactSet contacts(model, equations.map());
  const System system{equations, contacts};
  Instant begin;
  begin.state = equations.initial_state();
  SmoothMotion smooth(0.8);
  ASSERT_EQ(smooth.solve(equations, begin, 5e-2, {}), SmoothMotion::Outcome::solved);
  PositionLevel level;
  level.begin(system, begin, 5e-2, smooth);
  std::vector<contact::Contact> found;
  contacts.detect(smooth.state(), 0.05, found);
  ASSERT_FALSE(found.empty());
  const contact::ContactMotion motion(contacts, begin.state);
  motion.carry(smooth.state(), found);
  level.take(found);
  math::Random random(3);
  linalg::ReusableVector r;
  r.setZero(level.scalars());
  for (Eigen::Index i = 0; i < r.size(); ++i) r[i] = 0.01 * random.normal();
  // Away from q~, so that U is not zero.
  VectorX away(equations.map().v_total());
  for (Eigen::Index i = 0; i < away.size(); ++i) away[i] = 0.05 * random.normal();
  level.keep();
  level.move(away, 1);
  const VectorX no_joints;
  Subproblem::Residuals at, plus, minus;
  level.evaluate(no_joints, r, at);
  level.linearise(no_joints, r);
  // A dx = d(momentum), so A^-1 d(momentum) = dx.
  level.keep();
  const double small = 1e-6;
  for (int component = 0; component < 6; ++component) {
    const VectorX unit = VectorX::Unit(6, component);
    level.move(unit, small);
    level.evaluate(no_joints, r, plus);
    level.move(unit, -small);
    level.evaluate(no_joints, r, minus);
    VectorX back = (plus.momentum - minus.momentum) / (2 * small);
    level.matrix().solve_in_place(back);
    EXPECT_LE((back - unit).norm(), 2e-6) << component;
  }
}

// A point that the smooth motion has put below the floor comes back to it, along the normal if nothing rubs.
TEST(PositionLevel, LiftsWhatPenetrates) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 2, Vector3(0, 0.001, 0), Vector3(1, -2, 0));
  test::put_on_ground(model, test::alpha_law(0));
  test::AlphaRunner run(model, 1e-3);
  run.step();
  ASSERT_EQ(run.report.contacts.size(), 1);
  EXPECT_NEAR(run.position(0).x(), 1e-3, 1e-17);
  EXPECT_NEAR(run.position(0).y(), 0, 1e-17);
  // nu = m times the lift
  EXPECT_NEAR(run.report.contacts[0].shift[0], 2 * (0.001 + 0.5 * 10 * 1e-6), 1e-15);
}

}  // namespace
}  // namespace ricochet::integrate
