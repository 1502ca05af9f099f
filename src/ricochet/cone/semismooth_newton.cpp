#include "ricochet/cone/semismooth_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ricochet::cone {

namespace {

constexpr double kHopefulEpsilon = 1e-10;  // of the first attempt, against diagonal blocks of about 1
constexpr int kHopefulSteps = 10;
constexpr double kSmallestEpsilon = 1e-13;
constexpr int kStepsPerProximalProblem = 30;
constexpr int kQuickSuccess = 5;  // steps
constexpr int kHalvings = 10;
constexpr int kMemory = 4;                  // the line search compares with the worst of so many steps
constexpr double kProximalAccuracy = 1e-3;  // times the tolerance: when a proximal problem counts as solved,
constexpr double kProximalRoundOff = 1e-1;  // or good enough if no step gets any further
constexpr double kWeightOfImpulses = 1e-4;  // as in cone/residual

}  // namespace

// How epsilon goes: times `growth` after a failure, times a decay after a success. The decay is between the strongest
// and the weakest: its root is taken after a failure, its square after a quick success.
struct SemismoothNewton::Path {
  double first_epsilon, largest_epsilon, growth, strongest_decay, weakest_decay;
  double inexactness;  // error against the proximal term at which a proximal problem is solved well enough
  int fruitless;       // give up after so many proximal problems that did not halve the best residual

  static Path from_small() { return {kHopefulEpsilon, 1, 100, 0.1, 0.1, 0, 6}; }
  static Path from_large() { return {0.1, 10, 10, 0.1, 0.8, 0.1, 15}; }
};

// y = W x + b without the proximal term, and the function of the regularised problem. Returns its squared norm.
double SemismoothNewton::evaluate(const VectorX& x, double epsilon, VectorX& y, VectorX& value) {
  matrix_.multiply(x, y);
  y += scaled_.free_velocity;
  value.resize(x.size());
  for (const ScaledProblem::Block& block : scaled_.blocks) {
    double proximal[kLargestBlock] = {};
    for (int k = 0; k < block.size; ++k) {
      const int i = block.offset + k;
      proximal[k] = y[i] + epsilon * (x[i] - centre_[i]);
    }
    newton_value(function_, block, x.data() + block.offset, proximal, value.data() + block.offset);
  }
  return value.squaredNorm();
}

// The Newton step at x_, where y_ and value_ have been evaluated. False if there is none.
bool SemismoothNewton::find_step(double epsilon) {
  derivatives_.resize(scaled_.blocks.size());
  for (std::size_t i = 0; i < scaled_.blocks.size(); ++i) {
    const ScaledProblem::Block& block = scaled_.blocks[i];
    double proximal[kLargestBlock] = {};
    for (int k = 0; k < block.size; ++k) {
      const int j = block.offset + k;
      proximal[k] = y_[j] + epsilon * (x_[j] - centre_[j]);
    }
    newton_derivative(function_, block, x_.data() + block.offset, proximal, derivatives_[i]);
  }
  matrix_.assemble(derivatives_, epsilon);
  return matrix_.solve(value_, step_);
}

SemismoothNewton::Outcome SemismoothNewton::solve_proximal(const ContactProblem& problem, double epsilon,
                                                           double inexactness, int most_steps,
                                                           const SolveOptions& options) {
  x_ = centre_;
  double merit = evaluate(x_, epsilon, y_, value_);
  std::array<double, kMemory> recent{};
  recent.fill(merit);
  const auto accuracy = [&] {
    return std::sqrt(merit) / (scaled_.free_velocity.norm() + kWeightOfImpulses * x_.norm());
  };
  const double accurate = kProximalAccuracy * options.tolerance, round_off = kProximalRoundOff * options.tolerance;
  for (int k = 0; k < most_steps; ++k) {
    if (best_.offer(problem, scaled_, x_, y_)) return Outcome::solved;
    if (k > 0 && (accuracy() <= accurate || std::sqrt(merit) <= inexactness * epsilon * (x_ - centre_).norm())) {
      return Outcome::proximal_solved;
    }
    if (steps_ >= options.max_iterations) return Outcome::failed;
    ++steps_;
    if (!find_step(epsilon)) return Outcome::failed;
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
    if (at_round_off) return best_.offer(problem, scaled_, x_, y_) ? Outcome::solved : Outcome::proximal_solved;
  }
  return accuracy() <= round_off ? Outcome::proximal_solved : Outcome::failed;
}

void SemismoothNewton::follow_proximal_points(const ContactProblem& problem, const Path& path,
                                              const SolveOptions& options) {
  double epsilon = path.first_epsilon, decay = path.strongest_decay, last_progress = best_.residual_value();
  for (int fruitless = 0; fruitless < path.fruitless && steps_ < options.max_iterations; ++fruitless) {
    const int steps_before = steps_;
    const Outcome outcome = solve_proximal(problem, epsilon, path.inexactness, kStepsPerProximalProblem, options);
    if (outcome == Outcome::solved) return;
    if (outcome == Outcome::proximal_solved) {
      centre_ = x_;
      if (steps_ - steps_before <= kQuickSuccess) decay = std::max(decay * decay, path.strongest_decay);
      epsilon = std::max(epsilon * decay, kSmallestEpsilon);
    } else {
      decay = std::min(std::sqrt(decay), path.weakest_decay);
      epsilon *= path.growth;
      if (epsilon > path.largest_epsilon) return;
    }
    if (best_.residual_value() <= 0.5 * last_progress) {
      last_progress = best_.residual_value();
      fruitless = -1;
    }
  }
}

SolveReport SemismoothNewton::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                    const SolveOptions& options) {
  steps_ = 0;
  if (best_.open(problem, impulses, options)) {
    find_scales(problem, scaled_);
    matrix_.prepare(problem, scaled_);
    centre_ = impulses.cwiseQuotient(scaled_.scale);
    if (matrix_.dense()) {
      follow_proximal_points(problem, Path::from_small(), options);
      if (!best_.solved()) {
        centre_ = best_.impulses().cwiseQuotient(scaled_.scale);
        follow_proximal_points(problem, Path::from_large(), options);
      }
    } else if (solve_proximal(problem, kHopefulEpsilon, 0, kHopefulSteps, options) != Outcome::solved) {
      follow_proximal_points(problem, Path::from_large(), options);
    }
  }
  return best_.close(steps_, impulses);
}

}  // namespace ricochet::cone
