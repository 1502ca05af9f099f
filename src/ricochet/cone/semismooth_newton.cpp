#include "ricochet/cone/semismooth_newton.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ricochet/cone/first_guess.hpp"
#include "ricochet/cone/local_solver.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {

namespace {

constexpr double kFirstEpsilon = 1e-10;  // against diagonal blocks of about 1
constexpr double kSmallestEpsilon = 1e-13;
constexpr double kLargestEpsilon = 1;
constexpr double kEpsilonGrowth = 100;
constexpr double kEpsilonDecay = 0.1;
constexpr int kStepsPerProximalProblem = 30;
constexpr int kHalvings = 10;
constexpr int kMemory = 4;                   // the line search compares with the worst of so many steps
constexpr int kProximalWithoutProgress = 6;  // proximal problems that did not halve the best residual
constexpr double kProximalAccuracy = 1e-3;   // times the tolerance: when a proximal problem counts as solved,
constexpr double kProximalRoundOff = 1e-1;   // or good enough if no step gets any further
constexpr double kWeightOfImpulses = 1e-4;   // as in cone/residual

}  // namespace

// y = W x + b without the proximal term, and the function of the regularised problem. Returns its squared norm.
double SemismoothNewton::evaluate(const VectorX& x, double epsilon, VectorX& y, VectorX& value) const {
  y = dense_.free_velocity;
  y.noalias() += dense_.delassus * x;
  value.resize(x.size());
  for (const DenseProblem::Block& block : dense_.blocks) {
    double trial[3] = {};
    for (int k = 0; k < block.size; ++k) {
      const int i = block.offset + k;
      trial[k] = x[i] - (y[i] + epsilon * (x[i] - centre_[i]));
    }
    const double normal = std::max(trial[0], 0.0);
    value[block.offset] = x[block.offset] - normal;
    const double radius = block.friction * normal;
    const double length = std::sqrt(trial[1] * trial[1] + trial[2] * trial[2]);
    const double factor = length > radius ? radius / length : 1.0;
    for (int k = 1; k < block.size; ++k) value[block.offset + k] = x[block.offset + k] - factor * trial[k];
  }
  return value.squaredNorm();
}

// The generalised Jacobian at x_, where y_ has been evaluated.
void SemismoothNewton::assemble_jacobian(double epsilon) {
  for (const DenseProblem::Block& block : dense_.blocks) {
    const int n = block.offset;
    double trial[3] = {};
    for (int k = 0; k < block.size; ++k) trial[k] = x_[n + k] - (y_[n + k] + epsilon * (x_[n + k] - centre_[n + k]));
    auto rows = jacobian_.middleRows(n, block.size);
    if (!(trial[0] > 0)) {  // open: x = 0
      rows.setZero();
      rows.middleCols(n, block.size).setIdentity();
      continue;
    }
    rows = regular_delassus_.middleRows(n, block.size);  // closed and sticking: y = 0
    const double radius = block.friction * trial[0];
    const double length = std::sqrt(trial[1] * trial[1] + trial[2] * trial[2]);
    if (block.size == 1 || length <= radius) continue;
    // Slipping: x_T - mu t_N d with d = t_T / |t_T| and the derivative of t = x - y, which is 1 - W.
    const double ratio = radius / length;
    const double d1 = trial[1] / length, d2 = trial[2] / length;
    const double turn[2][2] = {{ratio * (1 - d1 * d1), -ratio * d1 * d2}, {-ratio * d1 * d2, ratio * (1 - d2 * d2)}};
    const double slope[2] = {block.friction * d1, block.friction * d2};
    const int tangents = block.size - 1;
    for (int column = 0; column < jacobian_.cols(); ++column) {
      double t[3] = {};
      for (int k = 0; k < block.size; ++k) {
        t[k] = (column == n + k ? 1.0 : 0.0) - regular_delassus_(n + k, column);
      }
      for (int k = 0; k < tangents; ++k) {
        jacobian_(n + 1 + k, column) =
            (column == n + 1 + k ? 1.0 : 0.0) - slope[k] * t[0] - (turn[k][0] * t[1] + turn[k][1] * t[2]);
      }
    }
  }
}

