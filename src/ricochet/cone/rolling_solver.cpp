#include "ricochet/cone/rolling_solver.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ricochet::cone {

namespace {

using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kLargestBlock, kLargestBlock>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kLargestBlock, 1>;

constexpr double kRollingRoundOff = std::numeric_limits<double>::epsilon();
constexpr double kRollingSolved = 4 * kRollingRoundOff;  // |F| against 1 + |r|, scaled
constexpr double kRollingNearlySolved = 1e-13;           // enough if no step makes it smaller
constexpr double kRollingRegularisation = 0x1p-46;       // added to the diagonal of singular Jacobians
constexpr double kFarOutside = 0x1p20;
constexpr int kEasedSteps = 64;
constexpr int kRollingNewtonSteps = 25;
constexpr int kRollingHalvings = 10;
constexpr int kRollingDampedSteps = 100;
constexpr int kRollingRounds = 20;  // of damped steps and Newton

double group_length(const double* x, int size) {
  double square = 0;
  for (int k = 0; k < size; ++k) square += x[k] * x[k];
  return std::sqrt(square);
}

}  // namespace

// Scaled impulses with all that follows from them.
struct RollingSolver::Point {
  double r[kLargestBlock] = {};
  double u[kLargestBlock] = {};
  double f[kLargestBlock] = {};
  double y[kLargestBlock] = {};                            // y[0] is n
  double error = std::numeric_limits<double>::infinity();  // |F| / (1 + |r|)
};

RollingSolver::RollingSolver(const double* block, const BlockLaw& law) : law_(law) {
  if (law.bilateral || law.size < (law.friction.coupled ? 4 : 5) || law.size > kLargestBlock) {
    throw std::invalid_argument("RollingSolver: the block must be a contact of size 5 or 6, or 4 if it is coupled");
  }
  const int size = law.size, linear = law.linear_size();
  double trace = 0;
  for (int k = 0; k < linear; ++k) trace += block[k * (size + 1)];
  if (!(trace > 0) || !(block[0] > 0)) return;  // mass 0: nothing can be pushed apart here
  mass_ = linear / trace;
  normal_factor_ = trace / (linear * block[0]);
  std::fill(arms_, arms_ + linear, 1.0);
  const auto arm = [&](int start, int count, double coefficient) {
    double own = 0;
    for (int k = start; k < start + count; ++k) own += block[k * (size + 1)];
    double result = 1;
    if (own > 0) {
      result = std::sqrt(count / (mass_ * own));
    } else if (coefficient > 0) {
      result = coefficient;
    }
    std::fill(arms_ + start, arms_ + start + count, result);
    return result;
  };
  if (size > linear) law_.friction.rolling /= arm(linear, 2, law.friction.rolling);
  if (size > linear + 2) law_.friction.spinning /= arm(5, 1, law.friction.spinning);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) block_[i * size + j] = mass_ * (arms_[i] * block[i * size + j] * arms_[j]);
  }
}

// u, F and |F| from r.
void RollingSolver::evaluate(const double* b, Point& point) const {
  const int size = law_.size;
  for (int i = 0; i < size; ++i) {
    point.u[i] = b[i];
    for (int j = 0; j < size; ++j) point.u[i] += block_[i * size + j] * point.r[j];
  }
  point.y[0] = point.r[0] - normal_factor_ * point.u[0];
  const double normal = std::max(point.y[0], 0.0);
  point.f[0] = point.r[0] - normal;
  for (int k = 1; k < size; ++k) point.y[k] = point.r[k] - point.u[k];
  const auto groups = law_.groups();
  for (int g = 0; g < law_.group_count(); ++g) {
    const BlockLaw::Group& group = groups[g];
    const double radius = group.coefficient * normal;
    const double reach = group.length(point.y);
    const double shrink = reach > radius ? radius / reach : 1.0;
    for (int k = group.start; k < group.start + group.size; ++k) {
      point.f[k] = shrink == 1.0 ? point.u[k] : point.r[k] - shrink * point.y[k];
    }
  }
  const double error = group_length(point.f, size) / (1 + group_length(point.r, size));
  point.error = std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

// Semismooth Newton from `point`; true if it ends at round-off. `best` keeps the best point of all.
bool RollingSolver::newton(const double* b, Point& point, Point& best) const {
  const int size = law_.size;
  evaluate(b, point);
  for (int step = 0; step < kRollingNewtonSteps; ++step) {
    if (point.error < best.error) best = point;
    if (point.error <= kRollingSolved) return true;
    if (!std::isfinite(point.error)) return false;
    SmallMatrix jacobian = SmallMatrix::Identity(size, size);
    const auto w = [&](int i, int j) { return block_[i * size + j]; };
    if (point.y[0] > 0) {
      for (int j = 0; j < size; ++j) jacobian(0, j) = normal_factor_ * w(0, j);
      const auto groups = law_.groups();
      for (int g = 0; g < law_.group_count(); ++g) {
        const BlockLaw::Group& group = groups[g];
        const double reach = group.length(point.y);
        const double radius = group.coefficient * point.y[0];
        for (int i = group.start; i < group.start + group.size; ++i) {
          if (reach <= radius) {
            for (int j = 0; j < size; ++j) jacobian(i, j) = w(i, j);
            continue;
          }
          // dP = (y/|y|) c dn + (radius/|y|) (1 - y y^T/|y|^2) dy
          const double direction = point.y[i] / reach;
          for (int j = 0; j < size; ++j) {
            const double normal_slope = (j == 0 ? 1.0 : 0.0) - normal_factor_ * w(0, j);
            double slope = direction * group.coefficient * normal_slope;
            for (int k = group.start; k < group.start + group.size; ++k) {
              const double across = (i == k ? 1.0 : 0.0) - direction * (point.y[k] / reach);
              slope += (radius / reach) * across * ((j == k ? 1.0 : 0.0) - w(k, j));
            }
            jacobian(i, j) -= slope;
          }
        }
      }
    }
    const SmallVector f = SmallVector::Map(point.f, size);
    Eigen::FullPivLU<SmallMatrix> factors(jacobian);
    if (!factors.isInvertible()) {
      jacobian.diagonal().array() += kRollingRegularisation;
      factors.compute(jacobian);
    }
    const SmallVector change = factors.solve(f);
    Point next;
    double part = 1;
    for (int halving = 0;; ++halving, part *= 0.5) {
      for (int k = 0; k < size; ++k) next.r[k] = point.r[k] - part * change[k];
      evaluate(b, next);
      if (next.error < point.error) break;
      if (halving == kRollingHalvings) return point.error <= kRollingNearlySolved;
    }
    point = next;
  }
  if (point.error < best.error) best = point;
  return best.error <= kRollingNearlySolved;
}

// Projected steps of the natural map from `point`, shorter after every one that makes things worse.
void RollingSolver::damped_steps(const double* b, Point& point, Point& best) const {
  const int size = law_.size;
  double largest = 0;
  for (int i = 0; i < size; ++i) {
    double row = 0;
    for (int j = 0; j < size; ++j) row += std::abs(block_[i * size + j]);
    largest = std::max(largest, row);
  }
  double rho = 1 / largest;
  for (int step = 0; step < kRollingDampedSteps; ++step) {
    const double before = point.error;
    point.r[0] -= rho * (point.u[0] + de_saxce_term(law_, point.u));
    for (int k = 1; k < size; ++k) point.r[k] -= rho * point.u[k];
    project_onto_law(law_, point.r);
    evaluate(b, point);
    if (point.error < best.error) best = point;
    if (point.error > before) rho *= 0.7;
  }
}

// r = -W^-1 b, which is the answer if it lies in the cone.
void RollingSolver::stick(const double* b, Point& point) const {
  const int size = law_.size;
  SmallMatrix w(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) w(i, j) = block_[i * size + j];
  }
  const SmallVector r = Eigen::FullPivLU<SmallMatrix>(w).solve(SmallVector::Map(b, size));
  for (int k = 0; k < size; ++k) point.r[k] = -r[k];
  project_onto_law(law_, point.r);
}

