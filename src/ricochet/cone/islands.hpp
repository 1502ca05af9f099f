// The independent parts of a contact problem.
//
// Two contacts are coupled if W_ij or W_ji has an entry that is not zero; an island is a set of contacts that are
// coupled directly or through others. Contacts of different islands do not feel each other: the problem falls apart
// into one problem per island, and each of them is judged (cone/residual) and solved (cone/contact_solver) as if it
// were alone. Islands are numbered by their first contact and keep the order of their contacts, so nothing depends on
// how they were found. A block that is stored but zero couples nothing: a matrix may be stored in full.
#pragma once

#include <span>
#include <vector>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/linalg/disjoint_sets.hpp"

namespace ricochet::cone {

class Islands {
 public:
  // Does not allocate once it has seen a matrix of the same size.
  void find(const linalg::BlockSparseMatrix& delassus);
  // Without W, from M and H (cone/global_problem): contacts are coupled through nodes that they touch and that M
  // couples.
  void find(const linalg::BlockSparseMatrix& mass, const linalg::BlockSparseMatrix& gradients);

  // True if the matrix stores zeros between islands: then whoever walks along its rows reads impulses of others.
  bool has_zero_couplings() const { return has_zero_couplings_; }

  int count() const { return static_cast<int>(start_.size()) - 1; }
  int island_of(int contact) const { return island_[contact]; }
  int position(int contact) const { return position_[contact]; }  // within its island
  std::span<const int> contacts(int island) const;                // ascending
  int scalars(int island) const;                                  // the sum of their block sizes

  // The part of a problem that is one island, and its impulses. Keeps the memory of `part`.
  void copy_problem(const ContactProblem& whole, int island, ContactProblem& part) const;
  void copy_impulses(const ContactProblem& whole, const linalg::VectorView& impulses, int island,
                     linalg::ReusableVector& part) const;
  // The way back: writes the impulses of one island into those of the whole.
  void return_impulses(const ContactProblem& whole, const linalg::VectorView& part, int island,
                       linalg::ReusableVector& impulses) const;

 private:
  void number(const linalg::BlockSparseMatrix& contact_rows);

  linalg::DisjointSets sets_;
  bool has_zero_couplings_ = false;
  std::vector<int> island_, position_;  // of each contact
  std::vector<int> start_ = {0};        // of each island in members_
  std::vector<int> members_;
  std::vector<int> sizes_;  // of the blocks of members_
};

}  // namespace ricochet::cone
