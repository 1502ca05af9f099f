// Semismooth Newton on the augmented Lagrangian for the two sub-problems with contacts, at the position and at the
// velocity level (Galvez et al., secs. 3 and 4):
//
//   R(x, lambda, r) = M x - forces - G^T lambda - H^T r = 0        balance of momentum (or of mass times displacement)
//   rows(x)                                             = 0        joints
//   F(r, y(x))      = r - P( r - rho y )                = 0        contacts, y: gaps and slips, or velocities
//
// Each iteration looks at the status of every contact anew (gap, stick, slip) and takes the exact tangent of that
// status. Motion and joints are condensed: with the tangent matrix A (joints in it) the step is
//
//   dx = A^-1 (-R + H^T dr),     A_F dr + B_F (H A^-1 (-R) + W dr) = -F,     W = H A^-1 H^T,
//
// the same as that of the whole system. Two ways to dr: one Newton step (cone/alart_curnier_step), or the problem with
// this linear motion solved to the end by the solvers of cone/, which do not lose their way among many contacts. Both
// end at the same point. A line search halves the step while the residual grows.
//
// The residual is measured in the kinetic norm (integrate/kinetic_norm), where all rows have one unit: momenta as they
// are, contacts and joints with the masses that they feel.
#pragma once

#include <string>
#include <vector>

#include "ricochet/cone/alart_curnier_step.hpp"
#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/integrate/step_report.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::integrate {

enum class SubproblemSolver {
  automatic,  // Newton for few contacts, cone for many and where Newton loses its way
  newton,
  cone,
};
inline constexpr std::array<const char*, 3> subproblem_solver_names = {"auto", "newton", "cone"};

// Which of the two stopping tests of the documents: |r| < tol (sum of |contributions|), or |r| < tol in the units of
// the kinetic norm (roots of J for velocities, roots of kg m^2 for positions).
enum class StoppingTest { relative, absolute };
inline constexpr std::array<const char*, 2> stopping_test_names = {"relative", "absolute"};

struct AugmentedNewtonOptions {
  double tolerance = 1e-11;
  StoppingTest test = StoppingTest::relative;
  int max_iterations = 60;
  int min_iterations = 0;  // also where the residual is small enough at the start
  SubproblemSolver solver = SubproblemSolver::automatic;
  cone::PenaltyFactors penalty;  // p: multiples of the mass that a contact feels
  double scaling = 1;            // k: the weight of constraints in the line search
};

// A sub-problem at an iterate that it keeps itself.
class Subproblem {
 public:
  Subproblem() = default;
  Subproblem(const Subproblem&) = delete;
  Subproblem& operator=(const Subproblem&) = delete;
  virtual ~Subproblem() = default;

  struct Residuals {
    VectorX momentum;               // R
    VectorX rows;                   // of joints: m, rad, or per s
    linalg::ReusableVector values;  // y of the blocks
    double size = 0;                // sum of the norms of the contributions to R
    double rounding = 0;            // of the same: less cannot be asked for
  };

  virtual void evaluate(const VectorX& multipliers, const linalg::ReusableVector& impulses, Residuals& residuals) = 0;
  // The tangent matrix with joints, factorised, and H. Returns false if both are as they were.
  virtual bool linearise(const VectorX& multipliers, const linalg::ReusableVector& impulses) = 0;
  virtual linalg::EffectiveMass& matrix() = 0;
  virtual const linalg::BlockSparseMatrix& gradients() const = 0;
  // After W has been made of both: what it cannot know.
  virtual void complete(cone::ContactProblem& problem) const = 0;
  // From the iterate at the last call with part = 0: a part of the change.
  virtual void keep() = 0;
  virtual void move(const VectorX& change, double part) = 0;
};

class AugmentedNewton {
 public:
  // `problem` has the laws of all blocks, and serves as workspace for W and b. Unknowns come with first guesses. On
  // failure `worst_block` and `worst_row` of the report say where the residual is largest.
  // Iterations, line searches and residuals are added to those that the report has.
  void solve(const mechanics::Equations& equations, Subproblem& subproblem, cone::ContactProblem& problem,
             VectorX& multipliers, linalg::ReusableVector& impulses, const AugmentedNewtonOptions& options,
             SubproblemReport& report);

  void use(const math::Threads& threads) { solver_.use(threads); }

 private:
  double measure(const mechanics::Equations& equations, const AugmentedNewtonOptions& options,
                 const linalg::ReusableVector& impulses);
  bool find_impulses(cone::ContactProblem& problem, const linalg::ReusableVector& impulses, bool by_cone);
  double row_square(const mechanics::Equations& equations, int row) const;
  void find_worst(const mechanics::Equations& equations, const cone::ContactProblem& problem,
                  SubproblemReport& report) const;

  cone::AlartCurnierStep step_;
  cone::ContactSolver solver_;
  Subproblem::Residuals residuals_;
  VectorX value_, change_, row_change_, response_, row_response_, drift_, impulse_change_;
  VectorX kept_multipliers_;
  linalg::ReusableVector kept_impulses_, trial_;
  double mean_mass_ = 0;
  double residual_ = 0;  // without the weight of constraints: what the stopping test asks
};

}  // namespace ricochet::integrate
