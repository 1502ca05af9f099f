// The path of body_path.hpp with slip held near a solution: so that friction takes energy wherever it acts.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/cone/body_path.hpp"

namespace ricochet::cone {

namespace {

constexpr int kMostHeldSteps = 60;
constexpr double kAtTheEdge = 0.999;   // |x_T| / x_0 of a contact that slips
constexpr double kExactPart = 1e-3;    // of the tolerance: to this the error of z has to vanish
constexpr double kNothingLeft = 1e-4;  // of the square of the tolerance, for x.z: the end, whatever the residual is

}  // namespace

// |u_T| of the given impulses, and how much of its changes is followed where a contact slips.
void BodyPath::hold_slip(const ResidualScales& scales, const linalg::ReusableVector& impulses, double tolerance,
                         double phi) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) points_[i].x = read_impulse(contacts_[i], impulses);
  find_velocities();
  held_.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    HeldSlip& held = held_[i];
    const Vector3& x = points_[i].x;
    held.slip = velocity_[i].tail<2>();
    held.speed = held.slip.norm();
    held.gradient.setZero();
    const double error = tolerance * scales.speed(contacts_[i].contact) / velocity_unit_;
    const bool slips = x[0] > 0 && x.tail<2>().norm() > kAtTheEdge * x[0] && held.speed > error;
    if (slips) held.gradient = phi / held.speed * held.slip;
  }
}

// The end of the path is kept, whatever its residual is; without an end, the best point.
SolveReport BodyPath::solve_held(const ResidualScales& scales, linalg::ReusableVector& impulses,
                                 const SolveOptions& options, double phi) {
  begin();
  hold_slip(scales, impulses, options.tolerance, phi);
  start(scales);
  const int last_step = std::min(options.max_iterations, kMostHeldSteps);
  bool ended = false;
  while (true) {
    find_velocities();
    const double found = look(scales);
    if (steps_ >= last_step || !std::isfinite(found)) break;
    const double tau = frame_contacts(scales, 0);
    double error = 0, left = 0;  // in units of V, and of the mass of the contact
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const double speed = scales.speed(contacts_[i].contact) / velocity_unit_;
      error = std::max(error, frames_[i].error.norm() / speed);
      left = std::max(left, points_[i].x.dot(points_[i].z) * contacts_[i].response / (speed * speed));
    }
    ended = error <= kExactPart * options.tolerance &&
            (found <= options.tolerance || left <= kNothingLeft * options.tolerance * options.tolerance);
    if (ended) {
      best_residual_ = std::numeric_limits<double>::infinity();
      look(scales);
      break;
    }
    ++steps_;
    if (!factorise() || !step_along(tau, 0)) break;
  }
  held_.clear();
  SolveReport result = report(impulses, options);
  if (!ended) result.status = SolveStatus::iteration_limit;
  return result;
}

}  // namespace ricochet::cone
