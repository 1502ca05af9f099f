// Several impacts in one step, one after another (Sánchez 2025, sec. 3.2.1, eqs B.24-B.29).
//
// If several contacts are closed when one of them is struck, Newton's law asks all of them at once and the row of a
// cradle goes on together. In a sequence only those contacts take part that approach; what that does to the others is
// for the next pass, and so on until nothing approaches. Impulses add up. Contacts that are struck together are still
// solved together: no order among them is invented (Bernoulli's problem).
//
//   pass k:   u = u_free + W (s + p),   u + e(u_before + W s) and p obey the law at contacts with (u_free + W s)_N <
//   -tol,
//             p = 0 at the others;      s += p,
//
// s: what earlier passes have given. In the first pass whatever approaches takes part, but for what a solver leaves of
// faster motion: also what is pressed or comes slowly. In later ones a small part of what gravity gives in a step is
// let be: the next step begins with it. Friction and motors of joints act in the first pass.
//
// In contact problems of Moreau-Jean; the nonsmooth generalized-alpha scheme makes the same passes around its Newton
// iterations.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/mechanics/equations.hpp"

namespace ricochet::integrate {

// What happens if several contacts strike in one step.
enum class ImpactOrder {
  simultaneous,  // one problem for all contacts that are closed
  sequence,      // those that approach, then those that approach because of them, and so on: Newton's cradle
};
inline constexpr std::array<const char*, 2> impact_order_names = {"simultaneous", "sequence"};

// m/s, below which nothing approaches: what a solver with this relative tolerance leaves of the fastest velocity, and
// after the first pass a part of what gravity gives in the step.
struct ApproachTolerance {
  double first = 0, later = 0;
  // Whether a block takes part in a pass (the first is 1): what approaches does; friction and motors of joints act
  // once.
  bool wakes(int pass, double normal_velocity, bool acts_once) const {
    return acts_once ? pass == 1 : normal_velocity < -(pass == 1 ? first : later);
  }
};
ApproachTolerance approach_tolerance(const mechanics::Equations& equations, double h, double fastest,
                                     double solver_tolerance);

class ImpactSequence {
 public:
  struct Step {
    const cone::ContactProblem& problem;   // b: velocities at the end without impulses or restitution
    const linalg::ReusableVector& before;  // u at the start of the step
    std::span<const double> restitution;   // e_N of each block,
    std::span<const double> tangential;    // e_T of each contact: these come first
    ApproachTolerance tolerance;
    int max_passes = 1000;
    double theta = 0.5;  // where works are measured
    bool again = false;  // another iteration of the same step: passes start from their results
  };

  // `impulses`: in, a first guess for the first pass; out, the sum of all passes. Unconverged if some pass is, or if
  // something still approaches after the last (`ended` is false then).
  cone::SolveReport solve(const Step& step, const cone::SolveOptions& options, cone::ContactSolver& solver,
                          linalg::ReusableVector& impulses);

  int passes() const { return passes_; }
  bool ended() const { return ended_; }
  // J, of each contact over all passes: normal, tangential and by moments, along (1 - theta) u_before + theta u_after.
  const std::vector<Vector3>& works() const { return works_; }
  // J, of each contact: what its impulses did to the bodies, along (u_before + u_after)/2 of each pass.
  const std::vector<double>& works_at_mean() const { return works_at_mean_; }
  // The problem of the last pass and its solution; of no use without passes.
  const cone::ContactProblem& problem() const { return part_; }
  const linalg::ReusableVector& problem_impulses() const { return part_impulses_; }

 private:
  struct Pass {
    std::vector<int> awake;
    linalg::ReusableVector impulses;
  };

  void find_awake(const Step& step);
  void build_part(const Step& step);
  void add_works(const Step& step);

  int passes_ = 0;
  bool ended_ = true;
  std::vector<Pass> known_;  // of the iteration before,
  std::size_t known_count_ = 0;
  std::vector<int> awake_, place_, sizes_;
  std::vector<Vector3> works_;
  std::vector<double> works_at_mean_;
  cone::ContactProblem part_;
  linalg::ReusableVector part_impulses_, sum_;
  linalg::ReusableVector free_;          // u_free + W s
  linalg::ReusableVector before_;        // u_before + W s
  linalg::ReusableVector given_, pass_;  // p of a pass, W p
  linalg::ReusableVector mean_;          // (1 - theta) u_before + theta u_free + 2 theta W s
};

}  // namespace ricochet::integrate
