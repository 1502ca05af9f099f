// Tangents against finite differences are in the tests of who uses it: joint_springs_test, joint_efforts_test.
#include "ricochet/mechanics/joints/coordinate_force.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mechanics/joint_checks.hpp"

namespace ricochet::mechanics {
namespace {

// The power of the force is what it is along the coordinate: Q s', for angles and lengths.
TEST(CoordinateForceProperty, PowerIsForceTimesSpeed) {
  math::Random random(5);
  for (int i = 0; i < 60; ++i) {
    const auto type = i % 2 == 0 ? model::JointType::revolute : model::JointType::prismatic;
    test::JointCase made = test::random_joint_case(type, static_cast<test::JointSides>(random.integer(3)), random);
    made.model.joints = made.joints;
    const DofMap map(made.model);
    const JointSet joints(made.model, map, 0);
    State state = initial_state(made.model, map);
    state.angles.setZero(joints.coordinates());
    joints.set_start_coordinates(state);
    state.v = test::random_velocities(map, random);
    const CoordinateForce along(made.model, {{0}, 0}, math::TimeFunction::constant(0), map, joints);
    VectorX force = VectorX::Zero(map.v_total());
    along.add_force(state, 3, force);
    EXPECT_NEAR(force.dot(state.v), 3 * along.speed(state), 1e-12 * (1 + force.norm() * state.v.norm()));
    EXPECT_GT(std::abs(along.speed(state)), 0);
    // Half a turn in a step is too much; lengths have no turns.
    const double half_turn = M_PI / std::abs(along.speed(state));
    EXPECT_TRUE(along.turns_can_be_counted(state, 0.999 * half_turn));
    EXPECT_EQ(along.turns_can_be_counted(state, 1.001 * half_turn), type == model::JointType::prismatic);
  }
}

TEST(CoordinateForceBadInput, SaysWhoTurnsTooFast) {
  EXPECT_THAT(CoordinateForce::too_fast("joint 'crank'", 0.1).what(),
              testing::StartsWith("joint 'crank' turns by half a turn or more in one step of 0.1 s"));
}

}  // namespace
}  // namespace ricochet::mechanics
