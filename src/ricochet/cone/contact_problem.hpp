// The frictional contact problem as pure mathematics (Acary & Collins-Craft 2024, eqs 16-19).
//
// Find impulses r and velocities u with  u = W r + b  and, for every contact with friction coefficient mu,
//
//   K* contains  u + (mu |u_T|, 0)   perpendicular to   r in K,     K = { |r_T| <= mu r_N }.
//
// Every block is ordered (normal, tangents...): size 1 is frictionless, size 2 planar, size 3 spatial. Restitution is
// already inside b (b_N contains e_N u_N of the step's start): a solver never adds it again.
#pragma once

#include <vector>

#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/linalg/reusable_vector.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::cone {

struct ContactProblem {
  linalg::BlockSparseMatrix
      delassus;  // W, m/s per N s; block rows and columns are the contacts; diagonal blocks present
  linalg::ReusableVector free_velocity;  // b, m/s
  std::vector<double> friction;          // mu of each contact, dimensionless; ignored by blocks of size 1

  int contacts() const { return delassus.rows(); }
  int block_size(int contact) const { return delassus.row_size(contact); }
  int block_offset(int contact) const { return delassus.row_offset(contact); }
};

// The block W_ii of a contact. Throws std::invalid_argument if it is missing.
linalg::BlockSparseMatrix::Entry diagonal_entry(const ContactProblem& problem, int contact);

// Throws std::invalid_argument with a sentence that names the contact if sizes disagree, a block is not of size 1, 2 or
// 3, a number is not finite, a friction coefficient is negative or a diagonal block is missing. Does not allocate
// unless it throws.
void validate(const ContactProblem& problem);

}  // namespace ricochet::cone
