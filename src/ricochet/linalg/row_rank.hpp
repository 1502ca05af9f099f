// How many of the rows G of joints are independent, which are not, and how far they are from being dependent.
//
// Units must not matter, nor masses that differ by powers of ten: columns are scaled by the roots of the masses and
// then rows to length one, as in sparse_mass.cpp. With m the diagonal of the mass matrix on the free components,
//
//   S_ij = G_ij / sqrt(m_j),  then every row of S is divided by its norm.
//
// A row depends on those before it if what is left of it, orthogonal to them, is at most `dependence_tolerance`. That
// is rounding with room to spare: in a large machine rounding grows, and its joints are closed to rounding only.
#pragma once

#include <span>
#include <vector>

#include "ricochet/linalg/block_sparse_matrix.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::linalg {

inline constexpr double dependence_tolerance = 1e-10;
inline constexpr int most_dense_rows = 400;
inline constexpr int most_sparse_rows = 5000;  // a few seconds; the time grows with the square of the number

struct RowRank {
  int rank = 0;
  std::vector<int> dependent;  // rows that follow from those before them, ascending; rows of zeros are among them
  VectorX singular_values;     // of S, descending; empty if it was too large
};

// Block columns of `rows` are nodes; `free_components` and `mass_diagonal` have an entry per scalar column. Up to
// `most_dense` rows orthogonalisation and singular values, beyond that a sparse QR factorisation without singular
// values.
RowRank row_rank(const BlockSparseMatrix& rows, std::span<const char> free_components, const VectorX& mass_diagonal,
                 int most_dense = most_dense_rows);

}  // namespace ricochet::linalg
