#include "ricochet/cone/interior_point.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "ricochet/cone/local_solver.hpp"

namespace ricochet::cone {

namespace {

// The attempts: the proximal term as a part of W, and the floor of y and kappa as a part of the tolerance.
struct Attempt {
  double proximity, floor;
};
constexpr Attempt kAttempts[] = {{1e-10, 0.1}, {1e-11, 0.1}, {3e-12, 0.03}};
constexpr int kMostStepsPerAttempt = 150;
constexpr double kFirstTau = 0.3;
constexpr double kLastTau = 1e-32;
constexpr double kFirstReduction = 0.1;  // of tau
constexpr double kStrongestReduction = 0.03;
constexpr double kWeakestReduction = 0.95;  // beyond this the path is given up
constexpr int kStepsToSpeedUp = 3;          // reached in so many steps: the next reduction is squared
constexpr int kStepsToGiveUp = 7;           // not reached in so many: the root of the reduction is tried instead
constexpr double kNearPath = 0.5;           // relative errors of all equations
constexpr double kShortStep = 0.1;
constexpr double kToBoundary = 0.95;  // no positive quantity loses more than this part of itself in a step
constexpr double kBacktracking = 0.7;
constexpr int kBacktrackings = 60;
constexpr double kLeastRoom = 1e-13;  // of 1 - |w|^2
constexpr double kVelocityRoundOff = 1e-15;

}  // namespace

struct InteriorPoint::Factorisation {
  Eigen::PartialPivLU<MatrixX> lu;
};

InteriorPoint::InteriorPoint() = default;
InteriorPoint::InteriorPoint(InteriorPoint&&) noexcept = default;
InteriorPoint& InteriorPoint::operator=(InteriorPoint&&) noexcept = default;
InteriorPoint::~InteriorPoint() = default;

// Every contact closed with an impulse and velocities of the size of b, which is 1.
void InteriorPoint::start() {
  const auto scalars = dense_.scale.size();
  const auto contacts = static_cast<Eigen::Index>(dense_.blocks.size());
  point_.impulse.setZero(scalars);
  point_.mobilised.setZero(scalars);
  point_.slip.setOnes(contacts);
  point_.opening.setOnes(contacts);
  point_.room.setOnes(contacts);
  for (const DenseProblem::Block& block : dense_.blocks) point_.impulse[block.offset] = 1;
  update_velocity();
  for (int i = 0; i < contacts; ++i) point_.opening[i] = std::max(1.0, velocity_[dense_.blocks[i].offset]);
  tau_ = kFirstTau;
}

void InteriorPoint::update_velocity() {
  velocity_ = dense_.free_velocity;
  velocity_.noalias() += dense_.delassus * point_.impulse;
}

double InteriorPoint::opening_target(int contact) const {
  return std::max(tau_ / point_.impulse[dense_.blocks[contact].offset], floor_[contact]);
}

double InteriorPoint::slip_target(int contact) const {
  return std::max({tau_, kLeastRoom * point_.slip[contact], floor_[contact] * point_.room[contact]});
}

// The largest relative error of the equations of the path at tau.
double InteriorPoint::distance_from_path() const {
  double worst = 0;
  for (int i = 0; i < static_cast<int>(dense_.blocks.size()); ++i) {
    const DenseProblem::Block& block = dense_.blocks[i];
    const double opening = point_.opening[i], slip = point_.slip[i];
    worst = std::max({worst, std::abs(opening / opening_target(i) - 1),
                      std::abs(velocity_[block.offset] - opening) / (opening + kVelocityRoundOff)});
    if (!frictional(i)) continue;
    double square = 0;
    for (int k = block.offset + 1; k < block.offset + block.size; ++k) {
      const double error = velocity_[k] + slip * point_.mobilised[k];
      square += error * error;
    }
    worst = std::max(
        {worst, std::abs(slip * point_.room[i] / slip_target(i) - 1), std::sqrt(square) / (slip + kVelocityRoundOff)});
  }
  return worst;
}

// Newton's equations. With dw = (dx_T - mu w dx_N) / (mu x_N) they are, each divided by about its largest entry,
//   W_N dx + (y / x_N) dx_N                           = y_target - u_N
//   W_T dx + kappa dw + w dkappa                      = -(u_T + kappa w)
//   (1 - |w|^2) dkappa - 2 kappa w.dw                 = target - kappa (1 - |w|^2)
void InteriorPoint::assemble(double proximity) {
  const auto scalars = dense_.scale.size();
  const auto contacts = static_cast<int>(dense_.blocks.size());
  const auto unknowns = scalars + contacts;
  matrix_.setZero(unknowns, unknowns);
  matrix_.topLeftCorner(scalars, scalars) = dense_.delassus;
  matrix_.diagonal().head(scalars).array() += proximity;
  right_side_.setZero(unknowns);
  row_scale_.setOnes(unknowns);
  for (int i = 0; i < contacts; ++i) {
    const DenseProblem::Block& block = dense_.blocks[i];
    const int n = block.offset;
    const auto last = scalars + i;
    const double normal = point_.impulse[n], slip = point_.slip[i], room = point_.room[i];
    matrix_(n, n) += point_.opening[i] / normal;
    right_side_[n] = opening_target(i) - velocity_[n];
    row_scale_[n] = normal / (normal + point_.opening[i]);
    matrix_(last, last) = 1;
    if (!frictional(i)) {  // no tangential impulse, and no kappa
      for (int k = n + 1; k < n + block.size; ++k) {
        matrix_.row(k).setZero();
        matrix_(k, k) = 1;
      }
      continue;
    }
    const double radius = block.friction.sliding * normal;
    for (int k = n + 1; k < n + block.size; ++k) {
      const double w = point_.mobilised[k];
      matrix_(k, k) += slip / radius;
      matrix_(k, n) -= w * slip / normal;
      matrix_(k, last) = w;
      right_side_[k] = -velocity_[k] - slip * w;
      row_scale_[k] = radius / (radius + slip);
      matrix_(last, k) = -2 * w * slip / radius;
      matrix_(last, n) += 2 * w * w * slip / normal;
    }
    matrix_(last, last) = room;
    right_side_[last] = slip_target(i) - slip * room;
    row_scale_[last] = radius / (slip + radius * room);
  }
  for (int k = 0; k < unknowns; ++k) matrix_.row(k) *= row_scale_[k];
  right_side_ = right_side_.cwiseProduct(row_scale_);
}

// What the products in the equations leave over after `step_`: dx_N dy, dkappa dw, |dw|^2, and the curvature of w.
void InteriorPoint::add_second_order(VectorX& right_side) const {
  const auto scalars = dense_.scale.size();
  for (int i = 0; i < static_cast<int>(dense_.blocks.size()); ++i) {
    const DenseProblem::Block& block = dense_.blocks[i];
    const int n = block.offset;
    const double normal = point_.impulse[n], relative = step_[n] / normal;
    right_side[n] -= row_scale_[n] * relative * opening_step_[i];
    if (!frictional(i)) continue;
    const auto last = scalars + i;
    const double slip = point_.slip[i];
    double along = 0, square = 0;
    for (int k = n + 1; k < n + block.size; ++k) {
      const double w = point_.mobilised[k];
      const double turn = (step_[k] / block.friction.sliding - w * step_[n]) / normal, curvature = -turn * relative;
      along += w * turn;
      square += turn * turn + 2 * w * curvature;
      right_side[k] -= row_scale_[k] * (step_[last] * turn + slip * curvature);
    }
    right_side[last] += row_scale_[last] * (2 * step_[last] * along + slip * square);
  }
}

// The point after as much of a step as leaves it inside. Returns that fraction.
double InteriorPoint::try_step(const VectorX& step, Point& next) {
  const auto scalars = dense_.scale.size();
  const auto contacts = static_cast<int>(dense_.blocks.size());
  double length = 1;
  const auto keep_positive = [&](double value, double change) {
    if (value + change < (1 - kToBoundary) * value) length = std::min(length, -kToBoundary * value / change);
  };
  opening_step_.resize(scalars);
  opening_step_.noalias() = dense_.delassus * step.head(scalars);
  for (int i = 0; i < contacts; ++i) {  // in place: contact i needs the row of its normal, which is not before i
    const int n = dense_.blocks[i].offset;
    opening_step_[i] = opening_step_[n] + velocity_[n] - point_.opening[i];
    keep_positive(point_.impulse[n], step[n]);
    keep_positive(point_.opening[i], opening_step_[i]);
    if (frictional(i)) keep_positive(point_.slip[i], step[scalars + i]);
  }
  next = point_;
  for (int attempt = 0; attempt < kBacktrackings; ++attempt, length *= kBacktracking) {
    next.impulse = point_.impulse + length * step.head(scalars);
    bool inside = true;
    for (int i = 0; i < contacts && inside; ++i) {
      if (!frictional(i)) continue;
      const DenseProblem::Block& block = dense_.blocks[i];
      double square = 0;
      for (int k = block.offset + 1; k < block.offset + block.size; ++k) {
        next.mobilised[k] = next.impulse[k] / (block.friction.sliding * next.impulse[block.offset]);
        square += next.mobilised[k] * next.mobilised[k];
      }
      next.room[i] = 1 - square;
      const double room = point_.room[i];
      inside = next.room[i] >= std::max((1 - kToBoundary) * room, std::min(0.5 * room, 0.25 * kLeastRoom));
    }
    if (inside) break;
  }
  next.opening = point_.opening + length * opening_step_.head(contacts);
  next.slip = point_.slip + length * step.tail(contacts);
  return length;
}

// One step, corrected if the correction does not make it shorter. False if it is not finite.
bool InteriorPoint::move(double proximity, double& length) {
  assemble(proximity);
  if (!factorisation_) factorisation_ = std::make_unique<Factorisation>();
  factorisation_->lu.compute(matrix_);
  step_ = factorisation_->lu.solve(right_side_);
  length = try_step(step_, next_);
  add_second_order(right_side_);
  step_ = factorisation_->lu.solve(right_side_);
  const double corrected_length = try_step(step_, corrected_);
  if (corrected_length >= length && corrected_.impulse.allFinite()) {
    length = corrected_length;
    std::swap(point_, corrected_);
  } else {
    std::swap(point_, next_);
  }
  update_velocity();
  return point_.impulse.allFinite() && point_.slip.allFinite() && velocity_.allFinite();
}

bool InteriorPoint::follow_path(const ContactProblem& problem, double proximity, const SolveOptions& options) {
  start();
  const int last_step = std::min(options.max_iterations, steps_ + kMostStepsPerAttempt);
  double reduction = kFirstReduction, length = 1, saved_tau = 0;
  int steps_here = 0;  // since tau was changed
  while (!best_.offer(problem, dense_, point_.impulse, velocity_)) {
    if (steps_ >= last_step) return false;
    if (distance_from_path() < kNearPath) {
      if (steps_here <= kStepsToSpeedUp) reduction = std::max(reduction * reduction, kStrongestReduction);
      saved_ = point_;
      saved_tau = tau_;
      tau_ = std::max(tau_ * reduction, kLastTau);
      steps_here = 0;
    } else if (saved_tau > 0 && (length < kShortStep || steps_here >= kStepsToGiveUp)) {
      reduction = std::sqrt(reduction);
      if (reduction > kWeakestReduction) return false;
      point_ = saved_;
      update_velocity();
      tau_ = saved_tau * reduction;
      steps_here = 0;
    }
    ++steps_;
    ++steps_here;
    if (!move(proximity, length)) return false;
  }
  return true;
}

SolveReport InteriorPoint::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                 const SolveOptions& options) {
  validate(problem);  // before anything asks which blocks are bilateral
  require_sliding_contacts(problem);
  steps_ = 0;
  if (best_.open(problem, impulses, options)) {
    assemble_dense(problem, dense_);
    normalise_velocity(dense_);
    floor_.resize(problem.contacts());
    for (const Attempt& attempt : kAttempts) {
      if (steps_ >= options.max_iterations) break;
      for (int i = 0; i < problem.contacts(); ++i) {
        const double speed = best_.scales().speed(i) * dense_.velocity_scale[problem.block_offset(i)];
        floor_[i] = std::max(attempt.floor * options.tolerance * speed, kVelocityRoundOff);
      }
      if (follow_path(problem, attempt.proximity, options)) break;
    }
  }
  return best_.close(steps_, impulses);
}

}  // namespace ricochet::cone
