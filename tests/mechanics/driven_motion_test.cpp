#include "ricochet/mechanics/driven_motion.hpp"

#include <gtest/gtest.h>

#include "model/test_models.hpp"

namespace ricochet::mechanics {
namespace {

using model::DriverLevel;

math::TimeFunction function_of(const char* text) { return math::TimeFunction(math::Expression::parse(text)); }

// One box: x follows a position, y a velocity, z is free; it turns about the body axis (0, 0.6, 0.8).
model::Model driven_box() {
  model::Model model;
  test::add_box(model, 2, Vector3(1, 2, 3), Vector3(9, 9, 9));
  model::Driver along_x{"a", {0}, {}, model::DrivenTranslation{}, {}};
  along_x.translation->level = DriverLevel::position;
  along_x.translation->function = {function_of("t^3"), {}, {}};
  along_x.translation->components = {true, false, false};
  model::Driver others{"b", {0}, {}, model::DrivenTranslation{}, model::DrivenRotation{}};
  others.translation->function = {function_of("100"), function_of("t^2"), {}};
  others.translation->components = {false, true, false};
  others.rotation->level = DriverLevel::position;
  others.rotation->function = function_of("5 + t^2");
  others.rotation->axis = Vector3(0, 0.6, 0.8);
  model.drivers = {along_x, others};
  return model;
}

TEST(DrivenMotion, ComponentsAreEliminatedButMove) {
  const model::Model model = driven_box();
  const DofMap map(model);
  for (const int component : {0, 1, 3, 4, 5}) {
    EXPECT_FALSE(map.is_free(component));
    EXPECT_TRUE(map.is_driven(component));
  }
  EXPECT_TRUE(map.is_free(2));
  EXPECT_FALSE(map.is_driven(2));
  VectorX v = VectorX::Constant(6, 7);
  DrivenMotion(model, map).set_velocity(2, v);
  Vector6 expected;
  expected << 12, 4, 7, 0, 4 * 0.6, 4 * 0.8;
  EXPECT_LE((v - expected).norm(), 1e-14);
}

TEST(DrivenMotion, StartsWhereThePositionSays) {
  const model::Model model = driven_box();
  const DofMap map(model);
  State state = initial_state(model, map);
  state.time = 0;
  DrivenMotion(model, map).set_start(state);
  EXPECT_EQ(state.q.head<3>(), Vector3(0, 9, 9));
}

// A position is met exactly; a velocity is integrated exactly up to cubic functions.
TEST(DrivenMotion, TheMeanVelocityBringsItToItsPlace) {
  const model::Model model = driven_box();
  const DofMap map(model);
  State begin = initial_state(model, map);
  begin.time = 2;
  begin.q[0] = 8;
  VectorX mean = VectorX::Constant(6, 7);
  const double h = 0.5;
  DrivenMotion(model, map).set_mean_velocity(begin, h, mean);
  const double x = 2.5 * 2.5 * 2.5, turn = 2.5 * 2.5 - 4;
  Vector6 expected;
  expected << (x - 8) / h, (x - 8) / 3 / h, 7, 0, 0.6 * turn / h, 0.8 * turn / h;
  EXPECT_LE((mean - expected).norm(), 1e-14 * expected.norm());
}

TEST(DrivenMotion, MayLeaveTheOtherRotationsFree) {
  model::Model model = driven_box();
  model.drivers[1].rotation->axis = -Vector3::UnitY();
  model.drivers[1].rotation->only_about_axis = true;
  model.drivers[1].rotation->level = DriverLevel::velocity;
  const DofMap map(model);
  EXPECT_TRUE(map.is_free(3));
  EXPECT_TRUE(map.is_driven(4));
  EXPECT_TRUE(map.is_free(5));
  VectorX v = VectorX::Zero(6);
  DrivenMotion(model, map).set_velocity(2, v);
  EXPECT_EQ(v[4], -9);
}

TEST(DrivenMotion, APlanarMachineKeepsToItsPlane) {
  model::Model model = driven_box();
  model.planar = true;
  const DofMap map(model);
  VectorX v = VectorX::Zero(6);
  DrivenMotion(model, map).set_velocity(2, v);
  EXPECT_EQ(v[4], 0);
  EXPECT_NEAR(v[5], 3.2, 1e-14);
}

}  // namespace
}  // namespace ricochet::mechanics
