#include "ricochet/cone/local_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "ricochet/math/projection.hpp"

namespace ricochet::cone {

namespace {

constexpr double kRoundOff = std::numeric_limits<double>::epsilon();
constexpr double kSingular = 16 * kRoundOff;  // eigenvalues of A below this part of W_TT are round-off of its formation
constexpr double kNoFreeVelocity = 1e-12;     // see the header: along an axis on which nothing can move
constexpr double kLastNewtonStep = 0x1p-30;   // a step this small leaves an error of its square
constexpr int kPureNewtonSteps = 12;          // afterwards every second step halves the bracket
constexpr int kMaxSlipSteps = 400;            // bisection alone needs fewer from any bracket of doubles
constexpr int kMaxFallbackIterations = 200;

double planar_length(double x, double y) { return std::sqrt(x * x + y * y); }

// Shrinks the tangential impulse by round-off, if it needs it, so that |r_T| <= mu r_N holds as evaluated.
void enforce_cone_to_the_bit(double limit, double& r1, double& r2) {
  // sqrt is monotonous and sqrt(x * x) = |x| in IEEE arithmetic, so comparing squares is comparing norms.
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (r1 * r1 + r2 * r2 <= limit * limit) return;
    r1 *= 1 - 2 * kRoundOff;
    r2 *= 1 - 2 * kRoundOff;
  }
  r1 = r2 = 0;  // squares that underflow or are not numbers
}

// h(lambda) of the header and its derivative.
struct SlipEquation {
  double s1, s2, kappa;
  double a1, a2;
  double beta;
  double c1, c2;

  struct Value {
    double h, slope;
  };

  double determinant(double lambda) const { return (s1 + lambda) * (s2 + lambda) + kappa * kappa; }
  double n1(double lambda) const { return (s2 + lambda) * c1 - kappa * c2; }
  double n2(double lambda) const { return (s1 + lambda) * c2 + kappa * c1; }

