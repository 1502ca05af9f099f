// One sphere on the floor with rolling and spinning resistance: every state of its contact in closed form.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cone/test_problems.hpp"

namespace ricochet::cone::known_sphere {

inline constexpr double kMass = 3, kRadius = 0.2, kInertia = 0.4 * kMass * kRadius * kRadius;
inline constexpr double kFall = 0.5;                                        // b_N = -kFall
inline constexpr double kNormal = kMass * kFall;                            // what stops it
inline constexpr double kAlong = 1 / kMass + kRadius * kRadius / kInertia;  // W_TT
inline constexpr Friction kFriction = {0.6, 0.01, 0.004};

struct Case {
  const char* name;
  Vector3 velocity, angular_velocity;
  Vector6 impulse;
};

inline Vector6 six(double n, double t1, double t2, double r1, double r2, double s) {
  Vector6 result;
  result << n, t1, t2, r1, r2, s;
  return result;
}

// Each from the balance of momentum and angular momentum: m dv = r_T1, I d omega_y = -R r_T1 + m_R2, I d omega_z = m_S.
inline std::vector<Case> known_solutions() {
  const double rolling_limit = kFriction.rolling * kNormal, spinning_limit = kFriction.spinning * kNormal;
  // Rolls without slip along x: resistance brakes the rotation, and friction keeps v = R omega.
  const double brake = -(kRadius / kInertia) * rolling_limit / kAlong;
  // What stops a rolling speed V at once: m V from friction, and m_R2 = R r_T1 - I V / R.
  const double slow = 0.9 * rolling_limit / (kMass * kRadius + kInertia / kRadius);
  const double stop = -kMass * slow, stop_moment = kRadius * stop - kInertia * slow / kRadius;
  EXPECT_LT(std::abs(stop_moment), rolling_limit);
  // Slides without rotating: friction at its limit, whose moment rolling resistance holds off if it can.
  const double slide = -kFriction.sliding * kNormal;
  return {
      {"take-off", {1, 0, 0.1}, {0, 3, 1}, Vector6::Zero()},
      {"grazing", {1, 0, 0}, {0, 3, 1}, Vector6::Zero()},
      {"rolls", {2, 0, -kFall}, {0, 2 / kRadius, 0}, six(kNormal, brake, 0, 0, -rolling_limit, 0)},
      {"stops rolling", {slow, 0, -kFall}, {0, slow / kRadius, 0}, six(kNormal, stop, 0, 0, stop_moment, 0)},
      {"slides and rolls backwards", {2, 0, -kFall}, {0, -30, 0}, six(kNormal, slide, 0, 0, rolling_limit, 0)},
      {"slides and rolls forwards", {9, 0, -kFall}, {0, 30, 0}, six(kNormal, slide, 0, 0, -rolling_limit, 0)},
      {"spins", {0, 0, -kFall}, {0, 0, 5}, six(kNormal, 0, 0, 0, 0, -spinning_limit)},
      {"stops spinning",
       {0, 0, -kFall},
       {0, 0, 0.5 * spinning_limit / kInertia},
       six(kNormal, 0, 0, 0, 0, -0.5 * spinning_limit)},
      {"stops spinning just so",
       {0, 0, -kFall},
       {0, 0, -spinning_limit / kInertia},
       six(kNormal, 0, 0, 0, 0, spinning_limit)},
      {"rests", {0, 0, -kFall}, {0, 0, 0}, six(kNormal, 0, 0, 0, 0, 0)},
  };
}

inline ContactProblem sphere(int size, const Case& known) {
  return test::sphere_problem(size, kMass, kRadius, kFriction, known.velocity, known.angular_velocity);
}

}  // namespace ricochet::cone::known_sphere
