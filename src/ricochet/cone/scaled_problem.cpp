#include "ricochet/cone/scaled_problem.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::cone {

namespace {

// k with 2^(k-1) <= 1 / mean_eigenvalue < 2^k.
int mass_exponent(double mean_eigenvalue) {
  int exponent = 0;
  std::frexp(1 / mean_eigenvalue, &exponent);
  return exponent;
}

double group_trace(const double* block, int size, int start, int count) {
  double trace = 0;
  for (int k = start; k < start + count; ++k) trace += block[k * (size + 1)];
  return trace;
}

// The group of components that component `start` begins: those which share a scale.
int group_size(const BlockLaw& law, int start) {
  if (law.bilateral) return 1;
  if (start == 0) return law.linear_size();
  return start == law.linear_size() ? 2 : 1;
}

// Shortens a group of components to the radius, as evaluated in double precision.
void put_into_disc(double radius, int size, double* group) {
  const auto length = [&] { return math::ConeGroup{0, size, 0}.length(group); };
  const double before = length();
  const double factor = before > 0 ? radius / before : 0.0;
  for (int k = 0; k < size; ++k) group[k] *= factor;
  while (length() > radius) {  // round-off may leave the disc by a bit or two
    for (int k = 0; k < size; ++k) group[k] = radius < 0x1p-1000 ? 0.0 : group[k] * (1 - 0x1p-52);
  }
}

}  // namespace

void find_scales(const ContactProblem& problem, ScaledProblem& scaled) {
  const int scalars = problem.delassus.scalar_rows();
  scaled.blocks.clear();
  scaled.scale.resize(scalars);
  scaled.velocity_scale.resize(scalars);
  const auto diagonal_block = [&](int contact) {
    return problem.delassus.values().data() + diagonal_entry(problem.delassus, contact).value_start;
  };
  double all_traces = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const int size = problem.block_size(i);
    all_traces += std::max(group_trace(diagonal_block(i), size, 0, size), 0.0);
  }
  int unit_exponent = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    ScaledProblem::Block block;
    static_cast<BlockLaw&>(block) = problem.law(i);
    block.offset = problem.block_offset(i);
    if (block.size == 1) block.friction = 0;
    const double* delassus = diagonal_block(i);
    int normal_half = 0;
    for (int start = 0, count = 0; start < block.size; start += count) {
      count = group_size(block, start);
      const double trace = group_trace(delassus, block.size, start, count);
      int exponent = 0;
      if (trace > 0) {
        exponent = mass_exponent(trace / count);
      } else if (all_traces > 0) {
        exponent = mass_exponent(all_traces / scalars);
      }
      if (i == 0 && start == 0) unit_exponent = exponent;
      // The remainder of an odd exponent stays with the group; shifting right rounds down for negative numbers too.
      const int half = (exponent - unit_exponent) >> 1;
      if (start == 0) normal_half = half;
      scaled.velocity_scale.segment(block.offset + start, count).setConstant(std::ldexp(1.0, half));
      scaled.scale.segment(block.offset + start, count).setConstant(std::ldexp(1.0, half + unit_exponent));
      if (start > 0 && count == 2) block.friction.rolling = std::ldexp(block.friction.rolling, normal_half - half);
      if (start > 0 && count == 1) block.friction.spinning = std::ldexp(block.friction.spinning, normal_half - half);
    }
    scaled.blocks.push_back(block);
  }
  scaled.free_velocity = scaled.velocity_scale.cwiseProduct(problem.free_velocity);
}

void normalise_velocity(ScaledProblem& scaled) {
  double largest = 0;
  for (const ScaledProblem::Block& block : scaled.blocks) {
    largest = std::max(largest, scaled.free_velocity.segment(block.offset, block.size).norm());
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  scaled.free_velocity *= std::ldexp(1.0, -exponent);
  scaled.velocity_scale *= std::ldexp(1.0, -exponent);
  scaled.scale *= std::ldexp(1.0, exponent);
}

void snap_to_status(const ScaledProblem::Block& block, const double* impulse, const double* velocity, double* snapped) {
  std::copy(impulse, impulse + block.size, snapped);
  if (block.bilateral) return;
  const bool open = !(impulse[0] - velocity[0] > 0) || !(impulse[0] > 0);
  const double normal_trial = std::max(impulse[0] - velocity[0], 0.0);
  snapped[0] = open ? 0.0 : impulse[0];
  for (int g = 0; g < block.group_count(); ++g) {
    const BlockLaw::Group group = block.groups()[g];
    double trial[3] = {};
    double trial_square = 0, square = 0;
    for (int k = 0; k < group.size; ++k) {
      const double now = impulse[group.start + k];
      trial[k] = now - velocity[group.start + k];
      trial_square += trial[k] * trial[k];
      square += now * now;
    }
    const bool slip = std::sqrt(trial_square) > group.coefficient * normal_trial;
    const double radius = group.coefficient * snapped[0];
    if (!slip && std::sqrt(square) <= radius) continue;
    if (slip) std::copy(trial, trial + group.size, snapped + group.start);
    put_into_disc(radius, group.size, snapped + group.start);
  }
}

void snapped_impulses(const ScaledProblem& scaled, const VectorX& x, const VectorX& y,
                      linalg::ReusableVector& impulses) {
  impulses.resize(x.size());
  for (const ScaledProblem::Block& block : scaled.blocks) {
    snap_to_status(block, x.data() + block.offset, y.data() + block.offset, impulses.data() + block.offset);
  }
  impulses.array() *= scaled.scale.array();
}

}  // namespace ricochet::cone
