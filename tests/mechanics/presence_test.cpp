// Bodies that appear and vanish: who is there when, and what that does to forces and energies.
#include "ricochet/mechanics/presence.hpp"

#include <gtest/gtest.h>

#include "model/test_models.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::mechanics {
namespace {

TEST(Presence, AnAbsentBodyRestsWithoutWeightAndEnergy) {
  model::Model model;
  model.gravity = Vector3(0, -10, 0);
  test::add_point(model, 2, Vector3(0, 3, 0), Vector3(1, 0, 0));
  test::add_ball(model, 1, 0.1, Vector3(0, 5, 0), Vector3(0, 0, 4));
  model.nodes[1].angular_velocity = Vector3(1, 2, 3);
  model.bodies[1].appears = 0.2;
  model.bodies[1].disappears = 0.5;
  const Equations equations(model);
  State state = equations.initial_state();
  EXPECT_FALSE(is_present(state, 1));
  EXPECT_TRUE(is_present(state, 0));
  VectorX force;
  equations.force(state, force);
  EXPECT_EQ(force.tail(6).norm(), 0);
  EXPECT_EQ(force[1], -20);
  EXPECT_EQ(equations.potential_energy(state), 60);
  EXPECT_EQ(equations.kinetic_energy(state), 1);

  state.time = 0.2 - 1e-6;
  EXPECT_FALSE(equations.presence().update(state));
  state.time = 20 * 0.01;  // whatever its rounding
  EXPECT_TRUE(equations.presence().update(state));
  EXPECT_EQ(state.v.segment<3>(3), Vector3(0, 0, 4));
  EXPECT_EQ(state.v.tail<3>(), Vector3(1, 2, 3));
  EXPECT_EQ(equations.potential_energy(state), 110);
  EXPECT_FALSE(equations.presence().update(state));
  state.time = 0.5;
  EXPECT_TRUE(equations.presence().update(state));
  EXPECT_EQ(state.v.tail(6).norm(), 0);
}

TEST(Presence, NothingIsStoredIfAllAreThereAlways) {
  model::Model model;
  test::add_point(model, 1, Vector3::Zero());
  const Equations equations(model);
  EXPECT_TRUE(equations.presence().always());
  EXPECT_EQ(equations.initial_state().present.size(), 0);
}

TEST(PresenceBadInput, NothingMayHoldABodyThatComesAndGoes) {
  model::Model model;
  test::add_point(model, 1, Vector3::Zero());
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 1, 0, 0);
  model.bodies[0].appears = 1;
  EXPECT_THROW(model::validate(model), std::invalid_argument);
  model.springs.clear();
  EXPECT_NO_THROW(model::validate(model));
  model.bodies[0].disappears = 0.5;
  EXPECT_THROW(model::validate(model), std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::mechanics
