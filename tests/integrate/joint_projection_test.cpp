// Closing joints: the smallest change in the mass metric.
#include "ricochet/integrate/joint_projection.hpp"

#include <gtest/gtest.h>

#include "integrate/runner.hpp"

namespace ricochet::integrate {
namespace {

// Two masses, 1 and 3 kg, on a rod of 1 m: an elongated rod is shortened about the common centre of mass, and the
// velocity along it shared alike.
TEST(JointProjection, ARodBetweenTwoMasses) {
  model::Model model;
  test::add_point(model, 1, Vector3(0, 0, 0));
  test::add_point(model, 3, Vector3(1, 0, 0));
  model::Joint rod;
  rod.name = "rod";
  rod.type = model::JointType::distance;
  rod.first = {{{0}, Vector3::Zero()}, {}};
  rod.second = {{{1}, Vector3::Zero()}, {}};
  model.joints.push_back(rod);
  const mechanics::Equations equations(model);
  mechanics::State state = equations.initial_state();
  state.q[0] -= 0.04;
  state.v << 1, 2, 0, 5, 2, 0;
  JointProjection projection;
  const JointProjection::Result result = projection.project(equations, state);
  EXPECT_NEAR(state.q[0], -0.01, 1e-14);
  EXPECT_NEAR(state.q[3], 0.99, 1e-14);
  EXPECT_NEAR(state.v[0], 4, 1e-14);
  EXPECT_NEAR(state.v[3], 4, 1e-14);
  EXPECT_NEAR(state.v[1], 2, 1e-14);
  EXPECT_NEAR(result.energy, 0.5 * 4 * 16 - 0.5 * (1 + 3 * 25), 1e-12);
  EXPECT_LE(equations.joints().error(state, 1), 1e-15);
}

}  // namespace
}  // namespace ricochet::integrate
