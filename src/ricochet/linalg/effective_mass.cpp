#include "ricochet/linalg/effective_mass.hpp"

#include <stdexcept>

namespace ricochet::linalg {

void EffectiveMass::set_rows(const BlockSparseMatrix& rows) {
  if (rows.scalar_rows() > 0) throw std::logic_error("this form of the effective mass takes no rows of joints");
}

void EffectiveMass::solve_with_rows(VectorX& x, Eigen::Ref<VectorX> /*rows*/) const { solve_in_place(x); }

void EffectiveMass::delassus_diagonal(const BlockSparseMatrix& gradients, BlockSparseMatrix& diagonal) {
  std::vector<int> contact_sizes(gradients.rows());
  for (int row = 0; row < gradients.rows(); ++row) contact_sizes[row] = gradients.row_size(row);
  diagonal.reset(contact_sizes);
  VectorX column(gradients.scalar_columns());
  VectorX product;
  for (int row = 0; row < gradients.rows(); ++row) {
    diagonal.begin_row(gradients.row_size(row));
    MutableBlockView block = diagonal.append(row);
    for (int j = 0; j < gradients.row_size(row); ++j) {
      column.setZero();
      for (const auto& entry : gradients.row(row)) {
        column.segment(gradients.column_offset(entry.column), gradients.column_size(entry.column)) =
            gradients.block(row, entry).row(j);
      }
      solve_in_place(column);
      product.setZero(gradients.row_size(row));
      gradients.multiply_add_row(row, column.data(), product.data());
      block.col(j) = product;
    }
  }
}

}  // namespace ricochet::linalg
