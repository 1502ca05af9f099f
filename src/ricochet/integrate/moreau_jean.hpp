// The Moreau-Jean theta scheme (Acary & Collins-Craft 2024, eqs 61-64 and 72-85).
//
//   M (v_1 - v_0) = h f(t_theta, q_theta, v_theta) + H^T(q_0) p,     q_1 = q_0 + h v_theta,
//   v_theta = (1 - theta) v_0 + theta v_1,
//   u_1 + offset(u_0) and p satisfy the Coulomb-Signorini law at every contact closed at q_0, u = H v + w,
//
// with the offset of the impact law: Newton's, Frémond's or Poisson's (integrate/impact_law); or in several passes, one
// impact after another (integrate/impact_sequence).
//
// Joints keep their rates at the stage, G(q_theta) v_theta + g_t(t_theta) = 0, by impulses G^T(q_theta) lambda which do
// no work unless the joint is driven: at theta = 1/2 energy stays exact. They are condensed into the matrix of the step
// before the contact problem is built, so contacts see the constrained machine. At the end of the step bodies that rest
// too deep are lifted (integrate/position_correction) and joints are closed again (mechanics/joints/joint_projection).
// Where rows are redundant, they agree with each other only if joints are closed, and q_theta is off by h^2: there G is
// taken at the closed position next to q_theta. G is taken where the stage is foreseen, and again only if that was
// wrong: whatever G is, its impulses do no work.
//
// Limits, friction and motors of joints are blocks of the contact problem, behind the contacts
// (integrate/joint_blocks).
//
// Components of driven nodes are prescribed: v_1 at the end and a mean velocity in place of v_theta (see
// mechanics/driven_motion). Surfaces that drivers move enter through w, at t_0 before and at t_1 after the step.
//
// Rotations move by the exponential of h Omega_theta. Forces are taken at the stage theta: linear forces need one
// solve, nonlinear ones Newton iterations with the contact problem inside. theta = 1/2 conserves the energy of smooth
// linear motion, theta = 1 dissipates most.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/integrate/contact_coefficients.hpp"
#include "ricochet/integrate/friction_refinement.hpp"
#include "ricochet/integrate/impact_law.hpp"
#include "ricochet/integrate/impact_sequence.hpp"
#include "ricochet/integrate/joint_blocks.hpp"
#include "ricochet/integrate/poisson_impact.hpp"
#include "ricochet/integrate/position_correction.hpp"
#include "ricochet/integrate/scheme.hpp"
#include "ricochet/mechanics/joints/joint_projection.hpp"

namespace ricochet::integrate {

enum class ActiveSet {
  closed,       // gap <= 0 at the start of the step
  approaching,  // and u_N0 <= 0 (eq 64): a resting contact may flicker with the rounding of u_N0
};

inline constexpr std::array<const char*, 2> active_set_names = {"closed", "approaching"};

// What happens to joints and to contacts at rest at the end of a step: they are closed again, or left.
enum class Projection { position, none };
inline constexpr std::array<const char*, 2> projection_names = {"position", "none"};

// Where masses, forces, joints and contacts of a step are taken.
enum class Evaluation {
  stage,     // contacts at the start, the rest at the stage theta, which depends on the solution
  midpoint,  // all where the velocity of the start leads in half a step: see integrate/moreau_midpoint
};

struct MoreauJeanOptions {
  Evaluation evaluation = Evaluation::stage;
  double theta = 0.5;  // in [1/2, 1]
  ImpactLaw impact = ImpactLaw::newton;
  ActiveSet active_set = ActiveSet::closed;
  ImpactOrder impacts = ImpactOrder::simultaneous;  // sequence: with Newton's law only
  int max_passes = 1000;                            // of a sequence
  Projection projection = Projection::position;
  double motion_tolerance = 1e-12;  // relative error of the velocity, for nonlinear forces
  int max_motion_iterations = 50;
};

class MoreauJean : public Scheme {
 public:
  MoreauJean(const MoreauJeanOptions& options, const cone::SolveOptions& solve_options)
      : options_(options), solve_options_(solve_options), max_iterations_(solve_options.max_iterations) {}

  void step(const System& system, const Instant& begin, double h, Instant& end, StepReport& report) override;
  bool may_be_halved() const override { return !is_explicit() && !in_sequence(); }
  void be_patient(bool patient) override {
    constexpr int kPatience = 10;
    const bool is_huge = max_iterations_ > std::numeric_limits<int>::max() / kPatience;
    solve_options_.max_iterations = patient && !is_huge ? kPatience * max_iterations_ : max_iterations_;
  }
  StepProblem last_problem() const override;
  void use(const math::Threads& threads) override { solver_.use(threads); }

