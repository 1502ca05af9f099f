// The Jacobian of cone/semismooth_newton and its factorisation, dense or sparse, whichever is faster.
//
// With dF_i = A_i dx_i + B_i dy_i of each block (cone/newton_function) and y = (W + epsilon) x + ..., all in the units
// of cone/scaled_problem,
//
//   J = A + B (W + epsilon),      A and B block-diagonal.
//
// A block row of J has the blocks of the same row of W; that of an open contact (B_i = 0) only the one on the diagonal.
// Such rows are stored as what they are: KLU's block triangular form then takes them out of the factorisation, which
// pays better than a pattern that never changes. The pattern is analysed again when statuses between open and closed
// have changed. Rows are stored one after the other, so it is the transpose that is factorised.
//
// Within one solve pivots are kept from step to step as long as they give accurate solutions; a solve never begins with
// the pivots of another one, so that its result does not depend on what was solved before.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/cone/newton_function.hpp"
#include "ricochet/cone/scaled_problem.hpp"
#include "ricochet/linalg/sparse_lu.hpp"

namespace ricochet::cone {

class NewtonMatrix {
 public:
  enum class Storage { automatic, dense, sparse };

  NewtonMatrix();
  NewtonMatrix(const NewtonMatrix&) = delete;
  NewtonMatrix& operator=(const NewtonMatrix&) = delete;
  NewtonMatrix(NewtonMatrix&&) noexcept;
  NewtonMatrix& operator=(NewtonMatrix&&) noexcept;
  ~NewtonMatrix();

  // For the W of a problem. Both are used until the next call and must stay where they are.
  void prepare(const ContactProblem& problem, const ScaledProblem& scaled, Storage storage = Storage::automatic);

  // y = W x.
  void multiply(const VectorX& x, VectorX& y) const;

  // J from the derivatives of all blocks.
  void assemble(const std::vector<BlockDerivative>& derivatives, double epsilon);

  // J x = right. False if J is singular.
  bool solve(const VectorX& right, VectorX& x);

  int size() const { return static_cast<int>(scaled_->scale.size()); }
  bool dense() const { return dense_; }
  MatrixX jacobian() const;  // for tests

 private:
  struct DenseFactors;

  template <class Store>
  void assemble_row(int contact, const BlockDerivative& derivative, double epsilon, Store&& store);
  bool accurate(const VectorX& right, const VectorX& x);

  const ContactProblem* problem_ = nullptr;
  const ScaledProblem* scaled_ = nullptr;
  std::vector<double> delassus_;  // the values of W, block by block as there
  bool dense_ = true;

  MatrixX matrix_;
  std::unique_ptr<DenseFactors> dense_factors_;

  std::vector<int> starts_, columns_;
  std::vector<double> values_;
  linalg::SparseLu sparse_factors_;
  bool pivots_of_this_solve_ = false;
};

}  // namespace ricochet::cone
