// What every contact solver does with the impulses it is given to start from.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/math/projection.hpp"

namespace ricochet::cone {

// Puts the first guess of one contact into its cone; zero where it is not finite. True if the contact closes, b_N < 0.
inline bool admit_first_guess(const ContactProblem& problem, int contact, linalg::ReusableVector& impulses) {
  const std::span<double> r(impulses.data() + problem.block_offset(contact), problem.block_size(contact));
  if (std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); })) {
    math::project_onto_cone(problem.friction[contact], r);
  } else {
    std::fill(r.begin(), r.end(), 0.0);
  }
  return problem.free_velocity[problem.block_offset(contact)] < 0;
}

// All contacts; all zero if the size is wrong. False if no contact closes; the impulses are then zero, which solves the
// problem.
inline bool admit_first_guess(const ContactProblem& problem, linalg::ReusableVector& impulses) {
  const int scalars = problem.delassus.scalar_rows();
  if (impulses.size() != scalars) impulses.setZero(scalars);
  bool closing = false;
  for (int i = 0; i < problem.contacts(); ++i) closing = admit_first_guess(problem, i, impulses) || closing;
  if (!closing) impulses.setZero();
  return closing;
}

}  // namespace ricochet::cone