  Value at(double lambda) const {
    const double p1 = n1(lambda), p2 = n2(lambda);
    const double inverse_length = 1 / planar_length(p1, p2);
    const double ratio = (beta * determinant(lambda) + (a1 * p1 + a2 * p2)) * inverse_length;
    const double numerator_slope = beta * ((s1 + lambda) + (s2 + lambda)) + (a1 * c1 + a2 * c2);
    const double length_slope = (p1 * c1 + p2 * c2) * inverse_length;
    return {ratio - 1, (numerator_slope - ratio * length_slope) * inverse_length};
  }
};

// The root of h in (low, high), h(low) < 0 <= h(high). Returns NaN if the numbers overflow.
double slip_root(const SlipEquation& equation, double low, SlipEquation::Value value, double high) {
  const double smallest = std::max(std::min(equation.s1, equation.s2), 0.0);
  double lambda = low;
  for (int step = 0; step < kMaxSlipSteps; ++step) {
    double next = lambda - value.h / value.slope;
    // r_T depends on lambda through s + lambda only: that is the precision which counts.
    if (std::abs(next - lambda) <= kLastNewtonStep * (lambda + smallest)) return std::clamp(next, low, high);
    const bool newton = next > low && next < high && (step < kPureNewtonSteps || step % 2 == 0);
    if (!newton) {
      // Geometric bisection while the ends differ in magnitude: the root may be many decades below the upper end.
      if (low == 0) {
        next = high * 0x1p-20;
      } else if (high > 4 * low) {
        next = std::sqrt(low * high);
      } else {
        next = low + 0.5 * (high - low);
      }
      if (!(next > low && next < high)) return high;
    }
    lambda = next;
    value = equation.at(lambda);
    if (value.h == 0) return lambda;
    if (value.h < 0) {
      low = lambda;
    } else if (value.h > 0) {
      high = lambda;
    } else {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }
  return lambda;
}

}  // namespace

bool is_sliding_contact(const ContactProblem& problem, int contact) {
  return !problem.is_bilateral(contact) && problem.block_size(contact) <= 3;
}

void require_sliding_contacts(const ContactProblem& problem) {
  for (int i = 0; i < problem.contacts(); ++i) {
    if (is_sliding_contact(problem, i)) continue;
    throw contact_complaint(i, "this solver takes neither rolling and spinning contacts nor bilateral blocks");
  }
}

LocalSolver::LocalSolver(const double* block, int size, double friction)
    : size_(size), regular_(block[0] > 0), friction_(size > 1 ? friction : 0.0) {
  if (size < 1 || size > 3) throw std::invalid_argument("LocalSolver: the block size must be 1, 2 or 3");
  std::copy(block, block + size * size, block_);
  if (!regular_) return;
  normal_inverse_ = 1 / block[0];
  if (size == 2) {
    from_tangent_[0] = block[1] / block[0];
    to_tangent_[0] = block[2] / block[0];
    s_[0] = block[3] - block[2] * from_tangent_[0];
    if (std::abs(s_[0]) <= kSingular * std::abs(block[3])) s_[0] = 0;
    singular_ = s_[0] == 0;
  } else if (size == 3) {
    const double g1 = block[1] / block[0], g2 = block[2] / block[0];
    const double f1 = block[3] / block[0], f2 = block[6] / block[0];
    const double a11 = block[4] - block[3] * g1, a12 = block[5] - block[3] * g2;
    const double a21 = block[7] - block[6] * g1, a22 = block[8] - block[6] * g2;
    const double noise = kSingular * std::max(std::abs(block[4]), std::abs(block[8]));
    const double off_diagonal = 0.5 * (a12 + a21);
    kappa_ = 0.5 * (a12 - a21);
    if (std::abs(kappa_) <= noise) kappa_ = 0;
    // Jacobi's rotation (Golub & Van Loan, section 8.5) diagonalises the symmetric part; a rotation leaves kappa alone.
    double tangent = 0;
    if (off_diagonal != 0) {
      const double tau = (a22 - a11) / (2 * off_diagonal);
      tangent = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
    }
    cosine_ = 1 / std::sqrt(1 + tangent * tangent);
    sine_ = tangent * cosine_;
    s_[0] = a11 - tangent * off_diagonal;
    s_[1] = a22 + tangent * off_diagonal;
    for (double& s : s_) {
      if (std::abs(s) <= noise) s = 0;
    }
    singular_ = kappa_ == 0 && (s_[0] == 0 || s_[1] == 0);
    to_tangent_[0] = cosine_ * f1 - sine_ * f2;
    to_tangent_[1] = sine_ * f1 + cosine_ * f2;
    from_tangent_[0] = cosine_ * g1 - sine_ * g2;
    from_tangent_[1] = sine_ * g1 + cosine_ * g2;
  }
}

void LocalSolver::solve(const double* free_velocity, double* impulse) const {
  if (free_velocity[0] >= 0) {
    for (int k = 0; k < size_; ++k) impulse[k] = 0;
  } else if (!regular_) {
    solve_by_iteration(free_velocity, impulse);
  } else if (friction_ == 0) {
    impulse[0] = -free_velocity[0] * normal_inverse_;
    for (int k = 1; k < size_; ++k) impulse[k] = 0;
  } else if (size_ == 3) {
    solve_spatial(free_velocity, impulse);
  } else {
    solve_planar(free_velocity, impulse);
  }
}

void LocalSolver::solve_again(const double* velocity, double* impulse) const {
  double b[3] = {};
  if (size_ == 3) {  // written out, because nearly all are
    for (int i = 0; i < 3; ++i) {
      const double* row = block_ + 3 * i;
      b[i] = velocity[i] - (row[0] * impulse[0] + row[1] * impulse[1] + row[2] * impulse[2]);
    }
  } else {
    for (int i = 0; i < size_; ++i) {
      double sum = 0;
      for (int j = 0; j < size_; ++j) sum += block_[i * size_ + j] * impulse[j];
      b[i] = velocity[i] - sum;
    }
  }
  solve(b, impulse);
}

void LocalSolver::solve_planar(const double* free_velocity, double* impulse) const {
  const double frictionless = -free_velocity[0] * normal_inverse_;
  const double s = s_[0];
  double c = free_velocity[1] - to_tangent_[0] * free_velocity[0];
  if (singular_) {
    const double terms = std::abs(free_velocity[1]) + std::abs(to_tangent_[0] * free_velocity[0]);
    if (std::abs(c) <= kNoFreeVelocity * terms) c = 0;
  }
  if (c == 0 || s != 0) {
    const double x = c == 0 ? 0.0 : -c / s;
    const double normal = frictionless - from_tangent_[0] * x;
    if (std::abs(x) <= friction_ * normal) {
      impulse[0] = normal;
      impulse[1] = x;
      return;
    }
  }
  // Slip against c first; along c is possible only for s < 0. u_N = 0 with r_T = mu d r_N gives r_N directly.
  const double against = c > 0 ? -1 : 1;
  for (const double direction : {against, -against}) {
    const double denominator = 1 + friction_ * direction * from_tangent_[0];
    if (!(denominator > 0)) continue;
    const double normal = frictionless / denominator;
    const double slip = c + s * friction_ * normal * direction;  // u_T
    if (!(slip * direction <= kSingular * std::abs(c)) || !std::isfinite(normal)) continue;
    impulse[0] = normal;
    impulse[1] = direction * friction_ * normal;
    return;
  }
  solve_by_iteration(free_velocity, impulse);
}

// From r_T in the axes of A to r; false if r is not in the cone (after rescaling r_T if it should lie on its boundary).
bool LocalSolver::finish_spatial(double x1, double x2, double frictionless_normal, bool on_boundary,
                                 double* impulse) const {
  const double normal = frictionless_normal - (from_tangent_[0] * x1 + from_tangent_[1] * x2);
  const double limit = friction_ * normal;
  if (!(limit >= 0 && limit < std::numeric_limits<double>::infinity())) return false;
  const double square = x1 * x1 + x2 * x2;
  if (on_boundary) {
    const double scale = square > 0 ? limit / std::sqrt(square) : 0.0;
    x1 *= scale;
    x2 *= scale;
  } else if (!(square <= limit * limit)) {
    return false;
  }
  impulse[0] = normal;
  impulse[1] = cosine_ * x1 + sine_ * x2;
  impulse[2] = cosine_ * x2 - sine_ * x1;
  enforce_cone_to_the_bit(limit, impulse[1], impulse[2]);
  return true;
}

void LocalSolver::solve_spatial(const double* free_velocity, double* impulse) const {
  const double frictionless = -free_velocity[0] * normal_inverse_;
  const double b1 = cosine_ * free_velocity[1] - sine_ * free_velocity[2];
  const double b2 = sine_ * free_velocity[1] + cosine_ * free_velocity[2];
  double c[2] = {b1 - to_tangent_[0] * free_velocity[0], b2 - to_tangent_[1] * free_velocity[0]};
  bool can_stick = true;
  if (singular_) {
    const double terms = planar_length(free_velocity[1], free_velocity[2]) +
                         planar_length(to_tangent_[0], to_tangent_[1]) * std::abs(free_velocity[0]);
    for (int k = 0; k < 2; ++k) {
      if (s_[k] != 0) continue;
      if (std::abs(c[k]) <= kNoFreeVelocity * terms) c[k] = 0;
      can_stick = can_stick && c[k] == 0;
    }
  }
  const SlipEquation equation{
      s_[0], s_[1], kappa_, friction_ * from_tangent_[0], friction_ * from_tangent_[1], friction_ * frictionless,
      c[0],  c[1]};
  if (can_stick) {
    double x1 = 0, x2 = 0;
    if (kappa_ == 0) {
      if (c[0] != 0) x1 = -c[0] / s_[0];
      if (c[1] != 0) x2 = -c[1] / s_[1];
    } else {
      const double factor = -1 / equation.determinant(0);
      x1 = factor * equation.n1(0);
      x2 = factor * equation.n2(0);
    }
    if (finish_spatial(x1, x2, frictionless, false, impulse)) return;
  }
  const double c_length = planar_length(c[0], c[1]);
  if (kappa_ == 0 && (s_[0] == s_[1] || c[0] == 0 || c[1] == 0)) {
    // c is an eigenvector of A: the direction of slip is known, and with it |r_T| = beta / (1 + a.d).
    const double d1 = -c[0] / c_length, d2 = -c[1] / c_length;
    const double denominator = 1 + (equation.a1 * d1 + equation.a2 * d2);
    const double magnitude = equation.beta / denominator;
    if (denominator > 0 && finish_spatial(magnitude * d1, magnitude * d2, frictionless, true, impulse)) return;
  } else {
    const double smallest = std::min(s_[0], s_[1]);
    const double low = std::max(0.0, -smallest);
    const double high = (1 + planar_length(equation.a1, equation.a2)) * c_length / equation.beta - smallest;
    const SlipEquation::Value start = equation.at(low);
    double lambda = std::numeric_limits<double>::quiet_NaN();
    if (start.h < 0 && std::isfinite(high)) {
      lambda = high > low ? slip_root(equation, low, start, high) : low;
    } else if (start.h >= 0 && low == 0 && can_stick && equation.determinant(0) > 0) {
      lambda = 0;  // on the border between stick and slip, and round-off of the stick test said slip
    }
    const double factor = -1 / equation.determinant(lambda);
    if (std::isfinite(factor) &&
        finish_spatial(factor * equation.n1(lambda), factor * equation.n2(lambda), frictionless, true, impulse)) {
      return;
    }
  }
  solve_by_iteration(free_velocity, impulse);
}

// r <- P_K(r - rho (W r + b + (mu |u_T|, 0))), from the frictionless impulse; rho is halved when a step makes it worse.
// Keeps the best point, which is r = 0 if nothing better is met.
void LocalSolver::solve_by_iteration(const double* free_velocity, double* impulse) const {
  for (int k = 0; k < size_; ++k) impulse[k] = 0;
  double square = 0;
  for (int k = 0; k < size_ * size_; ++k) square += block_[k] * block_[k];
  double rho = 1 / std::sqrt(square);
  if (!std::isfinite(rho)) return;
  double r[3] = {};
  double step[3] = {};
  const auto evaluate = [&](const double* point) {  // next point into `step`, returns the squared natural map for rho
    double u[3] = {};
    for (int i = 0; i < size_; ++i) {
      u[i] = free_velocity[i];
      for (int j = 0; j < size_; ++j) u[i] += block_[i * size_ + j] * point[j];
    }
    step[0] = point[0] - rho * (u[0] + friction_ * planar_length(u[1], u[2]));
    for (int k = 1; k < size_; ++k) step[k] = point[k] - rho * u[k];
    math::project_onto_cone(friction_, std::span<double>(step, size_));
    double change = 0;
    for (int k = 0; k < size_; ++k) change += (step[k] - point[k]) * (step[k] - point[k]);
    return change / (rho * rho);
  };
  double best = evaluate(r);
  if (regular_) {
    r[0] = -free_velocity[0] * normal_inverse_;
    if (!std::isfinite(r[0])) r[0] = 0;
  }
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMaxFallbackIterations; ++iteration) {
    const double error = evaluate(r);
    if (error < best) {
      best = error;
      std::copy(r, r + size_, impulse);
    }
    if (!std::isfinite(error) || error == 0) break;
    if (error > previous) rho *= 0.5;
    previous = error;
    std::copy(step, step + size_, r);
  }
  double no_second_tangent = 0;
  if (size_ > 1)
    enforce_cone_to_the_bit(friction_ * impulse[0], impulse[1], size_ > 2 ? impulse[2] : no_second_tangent);
}

VectorX solve_single_contact(const MatrixX& block, const VectorX& free_velocity, double friction) {
  const int size = static_cast<int>(free_velocity.size());
  if (block.rows() != size || block.cols() != size || size < 1 || size > 3) {
    throw std::invalid_argument(
        "solve_single_contact: the block must be square, of size 1, 2 or 3, and fit the velocity");
  }
  const MatrixX row_major = block.transpose();
  VectorX impulse(size);
  LocalSolver(row_major.data(), size, friction).solve(free_velocity.data(), impulse.data());
  return impulse;
}

}  // namespace ricochet::cone
