// The decoupled nonsmooth generalized-alpha scheme with friction (Galvez, Cosimo, Cardona, Brüls; the equations are
// numbered as in that document, corrected as docs/nonsmooth_generalized_alpha.md says).
//
//   smooth motion         q~, v~: what there would be without contacts                       integrate/smooth_motion
//   position correction   q = q~ + U: no penetration, no open joint, no slip of what sticks   integrate/position_level
//   velocity jump         v = v~ + W: impacts, friction and joints at the end of the step     integrate/velocity_level
//
// Each sub-problem needs the results of those before it only. Smooth motion is of second order; the numerical
// dissipation of high frequencies is chosen by the spectral radius, from 1 (none) to 0 (all in one step). Contacts and
// joints hold exactly at the end of every step, at the position *and* at the velocity level: nothing drifts, nothing is
// projected.
//
// An impulse Lambda over a step h is a force Lambda/h only where the contact persists.
#pragma once

#include "ricochet/integrate/contact_coefficients.hpp"
#include "ricochet/integrate/impact_sequence.hpp"
#include "ricochet/integrate/position_level.hpp"
#include "ricochet/integrate/velocity_level.hpp"

namespace ricochet::integrate {

struct NonsmoothGeneralizedAlphaOptions {
  double spectral_radius = 0.8;   // rho_inf in [0, 1]
  bool position_friction = true;  // false: friction at the velocity level alone, and what sticks creeps
  ImpactOrder impacts = ImpactOrder::simultaneous;
  int max_passes = 1000;  // of a sequence
  AugmentedNewtonOptions newton;
};

class NonsmoothGeneralizedAlpha final : public Scheme {
 public:
  explicit NonsmoothGeneralizedAlpha(const NonsmoothGeneralizedAlphaOptions& options)
      : options_(options), smooth_(options.spectral_radius) {}

  void step(const System& system, const Instant& begin, double h, Instant& end, StepReport& report) override;
  StepProblem last_problem() const override;
  bool may_be_halved() const override { return true; }
  void use(const math::Threads& threads) override { newton_.use(threads); }

 private:
  bool move_smoothly(const System& system, const Instant& begin, double h, StepReport& report);
  bool correct_positions(const System& system, const Instant& begin, double h, StepReport& report);
  bool jump(const System& system, const Instant& begin, double h, StepReport& report);
  bool find_coefficients(const System& system, const Instant& begin, const std::vector<contact::Contact>& contacts,
                         StepReport& report);
  static void drop_from_behind(const System& system, const Instant& begin, std::vector<contact::Contact>& contacts);
  int add_penetrating(const System& system, const Instant& begin);
  void finish(const System& system, const Instant& begin, double h, Instant& end, StepReport& report);
  static bool judge(const SubproblemReport& subproblem, const std::vector<contact::Contact>& contacts,
                    const ActionBlocks& actions, const System& system, StepReport& report);
  bool jump_in_sequence(const System& system, const Instant& begin, double h, StepReport& report);
  bool struck(const System& system, const Instant& begin) const;
  int first_of(std::size_t contact) const { return velocity_.gradients().row_offset(static_cast<int>(contact)); }
  void remember_limits(const System& system, JointMemory& memory) const;
  void account(const System& system, const Instant& begin, double h, const mechanics::State& end, StepReport& report);
  void account_drivers(const System& system, const Instant& begin, double h, StepReport& report);
  void record_contacts(const System& system, const mechanics::State& begin, double h, bool is_first,
                       StepReport& report);
  void record_joints(const System& system, const Instant& begin, double h, StepReport& report);

  NonsmoothGeneralizedAlphaOptions options_;
  SmoothMotion smooth_;
  PositionLevel position_;
  VelocityLevel velocity_;
  AugmentedNewton newton_;

  // Workspace.
  std::vector<contact::Contact> contacts_, found_;        // near at q~; at another look
  std::vector<model::ContactCoefficients> coefficients_;  // of these contacts, then of those that are closed
  std::vector<char> asleep_;                              // of each block in a pass
  std::vector<Vector3> pass_works_;                       // J, normal, tangential and resistance, of each contact
  linalg::ReusableVector pass_impulses_, pass_before_, pass_after_;
  VectorX pass_velocity_, given_;
  std::vector<char> persists_;   // of those: carried something in the step before
  std::vector<Vector3> shifts_;  // nu of those that are closed
  linalg::ReusableVector start_velocity_;
  linalg::BlockSparseMatrix start_gradients_;
  std::vector<contact::Contact> at_start_;
  ActionBlocks active_actions_;
  cone::ContactProblem problem_;
  bool has_problem_ = false;
  VectorX shift_multipliers_, jump_multipliers_;      // eta and Lambda of joints
  linalg::ReusableVector shift_impulses_, impulses_;  // nu and Lambda of contacts
  linalg::ReusableVector velocity_after_, velocity_mean_;
  VectorX work_, momentum_, joint_impulses_, joint_rates_, force_;
};

}  // namespace ricochet::integrate
