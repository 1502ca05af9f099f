// The nearest placement in which joints are closed.
#include "ricochet/mechanics/joints/nearest_placement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/assembly_models.hpp"

namespace ricochet::mechanics {
namespace {

// A bar with its hinge at the distance a from its centre, placed beside it. In the plane one angle is unknown: the
// centre is then at -R(phi) (a, 0), and m |x - x_0|^2 + J (phi - phi_0)^2 is stationary where
//   m a (y_0 cos phi - x_0 sin phi) + J (phi - phi_0) = 0.
TEST(NearestPlacement, AHingedBarSolvesOneEquation) {
  constexpr double arm = 0.5;
  for (const Vector3& offset : {Vector3(0.01, 0, 0), Vector3(0, 0.05, 0), Vector3(-0.1, 0.15, 0)}) {
    model::Model model;
    model.planar = true;
    test::add_bar(model, 2, -2 * arm * Vector3::UnitX() + offset, offset);
    model.joints.push_back(
        test::joint_between(model::JointType::revolute, "hinge", {{}, Vector3::Zero()}, {{0}, {arm, 0, 0}}));
    const Equations equations(model);
    State state = equations.initial_state();
    const NearestPlacement::Result result = NearestPlacement().find(equations, state);
    EXPECT_TRUE(result.closed);
    const Vector3 given = model.nodes[0].position;
    const double mass = model.bodies[0].mass, inertia = model.bodies[0].inertia(2, 2);
    double phi = 0;
    for (int i = 0; i < 50; ++i) {
      const double slope = mass * arm * (given.y() * std::cos(phi) - given.x() * std::sin(phi)) + inertia * phi;
      phi -= slope / (inertia - mass * arm * (given.x() * std::cos(phi) + given.y() * std::sin(phi)));
    }
    EXPECT_NEAR(math::logarithm(orientation(equations.map(), state, 0)).z(), phi, 1e-13) << offset.transpose();
    EXPECT_NEAR(state.q[0], -arm * std::cos(phi), 1e-13);
    EXPECT_NEAR(state.q[1], -arm * std::sin(phi), 1e-13);
  }
}

// No neighbour that closes the joints as well is nearer. Without the slides along the joints some are.
TEST(NearestPlacementProperty, NoNeighbourIsNearer) {
  math::Random random(7);
  for (const bool planar : {true, false}) {
    for (const double off : {0.01, 0.05}) {
      model::Model model = test::four_bar(planar);
      test::displace(model, random, off);
      const Equations equations(model);
      const State given = equations.initial_state();
      State nearest = given, projected = given;
      const NearestPlacement::Result result = NearestPlacement().find(equations, nearest);
      JointProjection projection;
      projection.project_position(equations, projected);
      EXPECT_TRUE(result.closed);
      EXPECT_LE(equations.joints().error(nearest, equations.size()), 2e-15);
      EXPECT_LE(result.slope, 1e-12 * result.moved);
      EXPECT_LE(result.slides, 30);
      const double best = test::motion_squared(model, equations.map(), given.q, nearest.q);
      EXPECT_NEAR(best, result.moved * result.moved, 1e-14 * best);
      EXPECT_GT(test::motion_squared(model, equations.map(), given.q, projected.q), best * (1 + 1e-9));
      for (int repeat = 0; repeat < 20; ++repeat) {
        State neighbour = nearest;
        VectorX step = VectorX::Zero(equations.map().v_total());
        for (int k = 0; k < equations.map().v_total(); ++k) {
          if (equations.map().is_free(k)) step[k] = 1e-3 * off * random.normal();
        }
        advance(equations.map(), nearest.q, step, 1, neighbour.q);
        projection.project_position(equations, neighbour);
        EXPECT_GE(test::motion_squared(model, equations.map(), given.q, neighbour.q), best * (1 - 1e-14));
      }
    }
  }
}

TEST(NearestPlacement, WhatIsClosedStaysAndNothingIsSlid) {
  const model::Model model = test::four_bar(true);
  const Equations equations(model);
  State state = equations.initial_state();
  const NearestPlacement::Result result = NearestPlacement().find(equations, state);
  EXPECT_TRUE(result.closed);
  EXPECT_LE(result.moved, 1e-15);
  EXPECT_LE((state.q - equations.initial_state().q).norm(), 1e-15);
  model::Model free;
  test::add_point(free, 1, Vector3(1, 2, 3));
  const Equations no_joints(free);
  State lonely = no_joints.initial_state();
  EXPECT_TRUE(NearestPlacement().find(no_joints, lonely).closed);
  EXPECT_EQ(lonely.q, no_joints.initial_state().q);
}

}  // namespace
}  // namespace ricochet::mechanics