// Shrinks every group to what r_N allows.
void RollingSolver::project_onto_groups(double* r) const {
  const auto groups = law_.groups();
  for (int g = 0; g < law_.group_count(); ++g) {
    const BlockLaw::Group& group = groups[g];
    const double reach = group.length(r);
    const double radius = group.coefficient * r[0];
    if (!(reach > radius)) continue;
    const double shrink = radius / reach * (1 - 2 * kRollingRoundOff);
    for (int k = group.start; k < group.start + group.size; ++k) r[k] *= shrink;
  }
}

void RollingSolver::solve(const double* free_velocity, double* impulse) const {
  const int size = law_.size;
  double b[kLargestBlock] = {};
  double speed = 0;
  for (int k = 0; k < size; ++k) speed = std::max(speed, std::abs(arms_[k] * free_velocity[k]));
  if (!(free_velocity[0] < 0) || !(mass_ > 0) || !std::isfinite(speed)) {
    std::fill(impulse, impulse + size, 0.0);
    return;
  }
  for (int k = 0; k < size; ++k) b[k] = arms_[k] * free_velocity[k] / speed;
  const double unit = mass_ * speed;  // of impulse

  Point point, best;
  for (int k = 0; k < size; ++k) point.r[k] = impulse[k] / arms_[k] / unit;
  bool solved = newton(b, point, best);
  if (!solved) {
    stick(b, point);
    solved = newton(b, point, best);
  }
  if (!solved) {
    point = {};
    point.r[0] = -b[0] * normal_factor_;
    solved = newton(b, point, best);
  }
  if (!solved) {
    point = {};
    point.r[0] = -b[0] * normal_factor_;
    for (int k = 1; k < size; ++k) point.r[k] = -b[k] * kFarOutside;
    project_onto_groups(point.r);
    solved = newton(b, point, best);
  }
  if (!solved) {
    // From the frictionless contact on, with ever more of the resistance.
    RollingSolver eased = *this;
    point = {};
    point.r[0] = -b[0] * normal_factor_;
    for (int step = 1; step <= kEasedSteps; ++step) {
      const double part = static_cast<double>(step) / kEasedSteps;
      eased.law_.friction.sliding = part * law_.friction.sliding;
      eased.law_.friction.rolling = part * law_.friction.rolling;
      eased.law_.friction.spinning = part * law_.friction.spinning;
      Point reached;
      eased.newton(b, point, reached);
      point = reached;
    }
    solved = newton(b, point, best);
  }
  for (int round = 0; round < kRollingRounds && !solved; ++round) {
    point = best;
    damped_steps(b, point, best);
    point = best;
    solved = newton(b, point, best);
  }

  // On the boundary as evaluated, not beyond it by round-off.
  best.r[0] = std::max(best.r[0], 0.0);
  project_onto_groups(best.r);
  for (int k = 0; k < size; ++k) impulse[k] = best.r[k] * arms_[k] * unit;
}

}  // namespace ricochet::cone
