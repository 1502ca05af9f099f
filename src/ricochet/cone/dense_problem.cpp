#include "ricochet/cone/dense_problem.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::cone {

namespace {

double block_trace(const ContactProblem& problem, int contact) {
  const int size = problem.block_size(contact);
  const double* block = problem.delassus.values().data() + diagonal_entry(problem.delassus, contact).value_start;
  double trace = 0;
  for (int k = 0; k < size; ++k) trace += block[k * (size + 1)];
  return trace;
}

// k with 2^(k-1) <= 1 / mean_eigenvalue < 2^k.
int mass_exponent(double mean_eigenvalue) {
  int exponent = 0;
  std::frexp(1 / mean_eigenvalue, &exponent);
  return exponent;
}

}  // namespace

void assemble_dense(const ContactProblem& problem, DenseProblem& dense) {
  const int scalars = problem.delassus.scalar_rows();
  const int contacts = problem.contacts();
  dense.blocks.clear();
  dense.scale.resize(scalars);
  dense.velocity_scale.resize(scalars);
  int unit_exponent = 0;
  double all_traces = 0;
  for (int i = 0; i < contacts; ++i) all_traces += std::max(block_trace(problem, i), 0.0);
  for (int i = 0; i < contacts; ++i) {
    const int size = problem.block_size(i);
    dense.blocks.push_back({problem.block_offset(i), size, size > 1 ? problem.friction[i].sliding : 0.0});
    const double trace = block_trace(problem, i);
    int exponent = 0;
    if (trace > 0) {
      exponent = mass_exponent(trace / size);
    } else if (all_traces > 0) {
      exponent = mass_exponent(all_traces / scalars);
    }
    if (i == 0) unit_exponent = exponent;
    // The remainder of an odd exponent stays with the block; shifting right rounds down for negative numbers too.
    const int half = (exponent - unit_exponent) >> 1;
    dense.velocity_scale.segment(problem.block_offset(i), size).setConstant(std::ldexp(1.0, half));
    dense.scale.segment(problem.block_offset(i), size).setConstant(std::ldexp(1.0, half + unit_exponent));
  }
  dense.free_velocity = dense.velocity_scale.cwiseProduct(problem.free_velocity);
  dense.delassus.setZero(scalars, scalars);
  for (int i = 0; i < contacts; ++i) {
    const int row = problem.block_offset(i);
    for (const linalg::BlockSparseMatrix::Entry& entry : problem.delassus.row(i)) {
      const int column = problem.delassus.column_offset(entry.column);
      const linalg::BlockView block = problem.delassus.block(i, entry);
      dense.delassus.block(row, column, block.rows(), block.cols()) =
          block * (dense.velocity_scale[row] * dense.scale[column]);
    }
  }
}

void normalise_velocity(DenseProblem& dense) {
  double largest = 0;
  for (const DenseProblem::Block& block : dense.blocks) {
    largest = std::max(largest, dense.free_velocity.segment(block.offset, block.size).norm());
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  dense.free_velocity *= std::ldexp(1.0, -exponent);
  dense.velocity_scale *= std::ldexp(1.0, -exponent);
  dense.scale *= std::ldexp(1.0, exponent);
}

void snap_to_status(const DenseProblem::Block& block, const double* impulse, const double* velocity, double* snapped) {
  const bool open = !(impulse[0] - velocity[0] > 0) || !(impulse[0] > 0);
  snapped[0] = open ? 0.0 : impulse[0];
  if (block.size == 1) return;
  const double radius = block.friction * snapped[0];
  const double normal_trial = std::max(impulse[0] - velocity[0], 0.0);
  double trial[2] = {}, tangent[2] = {};
  double trial_square = 0, square = 0;
  for (int k = 1; k < block.size; ++k) {
    trial[k - 1] = impulse[k] - velocity[k];
    tangent[k - 1] = impulse[k];
    trial_square += trial[k - 1] * trial[k - 1];
    square += impulse[k] * impulse[k];
  }
  const double trial_length = std::sqrt(trial_square);
  const bool slip = trial_length > block.friction * normal_trial;
  if (slip || std::sqrt(square) > radius) {
    const double* direction = slip ? trial : tangent;
    const double length = slip ? trial_length : std::sqrt(square);
    const double factor = length > 0 ? radius / length : 0.0;
    for (double& t : tangent) t = factor * direction[&t - tangent];
    // Round-off may leave the cone by a bit or two; the law is kept as evaluated in double precision.
    while (std::sqrt(tangent[0] * tangent[0] + tangent[1] * tangent[1]) > radius) {
      for (double& t : tangent) t *= 1 - 0x1p-52;
      if (radius < 0x1p-1000) tangent[0] = tangent[1] = 0;
    }
  }
  for (int k = 1; k < block.size; ++k) snapped[k] = tangent[k - 1];
}

void snapped_impulses(const DenseProblem& dense, const VectorX& x, const VectorX& y, linalg::ReusableVector& impulses) {
  impulses.resize(x.size());
  for (const DenseProblem::Block& block : dense.blocks) {
    snap_to_status(block, x.data() + block.offset, y.data() + block.offset, impulses.data() + block.offset);
  }
  impulses.array() *= dense.scale.array();
}

bool credible(const ContactProblem& problem, const DenseProblem& dense, const linalg::VectorView& impulses,
              double residual_value) {
  constexpr double impulse_weight = 1e-4;  // as in cone/residual
  constexpr double largest_error = 0.01;
  double largest_free_velocity = 0, largest_impulse = 0;  // both m/s
  for (const DenseProblem::Block& block : dense.blocks) {
    const double mass = dense.scale[block.offset] * dense.velocity_scale[block.offset];
    largest_free_velocity =
        std::max(largest_free_velocity, problem.free_velocity.segment(block.offset, block.size).norm());
    largest_impulse = std::max(largest_impulse, impulses.segment(block.offset, block.size).norm() / mass);
  }
  // The residual times the second term bounds the error that it would have without the weight of impulses.
  return residual_value * impulse_weight * largest_impulse <= largest_error * largest_free_velocity;
}

}  // namespace ricochet::cone
