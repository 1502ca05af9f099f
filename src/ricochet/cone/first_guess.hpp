// What every contact solver does with the impulses it is given to start from.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/math/projection.hpp"

namespace ricochet::cone {

// Puts a first guess into the cones: zero where it is not finite, all zero if its size is wrong. False if no contact
// closes (all b_N >= 0); the impulses are then zero, which solves the problem.
inline bool admit_first_guess(const ContactProblem& problem, linalg::ReusableVector& impulses) {
  const int scalars = problem.delassus.scalar_rows();
  if (impulses.size() != scalars) impulses.setZero(scalars);
  bool closing = false;
  for (int i = 0; i < problem.contacts(); ++i) {
    const std::span<double> r(impulses.data() + problem.block_offset(i), problem.block_size(i));
    if (std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); })) {
      math::project_onto_cone(problem.friction[i], r);
    } else {
      std::fill(r.begin(), r.end(), 0.0);
    }
    closing = closing || problem.free_velocity[problem.block_offset(i)] < 0;
  }
  if (!closing) impulses.setZero();
  return closing;
}

}  // namespace ricochet::cone
