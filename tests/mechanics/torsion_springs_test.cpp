#include "ricochet/mechanics/torsion_springs.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "mechanics/term_checks.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {
namespace {

// Two frames on one axle through the world: the first turns by `first` rad, the second by `second`, about z.
struct Discs {
  explicit Discs(bool planar) {
    model.planar = planar;
    test::add_ball(model, 1, 1, Vector3::Zero());
    test::add_ball(model, 1, 1, Vector3(0, 0, 1));
  }
  State state(const DofMap& map, double first, double second) const {
    State state = initial_state(model, map);
    VectorX turn = VectorX::Zero(12);
    turn[5] = first;
    turn[11] = second;
    advance(map, state.q, turn, 1, state.q);
    return state;
  }
  model::Model model;
};

TEST(TorsionSprings, TurnTheEndsBack) {
  for (const bool planar : {true, false}) {
    Discs discs(planar);
    test::add_torsion_spring(discs.model, 0, 1, Vector3::UnitZ(), 10, 2, 0.5);
    const DofMap map(discs.model);
    State state = discs.state(map, 0.3, 1.1);  // twist 0.8
    state.v[5] = 0.2;
    state.v[11] = -0.1;
    const auto springs = make_torsion_springs(discs.model, map);
    const double torque = 10 * 0.3 + 2 * -0.3;
    VectorX expected = VectorX::Zero(12);
    expected[5] = torque;
    expected[11] = -torque;
    EXPECT_LE((test::term_force(*springs, map, state) - expected).norm(), 1e-14);
    EXPECT_NEAR(springs->potential(state), 0.5 * 10 * 0.09, 1e-14);
    EXPECT_NEAR(springs->strain_energy(state), 0.5 * 10 * 0.09, 1e-14);
    const Powers powers = test::term_powers(*springs, state);
    EXPECT_NEAR(powers.damping, 2 * 0.09, 1e-15);
    EXPECT_NEAR(powers.conservative, 10 * 0.3 * 0.3, 1e-14);
    EXPECT_TRUE(springs->couples_nodes());
    EXPECT_EQ(springs->dependence(), planar ? Dependence::linear : Dependence::nonlinear);
  }
}

// The angle counts from where the model places the bodies, whatever their orientations; -z counts the other way.
TEST(TorsionSprings, StartAtZero) {
  math::Random random(31);
  for (int i = 0; i < 20; ++i) {
    model::Model model;
    test::add_random_frame(model, random);
    test::add_random_frame(model, random);
    test::add_torsion_spring(model, 0, 1, test::random_vector3(random).normalized(), 10, 0);
    test::add_torsion_spring(model, 1, -1, test::random_vector3(random).normalized(), 10, 0);
    const DofMap map(model);
    EXPECT_LE(make_torsion_springs(model, map)->potential(initial_state(model, map)), 1e-28);
  }
  Discs discs(true);
  test::add_torsion_spring(discs.model, 0, 1, -Vector3::UnitZ(), 10, 0, -0.8);
  const DofMap map(discs.model);
  const State state = discs.state(map, 0.3, 1.1);
  EXPECT_LE(make_torsion_springs(discs.model, map)->potential(state), 1e-28);
}

// When the axes tilt against each other by beta, the torque is T/cos(beta/2) about the direction between them.
TEST(TorsionSprings, TorqueOfATiltedSpring) {
  model::Model model;
  test::add_ball(model, 1, 1, Vector3::Zero());
  test::add_torsion_spring(model, -1, 0, Vector3::UnitZ(), 10, 0, -0.7);
  const DofMap map(model);
  State state = initial_state(model, map);
  const double beta = 1.2;
  advance(map, state.q, VectorX::Unit(6, 3), beta, state.q);  // z of the body: (0, -sin beta, cos beta)
  const Vector3 torque = test::term_force(*make_torsion_springs(model, map), map, state).tail<3>();
  const Vector3 between(0, -std::sin(beta / 2), std::cos(beta / 2));
  EXPECT_LE((orientation(map, state, 0).rotate(torque) + 7 / std::cos(beta / 2) * between).norm(), 1e-13);
}

TEST(TorsionSprings, CountWholeTurns) {
  for (const bool planar : {true, false}) {
    Discs discs(planar);
    test::add_torsion_spring(discs.model, 0, 1, Vector3::UnitZ(), 10, 0);
    const Equations equations(discs.model);
    const DofMap& map = equations.map();
    State state = equations.initial_state();
    ASSERT_EQ(state.angles.size(), 1);
    const double increment = 0.37;
    for (int direction : {1, -1}) {
      for (int i = 0; i < 60; ++i) {  // 22.2 rad
        VectorX turn = VectorX::Zero(12);
        turn[11] = direction * increment;
        advance(map, state.q, turn, 1, state.q);
        equations.update_angles(state, 1);
        const double expected = increment * (direction > 0 ? i + 1 : 59 - i);
        ASSERT_NEAR(state.angles[0], expected, 1e-13);
        ASSERT_NEAR(equations.potential_energy(state), 5 * expected * expected, 1e-11);
      }
    }
  }
}

TEST(TorsionSprings, SayWhenTurnsCannotBeCounted) {
  Discs discs(true);
  test::add_torsion_spring(discs.model, 0, 1, Vector3::UnitZ(), 10, 0);
  const Equations equations(discs.model);
  State state = equations.initial_state();
  state.v[11] = 100;
  EXPECT_NO_THROW(equations.update_angles(state, 0.0314));
  EXPECT_THROW(equations.update_angles(state, 0.0315), std::runtime_error);
}

// A disc on a fixed axle in space is linear too, if the axle is an axis of the body and of the spring.
TEST(TorsionSprings, AreLinearWhereTheAxisCannotTilt) {
  const auto dependence = [](const std::array<bool, 6>& fixed, const Vector3& axis) {
    math::Random random(33);
    model::Model model;
    test::add_random_frame(model, random);
    model.nodes[0].fixed = fixed;
    test::add_torsion_spring(model, -1, 0, model.nodes[0].orientation.rotate(axis).normalized(), 10, 1);
    const DofMap map(model);
    const auto springs = make_torsion_springs(model, map);
    State state = initial_state(model, map);
    if (springs->dependence() == Dependence::linear) {
      test::DenseMass first(map), second(map);
      springs->add_tangents(state, 0.3, 0.7, first);
      advance(map, state.q, state.v, 0.4, state.q);
      springs->add_tangents(state, 0.3, 0.7, second);
      EXPECT_EQ(first.matrix(), second.matrix());
    }
    return springs->dependence();
  };
  EXPECT_EQ(dependence({true, true, true, false, true, true}, Vector3::UnitX()), Dependence::linear);
  EXPECT_EQ(dependence({true, true, true, true, true, true}, Vector3(0.6, 0, 0.8)), Dependence::linear);
  EXPECT_EQ(dependence({true, true, true, false, true, true}, Vector3::UnitY()), Dependence::nonlinear);
  EXPECT_EQ(dependence({true, true, true, false, true, true}, Vector3(1, 1e-7, 0)), Dependence::nonlinear);
  EXPECT_EQ(dependence({true, true, true, false, false, true}, Vector3::UnitX()), Dependence::nonlinear);
}

// A random relative rotation whose tilt stays away from half a turn, where the twist is not defined.
void turn_at_random(const DofMap& map, math::Random& random, State& state) {
  for (int node = 0; node < map.nodes(); ++node) {
    const Vector3 turn = test::random_vector3(random).normalized() * random.uniform(0, 1.2);
    VectorX motion = VectorX::Zero(map.v_total());
    motion.segment<3>(map.v_start(node) + 3) = turn;
    advance(map, state.q, motion, 1, state.q);
  }
}

TEST(TorsionSpringsProperty, TangentsPowersAndStageExcess) {
  math::Random random(34);
  for (int i = 0; i < 300; ++i) {
    model::Model model;
    test::add_random_frame(model, random);
    test::add_random_frame(model, random);
    const int ends[][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    const auto& nodes = ends[i % 4];
    for (int k = 0; k < 2; ++k) {
      test::add_torsion_spring(model, nodes[0], nodes[1], test::random_vector3(random).normalized(),
                               random.uniform(1, 10), random.integer(3) == 0 ? 0 : random.uniform(0, 5),
                               random.uniform(-3, 3));
    }
    const DofMap map(model);
    State state = initial_state(model, map);
    turn_at_random(map, random, state);
    state.angles[1] = 2 * M_PI * static_cast<double>(random.integer(3));  // 0, 1 or 2 turns
    const auto springs = make_torsion_springs(model, map);
    EXPECT_EQ(springs->dependence(), Dependence::nonlinear);
    EXPECT_EQ(springs->couples_nodes(), i % 4 >= 2);
    springs->update_angles(state, 0);
    test::expect_tangents(*springs, map, state);
    test::expect_powers(*springs, map, state);
    VectorX end_velocity = state.v;
    for (int k = 0; k < end_velocity.size(); ++k) end_velocity[k] += random.normal();
    test::expect_stage_excess(*springs, map, state, end_velocity, random.uniform(0.5, 1), 0.1);
  }
}

// In the plane the tangents are taken along the motions in the plane only.
TEST(TorsionSpringsProperty, PlanarTangentsPowersAndStageExcess) {
  math::Random random(35);
  for (int i = 0; i < 50; ++i) {
    Discs discs(true);
    for (model::Node& node : discs.model.nodes) node.angular_velocity.z() = random.normal();
    const Vector3 axis = (i % 2 == 0 ? 1.0 : -1.0) * Vector3::UnitZ();
    test::add_torsion_spring(discs.model, i % 3 == 0 ? -1 : 0, 1, axis, random.uniform(1, 10), random.uniform(0, 5),
                             random.uniform(-3, 3));
    const DofMap map(discs.model);
    State state = discs.state(map, random.uniform(-1, 1), random.uniform(-1, 1));
    const auto springs = make_torsion_springs(discs.model, map);
    test::expect_powers(*springs, map, state);
    test::DenseMass tangents(map);
    springs->add_tangents(state, 0, 1, tangents);
    for (const int k : {5, 11}) {
      const VectorX column = (test::term_force(*springs, map, test::moved(map, state, k, -1e-5)) -
                              test::term_force(*springs, map, test::moved(map, state, k, 1e-5))) /
                             2e-5;
      EXPECT_LE((tangents.matrix().col(k) - column).norm(), 1e-8);
    }
    VectorX end_velocity = state.v;
    end_velocity[5] += random.normal();
    end_velocity[11] += random.normal();
    test::expect_stage_excess(*springs, map, state, end_velocity, random.uniform(0.5, 1), 0.1);
  }
}

// The torques on the two ends are opposite in the world, also when the axes are tilted, and there is no force.
TEST(TorsionSpringsProperty, GiveNoAngularMomentum) {
  math::Random random(36);
  for (int i = 0; i < 100; ++i) {
    model::Model model;
    test::add_random_frame(model, random);
    test::add_random_frame(model, random);
    test::add_torsion_spring(model, 0, 1, test::random_vector3(random).normalized(), 10, 3, 1);
    const DofMap map(model);
    State state = initial_state(model, map);
    turn_at_random(map, random, state);
    const VectorX force = test::term_force(*make_torsion_springs(model, map), map, state);
    const Vector3 first = orientation(map, state, 0).rotate(Vector3(force.segment<3>(3)));
    const Vector3 second = orientation(map, state, 1).rotate(Vector3(force.segment<3>(9)));
    EXPECT_LE((first + second).norm(), 1e-13 * (1 + first.norm()));
    EXPECT_TRUE(force.segment<3>(0).isZero(0) && force.segment<3>(6).isZero(0));
  }
}

}  // namespace
}  // namespace ricochet::mechanics
