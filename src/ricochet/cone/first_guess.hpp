// What every contact solver does with the impulses it is given to start from.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "ricochet/cone/contact_problem.hpp"

namespace ricochet::cone {

// Puts the first guess of one contact into its cone; zero where it is not finite. `free_velocity` and `impulse` point
// to b_i and r_i. True if it needs an impulse even if no other contact has one: b_N < 0, or a bilateral block with b !=
// 0.
inline bool admit_first_guess(const BlockLaw& law, const double* free_velocity, double* impulse) {
  const std::span<double> r(impulse, law.size);
  if (std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); })) {
    put_into_law(law, r.data());
  } else {
    std::fill(r.begin(), r.end(), 0.0);
  }
  const double* b = free_velocity;
  return law.bilateral ? std::any_of(b, b + law.size, [](double x) { return x != 0; }) : b[0] < 0;
}

inline bool admit_first_guess(const ContactProblem& problem, int contact, linalg::ReusableVector& impulses) {
  const int offset = problem.block_offset(contact);
  return admit_first_guess(problem.law(contact), problem.free_velocity.data() + offset, impulses.data() + offset);
}

// All contacts; all zero if the size is wrong. False if no contact needs an impulse; the impulses are then zero, which
// solves the problem.
inline bool admit_first_guess(const ContactProblem& problem, linalg::ReusableVector& impulses) {
  const int scalars = problem.delassus.scalar_rows();
  if (impulses.size() != scalars) impulses.setZero(scalars);
  bool needed = false;
  for (int i = 0; i < problem.contacts(); ++i) needed = admit_first_guess(problem, i, impulses) || needed;
  if (!needed) impulses.setZero();
  return needed;
}

}  // namespace ricochet::cone
