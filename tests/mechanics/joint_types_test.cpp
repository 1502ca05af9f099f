// Joints with known answers, type by type.

#include <gtest/gtest.h>

#include "mechanics/joint_checks.hpp"
#include "ricochet/mechanics/joints/joint.hpp"

namespace ricochet::mechanics {
namespace {

using model::JointType;
using test::JointCase;
using test::JointSides;

model::Joint joint_in_the_world(JointType type, int node, const Vector3& point = Vector3::Zero()) {
  model::Joint joint;
  joint.name = "joint";
  joint.type = type;
  joint.second.attachment = {{node}, point};
  return joint;
}

// A lamp on a hinge at the origin about the world axis z: turned by hand, angle and speed are read off, and the angle
// goes on counting through several turns.
TEST(JointRevolute, AngleAfterKnownRotations) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3(-2, 0, 0));
  model.nodes[0].angular_velocity = Vector3(0, 0, 0.5);
  model.nodes[0].velocity = Vector3(0, -1, 0);
  const std::vector<model::Joint> joints = {joint_in_the_world(JointType::revolute, 0, Vector3(2, 0, 0))};
  const DofMap map(model);
  const Joint joint = make_joint(model, joints, {0}, map);
  State state = initial_state(model, map);
  Joint::Coordinates earlier = joint.start_coordinates(state);
  EXPECT_EQ(earlier[0], 0);
  EXPECT_DOUBLE_EQ(joint.speeds(state)[0], 0.5);
  EXPECT_EQ(joint.coordinate_unit(0), JointUnit::angle);
  for (int i = 1; i <= 20; ++i) {
    const auto turn = math::Quaternion::from_axis_angle(Vector3::UnitZ(), i);
    state.q.head<3>() = turn.rotate(Vector3(-2, 0, 0));
    state.q.segment<4>(3) << turn.w, turn.x, turn.y, turn.z;
    earlier = joint.coordinates(state, earlier);
    EXPECT_NEAR(earlier[0], i, 1e-14 * (1 + i));
    EXPECT_LE(test::joint_value(joint, state).norm(), 1e-14);
  }
  // G v + 0 = 0 along the motion, and gamma balances the centripetal acceleration Omega^2 r towards the hinge.
  state = initial_state(model, map);
  EXPECT_LE((test::joint_gradient(joint, state) * state.v).norm(), 1e-15);
  const VectorX gamma = test::joint_curvature(joint, state);
  VectorX acceleration = VectorX::Zero(6);
  acceleration[0] = 0.5 * 0.5 * 2;
  EXPECT_LE((test::joint_gradient(joint, state) * acceleration + gamma).norm(), 1e-15);
}

TEST(JointRevolute, AngleOfAHingeThatIsOpenIsTheTwist) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  const std::vector<model::Joint> joints = {joint_in_the_world(JointType::revolute, 0)};
  const DofMap map(model);
  const Joint joint = make_joint(model, joints, {0}, map);
  State state = initial_state(model, map);
  const auto tilted = math::Quaternion::from_axis_angle(Vector3(1, 2, 0), 0.3) *
                      math::Quaternion::from_axis_angle(Vector3::UnitZ(), 0.8);
  state.q.segment<4>(3) << tilted.w, tilted.x, tilted.y, tilted.z;
  EXPECT_NEAR(joint.coordinates(state, {})[0], 0.8, 1e-15);
  EXPECT_NEAR(test::joint_value(joint, state).norm(), std::sin(0.3), 1e-15);
}

TEST(JointUniversal, TwoAngles) {
  math::Random random(107);
  for (int i = 0; i < 20; ++i) {
    const double first = random.uniform(-3, 3), second = random.uniform(-3, 3);
    JointCase made = test::random_joint_case(JointType::universal, JointSides::both_frames, random);
    test::assemble_second(made.model, made.joints[0], Vector3::Zero(),
                          math::Quaternion::from_axis_angle(Vector3::UnitZ(), first) *
                              math::Quaternion::from_axis_angle(Vector3::UnitX(), second));
    const DofMap map(made.model);
    const Joint joint = made.make(map);
    const Joint::Coordinates angles = joint.coordinates(initial_state(made.model, map), {});
    EXPECT_NEAR(angles[0], first, 1e-13);
    EXPECT_NEAR(angles[1], second, 1e-13);
  }
}

