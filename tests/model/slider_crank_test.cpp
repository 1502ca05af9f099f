// The slider-crank in minimal coordinates against its bodies: energies, Lagrange's equations, corners.
#include "ricochet/model/systems/slider_crank.hpp"

#include <gtest/gtest.h>

#include "model/system_models.hpp"

namespace ricochet::model {
namespace {

using Angles = std::array<double, 3>;

// Kinetic energy of three bodies whose centres move as geometry says.
double bodies_kinetic(const SliderCrankData& d, const Angles& q, const Angles& v) {
  const auto along = [](double length, double angle, double speed) {
    return Vector2(-length * std::sin(angle) * speed, length * std::cos(angle) * speed);
  };
  const Vector2 crank_end = along(d.crank_length, q[0], v[0]), rod = along(d.rod_length, q[1], v[1]);
  return 0.5 * (d.crank_mass * 0.25 * crank_end.squaredNorm() + d.crank_inertia * v[0] * v[0] +
                d.rod_mass * (crank_end + 0.5 * rod).squaredNorm() + d.rod_inertia * v[1] * v[1] +
                d.slider_mass * (crank_end + rod).squaredNorm() + d.slider_inertia * v[2] * v[2]);
}

double bodies_potential(const SliderCrankData& d, const Angles& q) {
  const auto along = [](double length, double angle) {
    return Vector2(length * std::cos(angle), length * std::sin(angle));
  };
  const Vector2 crank = along(d.crank_length, q[0]), rod = along(d.rod_length, q[1]);
  return -d.gravity.dot(d.crank_mass * 0.5 * crank + d.rod_mass * (crank + 0.5 * rod) + d.slider_mass * (crank + rod));
}

SliderCrankData tilted_data() {
  SliderCrankData data = test::flores_data();
  data.gravity = {1.5, -9.81};
  return data;
}

TEST(SliderCrankProperty, EnergiesAreThoseOfTheBodies) {
  math::Random random(1);
  const SliderCrankData data = tilted_data();
  const SliderCrank system(data);
  for (int i = 0; i < 50; ++i) {
    const Angles q = {random.normal(), random.normal(), random.normal()};
    const Angles v = {random.normal(), random.normal(), random.normal()};
    MatrixX mass = MatrixX::Zero(3, 3);
    system.mass(0, q, {mass.data(), 9});
    const Eigen::Map<const Vector3> rates(v.data());
    EXPECT_NEAR(0.5 * rates.dot(mass * rates), bodies_kinetic(data, q, v), 1e-15);
    EXPECT_NEAR(system.potential(0, q), bodies_potential(data, q), 1e-15);
  }
}

// d/dt dT/dv - dT/dq = -dV/dq, with the derivatives by differences: M a + (what is quadratic in v) = -dV/dq at a = 0.
TEST(SliderCrankProperty, ForcesFollowFromTheEnergies) {
  math::Random random(2);
  const SliderCrankData data = tilted_data();
  const SliderCrank system(data);
  const double small = 1e-4;
  const auto momentum = [&](const Angles& q, const Angles& v, int k) {
    Angles faster = v, slower = v;
    faster[k] += 1;
    slower[k] -= 1;  // T is quadratic in v: differences are exact
    return 0.5 * (bodies_kinetic(data, q, faster) - bodies_kinetic(data, q, slower));
  };
  for (int i = 0; i < 50; ++i) {
    const Angles q = {random.normal(), random.normal(), random.normal()};
    const Angles v = {random.normal(), random.normal(), random.normal()};
    Angles force = {};
    system.force(0, q, v, force);
    for (int k = 0; k < 3; ++k) {
      Angles later = q, earlier = q, up = q, down = q;
      for (int j = 0; j < 3; ++j) {
        later[j] += small * v[j];
        earlier[j] -= small * v[j];
      }
      up[k] += small;
      down[k] -= small;
      const double rate = (momentum(later, v, k) - momentum(earlier, v, k)) / (2 * small);
      const double gradient = (bodies_kinetic(data, up, v) - bodies_potential(data, up) -
                               bodies_kinetic(data, down, v) + bodies_potential(data, down)) /
                              (2 * small);
      EXPECT_NEAR(force[k], gradient - rate, 1e-8);
    }
  }
}

TEST(SliderCrank, CornersInTheGuide) {
  const SliderCrankData data = test::flores_data();
  const SliderCrank system(data);
  const Angles straight = {0, 0, 0};
  const std::array<Vector2, 4> corners = {
      {{0.459 - 0.05, 0.025}, {0.459 + 0.05, 0.025}, {0.459 - 0.05, -0.025}, {0.459 + 0.05, -0.025}}};
  for (int i = 0; i < 4; ++i) {
    std::array<double, 2> found = {};
    system.displacements(i, 0, straight, found);
    EXPECT_NEAR(found[0], 0.001, 1e-16);
    EXPECT_LE((system.place(i, 0, straight).point.head<2>() - corners[i]).norm(), 1e-16);
    EXPECT_EQ(system.place(i, 0, straight).normal, Vector3(0, i < 2 ? -1 : 1, 0));
  }
  // Turned to the left, corners 2 and 3 come near the guide: by a s3 and lose b (1 - c3).
  const Angles turned = {0, 0, 0.01};
  for (int i = 0; i < 4; ++i) {
    std::array<double, 2> found = {};
    system.displacements(i, 0, turned, found);
    const double along = i == 1 || i == 2 ? -0.05 : 0.05;
    EXPECT_NEAR(found[0], 0.001 + along * std::sin(0.01) + 0.025 * (1 - std::cos(0.01)), 1e-16);
  }
  EXPECT_EQ(system.contacts()[2].first, "corner3");
  EXPECT_EQ(system.contacts()[2].second, "lower");
}

TEST(SliderCrankProperty, GradientsAreThoseOfTheDisplacements) {
  math::Random random(3);
  const SliderCrankData data = test::flores_data();
  const System system{"mechanism", {0}, std::make_shared<SliderCrank>(data)};
  for (int i = 0; i < 50; ++i) {
    const Angles q = {random.normal(), random.normal(), random.normal()}, v = {1, 2, 3};
    EXPECT_NO_THROW(check_system(system, 0, q, v));
  }
}

}  // namespace
}  // namespace ricochet::model
