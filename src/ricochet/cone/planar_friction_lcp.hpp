// Planar contact with Coulomb's law as a linear complementarity problem, and back.
//
// (Flores, Leine & Glocker, "Modeling and analysis of planar rigid multibody systems with translational clearance
// joints based on the non-smooth dynamics approach", Multibody System Dynamics 23, 2010, eqs 60-85.) In the plane the
// friction cone is an angle, and the set-valued sign of Coulomb's law -r_T in mu r_N Sgn(u_T) splits into two
// unilateral laws. With what is left of friction until the contact slips to the right and to the left, and the slip
// both ways,
//
//   P_R = mu r_N + r_T,    P_L = mu r_N - r_T,    u_T = xi_R - xi_L,
//
//   0 <= u_N perp r_N >= 0,    0 <= xi_R perp P_R >= 0,    0 <= xi_L perp P_L >= 0,
//
// and u = W r + b becomes w = M z + q with (all contacts first by N, then by R, then by L)
//
//       u_N            r_N             W_NN - W_NT mu   W_NT   0             b_N
//   w = xi_R ,     z = P_R ,     M =   W_TN - W_TT mu   W_TT   I ,      q =  b_T .
//       P_L            xi_L            2 mu             -I     0             0
//
// Back: r_N = z_N and r_T = P_R - mu r_N. P_R is an unknown and P_L a result: step (vii) of the paper's algorithm
// exchanges them. Restitution is inside b already, and tangents are those of the contact problem.
//
// A block of size 1, or without friction, has no second and third row: r_T = 0. The problem is written in the units of
// cone/dense_problem, in which diagonal blocks of W are about 1.
//
// What is special about M: its last block of zeros makes it no P-matrix, whatever W. An open contact that slides leaves
// xi_R and xi_L undetermined up to a common number. And W_NN - W_NT mu may be negative (Painleve): Lemke's path may
// then end in a ray although there are solutions.
#pragma once

#include <vector>

#include "ricochet/cone/dense_problem.hpp"
#include "ricochet/cone/linear_complementarity.hpp"

namespace ricochet::cone {

class PlanarFrictionLcp {
 public:
  // The problem must be valid. Throws std::invalid_argument if a block is neither of size 1 nor 2, or bilateral.
  explicit PlanarFrictionLcp(const ContactProblem& problem);

  const LinearComplementarityProblem& problem() const { return problem_; }

  // The impulses that z stands for, N s. A contact that z lets slip is on the boundary of its cone to the last bits.
  void impulses(const VectorX& z, linalg::ReusableVector& impulses) const;

  // The z of given impulses, with as little slip xi_L as possible: the inverse of `impulses` on solutions.
  VectorX unknowns(const linalg::VectorView& impulses) const;

  const DenseProblem& dense() const { return dense_; }

 private:
  DenseProblem dense_;
  LinearComplementarityProblem problem_;
  std::vector<int> friction_row_;  // of each contact, its number among those with friction, or -1
  int contacts_ = 0;
  int frictional_ = 0;
};

}  // namespace ricochet::cone
