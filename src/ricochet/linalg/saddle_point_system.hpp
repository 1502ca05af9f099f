// The equations of nodes that springs or joints couple, with the rows G of the joints:
//
//   [ matrix   G^T    ] [x]   [momentum]
//   [ G      -delta 1 ] [y] = [right   ],     y = -lambda.
//
// They are scaled so that the diagonals of the matrix and of G diag(matrix)^-1 G^T are one, and all entries without
// unit. Scales are roots of ratios of masses, or of squares of lengths: they turn units that are powers of two into
// powers of two, so that a machine in other units gives the same bits. delta makes redundant rows harmless; refinement
// against the system without delta then takes its effect out again, as M. P. Friedlander and D. Orban do for
// quasi-definite systems (Math. Prog. Comp. 4, 2012): an error along a singular value sigma of the scaled rows shrinks
// by delta/(sigma^2 + delta) in every pass.
//
// Pivots stay on the diagonal (OrderedLu). Where that loses digits, because springs in compression make the matrix
// indefinite or a mass vanishes, they are searched for (SparseLu).
#pragma once

#include <span>
#include <vector>

#include "ricochet/linalg/ordered_lu.hpp"
#include "ricochet/linalg/sparse_lu.hpp"

namespace ricochet::linalg {

// Compressed columns with an entry for every place on the diagonal and the same places above and below it. Unknowns are
// the components of the nodes, then the rows of the joints.
struct SaddlePointPattern {
  int components = 0;
  int rows = 0;
  std::vector<int> starts = {0};  // of every column
  std::vector<int> indices;       // of the unknowns in them, ascending
  std::vector<int> order;         // in which they are eliminated

  int unknowns() const { return components + rows; }
  int nonzeros() const { return static_cast<int>(indices.size()); }
  int place(int row, int column) const;  // among the indices; the entry must be there
  bool operator==(const SaddlePointPattern&) const = default;
};

class SaddlePointSystem {
 public:
  // Analyses the pattern, unless it is the one that the system has.
  void set_pattern(SaddlePointPattern pattern);
  const SaddlePointPattern& pattern() const { return pattern_; }

  // The values in the order of the pattern, G and G^T both; what stands on the diagonal of the rows is not looked at.
  // They are scaled in place and must stay as they are until the last `solve`. Throws std::runtime_error if the matrix
  // is singular.
  void factorise(std::span<double> values);

  // In place, `columns` right sides one after the other: momentum and right side of the rows become x and y. Each comes
  // out as if it had been alone.
  void solve(double* right, int columns = 1) const;

 private:
  static constexpr int kTogether = 4;  // columns that are solved at a time: as many as KLU takes at once

  void find_scales(std::span<const double> values);
  void scale(std::span<double> values) const;
  void solve_together(double* right, int columns) const;
  void solve_factors(double* right, int columns) const;
  double find_error(const double* x, const double* right, double* error) const;
  void refine(double* x, int columns) const;

  SaddlePointPattern pattern_;
  std::vector<int> diagonal_;  // the places of the diagonal
  std::span<const double> values_;
  OrderedLu ordered_;
  SparseLu pivoting_;
  bool searches_pivots_ = false;
  double reference_ = 1;               // the unit of the matrix: its first diagonal entry
  std::vector<double> inverse_scale_;  // of the unknowns
  mutable std::vector<double> right_, error_;
};

}  // namespace ricochet::linalg
