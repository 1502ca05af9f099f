// Towers, and the path over their bodies.
#pragma once

#include <gtest/gtest.h>

#include "cone/tower.hpp"
#include "ricochet/cone/body_path.hpp"

namespace ricochet::cone::test {

// In space and in a plane of contact, with and without friction, symmetric or not.
inline Tower thrown_tower(math::Random& random, int trial) {
  const int cubes = 1 + static_cast<int>(random.integer(trial % 3 == 0 ? 40 : 10));
  const int size = trial % 5 == 4 ? 2 : 3;
  const double friction = trial % 7 == 6 ? 0 : random.uniform(0.1, 0.8);
  return {random, cubes, friction, trial % 2 == 0 ? 0.01 : 0.5, size, trial % 4 == 3 ? 0.02 : 0.0};
}

inline BodyPath prepared_path(const Tower& tower) {
  BodyPath path;
  EXPECT_TRUE(path.prepare(tower.problem, tower.scales, tower.contacts, tower.problem.free_velocity));
  return path;
}

inline SolveReport solve_by_path(const Tower& tower, linalg::ReusableVector& impulses, double tolerance,
                                 int most_steps = 10'000) {
  impulses.setZero(tower.problem.delassus.scalar_rows());
  return prepared_path(tower).solve(tower.scales, impulses, {.tolerance = tolerance, .max_iterations = most_steps});
}

// A tower, and the same in other units of mass and velocity.
struct TowersInTwoUnits {
  double velocity_unit, mass_unit;
  math::Random first{4}, second{4};
  Tower tower{first, 5, 0.4, 0.1}, other{second, 5, 0.4, 0.1, 3, 0, mass_unit};

  TowersInTwoUnits(double velocity, double mass) : velocity_unit(velocity), mass_unit(mass) {
    other.problem.free_velocity *= velocity_unit;
    other.scales.prepare(other.problem);
  }
  // Of impulses of both: zero if they are the same but for the units.
  double difference(const linalg::ReusableVector& r, const linalg::ReusableVector& scaled) const {
    return (scaled / (velocity_unit * mass_unit) - r).norm();
  }
};

template <class Check>
void in_two_units(Check&& check) {
  for (const double velocity_unit : {1.0, 0x1p-7, 0x1p11}) {
    for (const double mass_unit : {1.0, 0x1p9, 0x1p-4}) check(TowersInTwoUnits(velocity_unit, mass_unit));
  }
}

}  // namespace ricochet::cone::test