// Judges the iterate by the residual of the true problem and keeps it if it is the best so far. True if it solves.
bool SemismoothNewton::look(const ContactProblem& problem, double tolerance) {
  snapped_impulses(dense_, x_, y_, candidate_);
  const Residual now = residual(problem, scales_, candidate_);
  if (!(now.value < best_report_.residual) || !credible(problem, dense_, candidate_, now.value)) return false;
  best_report_.residual = now.value;
  best_report_.worst_contact = now.worst_contact;
  best_ = candidate_;
  return now.value <= tolerance;
}

SemismoothNewton::Outcome SemismoothNewton::solve_proximal(const ContactProblem& problem, double epsilon,
                                                           const SolveOptions& options) {
  regular_delassus_ = dense_.delassus;
  regular_delassus_.diagonal().array() += epsilon;
  x_ = centre_;
  double merit = evaluate(x_, epsilon, y_, value_);
  std::array<double, kMemory> recent{};
  recent.fill(merit);
  const auto accuracy = [&] {
    return std::sqrt(merit) / (dense_.free_velocity.norm() + kWeightOfImpulses * x_.norm());
  };
  const double accurate = kProximalAccuracy * options.tolerance, round_off = kProximalRoundOff * options.tolerance;
  for (int k = 0; k < kStepsPerProximalProblem; ++k) {
    if (look(problem, options.tolerance)) return Outcome::solved;
    if (k > 0 && accuracy() <= accurate) return Outcome::proximal_solved;
    if (steps_ >= options.max_iterations) return Outcome::failed;
    ++steps_;
    jacobian_.resize(x_.size(), x_.size());
    assemble_jacobian(epsilon);
    step_ = jacobian_.partialPivLu().solve(value_);
    if (!step_.allFinite()) return Outcome::failed;
    const double allowed = *std::max_element(recent.begin(), recent.end());
    double fraction = 1, best_fraction = 0, best_merit = std::numeric_limits<double>::infinity();
    for (int halving = 0; halving <= kHalvings; ++halving, fraction *= 0.5) {
      trial_ = x_ - fraction * step_;
      const double trial_merit = evaluate(trial_, epsilon, trial_y_, trial_value_);
      if (trial_merit < best_merit) {
        best_merit = trial_merit;
        best_fraction = fraction;
      }
      if (trial_merit <= (1 - 1e-4 * fraction) * allowed) break;
    }
    if (best_fraction == 0) return Outcome::failed;
    // Even if no fraction made it better the iterate moves on: standing still would repeat the same step for ever.
    trial_ = x_ - best_fraction * step_;
    const bool worse = best_merit >= merit;
    const bool at_round_off = worse && accuracy() <= round_off;
    x_ = trial_;
    merit = evaluate(x_, epsilon, y_, value_);
    recent[k % kMemory] = merit;
    if (at_round_off) return look(problem, options.tolerance) ? Outcome::solved : Outcome::proximal_solved;
  }
  return accuracy() <= round_off ? Outcome::proximal_solved : Outcome::failed;
}

SolveReport SemismoothNewton::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                    const SolveOptions& options) {
  validate(problem);
  require_sliding_contacts(problem);
  scales_.prepare(problem);
  const bool closing = admit_first_guess(problem, impulses);
  const Residual first = residual(problem, scales_, impulses);
  best_report_ = {SolveStatus::iteration_limit, 0, first.value, first.worst_contact};
  best_ = impulses;
  steps_ = 0;
  if (closing && !(first.value <= options.tolerance) && options.max_iterations > 0) {
    assemble_dense(problem, dense_);
    centre_ = impulses.cwiseQuotient(dense_.scale);
    double epsilon = kFirstEpsilon;
    double last_progress = first.value;
    for (int fruitless = 0; fruitless < kProximalWithoutProgress && steps_ < options.max_iterations; ++fruitless) {
      const Outcome outcome = solve_proximal(problem, epsilon, options);
      if (outcome == Outcome::solved) break;
      if (outcome == Outcome::proximal_solved) {
        centre_ = x_;
        epsilon = std::max(epsilon * kEpsilonDecay, kSmallestEpsilon);
      } else {
        epsilon *= kEpsilonGrowth;
        if (epsilon > kLargestEpsilon) break;
      }
      if (best_report_.residual <= 0.5 * last_progress) {
        last_progress = best_report_.residual;
        fruitless = -1;
      }
    }
  }
  impulses = best_;
  best_report_.iterations = steps_;
  if (best_report_.residual <= options.tolerance) best_report_.status = SolveStatus::converged;
  return best_report_;
}

}  // namespace ricochet::cone
