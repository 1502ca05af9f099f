// The contact problem in global form, in which the Delassus matrix W is never formed.
//
// Find impulses r, velocities v of the nodes and velocities u of the contacts with
//
//   M v = f + H^T r,      u = H v + w,      and the law of cone/contact_law for every block of r and u.
//
// Eliminating v gives the reduced form of cone/contact_problem, W = H M^-1 H^T and b = H M^-1 f + w (Acary & Collins-
// Craft 2024, eqs 92-101). Joints that are not condensed into M are bilateral blocks of H. FCLIB writes the transpose
// of our H, and f and w as we do.
//
// M is a matrix of nodes: bodies of 6 components, points of 3, or single components. Any partition will do, but where M
// couples no two nodes of at most 6 components it never pays for a factorisation of the whole. M need not be symmetric.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/linalg/effective_mass.hpp"

namespace ricochet::cone {

struct GlobalContactProblem {
  linalg::BlockSparseMatrix mass;           // M (or M + h theta C + h^2 theta^2 K); rows and columns are the nodes
  linalg::BlockSparseMatrix gradients;      // H; block rows are the contacts, block columns the nodes
  linalg::ReusableVector momentum;          // f, N s: momentum at the start and impulse of the loads
  linalg::ReusableVector surface_velocity;  // w, m/s: what u is while no node moves
  std::vector<Friction> friction;           // as in ContactProblem
  std::vector<char> bilateral;

  int contacts() const { return gradients.rows(); }
  int nodes() const { return mass.rows(); }
  BlockLaw law(int contact) const {
    return {gradients.row_size(contact), !bilateral.empty() && bilateral[contact] != 0, friction[contact]};
  }
};

// Throws std::invalid_argument with a sentence if sizes disagree, a law is impossible (as `validate` for the reduced
// form) or a number is not finite.
void validate(const GlobalContactProblem& problem);

// True if M couples no two nodes and none has more than 6 components: then every node has an inverse of its own.
bool nodes_are_free_of_each_other(const linalg::BlockSparseMatrix& mass);

// What can be said about a global problem once M is factorised.
class GlobalSystem {
 public:
  // Validates and factorises. Throws std::invalid_argument, also if M is singular. The problem must not change while
  // the functions below are called with it.
  void prepare(const GlobalContactProblem& problem);

  // v = M^-1 (f + H^T r), m/s, and u = H v + w.
  void velocity(const GlobalContactProblem& problem, const linalg::VectorView& impulses, VectorX& node_velocity,
                linalg::ReusableVector& contact_velocity) const;
  const linalg::ReusableVector& free_velocity() const { return free_velocity_; }  // b
  const linalg::BlockSparseMatrix& diagonal() const { return diagonal_; }         // the blocks W_ii

  // The residual of cone/residual, from W_ii and u alone. Contacts belong to one island if nodes that M couples join
  // them; in the reduced form W may have a zero there by coincidence, and V_i may then be smaller.
  Residual residual(const GlobalContactProblem& problem, const linalg::VectorView& impulses);
  double fclib_residual(const GlobalContactProblem& problem, const linalg::VectorView& impulses);
  const ResidualScales& scales() const { return scales_; }

  // The same problem with W. Keeps the memory of `reduced`.
  void reduce(const GlobalContactProblem& problem, ContactProblem& reduced);

 private:
  void factorise(const GlobalContactProblem& problem);

  std::unique_ptr<linalg::EffectiveMass> mass_;
  bool block_diagonal_ = false;
  std::vector<int> node_sizes_;  // for which mass_ was made
  linalg::BlockSparseMatrix diagonal_;
  linalg::ReusableVector free_velocity_;
  ResidualScales scales_;
  VectorX node_velocity_;
  linalg::ReusableVector contact_velocity_;
};

}  // namespace ricochet::cone
