// Poisson's hypothesis: the impulse of decompression is e_N times that of compression, contact by contact.
//
// In a time step (after Pfeiffer & Glocker, "Multibody dynamics with unilateral contacts", 1996):
//
//  1. Compression. From the velocities before, without the forces of the step, every approach is stopped: p_c solves
//     Coulomb-Signorini with b = u_0. A body at rest does not approach, so p_c = 0 and nothing is given back: a resting
//     body does not hop, as it would if its weight counted as compression.
//  2. Decompression and the rest of the step. p = p_c + p_e, with p_eN >= c = e_N p_cN complementary to u_N1 >= 0, and
//     friction within mu p_eN against u_T1.
//
// The lower bound c makes the second problem one of Coulomb again if c n is applied beforehand and every such contact
// gets a companion that only rubs: a block of its own with the same tangents and a normal that feels nothing but its
// own impulse, which is therefore c. Both slip in the same direction, and together their friction is mu (r_N + c).
#pragma once

#include <vector>

#include "ricochet/cone/contact_solver.hpp"

namespace ricochet::integrate {

class PoissonImpact {
 public:
  // `problem`: W, friction and b = the relative velocities at the end of the step without impulses or restitution.
  // `impulses`: in, a first guess; out, p of the whole step. The report is that of both solves. Does not allocate once
  // it has seen problems of this size.
  cone::SolveReport solve(const cone::ContactProblem& problem, const linalg::ReusableVector& velocity_before,
                          const std::vector<double>& restitution, const cone::SolveOptions& options,
                          cone::ContactSolver& solver, linalg::ReusableVector& impulses);

  // The second problem of the last solve and its solution; null if nothing was compressed.
  const cone::ContactProblem* problem() const { return compressed_ ? &expansion_ : nullptr; }
  const linalg::ReusableVector& problem_impulses() const { return expansion_impulses_; }

 private:
  void build_expansion(const cone::ContactProblem& problem, const std::vector<double>& restitution);

  bool compressed_ = false;
  cone::ContactProblem compression_, expansion_;
  linalg::ReusableVector compression_impulses_, expansion_impulses_;
  linalg::ReusableVector given_;   // p_c + c n
  std::vector<int> companions_;    // contacts that have one, ascending
  std::vector<int> companion_of_;  // of each contact: its place in companions_, or -1
  std::vector<int> sizes_;
};

}  // namespace ricochet::integrate
