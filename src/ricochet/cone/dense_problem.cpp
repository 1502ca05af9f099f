#include "ricochet/cone/dense_problem.hpp"

namespace ricochet::cone {

void assemble_dense(const ContactProblem& problem, DenseProblem& dense) {
  find_scales(problem, dense);
  const int scalars = problem.delassus.scalar_rows();
  dense.delassus.setZero(scalars, scalars);
  for (int i = 0; i < problem.contacts(); ++i) {
    const int row = problem.block_offset(i);
    for (const linalg::BlockSparseMatrix::Entry& entry : problem.delassus.row(i)) {
      const int column = problem.delassus.column_offset(entry.column);
      const linalg::BlockView block = problem.delassus.block(i, entry);
      for (int k = 0; k < block.rows(); ++k) {
        for (int l = 0; l < block.cols(); ++l) {
          dense.delassus(row + k, column + l) = block(k, l) * (dense.velocity_scale[row + k] * dense.scale[column + l]);
        }
      }
    }
  }
}

}  // namespace ricochet::cone
