#include "ricochet/mechanics/material_point.hpp"

#include <gtest/gtest.h>

#include "mechanics/term_checks.hpp"

namespace ricochet::mechanics {
namespace {

struct PointCase {
  model::Model model;
  math::Random random{5};
  PointCase() {
    test::add_random_frame(model, random);
    test::add_random_point(model, random);
  }
};

TEST(MaterialPoint, OfTheWorld) {
  const PointCase setup;
  const DofMap map(setup.model);
  const State state = initial_state(setup.model, map);
  const MaterialPoint point(model::Attachment{{}, Vector3(1, 2, 3)});
  EXPECT_TRUE(point.in_world());
  EXPECT_EQ(point.position(map, state), Vector3(1, 2, 3));
  EXPECT_TRUE(point.velocity(map, state).isZero(0));
  EXPECT_TRUE(point.arm(map, state).isZero(0));
  EXPECT_TRUE(point.rotation_gradient(map, state).isZero(0));
  VectorX force = VectorX::Zero(map.v_total());
  point.add_force(map, state, Vector3::Ones(), force);
  EXPECT_TRUE(force.isZero(0));
}

TEST(MaterialPoint, OfAPointNode) {
  const PointCase setup;
  const DofMap map(setup.model);
  const State state = initial_state(setup.model, map);
  const MaterialPoint point(model::Attachment{{1}, Vector3::Zero()});
  EXPECT_EQ(point.node(), 1);
  EXPECT_EQ(point.position(map, state), setup.model.nodes[1].position);
  EXPECT_EQ(point.velocity(map, state), setup.model.nodes[1].velocity);
  VectorX force = VectorX::Zero(map.v_total());
  point.add_force(map, state, Vector3(1, 2, 3), force);
  VectorX expected(9);
  expected << 0, 0, 0, 0, 0, 0, 1, 2, 3;
  EXPECT_EQ(force, expected);
}

// A body turned by 90 degrees about z: everything by hand.
TEST(MaterialPoint, OfATurnedFrame) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3(10, 0, 0),
                math::Quaternion::from_axis_angle(Vector3::UnitZ(), M_PI / 2));
  model.nodes[0].angular_velocity = Vector3(0, 0, 3);
  const DofMap map(model);
  const State state = initial_state(model, map);
  const MaterialPoint point(model::Attachment{{0}, Vector3(2, 0, 0)});
  EXPECT_LE((point.arm(map, state) - Vector3(0, 2, 0)).norm(), 1e-15);
  EXPECT_LE((point.position(map, state) - Vector3(10, 2, 0)).norm(), 1e-15);
  EXPECT_LE((point.velocity(map, state) - Vector3(-6, 0, 0)).norm(), 1e-14);
  VectorX force = VectorX::Zero(6);
  point.add_force(map, state, Vector3(5, 0, 0), force);  // at the arm (0, 2, 0): torque -10 about z
  Vector6 expected;
  expected << 5, 0, 0, 0, 0, -10;
  EXPECT_LE((force - expected).norm(), 1e-14);
}

TEST(MaterialPointProperty, VelocityAndGradientAreDerivativesOfThePosition) {
  for (int i = 0; i < 200; ++i) {
    PointCase setup;
    setup.random = math::Random(100 + i);
    setup.model = {};
    test::add_random_frame(setup.model, setup.random);
    const DofMap map(setup.model);
    const State state = initial_state(setup.model, map);
    const MaterialPoint point(model::Attachment{{0}, test::random_vector3(setup.random)});
    const double small = 1e-5;
    State later = state, earlier = state;
    advance(map, state.q, state.v, small, later.q);
    advance(map, state.q, state.v, -small, earlier.q);
    const Vector3 velocity = (point.position(map, later) - point.position(map, earlier)) / (2 * small);
    EXPECT_LE((point.velocity(map, state) - velocity).norm(), 1e-8);
    const Matrix3 gradient = point.rotation_gradient(map, state);
    for (int k = 0; k < 3; ++k) {
      const Vector3 column = (point.position(map, test::moved(map, state, 3 + k, small)) -
                              point.position(map, test::moved(map, state, 3 + k, -small))) /
                             (2 * small);
      EXPECT_LE((gradient.col(k) - column).norm(), 1e-8);
    }
    EXPECT_LE((Vector3(state.v.head<3>()) + gradient * state.v.tail<3>() - point.velocity(map, state)).norm(), 1e-14);
    EXPECT_LE((point.position(map, state) - position(map, state, 0) - point.arm(map, state)).norm(), 1e-14);
    // The generalised force does the work of the force.
    const Vector3 push = test::random_vector3(setup.random);
    VectorX force = VectorX::Zero(6);
    point.add_force(map, state, push, force);
    EXPECT_NEAR(force.dot(state.v), push.dot(point.velocity(map, state)), 1e-13);
  }
}

}  // namespace
}  // namespace ricochet::mechanics