TEST(JointCoordinatesProperty, AreThoseOfTheAssembledPose) {
  math::Random random(108);
  const auto coordinates = [&](JointType type, JointCase& made) {
    made = test::random_joint_case(type, JointSides::both_frames, random);
    const DofMap map(made.model);
    return made.make(map).coordinates(initial_state(made.model, map), {});
  };
  JointCase made;
  for (int i = 0; i < 20; ++i) {
    const Joint::Coordinates revolute = coordinates(JointType::revolute, made);
    EXPECT_NEAR(revolute[0], made.angle, 1e-13);
    const Joint::Coordinates prismatic = coordinates(JointType::prismatic, made);
    EXPECT_NEAR(prismatic[0], made.slide, 1e-13);
    const Joint::Coordinates cylindrical = coordinates(JointType::cylindrical, made);
    EXPECT_NEAR(cylindrical[0], made.slide, 1e-13);
    EXPECT_NEAR(cylindrical[1], made.angle, 1e-13);
    const Joint::Coordinates planar = coordinates(JointType::planar, made);
    EXPECT_NEAR(planar[0], made.slide, 1e-13);
    EXPECT_NEAR(planar[2], made.angle, 1e-13);
  }
}

// A right-handed screw: 3.5 turns advance it by 3.5 pitches.
TEST(JointScrew, AdvancesPitchPerTurn) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  std::vector<model::Joint> joints = {joint_in_the_world(JointType::screw, 0)};
  joints[0].pitch = 0.01;
  const DofMap map(model);
  const Joint joint = make_joint(model, joints, {0}, map);
  EXPECT_EQ(joint.unit(4), JointUnit::length);
  State state = initial_state(model, map);
  Joint::Coordinates earlier = joint.start_coordinates(state);
  Joint::Rows g;
  for (int i = 1; i <= 14; ++i) {  // quarter turns
    const auto turn = math::Quaternion::from_axis_angle(Vector3::UnitZ(), i * M_PI / 2);
    state.q << 0, 0, 0.01 * i / 4, turn.w, turn.x, turn.y, turn.z;
    joint.value(state, earlier, g);
    EXPECT_LE(g.norm(), 1e-16);
    earlier = joint.coordinates(state, earlier);
  }
  EXPECT_NEAR(earlier[0], 0.035, 1e-16);
  EXPECT_NEAR(earlier[1], 7 * M_PI, 1e-13);
  state.q[2] += 0.002;
  joint.value(state, earlier, g);
  EXPECT_NEAR(g[4], 0.002, 1e-16);
}

// Two wheels in the world with 20 and 40 teeth: the large one turns half as fast the other way round.
TEST(JointGear, KeepsItsRatioThroughManyTurns) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  test::add_box(model, 1, Vector3::Ones(), Vector3(3, 0, 0));
  std::vector<model::Joint> joints = {joint_in_the_world(JointType::revolute, 0),
                                      joint_in_the_world(JointType::revolute, 1)};
  joints[1].first.attachment.offset = Vector3(3, 0, 0);
  model::Joint gear;
  gear.name = "gear";
  gear.type = JointType::gear;
  gear.coupled = {{{{0}, 0}, {{1}, 0}}};
  gear.ratio = -2;
  joints.push_back(gear);
  const DofMap map(model);
  const Joint joint = make_joint(model, joints, {2}, map);
  EXPECT_EQ(joint.nodes(), 2);
  State state = initial_state(model, map);
  Joint::Coordinates earlier = joint.start_coordinates(state);
  Joint::Rows g;
  for (int i = 1; i <= 30; ++i) {
    const auto fast = math::Quaternion::from_axis_angle(Vector3::UnitZ(), i);
    const auto slow = math::Quaternion::from_axis_angle(Vector3::UnitZ(), -0.5 * i);
    state.q.segment<4>(3) << fast.w, fast.x, fast.y, fast.z;
    state.q.segment<4>(10) << slow.w, slow.x, slow.y, slow.z;
    joint.value(state, earlier, g);
    EXPECT_NEAR(g[0], 0, 1e-13);
    earlier = joint.coordinates(state, earlier);
  }
  EXPECT_NEAR(earlier[0], 30, 1e-13);
  EXPECT_NEAR(earlier[1], -15, 1e-13);
  MatrixX expected = MatrixX::Zero(1, 12);
  expected(0, 5) = 1;
  expected(0, 11) = 2;
  EXPECT_LE((test::joint_gradient(joint, state) - expected).norm(), 1e-14);
}

