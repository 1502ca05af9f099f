#include "ricochet/linalg/row_rank.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SVD>
#include <Eigen/SparseCore>
#include <Eigen/SparseQR>

#include <algorithm>
#include <cmath>

namespace ricochet::linalg {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;
using Columns = Eigen::SparseMatrix<double>;

// S^T, with columns that some row has only: one column for each row of joints.
Columns scaled_transpose(const BlockSparseMatrix& rows, std::span<const char> free_components,
                         const VectorX& mass_diagonal) {
  Triplets triplets;
  std::vector<int> place(free_components.size(), -1);  // of a component among those that occur
  int components = 0;
  for (int row = 0; row < rows.rows(); ++row) {
    for (int i = 0; i < rows.row_size(row); ++i) {
      const std::size_t begin = triplets.size();
      double square = 0;
      for (const auto& entry : rows.row(row)) {
        const BlockView block = rows.block(row, entry);
        for (int k = 0; k < block.cols(); ++k) {
          const int component = rows.column_offset(entry.column) + k;
          if (free_components[component] == 0 || block(i, k) == 0) continue;
          if (place[component] < 0) place[component] = components++;
          const double value = block(i, k) / std::sqrt(mass_diagonal[component]);
          triplets.emplace_back(place[component], rows.row_offset(row) + i, value);
          square += value * value;
        }
      }
      const double norm = std::sqrt(square);
      for (std::size_t k = begin; k < triplets.size(); ++k) {
        const auto& entry = triplets[k];
        triplets[k] = {entry.row(), entry.col(), entry.value() / norm};
      }
    }
  }
  Columns columns(components, rows.scalar_rows());
  columns.setFromTriplets(triplets.begin(), triplets.end());
  columns.makeCompressed();
  return columns;
}

// Gram and Schmidt, each row twice: what is left is then orthogonal to rounding.
RowRank dense_rank(const MatrixX& columns) {
  RowRank result;
  MatrixX basis(columns.rows(), std::min(columns.rows(), columns.cols()));
  VectorX rest(columns.rows());
  for (int i = 0; i < static_cast<int>(columns.cols()); ++i) {
    rest = columns.col(i);
    const auto known = basis.leftCols(result.rank);
    for (int pass = 0; pass < 2; ++pass) rest -= known * (known.transpose() * rest);
    const double norm = rest.norm();
    if (norm > dependence_tolerance && result.rank < basis.cols()) {
      basis.col(result.rank++) = rest / norm;
    } else {
      result.dependent.push_back(i);
    }
  }
  if (columns.size() > 0) result.singular_values = Eigen::BDCSVD<MatrixX>(columns).singularValues();
  return result;
}

// Columns stay in their order, so that those which the factorisation sends to the end depend on those before them.
RowRank sparse_rank(const Columns& columns) {
  Eigen::SparseQR<Columns, Eigen::NaturalOrdering<int>> factors;
  factors.setPivotThreshold(dependence_tolerance);
  factors.compute(columns);
  RowRank result;
  result.rank = static_cast<int>(factors.rank());
  const auto& order = factors.colsPermutation().indices();
  result.dependent.assign(order.data() + result.rank, order.data() + order.size());
  std::sort(result.dependent.begin(), result.dependent.end());
  return result;
}

}  // namespace

RowRank row_rank(const BlockSparseMatrix& rows, std::span<const char> free_components, const VectorX& mass_diagonal,
                 int most_dense) {
  const Columns columns = scaled_transpose(rows, free_components, mass_diagonal);
  return rows.scalar_rows() <= most_dense ? dense_rank(columns) : sparse_rank(columns);
}

}  // namespace ricochet::linalg
