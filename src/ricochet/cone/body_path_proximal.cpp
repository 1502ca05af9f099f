// Proximal points of body_path.hpp: problems whose path has no end.
#include <algorithm>
#include <cmath>

#include "ricochet/cone/body_path.hpp"

namespace ricochet::cone {

namespace {

constexpr double kFirstProximity = 3e-3;  // alpha
constexpr double kCloser = 0.7;           // times alpha after a path that ends,
constexpr double kFarther = 10;           // after one that does not
constexpr double kLeastProximity = 1e-3;
constexpr double kMostMomentum = 0.95;
constexpr int kMostProximalPoints = 100;
constexpr int kMostStepsToAPoint = 50;
constexpr double kPartOfTolerance = 0.1;   // to which proximal points are found
constexpr double kTauOfError = 0.1;        // tau is kept above this part of the square of the error,
constexpr double kMostGrowthOfTau = 10.0;  // as far as it grows by no more than this in a step

}  // namespace

// True if it ends there, or at a solution of the problem itself.
bool BodyPath::follow_to_proximal_point(const ResidualScales& scales, const SolveOptions& options) {
  start(scales);
  const int last_step = std::min(options.max_iterations, steps_ + kMostStepsToAPoint);
  while (true) {
    find_velocities();
    const double found = look(scales);
    if (found <= options.tolerance) return true;
    if (steps_ >= last_step || !std::isfinite(found)) return false;
    ++steps_;
    const double tau = frame_contacts(scales, 1);
    double error = 0, error_tau = 0, near = 0;  // the last: of tau
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const double square = frames_[i].error.squaredNorm();
      const double speed = scales.speed(contacts_[i].contact) / velocity_unit_;
      error = std::max(error, std::sqrt(square) / speed);
      error_tau = std::max(error_tau, kTauOfError * square / contacts_[i].response);
      near = std::max(near, speed * speed / contacts_[i].response);
    }
    const double enough = kPartOfTolerance * options.tolerance;
    if (error <= enough && tau <= enough * std::sqrt(enough) * near) return true;
    if (!factorise()) return false;
    if (!step_along(tau, std::min(error_tau, kMostGrowthOfTau * tau))) return false;
  }
}

SolveReport BodyPath::approach(const ResidualScales& scales, linalg::ReusableVector& impulses,
                               const SolveOptions& options) {
  begin();
  proximal_.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) proximal_[i] = read_impulse(contacts_[i], impulses);
  solution_ = proximal_;
  proximity_ = kFirstProximity;
  int solutions = 0;  // without a break
  for (int point = 0; point < kMostProximalPoints && steps_ < options.max_iterations; ++point) {
    const bool ended = follow_to_proximal_point(scales, options);
    if (best_residual_ <= options.tolerance) break;
    proximity_ = std::max(proximity_ * (ended ? kCloser : kFarther), kLeastProximity);
    if (!ended) {  // once more, with less daring
      proximal_ = solution_;
      solutions = 0;
      continue;
    }
    const double momentum = solutions == 0 ? 0.0 : std::min(solutions / (solutions + 3.0), kMostMomentum);
    ++solutions;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      proximal_[i] = project_onto_lorentz(points_[i].x + momentum * (points_[i].x - solution_[i]));
      solution_[i] = points_[i].x;
    }
  }
  proximity_ = 0;
  return report(impulses, options);
}

}  // namespace ricochet::cone