// Rack and pinion: the slider moves by the radius times the angle.
TEST(JointCoupler, RackAndPinion) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  std::vector<model::Joint> joints = {joint_in_the_world(JointType::prismatic, 0),
                                      joint_in_the_world(JointType::revolute, 1)};
  model::Joint rack;
  rack.type = JointType::coupler;
  rack.coupled = {{{{0}, 0}, {{1}, 0}}};
  rack.ratio = 0.3;
  joints.push_back(rack);
  const DofMap map(model);
  const Joint joint = make_joint(model, joints, {2}, map);
  EXPECT_EQ(joint.unit(0), JointUnit::length);
  State state = initial_state(model, map);
  state.v[2] = 0.6;
  state.v[11] = 2;
  EXPECT_NEAR((test::joint_gradient(joint, state) * state.v)[0], 0, 1e-16);
  const auto turn = math::Quaternion::from_axis_angle(Vector3::UnitZ(), 2);
  state.q[2] = 0.6;
  state.q.segment<4>(10) << turn.w, turn.x, turn.y, turn.z;
  EXPECT_NEAR(test::joint_value(joint, state)[0], 0, 1e-15);
}

// A driven hinge: the target may be any number of turns away from the principal angle.
TEST(JointDrive, FollowsItsTargetOnItsOwnTurn) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  std::vector<model::Joint> joints = {joint_in_the_world(JointType::revolute, 0)};
  model::Joint drive;
  drive.type = JointType::drive;
  drive.coupled[0] = {{0}, 0};
  drive.target = test::joint_time_function("10*pi+5*t");
  joints.push_back(drive);
  const DofMap map(model);
  const Joint joint = make_joint(model, joints, {1}, map);
  State state = initial_state(model, map);
  EXPECT_NEAR(joint.start_coordinates(state)[0], 10 * M_PI, 1e-14);
  EXPECT_NEAR(test::joint_value(joint, state)[0], 0, 1e-14);
  Joint::Rows g_t, g_tt;
  joint.time_derivatives(0, g_t, g_tt);
  EXPECT_DOUBLE_EQ(g_t[0], -5);
  EXPECT_EQ(g_tt[0], 0);
  state.v[5] = 5;
  EXPECT_NEAR((test::joint_gradient(joint, state) * state.v + g_t)[0], 0, 1e-15);
}

// Two points on a line: everything by hand.
TEST(JointDistance, BetweenPoints) {
  model::Model model;
  test::add_point(model, 1, Vector3(1, 0, 0), Vector3(0, 3, 0));
  test::add_point(model, 1, Vector3(3, 0, 0), Vector3(0, -1, 0));
  model::Joint rod;
  rod.type = JointType::distance;
  rod.first.attachment.node = {0};
  rod.second.attachment.node = {1};
  const std::vector<model::Joint> joints = {rod};
  const DofMap map(model);
  const Joint joint = make_joint(model, joints, {0}, map);
  State state = initial_state(model, map);
  EXPECT_EQ(test::joint_value(joint, state)[0], 0);
  state.q[3] = 5;
  EXPECT_DOUBLE_EQ(test::joint_value(joint, state)[0], 2);
  EXPECT_DOUBLE_EQ(joint.coordinates(state, {})[0], 4);
  MatrixX expected(1, 6);
  expected << -1, 0, 0, 1, 0, 0;
  EXPECT_LE((test::joint_gradient(joint, state) - expected).norm(), 1e-15);
  EXPECT_DOUBLE_EQ(test::joint_curvature(joint, state)[0], 16.0 / 4);  // |relative velocity|^2 / length
}

// A locked orientation measures the rotation vector: 2 sin(phi/2) along the axis, for any turn below pi.
TEST(JointFixed, MeasuresTheRotation) {
  model::Model model;
  test::add_box(model, 1, Vector3::Ones(), Vector3::Zero());
  const std::vector<model::Joint> joints = {joint_in_the_world(JointType::fixed, 0)};
  const DofMap map(model);
  const Joint joint = make_joint(model, joints, {0}, map);
  State state = initial_state(model, map);
  for (const double angle : {1e-8, 0.1, 2.0, 3.1, -3.1}) {
    const Vector3 axis = Vector3(1, -2, 2) / 3;
    const auto turn = math::Quaternion::from_axis_angle(axis, angle);
    for (const double sign : {1.0, -1.0}) {  // q and -q are the same rotation
      state.q.segment<4>(3) << sign * turn.w, sign * turn.x, sign * turn.y, sign * turn.z;
      EXPECT_LE((test::joint_value(joint, state).tail(3) - 2 * std::sin(angle / 2) * axis).norm(), 1e-15);
      EXPECT_EQ(test::joint_rank(joint, state), 6);
    }
  }
}

}  // namespace
}  // namespace ricochet::mechanics
