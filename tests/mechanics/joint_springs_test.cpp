// Springs along joint coordinates: forces, tangents, powers, work of a rest position that moves, whole turns.
#include "ricochet/mechanics/joints/joint_springs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "mechanics/joint_checks.hpp"
#include "mechanics/term_checks.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {
namespace {

using model::JointType;

// A ball on a hinge about z, or on a slide along z, against the world.
model::Model ball_on(JointType type, const std::vector<model::JointSpring>& springs, bool planar = false) {
  model::Model model;
  model.planar = planar;
  test::add_ball(model, 1, 1, Vector3::Zero());
  model::Joint joint;
  joint.name = "guide";
  joint.type = type;
  joint.second.attachment.node = {0};
  model.joints.push_back(joint);
  model.joint_springs = springs;
  return model;
}

math::TimeFunction constant_rest(double value) { return math::TimeFunction::constant(value); }

TEST(JointSprings, PullACoordinateToItsRest) {
  for (const auto& [type, component] : {std::pair(JointType::revolute, 5), std::pair(JointType::prismatic, 2)}) {
    const model::Model model = ball_on(type, {{{{0}, 0}, 10, 2, constant_rest(0.5)}});
    const Equations equations(model);
    State state = equations.initial_state();
    advance(equations.map(), state.q, VectorX::Unit(6, component), 0.8, state.q);
    state.v[component] = -0.3;
    VectorX force;
    equations.force(state, force);
    EXPECT_LE((force - (10 * (0.5 - 0.8) + 2 * 0.3) * VectorX::Unit(6, component)).norm(), 1e-14);
    EXPECT_NEAR(equations.potential_energy(state), 0.5 * 10 * 0.09, 1e-14);
    EXPECT_NEAR(equations.strain_energy(state), 0.5 * 10 * 0.09, 1e-14);
    const Powers powers = equations.powers(state);
    EXPECT_NEAR(powers.conservative, 10 * 0.3 * 0.3, 1e-14);
    EXPECT_NEAR(powers.damping, 2 * 0.09, 1e-15);
    EXPECT_EQ(powers.loads, 0);
  }
}

// Every coordinate of every joint that has some, between all kinds of sides, away from where the joint is closed.
TEST(JointSpringsProperty, TangentsPowersAndStageExcess) {
  math::Random random(51);
  for (int i = 0; i < 300; ++i) {
    const std::vector<JointType> types = {JointType::revolute,  JointType::universal, JointType::cylindrical,
                                          JointType::prismatic, JointType::planar,    JointType::distance,
                                          JointType::screw};
    const auto sides = static_cast<test::JointSides>(random.integer(3));
    test::JointCase made = test::random_joint_case(types[i % types.size()], sides, random);
    made.model.joints = made.joints;
    const int count = coordinate_count(made.joints[0].type);
    for (int k = 0; k < count; ++k) {
      const double turns = 2 * M_PI * static_cast<double>(random.integer(3));
      made.model.joint_springs.push_back(
          {{{0}, k},
           random.uniform(1, 10),
           random.integer(3) == 0 ? 0 : random.uniform(0, 5),
           test::joint_time_function(fmt::format("{:.17g}+0.5*sin(3*t+1)", turns + random.uniform(-1, 1)))});
    }
    const DofMap map(made.model);
    const JointSet joints(made.model, map, 0);
    State state = initial_state(made.model, map);
    state.angles.setZero(joints.coordinates());
    joints.set_start_coordinates(state);
    VectorX away = 0.2 * test::random_velocities(map, random);
    advance(map, state.q, away, 1, state.q);
    joints.update_coordinates(state);
    if (random.integer(2) == 0) state.angles *= 1.01;  // of some moment before
    state.time = random.uniform(0, 3);
    const auto springs = make_joint_springs(made.model, map, joints);
    EXPECT_EQ(springs->dependence(), Dependence::nonlinear);
    EXPECT_EQ(springs->couples_nodes(), sides == test::JointSides::both_frames);
    test::expect_tangents(*springs, map, state);
    test::expect_powers(*springs, map, state);
    const VectorX end_velocity = state.v + test::random_velocities(map, random);
    test::expect_stage_excess(*springs, map, state, end_velocity, random.uniform(0.5, 1), 0.05);
  }
}

// Who moves the rest position pays the integral of -k (s - rest) d rest/dt; a jump costs the difference of energies.
TEST(JointSprings, WorkOfARestThatMoves) {
  const auto work = [](const char* rest, double from, double to, double s) {
    const model::Model model = ball_on(JointType::revolute, {{{{0}, 0}, 10, 2, test::joint_time_function(rest)}});
    const Equations equations(model);
    State begin = equations.initial_state();
    advance(equations.map(), begin.q, VectorX::Unit(6, 5), s, begin.q);
    State end = begin;
    begin.time = from;
    end.time = to;
    EXPECT_NEAR(equations.prescribed_work(begin, end),
                equations.potential_energy(end) - equations.potential_energy(begin), 1e-14);
    return equations.prescribed_work(begin, end);
  };
  EXPECT_EQ(work("0.4", 0, 1, 0.1), 0);
  EXPECT_NEAR(work("t", 0, 0.1, 0), 0.5 * 10 * 0.01, 1e-15);
  EXPECT_NEAR(work("2*t", 0.5, 1.5, 1), 0.5 * 10 * 4, 1e-14);
  EXPECT_NEAR(work("t < 1 ? 0 : 0.3", 0.99, 1.01, 0.1), 0.5 * 10 * (0.04 - 0.01), 1e-14);
}

TEST(JointSprings, CountWholeTurns) {
  for (const bool planar : {true, false}) {
    const model::Model model = ball_on(JointType::revolute, {{{{0}, 0}, 10, 0, constant_rest(8 * M_PI)}}, planar);
    const Equations equations(model);
    State state = equations.initial_state();
    for (int i = 1; i <= 60; ++i) {  // 22.2 rad
      advance(equations.map(), state.q, VectorX::Unit(6, 5), 0.37, state.q);
      equations.update_angles(state, 1);
      const double strain = 0.37 * i - 8 * M_PI;
      ASSERT_NEAR(equations.potential_energy(state), 5 * strain * strain, 1e-10);
    }
    state.v[5] = 100;
    EXPECT_NO_THROW(equations.update_angles(state, 0.0314));
    EXPECT_THROW(equations.update_angles(state, 0.0315), std::runtime_error);
  }
}

// Two springs in parallel, and springs along both coordinates of a shaft that slides and turns.
TEST(JointSprings, AddUp) {
  const model::Model model = ball_on(
      JointType::cylindrical,
      {{{{0}, 0}, 10, 0, constant_rest(1)}, {{{0}, 1}, 3, 0, constant_rest(2)}, {{{0}, 1}, 4, 0, constant_rest(-1)}});
  const Equations equations(model);
  VectorX force;
  equations.force(equations.initial_state(), force);
  EXPECT_LE((force - (10 * VectorX::Unit(6, 2) + (6 - 4) * VectorX::Unit(6, 5))).norm(), 1e-14);
}

TEST(JointSpringsBadInput, EveryMistakeHasItsSentence) {
  const auto complaint = [](const std::function<void(model::Model&)>& spoil) -> std::string {
    model::Model model = ball_on(JointType::revolute, {{{{0}, 0}, 10, 2, constant_rest(0)}}, true);
    spoil(model);
    try {
      const Equations equations(model);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint([](model::Model&) {}), "");
  EXPECT_EQ(complaint([](model::Model& m) { m.joint_springs[0].coordinate.joint = {3}; }),
            "what acts along a coordinate names a joint that does not exist");
  EXPECT_EQ(complaint([](model::Model& m) { m.joint_springs[0].coordinate.index = 1; }),
            "revolute joint 'guide': has 1 coordinate, and number 1 is not one of them");
  EXPECT_EQ(complaint([](model::Model& m) { m.joint_springs[0].stiffness = -1; }),
            "the stiffness and the damping of a spring of joint 'guide' must be finite and not negative");
  EXPECT_EQ(complaint([](model::Model& m) { m.joint_springs[0].damping = NAN; }),
            "the stiffness and the damping of a spring of joint 'guide' must be finite and not negative");
  EXPECT_EQ(complaint([](model::Model& m) { m.joints[0].type = JointType::cylindrical; }),
            "cylindrical joint 'guide': no motion in the plane of the model changes its coordinate 0");
  EXPECT_EQ(complaint([](model::Model& m) {
              model::Joint drive;
              drive.name = "motor";
              drive.type = JointType::drive;
              drive.coupled[0] = {{0}, 0};
              m.joints.push_back(drive);
              m.joint_springs[0].coordinate.joint = {1};
            }),
            "drive joint 'motor': has no coordinates of its own: what acts along one belongs to the joint that has it");
}

}  // namespace
}  // namespace ricochet::mechanics
