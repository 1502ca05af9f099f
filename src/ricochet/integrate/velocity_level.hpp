// The third sub-problem of the nonsmooth generalized-alpha scheme: velocities jump where something strikes, and obey
// contacts and joints at the end of the step (Galvez et al., eqs 10-14, 19-20 and 60-63).
//
//   M W - h f* - G^T Lambda_joints - H^T Lambda = 0,     v = v~ + W,     all at the positions of the end of the step,
//   f* = f(q, v) - f(q~, v~) + (G^T(q) - G^T(q~)) lambda~,
//   G v + g_t = 0,     (u_N + e_N min(u_N0, 0), u_T + e_T u_T0) and Lambda in Coulomb's law.
//
// Only contacts take part that the position level found closed. Restitution refers to the velocities u_0 = H(q_0) v_0
// at the start of the step. A contact that opens there and closes within the step has nothing to give back: hence the
// minimum.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/integrate/action_blocks.hpp"
#include "ricochet/integrate/augmented_newton.hpp"
#include "ricochet/integrate/scheme.hpp"
#include "ricochet/integrate/smooth_motion.hpp"

namespace ricochet::integrate {

class VelocityLevel final : public Subproblem {
 public:
  // `position`: the state at the end of the step but for its velocities. All must outlive the solution.
  void begin(const System& system, const Instant& begin, double h, const SmoothMotion& smooth,
             const mechanics::State& position);
  // Contacts that are closed, moved to the end of the step, and actions of joints; velocities at the start of the step
  // follow, u_0 without restitution. Coefficients are set when they are known.
  void take(const std::vector<contact::Contact>& closed, const ActionBlocks& actions);
  void set_coefficients(const std::vector<model::ContactCoefficients>& coefficients) { coefficients_ = &coefficients; }

  // One pass of a sequence of impacts (Sánchez 2025, eqs B.24-B.29): blocks that are asleep have no impulse,
  // restitution refers to the velocities `before`, and `given` (N s, N m s) is what earlier passes have given. Without
  // a call there is one pass with all blocks awake.
  void begin_pass(const VectorX& before, const VectorX& given, const std::vector<char>& asleep);
  // u at the iterate, without restitution.
  void measure(linalg::ReusableVector& velocities) const;

  const mechanics::State& state() const { return state_; }
  const std::vector<contact::Contact>& contacts() const { return contacts_; }
  const ActionBlocks& actions() const { return actions_; }
  const linalg::ReusableVector& velocity_before() const { return velocity_before_; }  // u_0
  const linalg::BlockSparseMatrix& joint_rows() const { return rows_; }               // G at the end
  int scalars() const { return gradients_.scalar_rows(); }

  void evaluate(const VectorX& multipliers, const linalg::ReusableVector& impulses, Residuals& residuals) override;
  bool linearise(const VectorX& multipliers, const linalg::ReusableVector& impulses) override;
  linalg::EffectiveMass& matrix() override { return *matrix_; }
  const linalg::BlockSparseMatrix& gradients() const override { return gradients_; }
  void complete(cone::ContactProblem& problem) const override;
  void keep() override { kept_ = state_.v; }
  void move(const VectorX& change, double part) override { state_.v = kept_ + part * change; }

 private:
  void set_velocity_before(const VectorX& velocity);
  void put_asleep(linalg::ReusableVector& values) const;

  const System* system_ = nullptr;
  const SmoothMotion* smooth_ = nullptr;
  const mechanics::State* begin_ = nullptr;
  double h_ = 0;
  mechanics::State state_;
  VectorX kept_;
  std::vector<contact::Contact> contacts_, at_start_;
  const std::vector<model::ContactCoefficients>* coefficients_ = nullptr;
  ActionBlocks actions_;
  linalg::BlockSparseMatrix rows_, gradients_, gradients_at_start_;
  linalg::ReusableVector velocity_before_;
  std::vector<char> asleep_;  // of each block, empty: none is
  VectorX given_;             // by earlier passes, empty: nothing
  std::unique_ptr<linalg::EffectiveMass> matrix_;
  double assembled_step_ = 0;  // s, for which the matrix serves
  VectorX force_, part_, all_multipliers_, smooth_joints_, jump_;
};

}  // namespace ricochet::integrate