 private:
  void detect(const System& system, const Instant& begin, double h);
  bool is_explicit() const { return options_.evaluation == Evaluation::midpoint; }
  // Where masses, forces and joints are taken.
  const mechanics::State& balance_state() const { return is_explicit() ? midpoint_ : stage_; }
  double explicit_excess(const System& system, const mechanics::State& begin, double h);  // J
  void measure_velocity_before(const System& system, const Instant& begin);
  void set_stage(const System& system, const mechanics::State& begin, double h, const VectorX& velocity);
  void assemble_matrix(const System& system, double h);
  bool free_motion(const System& system, const mechanics::State& begin, double h);
  int build_contact_problem(const System& system, double h);
  bool in_sequence() const { return options_.impacts == ImpactOrder::sequence; }
  cone::SolveReport solve_contact_problem(const System& system, const mechanics::State& begin, double h);
  cone::SolveReport solve_with_joint_friction(const System& system, const mechanics::State& begin, double h,
                                              StepStatus& status);
  void apply_impulses();
  void take_joint_rows(const mechanics::Equations& equations, bool first_of_step);
  bool joint_rows_serve(const mechanics::Equations& equations, const mechanics::State& begin, double h);
  void find_held_rows(const System& system, const StepReport& report);
  void add_joints(const mechanics::Equations& equations, VectorX& momentum);
  void correct_positions(const System& system, double h, Instant& end, StepReport& report);
  void keep_closed(const System& system, Instant& end, StepReport& report) const;
  static void check_joints(const mechanics::Equations& equations, const mechanics::State& end,
                           const mechanics::JointProjection::Result& closed, StepReport& report);
  void account_driven_joints(const System& system, StepReport& report);
  void record_joints(const System& system, double h, StepReport& report);
  bool solver_knows_problem() const;
  const cone::ResidualScales& problem_scales() const { return solver_knows_problem() ? solver_.scales() : scales_; }
  void find_resting_speeds(double h);
  double motion_size(const mechanics::Equations& equations, const mechanics::State& begin, double h) const;  // J
  bool motion_converged(const System& system, const mechanics::State& begin, double h);
  void account(const System& system, const mechanics::State& begin, double h, const mechanics::State& end,
               StepReport& report);
  void account_drivers(const System& system, const mechanics::State& begin, double h, StepReport& report);
  void account_surfaces(const System& system, const mechanics::State& begin, double h, StepReport& report);
  void record_contacts(const System& system, double h, const mechanics::State& end, StepReport& report);

  static constexpr double kOpenJoints = 1e-10;  // of the size of the machine: joints that are open by more are open

  MoreauJeanOptions options_;
  cone::SolveOptions solve_options_;
  int max_iterations_;  // as given
  cone::ContactSolver solver_;
  FrictionRefinement refinement_;  // for Fremond's law
  PoissonImpact poisson_;
  ImpactSequence sequence_;
  std::vector<double> restitution_;  // of each block, for Poisson's law and for sequences,
  std::vector<double> tangential_restitution_;

  // Workspace, kept from step to step so that nothing is allocated.
  std::unique_ptr<linalg::EffectiveMass> matrix_;         // M + h theta C + h^2 theta^2 K
  double assembled_step_ = 0;                             // s, the step for which a constant matrix has been factorised
  bool matrix_serves_ = false;                            // that of the iteration before is good enough
  std::vector<contact::Contact> contacts_;                // closed at the start of the step
  std::vector<model::ContactCoefficients> coefficients_;  // of each of them, in this step
  linalg::BlockSparseMatrix gradients_;                   // H(q_0), then the rows of joint_blocks_
  cone::BodyForm bodies_;                                 // what its W is made of
  cone::ContactProblem problem_;
  bool has_problem_ = false;                // the last step made one
  linalg::ReusableVector impulses_;         // p, N s
  linalg::ReusableVector velocity_before_;  // u_0 = H v_0 + w, m/s
  linalg::ReusableVector velocity_after_;   // u_1 = H v_1 + w
  linalg::ReusableVector velocity_mean_;    // H v_theta, for driven components with their mean velocity
  JointBlocks joint_blocks_;
  linalg::BlockSparseMatrix joint_rows_;    // G
  bool matrix_has_rows_ = false;            // the matrix has been made with this G, not with one taken before
  bool joints_turn_on_ = false;             // the matrix foresees how G changes: it must be taken at every iterate
  VectorX rows_velocity_;                   // v_1 as it was foreseen where G was taken
  VectorX joint_impulses_;                  // lambda, N s or N m s
  VectorX joint_right_;                     // what the rows still lack, then the change of lambda
  VectorX free_joint_impulses_;             // lambda without contact impulses
  VectorX correction_, joint_correction_;   // what one more Newton step would add to v_1 and to lambda
  VectorX response_, joint_response_;       // what impulses of contacts have added to them
  std::optional<bool> has_redundant_rows_;  // some joint says what others say: known once asked
  mechanics::State closed_stage_;           // of such a machine
  mechanics::JointProjection projection_;
  PositionCorrection correction_of_positions_;
  cone::ResidualScales scales_;          // of problem_, if the solver has last seen another one
  std::vector<double> resting_speeds_;   // m/s, of each contact and each block of joints: what the solver leaves,
  std::vector<double> slacks_;           // m, and what that is in a step
  std::vector<char> held_before_;        // of each contact: it carried something in the step before
  linalg::BlockSparseMatrix held_rows_;  // that closing joints must leave alone
  VectorX velocity_;                     // v_1, the iterate
  VectorX last_velocity_;                // the iterate before
  VectorX free_velocity_;                // v_1 without contact impulses
  VectorX force_, work_, momentum_;
  mechanics::State stage_;     // t_theta, q_theta, v_theta
  mechanics::State midpoint_;  // of Evaluation::midpoint: t_0 + h/2, q_0 + h v_0/2, v_0
  double time_after_ = 0;      // s, at which surfaces are looked at after the impact
};

}  // namespace ricochet::integrate
