// The first sub-problem of the nonsmooth generalized-alpha scheme: the motion that there would be without contacts
// (Galvez et al., eqs 3-5 and 15-16).
//
//   M vdot - f(t_1, q, v) - G^T(q) lambda = 0,     G(q) v + g_t = 0,     all at the end of the step,
//
// with the formulas of integrate/alpha_coefficients between vdot, v and q. It starts from positions and velocities that
// contacts and joints have corrected, but from accelerations that know nothing of contacts. Rotations move by the
// exponential of the increment of the step.
//
// Joints hold velocities here; what that leaves of their positions the second sub-problem closes. Where rows are
// redundant they agree with each other only if joints are closed, so G is taken at the closed position next to q.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ricochet/integrate/alpha_coefficients.hpp"
#include "ricochet/integrate/scheme.hpp"
#include "ricochet/mechanics/joints/joint_projection.hpp"

namespace ricochet::integrate {

class SmoothMotion {
 public:
  explicit SmoothMotion(double spectral_radius) : alpha_(spectral_radius) {}

  struct Options {
    double tolerance = 1e-12;  // of the change of velocities, relative, in the kinetic norm
    double residual = 0;       // of the residual, likewise: either is enough
    int max_iterations = 30;
  };

  enum class Outcome { solved, unconverged, not_finite };
  Outcome solve(const mechanics::Equations& equations, const Instant& begin, double h, const Options& options);

  // What there is at the end of the step: t, q and v.
  const mechanics::State& state() const { return state_; }
  const VectorX& acceleration() const { return acceleration_; }    // vdot_1, of the motion itself
  const VectorX& algorithmic() const { return algorithmic_; }      // a_1, of the method
  const VectorX& multipliers() const { return multipliers_; }      // lambda, N or N m
  const linalg::BlockSparseMatrix& rows() const { return rows_; }  // G
  const VectorX& force() const { return force_; }                  // f
  // (M(q) - M(q_1)) vdot_1: what the inertia of this motion has more at another place, where masses change.
  void changed_inertia(const mechanics::Equations& equations, const mechanics::State& at, VectorX& change) const;
  int iterations() const { return iterations_; }
  const std::vector<double>& changes() const { return changes_; }  // of v, root of J, in every iteration
  // What the step began with: its memory, or what it had to find.
  const AccelerationMemory& start(const Instant& begin) const {
    return begin.accelerations.empty() ? start_ : begin.accelerations;
  }

  // Accelerations that agree with positions and velocities, forces and joints, at the start of a run.
  void find_consistent_accelerations(const mechanics::Equations& equations, const mechanics::State& state,
                                     AccelerationMemory& memory);

 private:
  void set_state(const mechanics::Equations& equations, const Instant& begin, double h);
  void take_rows(const mechanics::Equations& equations, bool first);
  bool evaluate(const mechanics::Equations& equations);
  bool is_balanced(const mechanics::Equations& equations, double h, double tolerance) const;

  AlphaCoefficients alpha_;
  std::unique_ptr<linalg::EffectiveMass> matrix_;
  double assembled_step_ = 0;  // s, for which a constant matrix has been factorised
  std::optional<bool> has_redundant_rows_;
  mechanics::JointProjection projection_;
  mechanics::State state_, closed_;
  AccelerationMemory start_;  // of the first step
  VectorX acceleration_, algorithmic_, multipliers_, force_;
  VectorX inertia_;  // M(q_1) vdot_1, where masses change
  linalg::BlockSparseMatrix rows_;
  VectorX residual_, row_residual_, momentum_, mean_velocity_;
  double size_ = 0;  // of the contributions to the residual, squared
  int iterations_ = 0;
  std::vector<double> changes_;
};

}  // namespace ricochet::integrate
