// Closing joints: the smallest change in the mass metric.
#include "ricochet/mechanics/joints/joint_projection.hpp"

#include <gtest/gtest.h>

#include "mechanics/assembly_models.hpp"

namespace ricochet::mechanics {
namespace {

// Two masses, 1 and 3 kg, on a rod of 1 m: an elongated rod is shortened about the common centre of mass, and the
// velocity along it shared alike.
TEST(JointProjection, ARodBetweenTwoMasses) {
  model::Model model;
  test::add_point(model, 1, Vector3(0, 0, 0));
  test::add_point(model, 3, Vector3(1, 0, 0));
  model.joints.push_back(test::rod_between(0, 1, 1));
  const Equations equations(model);
  State state = equations.initial_state();
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
  EXPECT_TRUE(result.closed);
  EXPECT_LE(equations.joints().error(state, 1), 1e-15);
}

// A chain of two hinged bars whose end must go where only a large bend brings it: full steps of Gauss-Newton overshoot,
// and without halving the error grows.
TEST(JointProjection, FarFromClosedStepsAreHalved) {
  for (const double height : {0.02, 0.2, 1.0, 1.9}) {
    model::Model model = test::four_bar(true);
    model.joints[3].first.attachment.offset = Vector3(0.4, height - 0.6, 0);  // C, the pivot of the rocker
    const Equations equations(model);
    State state = equations.initial_state();
    const JointProjection::Result result = JointProjection().project_position(equations, state);
    EXPECT_TRUE(result.closed) << height;
    EXPECT_LE(equations.joints().error(state, 1), 1e-12) << height;
    EXPECT_LE(result.iterations, 20) << height;
  }
}

// Rods of 1, 1 and 2.1 m make no triangle: the best that can be done is told for what it is.
TEST(JointProjection, SaysWhenItCannotClose) {
  model::Model model;
  test::add_point(model, 1, Vector3(0, 0, 0));
  test::add_point(model, 2, Vector3(1, 0.1, 0));
  test::add_point(model, 1, Vector3(2, 0, 0));
  model.joints = {test::rod_between(0, 1, 1), test::rod_between(1, 2, 1), test::rod_between(0, 2, 2.1)};
  const Equations equations(model);
  State state = equations.initial_state();
  const double before = equations.joints().error(state, 1);
  const JointProjection::Result result = JointProjection().project_position(equations, state);
  EXPECT_FALSE(result.closed);
  EXPECT_LT(result.error, before);
  EXPECT_NEAR(equations.joints().error(state, equations.size()), result.error, 1e-15);
  EXPECT_GE(result.error, 0.1 / 3 - 1e-12);  // what is missing, spread over three rods
}

// What is closed to rounding is left alone by positions of zero error only; near it, one full step suffices.
TEST(JointProjection, RoundingIsClosed) {
  const model::Model model = test::four_bar(true);
  const Equations equations(model);
  State state = equations.initial_state();
  const double rounding = position_rounding(equations, state);
  EXPECT_GT(rounding, 1e-12 * equations.size());
  EXPECT_LT(rounding, 2e-12 * equations.size());
  EXPECT_LE(equations.joints().error(state, 1), rounding);
  const JointProjection::Result result = JointProjection().project_position(equations, state);
  EXPECT_TRUE(result.closed);
  EXPECT_LE(result.iterations, 2);
}

}  // namespace
}  // namespace ricochet::mechanics
