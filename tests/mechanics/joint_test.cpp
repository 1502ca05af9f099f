#include "ricochet/mechanics/joints/joint.hpp"

#include <gtest/gtest.h>

#include "mechanics/joint_checks.hpp"

namespace ricochet::mechanics {
namespace {

using model::JointType;
using test::JointCase;
using test::JointSides;

std::vector<JointSides> sides_of(JointType type) {
  using enum JointSides;
  if (type != JointType::ball && type != JointType::distance) return {both_frames, first_in_world, second_in_world};
  return {both_frames, first_in_world, second_in_world, both_points, point_on_frame, point_in_world};
}

// A joint of every type on every pair of sides, `repeats` times.
template <class Check>
void for_all_joints(std::uint64_t seed, int repeats, const Check& check) {
  math::Random random(seed);
  for (const JointType type : test::all_joint_types()) {
    for (const JointSides sides : sides_of(type)) {
      for (int i = 0; i < repeats; ++i) {
        SCOPED_TRACE(fmt::format("{} joint, sides {}, case {}", name_of(type), static_cast<int>(sides), i));
        check(type, test::random_joint_case(type, sides, random), random);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(JointProperty, DerivativesWhereTheJointIsClosed) {
  for_all_joints(101, 10, [](JointType, const JointCase& made, math::Random& random) {
    const DofMap map(made.model);
    const Joint joint = made.make(map);
    const State state = initial_state(made.model, map);
    EXPECT_LE(test::joint_value(joint, state).norm(), 1e-13);
    test::expect_joint_derivatives(joint, map, state, random);
  });
}

TEST(JointProperty, DerivativesWhereTheJointIsOpen) {
  for_all_joints(102, 20, [](JointType, const JointCase& made, math::Random& random) {
    const DofMap map(made.model);
    const Joint joint = made.make(map);
    State state = initial_state(made.model, map);
    state = test::advanced(map, state, test::random_velocities(map, random), 0.2);
    state.time = random.uniform(0, 3);
    EXPECT_GT(test::joint_value(joint, state).norm(), 1e-6);
    test::expect_joint_derivatives(joint, map, state, random);
  });
}

TEST(JointProperty, DegreesOfFreedom) {
  for_all_joints(103, 10, [](JointType type, const JointCase& made, math::Random& random) {
    const DofMap map(made.model);
    const Joint joint = made.make(map);
    State state = initial_state(made.model, map);
    constexpr std::array<int, 12> ranks = {3, 5, 4, 4, 5, 3, 6, 1, 5, 1, 1, 1};
    const int expected = ranks[static_cast<std::size_t>(type)];
    EXPECT_EQ(joint.rows(), expected);
    EXPECT_EQ(test::joint_rank(joint, state), expected);
    state = test::advanced(map, state, test::random_velocities(map, random), 0.1);
    EXPECT_EQ(test::joint_rank(joint, state), expected);
  });
}

// Turning and moving the whole machine, with what is fixed in the world, changes no value, speed or curvature.
TEST(JointProperty, RigidMotionOfTheWorld) {
  for_all_joints(104, 10, [](JointType, const JointCase& made, math::Random& random) {
    const DofMap map(made.model);
    State state = initial_state(made.model, map);
    state = test::advanced(map, state, test::random_velocities(map, random), 0.1);

    JointCase moved = made;
    State moved_state = state;
    const Vector3 shift = test::random_vector3(random, 2);
    const math::Quaternion turn = test::random_rotation(random);
    for (int i = 0; i < map.nodes(); ++i) {
      const int q = map.q_start(i), v = map.v_start(i);
      model::Node& node = moved.model.nodes[i];
      node.position = shift + turn.rotate(node.position);
      moved_state.q.segment<3>(q) = shift + turn.rotate(state.q.segment<3>(q));
      moved_state.v.segment<3>(v) = turn.rotate(state.v.segment<3>(v));
      if (!map.is_frame(i)) continue;
      node.orientation = (turn * node.orientation).normalized();
      const math::Quaternion rotation = turn * orientation(map, state, i);
      moved_state.q.segment<4>(q + 3) << rotation.w, rotation.x, rotation.y, rotation.z;
    }
    for (model::Joint& joint : moved.joints) {
      for (model::JointFrame* frame : {&joint.first, &joint.second}) {
        const int node = frame->attachment.node.index;
        if (node < 0) frame->attachment.offset = shift + turn.rotate(frame->attachment.offset);
        if (node < 0 || !map.is_frame(node)) frame->axes = (turn * frame->axes).normalized();
      }
    }
    const Joint joint = made.make(map), moved_joint = moved.make(map);
    EXPECT_LE((test::joint_value(joint, state) - test::joint_value(moved_joint, moved_state)).norm(), 1e-12);
    EXPECT_LE((test::joint_curvature(joint, state) - test::joint_curvature(moved_joint, moved_state)).norm(), 1e-10);
    const Joint::Coordinates earlier{};
    for (int i = 0; i < joint.coordinate_count(); ++i) {
      EXPECT_NEAR(joint.coordinates(state, earlier)[i], moved_joint.coordinates(moved_state, earlier)[i], 1e-12);
      EXPECT_NEAR(joint.speeds(state)[i], moved_joint.speeds(moved_state)[i], 1e-10);
    }
  });
}

// Forces of a joint between two bodies are in balance: no resultant force, no resultant moment.
TEST(JointProperty, ActionIsReaction) {
  for_all_joints(105, 5, [](JointType type, const JointCase& made, math::Random& random) {
    const DofMap map(made.model);
    const Joint joint = made.make(map);
    State state = initial_state(made.model, map);
    const model::Joint& data = made.joints[0];
    if (!data.first.attachment.node.valid() || !data.second.attachment.node.valid()) return;
    // A point that does not turn cannot take up the couple of a ball joint that is open.
    const bool couple = type == JointType::ball && !map.is_frame(data.first.attachment.node.index);
    if (!couple) state = test::advanced(map, state, test::random_velocities(map, random), 0.1);
    Joint::Rows lambda(joint.rows());
    for (double& entry : lambda) entry = random.normal();
    VectorX force = VectorX::Zero(map.v_total());
    joint.add_force(state, lambda, force);
    Vector3 resultant = Vector3::Zero(), moment = Vector3::Zero();
    for (int i = 0; i < map.nodes(); ++i) {
      const Vector3 pull = force.segment<3>(map.v_start(i));
      resultant += pull;
      moment += math::cross(position(map, state, i), pull);
      if (map.is_frame(i)) moment += orientation(map, state, i).rotate(force.segment<3>(map.v_start(i) + 3));
    }
    EXPECT_LE(resultant.norm(), 1e-13);
    EXPECT_LE(moment.norm(), 1e-12);
  });
}

// The reaction is the force and torque that the joint puts on its second node, seen at the joint point.
TEST(JointProperty, ReactionIsTheForceOnTheSecondBody) {
  math::Random random(106);
  for (const JointType type : {JointType::ball, JointType::revolute, JointType::universal, JointType::fixed,
                               JointType::prismatic, JointType::screw, JointType::distance}) {
    const JointCase made = test::random_joint_case(type, JointSides::both_frames, random);
    const DofMap map(made.model);
    const Joint joint = made.make(map);
    State state = initial_state(made.model, map);
    state = test::advanced(map, state, test::random_velocities(map, random), 0.1);
    Joint::Rows lambda(joint.rows());
    for (double& entry : lambda) entry = random.normal();
    VectorX force = VectorX::Zero(map.v_total());
    joint.add_force(state, lambda, force);
    const Joint::Reaction reaction = joint.reaction(state, lambda);
    const math::Quaternion rotation = orientation(map, state, 1);
    const Vector3 arm = rotation.rotate(made.joints[0].second.attachment.offset);
    EXPECT_LE((reaction.force - force.segment<3>(map.v_start(1))).norm(), 1e-13);
    EXPECT_LE(
        (reaction.torque + math::cross(arm, reaction.force) - rotation.rotate(force.segment<3>(map.v_start(1) + 3)))
            .norm(),
        1e-13);
  }
}

}  // namespace
}  // namespace ricochet::mechanics
