#include "ricochet/mechanics/surface_motion.hpp"

#include <gtest/gtest.h>

#include "model/test_models.hpp"

namespace ricochet::mechanics {
namespace {

using model::DriverLevel;

math::TimeFunction motion_function(const char* text) { return math::TimeFunction(math::Expression::parse(text)); }

model::Model floor_with_driver() {
  model::Model model;
  test::add_surface(model, Vector3(1, 2, 3), Vector3::UnitZ());
  model.drivers.push_back({"belt", {}, {0}, {}, {}});
  return model;
}

TEST(SurfaceMotion, WithoutADriverNothingMoves) {
  model::Model model = floor_with_driver();
  model.drivers.clear();
  const SurfaceMotion motion(model);
  EXPECT_FALSE(motion.moves(0));
  EXPECT_EQ(motion.plane(0, 5).point, Vector3(1, 2, 3));
  EXPECT_EQ(motion.velocity(0, 5, Vector3(7, 8, 9)), Vector3::Zero());
}

TEST(SurfaceMotion, ABeltMayChangeItsSpeedBecauseItStaysInItsPlane) {
  model::Model model = floor_with_driver();
  model.drivers[0].translation.emplace();
  model.drivers[0].translation->function = {motion_function("t^2"), motion_function("3"), {}};
  const SurfaceMotion motion(model);
  EXPECT_EQ(motion.velocity(0, 2, Vector3::Zero()), Vector3(4, 3, 0));
  EXPECT_EQ(motion.plane(0, 2).point.z(), 3);
  EXPECT_EQ(motion.plane(0, 2).normal, Vector3::UnitZ());
}

TEST(SurfaceMotion, APrescribedPositionIsWhereThePlaneIs) {
  model::Model model = floor_with_driver();
  model.drivers[0].translation.emplace();
  model.drivers[0].translation->level = DriverLevel::position;
  model.drivers[0].translation->function = {motion_function("1"), motion_function("2"), motion_function("3 + sin(t)")};
  const SurfaceMotion motion(model);
  EXPECT_LE((motion.plane(0, 0.7).point - Vector3(1, 2, 3 + std::sin(0.7))).norm(), 1e-15);
  EXPECT_LE((motion.velocity(0, 0.7, Vector3::Ones()) - Vector3(0, 0, std::cos(0.7))).norm(), 1e-15);
}

// Velocity is the derivative of the place of a point that the plane carries along, for all kinds of motion.
TEST(SurfaceMotionProperty, VelocitiesAreDerivativesOfPlaces) {
  math::Random random(21);
  for (int i = 0; i < 50; ++i) {
    model::Model model = floor_with_driver();
    model.surfaces[0].normal = test::random_vector3(random).normalized();
    model.drivers[0].translation.emplace();
    model.drivers[0].translation->level = DriverLevel::position;
    model.drivers[0].translation->function = {motion_function("1 + sin(2*t)"), motion_function("2 + t^2"),
                                              motion_function("3 - t")};
    model.drivers[0].rotation.emplace();
    model.drivers[0].rotation->level = DriverLevel::position;
    model.drivers[0].rotation->function = motion_function("0.5 + t^3");
    model.drivers[0].rotation->axis = test::random_vector3(random).normalized();
    model.drivers[0].rotation->center = test::random_vector3(random);
    const SurfaceMotion motion(model);
    const double time = random.uniform(0, 2), small = 1e-6;
    const PlaneAt now = motion.plane(0, time);
    const Vector3 rate = (motion.plane(0, time + small).point - motion.plane(0, time - small).point) / (2 * small);
    EXPECT_LE((motion.velocity(0, time, now.point) - rate).norm(), 1e-7 * (1 + rate.norm()));
    const Vector3 turn = (motion.plane(0, time + small).normal - motion.plane(0, time - small).normal) / (2 * small);
    const Vector3 tip = motion.velocity(0, time, now.point + now.normal) - motion.velocity(0, time, now.point);
    EXPECT_LE((tip - turn).norm(), 1e-7 * (1 + turn.norm()));
    EXPECT_NEAR(now.normal.norm(), 1, 1e-15);
  }
}

TEST(SurfaceMotionBadInput, WhatWouldNeedAnIntegralIsRefused) {
  model::Model rising = floor_with_driver();
  rising.drivers[0].translation.emplace();
  rising.drivers[0].translation->function[2] = motion_function("t");
  EXPECT_THROW(SurfaceMotion{rising}, std::invalid_argument);
  rising.drivers[0].translation->function[2] = motion_function("2");
  EXPECT_EQ(SurfaceMotion(rising).plane(0, 3).point.z(), 9);

  model::Model tilting = floor_with_driver();
  tilting.drivers[0].rotation.emplace();
  tilting.drivers[0].rotation->function = motion_function("t");
  tilting.drivers[0].rotation->axis = Vector3::UnitX();
  EXPECT_THROW(SurfaceMotion{tilting}, std::invalid_argument);
  tilting.drivers[0].rotation->axis = Vector3::UnitZ();  // a turntable
  EXPECT_EQ(SurfaceMotion(tilting).velocity(0, 2, Vector3(1, 0, 0)), Vector3(0, 2, 0));

  model::Model twice = floor_with_driver();
  twice.drivers[0].rotation.emplace();
  twice.drivers.push_back(twice.drivers[0]);
  EXPECT_THROW(SurfaceMotion{twice}, std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::mechanics
