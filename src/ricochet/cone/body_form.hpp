// What W is made of, for solvers that would rather work on bodies than on contacts: W = H B H^T, where B is the inverse
// of a mass matrix that couples no two nodes. Whoever makes a reduced problem may say so (ContactProblem::bodies); both
// matrices must stay as they are while the problem is solved.
#pragma once

#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/linalg/effective_mass.hpp"

namespace ricochet::cone {

struct BodyForm {
  const linalg::BlockSparseMatrix* gradients = nullptr;  // H; block rows are the contacts, block columns the nodes
  const linalg::EffectiveMass* mass = nullptr;           // B, block for block: EffectiveMass::node_inverse
  int contacts = 0;                                      // rows of H of which this is so: the first ones
};

}  // namespace ricochet::cone
