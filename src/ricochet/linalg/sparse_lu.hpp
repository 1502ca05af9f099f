// LU factorisation of a sparse matrix (SuiteSparse KLU), for matrices that come again and again with the same pattern.
//
// The pattern is given first and analysed (block triangular form, minimum degree ordering) only when it differs from
// the one before; values follow. Pivots can be chosen anew or taken over from the factorisation before, which takes a
// third of the time and no memory, but is only as good as these pivots are for the new values: whoever does that checks
// the solution. Choosing pivots allocates inside KLU, nothing else does once a pattern of the same size has been seen.
#pragma once

#include <memory>
#include <span>

namespace ricochet::linalg {

class SparseLu {
 public:
  SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;
  ~SparseLu();

  // A square matrix in compressed columns: column j has the row numbers rows[starts[j] ... starts[j + 1] - 1], in
  // ascending order. True if the pattern is new; factors of the old one are then gone.
  bool set_pattern(std::span<const int> starts, std::span<const int> rows);

  // New pivots. False if the matrix is singular or not finite.
  bool factorise(std::span<const double> values);
  // The pivots of the factorisation before. False if there is none since the pattern was set, or a pivot vanishes.
  bool refactorise(std::span<const double> values);

  // In place, `columns` right sides one after the other. For matrices stored by rows, solve the transposed system.
  void solve(double* right, int columns = 1) const;
  void solve_transposed(double* right, int columns = 1) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace ricochet::linalg
