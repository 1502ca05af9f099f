// The frictional contact problem as pure mathematics (Acary & Collins-Craft 2024, eqs 16-19), in reduced form.
//
// Find impulses r and velocities u with  u = W r + b  and, for every block, the law of cone/contact_law: Coulomb's law
// for contacts of size 1, 2 and 3, with rolling resistance for size 5, with rolling and spinning resistance for size 6,
// with sliding and spinning coupled for sizes 4 and 6, and u = 0 for bilateral blocks. Blocks of different kinds may be
// mixed.
//
// W need not be symmetric (gyroscopic terms, circulatory forces): nothing here or in the solvers symmetrises it.
// Restitution is already inside b (b_N contains e_N u_N of the step's start): a solver never adds it again.
// The global form, in which W is never formed, is in cone/global_problem.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ricochet/cone/body_form.hpp"
#include "ricochet/cone/contact_law.hpp"
#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/linalg/reusable_vector.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::cone {

struct ContactProblem {
  // W, m/s per N s (rad/s per N m s for rolling and spinning); block rows and columns are the contacts; diagonal blocks
  // must be stored, even if zero
  linalg::BlockSparseMatrix delassus;
  linalg::ReusableVector free_velocity;  // b, m/s (rad/s)
  std::vector<Friction> friction;        // of each contact; ignored by bilateral blocks
  std::vector<char> bilateral;           // non-zero for bilateral blocks; empty if there is none
  const BodyForm* bodies = nullptr;      // what W is made of, if that is known

  int contacts() const { return delassus.rows(); }
  int block_size(int contact) const { return delassus.row_size(contact); }
  int block_offset(int contact) const { return delassus.row_offset(contact); }
  bool is_bilateral(int contact) const { return !bilateral.empty() && bilateral[contact] != 0; }
  // Blocks of size 1 and 2 only, none of them bilateral.
  bool is_planar() const {
    for (int i = 0; i < contacts(); ++i) {
      if (block_size(i) > 2 || is_bilateral(i)) return false;
    }
    return true;
  }
  BlockLaw law(int contact) const { return {block_size(contact), is_bilateral(contact), friction[contact]}; }
};

// The block A_ii of a square matrix. Throws std::invalid_argument if it is missing.
linalg::BlockSparseMatrix::Entry diagonal_entry(const linalg::BlockSparseMatrix& matrix, int contact);

// Throws std::invalid_argument with a sentence that names the contact if sizes disagree, a block has a size that its
// law does not know, a number is not finite, a coefficient of friction is negative or a diagonal block is missing. Does
// not allocate unless it throws.
void validate(const ContactProblem& problem);
// Only that b of a contact is finite.
void validate_free_velocity(const ContactProblem& problem, int contact);

// The part of it that the global form shares: the laws of the contacts, which are the block rows of `sizes_from`.
void validate_laws(const linalg::BlockSparseMatrix& sizes_from, std::span<const Friction> friction,
                   std::span<const char> bilateral);

// To be thrown about one contact: "contact problem, contact 7: ...".
std::invalid_argument contact_complaint(int contact, const std::string& complaint);

}  // namespace ricochet::cone
