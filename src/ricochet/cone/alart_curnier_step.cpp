#include "ricochet/cone/alart_curnier_step.hpp"

#include <cmath>

namespace ricochet::cone {

namespace {

// Added to diagonal blocks of about 1. Where contacts share a load in many ways the matrix is singular but for
// rounding: a step that is far larger than what it answers tells, and then more is added, which finds one of the ways.
constexpr double kRounding = 1e-14;
constexpr double kSmallestResponse = 1e-8;
constexpr double kLargestStep = 1e4;

// Scaling by it loses no bit.
double power_of_two_near(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, exponent);
}

// The inverse mass that components of a block feel on average.
double mean_response(const linalg::BlockView& w, int start, int size) {
  double sum = 0;
  for (int k = start; k < start + size; ++k) sum += w(k, k);
  return size > 0 ? sum / size : 0;
}

}  // namespace

void AlartCurnierStep::prepare(const ContactProblem& problem, const PenaltyFactors& factors) {
  const int scalars = problem.delassus.scalar_rows();
  scaled_.blocks.resize(problem.contacts());
  scaled_.scale.setOnes(scalars);
  scaled_.velocity_scale.setOnes(scalars);
  unit_ = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    ScaledProblem::Block& block = scaled_.blocks[i];
    static_cast<BlockLaw&>(block) = problem.law(i);
    block.offset = problem.block_offset(i);
    const linalg::BlockView w = problem.delassus.block(i, diagonal_entry(problem.delassus, i));
    const auto scale = [&](int start, int size, double factor) {
      const double response = mean_response(w, start, size);
      if (unit_ == 0 && response > 0) unit_ = power_of_two_near(1 / response);
      const double mass = unit_ > 0 && response > 0 ? factor / (response * unit_) : factor;
      const double root = power_of_two_near(std::sqrt(mass));
      scaled_.velocity_scale.segment(block.offset + start, size).setConstant(root);
      return root;
    };
    if (block.bilateral) {
      for (int k = 0; k < block.size; ++k) scale(k, 1, factors.normal);
      continue;
    }
    const double normal = scale(0, 1, factors.normal);
    for (int g = 0; g < block.group_count(); ++g) {
      const BlockLaw::Group group = block.groups()[g];
      const double ratio = normal / scale(group.start, group.size, factors.tangential);
      (g == 0 ? block.friction.sliding : g == 1 ? block.friction.rolling : block.friction.spinning) *= ratio;
    }
  }
  if (unit_ == 0) unit_ = 1;
  scaled_.scale = unit_ * scaled_.velocity_scale;
  scaled_.free_velocity.setZero(scalars);
  matrix_.prepare(problem, scaled_);
}

void AlartCurnierStep::value(const linalg::VectorView& impulses, const linalg::VectorView& velocities,
                             VectorX& value) const {
  scaled_value(impulses, velocities, value);
  value *= std::sqrt(unit_);
}

void AlartCurnierStep::scaled_value(const linalg::VectorView& impulses, const linalg::VectorView& velocities,
                                    VectorX& value) const {
  value.resize(impulses.size());
  for (const ScaledProblem::Block& block : scaled_.blocks) {
    double x[kLargestBlock] = {}, y[kLargestBlock] = {};
    for (int k = 0; k < block.size; ++k) {
      const int i = block.offset + k;
      x[k] = impulses[i] / scaled_.scale[i];
      y[k] = velocities[i] * scaled_.velocity_scale[i];
    }
    newton_value(NewtonFunction::alart_curnier, block, x, y, value.data() + block.offset);
  }
}

double AlartCurnierStep::size(const linalg::VectorView& impulses) const {
  return std::sqrt(unit_) * impulses.cwiseQuotient(scaled_.scale).norm();
}

bool AlartCurnierStep::find(const linalg::VectorView& impulses, const linalg::VectorView& velocities,
                            const linalg::VectorView& drift, VectorX& change) {
  scaled_value(impulses, velocities, right_);
  derivatives_.resize(scaled_.blocks.size());
  for (std::size_t i = 0; i < scaled_.blocks.size(); ++i) {
    const ScaledProblem::Block& block = scaled_.blocks[i];
    double x[kLargestBlock] = {}, y[kLargestBlock] = {};
    for (int k = 0; k < block.size; ++k) {
      const int j = block.offset + k;
      x[k] = impulses[j] / scaled_.scale[j];
      y[k] = velocities[j] * scaled_.velocity_scale[j];
    }
    newton_derivative(NewtonFunction::alart_curnier, block, x, y, derivatives_[i]);
    for (int k = 0; k < block.size; ++k) {
      for (int l = 0; l < block.size; ++l) {
        const int j = block.offset + l;
        right_[block.offset + k] +=
            derivatives_[i].by_velocity[k * block.size + l] * (scaled_.velocity_scale[j] * drift[j]);
      }
    }
  }
  for (const double response : {kRounding, kSmallestResponse}) {
    matrix_.assemble(derivatives_, response);
    const bool solved = matrix_.solve(right_, step_);
    if (solved && step_.norm() <= kLargestStep * right_.norm()) break;
    if (response == kSmallestResponse && !solved) return false;
  }
  change = -scaled_.scale.cwiseProduct(step_);
  return change.allFinite();
}

}  // namespace ricochet::cone
