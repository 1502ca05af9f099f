#include "ricochet/mechanics/joints/redundant_rows.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/linalg/row_rank.hpp"

namespace ricochet::mechanics {

bool has_redundant_rows(const Equations& equations) {
  linalg::BlockSparseMatrix rows;
  equations.joints().gradients(equations.initial_state(), rows);
  if (rows.scalar_rows() > linalg::most_sparse_rows) return false;
  const std::vector<char>& free = equations.map().free_components();
  const linalg::RowRank found = linalg::row_rank(rows, free, equations.mass_diagonal());
  VectorX unit = VectorX::Zero(rows.scalar_rows());
  return std::any_of(found.dependent.begin(), found.dependent.end(), [&](int row) {
    VectorX entries = VectorX::Zero(rows.scalar_columns());
    unit.setZero();
    unit[row] = 1;
    rows.transpose_multiply_add(unit, entries);
    for (Eigen::Index i = 0; i < entries.size(); ++i) {
      if (free[i] != 0 && std::abs(entries[i]) > linalg::dependence_tolerance) return true;
    }
    return false;
  });
}

}  // namespace ricochet::mechanics
