#include "ricochet/integrate/smooth_motion.hpp"

#include <gtest/gtest.h>

#include "integrate/alpha_models.hpp"

namespace ricochet::integrate {
namespace {

TEST(AlphaCoefficients, AsTabulated) {
  const AlphaCoefficients none(0), most(1), usual(0.8);
  EXPECT_NEAR(none.alpha_m, -1, 1e-15);
  EXPECT_NEAR(none.alpha_f, 0, 1e-15);
  EXPECT_NEAR(none.gamma, 1.5, 1e-15);
  EXPECT_NEAR(none.beta, 1, 1e-15);
  EXPECT_NEAR(most.gamma, 0.5, 1e-15);
  EXPECT_NEAR(most.beta, 0.25, 1e-15);
  EXPECT_NEAR(usual.alpha_m, 1.0 / 3, 1e-15);
  EXPECT_NEAR(usual.alpha_f, 4.0 / 9, 1e-15);
  EXPECT_NEAR(usual.gamma, 0.6111111111111111, 1e-15);
  EXPECT_NEAR(usual.beta, 0.308641975308642, 1e-15);
}

TEST(SmoothMotion, AccelerationsAgreeWithTheMotionAtTheStart) {
  const model::Model model = test::alpha_pendulum();
  const mechanics::Equations equations(model);
  SmoothMotion motion(0.8);
  AccelerationMemory memory;
  mechanics::State state = equations.initial_state();
  state.v[5] = 2;  // about the hinge
  state.v[1] = 1;
  motion.find_consistent_accelerations(equations, state, memory);
  // m g l/2 about the hinge over its moment of inertia; and the centre turns about the hinge.
  const double inertia = model.bodies[0].inertia(2, 2) + 3 * 0.25;
  EXPECT_NEAR(memory.smooth[5], -3 * 10 * 0.5 / inertia, 1e-12);
  EXPECT_NEAR(memory.smooth[1], 0.5 * memory.smooth[5], 1e-12);
  EXPECT_NEAR(memory.smooth[0], -4 * 0.5, 1e-12);
  EXPECT_EQ(memory.smooth, memory.algorithmic);
}

// The error of a run against one with much smaller steps, halved twice.
double order_of(const model::Model& model, double spectral_radius, double end, double h) {
  const auto place = [&](double step) {
    NonsmoothGeneralizedAlphaOptions options;
    options.spectral_radius = spectral_radius;
    test::AlphaRunner run(model, step, options);
    run.steps(static_cast<int>(std::round(end / step)));
    return VectorX(run.now.state.q);
  };
  const VectorX exact = place(h / 64);
  const double coarse = (place(h) - exact).norm(), fine = (place(h / 4) - exact).norm();
  return std::log(coarse / fine) / std::log(4);
}

TEST(SmoothMotion, SecondOrder) {
  model::Model spring;
  spring.planar = true;
  test::add_point(spring, 2, Vector3(1, 0, 0), Vector3(0, 1, 0));
  test::add_spring(spring, {}, {{0}, Vector3::Zero()}, 30, 0.5, 0.8);
  model::Model top;
  math::Random random(5);
  test::add_random_frame(top, random);
  for (const double radius : {0.0, 0.5, 0.8, 1.0}) {
    EXPECT_NEAR(order_of(spring, radius, 1, 2e-3), 2, 0.1) << "spring, " << radius;
    EXPECT_NEAR(order_of(top, radius, 1, 2e-3), 2, 0.1) << "top, " << radius;
    EXPECT_NEAR(order_of(test::alpha_pendulum(2), radius, 0.5, 1e-3), 2, 0.1) << "double pendulum, " << radius;
    EXPECT_NEAR(order_of(test::alpha_pendulum(1, false), radius, 0.5, 1e-3), 2, 0.1) << "in space, " << radius;
  }
}

// The high frequency of a stiff spring is left at rho = 1 and gone at rho = 0.
TEST(SmoothMotion, TheSpectralRadiusDamps) {
  model::Model model;
  model.planar = true;
  test::add_point(model, 1, Vector3(1.1, 0, 0));
  test::add_spring(model, {}, {{0}, Vector3::Zero()}, 1e8, 0, 1, Vector3::UnitX());
  const auto left = [&](double radius) {
    NonsmoothGeneralizedAlphaOptions options;
    options.spectral_radius = radius;
    test::AlphaRunner run(model, 0.01, options);  // 100 rad in a step
    const double before = run.energy();
    run.steps(100);
    return run.energy() / before;
  };
  EXPECT_NEAR(left(1), 1, 1e-9);
  EXPECT_LE(left(0), 1e-12);
  EXPECT_LE(left(0.8), 1e-9);  // 0.8^200 = 4e-20 but for the start, which grows with the number of steps
}

}  // namespace
}  // namespace ricochet::integrate
