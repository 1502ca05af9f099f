// The second sub-problem of the nonsmooth generalized-alpha scheme: positions are corrected so that nothing penetrates,
// no joint is open, and what sticks has not moved (Galvez et al., eqs 6-9, 17-18 and 54-59).
//
//   M U - h^2 f_p - G^T(q) eta - H^T(q) nu = 0,     q = q~ moved by U,
//   f_p = f(q, v~) - f(q~, v~) + (G^T(q) - G^T(q~)) lambda~,
//   g(q) = 0,     (gap, slip) and nu in Coulomb's law.
//
// U is finite: R = R~ exp(U~). The tangent has the second derivatives of gaps, slips and joints.
#pragma once

#include <memory>
#include <vector>

#include "ricochet/contact/contact_motion.hpp"
#include "ricochet/integrate/action_blocks.hpp"
#include "ricochet/integrate/augmented_newton.hpp"
#include "ricochet/integrate/scheme.hpp"
#include "ricochet/integrate/smooth_motion.hpp"

namespace ricochet::integrate {

class PositionLevel final : public Subproblem {
 public:
  // Before a step is solved. All must outlive it.
  void begin(const System& system, const Instant& begin, double h, const SmoothMotion& smooth);
  // Contacts that may close, with their tangents carried (contact/contact_motion).
  void take(const std::vector<contact::Contact>& contacts);

  const mechanics::State& state() const { return state_; }                     // at the iterate
  const std::vector<contact::Contact>& contacts() const { return contacts_; }  // moved there
  const ActionBlocks& actions() const { return actions_; }
  int scalars() const;

  void evaluate(const VectorX& multipliers, const linalg::ReusableVector& impulses, Residuals& residuals) override;
  bool linearise(const VectorX& multipliers, const linalg::ReusableVector& impulses) override;
  linalg::EffectiveMass& matrix() override { return *matrix_; }
  const linalg::BlockSparseMatrix& gradients() const override { return gradients_; }
  void complete(cone::ContactProblem& problem) const override;
  void keep() override { kept_ = state_.q; }
  void move(const VectorX& change, double part) override;

 private:
  const System* system_ = nullptr;
  const Instant* begin_ = nullptr;
  const SmoothMotion* smooth_ = nullptr;
  double h_ = 0;
  mechanics::State state_;
  VectorX kept_, moved_;
  std::vector<contact::Contact> contacts_;
  ActionBlocks actions_;
  linalg::BlockSparseMatrix rows_, gradients_;
  std::unique_ptr<linalg::EffectiveMass> own_, coupled_;  // without and with contacts that couple nodes
  linalg::EffectiveMass* matrix_ = nullptr;
  bool couples_ = false;
  VectorX force_, part_, all_multipliers_, smooth_joints_;
};

}  // namespace ricochet::integrate
