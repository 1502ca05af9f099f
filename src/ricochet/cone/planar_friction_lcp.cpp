#include "ricochet/cone/planar_friction_lcp.hpp"

#include <algorithm>
#include <stdexcept>

namespace ricochet::cone {

PlanarFrictionLcp::PlanarFrictionLcp(const ContactProblem& problem) : contacts_(problem.contacts()) {
  for (int i = 0; i < contacts_; ++i) {
    if (problem.block_size(i) > 2 || problem.is_bilateral(i)) {
      throw contact_complaint(i, "a linear complementarity problem needs planar or frictionless contacts");
    }
  }
  assemble_dense(problem, dense_);
  for (const DenseProblem::Block& block : dense_.blocks) {
    friction_row_.push_back(block.friction.sliding > 0 ? frictional_++ : -1);
  }
  const int size = contacts_ + 2 * frictional_;
  MatrixX& matrix = problem_.matrix;
  matrix.setZero(size, size);
  problem_.offset.setZero(size);
  // The rows (or columns) of W for the normal and the tangent of a contact, and where they go.
  for (int i = 0; i < contacts_; ++i) {
    const DenseProblem::Block& row = dense_.blocks[i];
    for (int j = 0; j < contacts_; ++j) {
      const DenseProblem::Block& column = dense_.blocks[j];
      for (int k = 0; k < (friction_row_[i] < 0 ? 1 : 2); ++k) {
        const int target = k == 0 ? i : contacts_ + friction_row_[i];
        matrix(target, j) = dense_.delassus(row.offset + k, column.offset);
        if (friction_row_[j] < 0) continue;
        const double tangential = dense_.delassus(row.offset + k, column.offset + 1);
        matrix(target, j) -= tangential * column.friction.sliding;
        matrix(target, contacts_ + friction_row_[j]) = tangential;
      }
    }
    problem_.offset[i] = dense_.free_velocity[row.offset];
    if (friction_row_[i] < 0) continue;
    const int right = contacts_ + friction_row_[i], left = right + frictional_;
    problem_.offset[right] = dense_.free_velocity[row.offset + 1];
    matrix(right, left) = 1;
    matrix(left, i) = 2 * row.friction.sliding;
    matrix(left, right) = -1;
  }
}

void PlanarFrictionLcp::impulses(const VectorX& z, linalg::ReusableVector& impulses) const {
  VectorX x = VectorX::Zero(dense_.scale.size());
  for (int i = 0; i < contacts_; ++i) {
    const DenseProblem::Block& block = dense_.blocks[i];
    x[block.offset] = z[i];
    if (friction_row_[i] < 0) continue;
    const double limit = block.friction.sliding * z[i];
    x[block.offset + 1] = std::clamp(z[contacts_ + friction_row_[i]] - limit, -limit, limit);
  }
  const VectorX y = dense_.delassus * x + dense_.free_velocity;
  snapped_impulses(dense_, x, y, impulses);
}

VectorX PlanarFrictionLcp::unknowns(const linalg::VectorView& impulses) const {
  const VectorX x = impulses.cwiseQuotient(dense_.scale);
  const VectorX y = dense_.delassus * x + dense_.free_velocity;
  VectorX z = VectorX::Zero(problem_.size());
  for (int i = 0; i < contacts_; ++i) {
    const DenseProblem::Block& block = dense_.blocks[i];
    z[i] = x[block.offset];
    if (friction_row_[i] < 0) continue;
    const int right = contacts_ + friction_row_[i];
    z[right] = std::max(block.friction.sliding * x[block.offset] + x[block.offset + 1], 0.0);
    z[right + frictional_] = std::max(-y[block.offset + 1], 0.0);
  }
  return z;
}

}  // namespace ricochet::cone
