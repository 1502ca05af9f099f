// The only thing that a time scheme knows about its matrix M + h theta C + h^2 theta^2 K. Vectors keep the full
// numbering of the velocities; eliminated components have no mass, no motion and come out as zero.
//
// Joints are condensed into it: with rows G the matrix stands for the saddle-point system
//
//   matrix x - G^T lambda = momentum,     G x = right side of the rows,
//
// so whatever is solved obeys the joints, and W = H P H^T sees the constrained machine (P: the part of the inverse that
// maps momenta to velocities). Redundant rows do no harm as long as they do not contradict each other: the system is
// regularised (quasi-definite) and the solution refined until the regularisation has no part in it; of the many lambda
// that then exist one near the smallest is found.
//
// Two implementations: block-diagonal (bodies that no spring or joint couples: one small inverse each) and sparse, in
// which those that hang together are islands with a factorisation each, and all others are as in the first. Schemes do
// not branch on which.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::linalg {

class EffectiveMass {
 public:
  EffectiveMass() = default;
  EffectiveMass(const EffectiveMass&) = delete;
  EffectiveMass& operator=(const EffectiveMass&) = delete;
  virtual ~EffectiveMass() = default;

  // Assembly: clear, add blocks of nodes (sizes as given at construction), factorise.
  virtual void clear() = 0;
  virtual void add(int row_node, int column_node, const Eigen::Ref<const MatrixX>& block) = 0;
  // A block of zeros where another time there may be a block: keeps the order in which blocks come.
  virtual void add_zero(int /*row_node*/, int /*column_node*/) {}
  // Between clear and factorise: the rows of joints. Block columns are the nodes. Throws std::logic_error where rows
  // are not taken (block-diagonal).
  virtual void set_rows(const BlockSparseMatrix& rows);
  // Throws std::runtime_error if the matrix is singular on the free components.
  virtual void factorise() = 0;

  // x := matrix^-1 x on the free components, 0 on the eliminated ones.
  virtual void solve_in_place(VectorX& x) const = 0;

  // The same with right sides of the rows; these are replaced by lambda. (Without: the right sides are zero.)
  virtual void solve_with_rows(VectorX& x, Eigen::Ref<VectorX> rows) const;

  // The inverse of one node in the upper left corner, zeros elsewhere. False if the node is coupled with others.
  virtual bool node_inverse(int /*node*/, Matrix6& /*inverse*/) const { return false; }

  // W = H matrix^-1 H^T. Block columns of H are the nodes; its block rows have at most 6 components. Blocks of contacts
  // that cannot feel each other are left out, diagonal blocks never are.
  virtual void delassus(const BlockSparseMatrix& gradients, BlockSparseMatrix& delassus) = 0;
  // The diagonal blocks of W alone. Here by one solve for every component of every contact.
  virtual void delassus_diagonal(const BlockSparseMatrix& gradients, BlockSparseMatrix& diagonal);
};

// `node_sizes`: velocity components of each node (at most 6 in the block-diagonal one); `free_components`: one entry
// per component, zero if it is eliminated.
std::unique_ptr<EffectiveMass> make_block_diagonal_mass(std::span<const int> node_sizes,
                                                        std::span<const char> free_components);
std::unique_ptr<EffectiveMass> make_sparse_mass(std::span<const int> node_sizes, std::span<const char> free_components);

}  // namespace ricochet::linalg
