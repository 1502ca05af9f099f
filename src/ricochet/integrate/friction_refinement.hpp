// Solves the contact problem of Fremond's law so well that friction gives next to no energy.
//
// With this law friction takes energy at every contact: the velocity u of the problem is u_theta / theta
// (integrate/impact_law), and Coulomb's law has r_T . u_T <= 0. What a step reports beside that is an error of the
// solver. A tolerance that is good enough for the motion can leave a lot of it in a hard blow, because the residual is
// relative to the fastest velocity of the island, whatever else rests in it:
//
//   given = theta sum over contacts of max(r_T . u_T, 0),      at most about theta mu r_N tolerance V at each.
//
// If that is more than next to nothing beside the energy of the machine (a billionth of the tolerance, and no less than
// rounding: so it falls with the tolerance), the problem is solved again inside the cones, where friction opposes slip
// at every contact (cone/body_path: the path, and where that has no end the path with slip held, again and again). If
// that does not help, or there are too few contacts for it (a box on four corners), it is swept, better than asked for:
// to a fiftieth of the tolerance, for a hundred iterations, or two thousand if it is a lot; at least once, since a
// guess that meets the tolerance, as those of a motion that is solved by iteration do, can give all the same. Then
// inside the cones from there. What meets the tolerance of the step and gives less is kept. Each island of contacts is
// judged and solved for itself, beside the energy of the whole machine: what islands give may add up to as many times
// the bound as there are islands.
//
// That is what is aimed at. Bodies that jam miss it in some steps, at tolerances of 1e-6 and below in many; boxes that
// fall alone by some tens of times, because sweeps end at a fiftieth of the tolerance.
#pragma once

#include <span>
#include <vector>

#include "ricochet/cone/contact_solver.hpp"

namespace ricochet::integrate {

class FrictionRefinement {
 public:
  // J, as above, of some contacts that move with these velocities.
  static double given(const cone::ContactProblem& problem, double theta, const linalg::VectorView& impulses,
                      const linalg::VectorView& velocity, std::span<const int> contacts);

  // As the solver does, and on. `energy` (J) is that of the machine.
  cone::SolveReport solve(const cone::ContactProblem& problem, double theta, double energy,
                          const cone::SolveOptions& options, cone::ContactSolver& solver,
                          linalg::ReusableVector& impulses);

  // Whether the last solve went on and was better for it.
  bool refined() const { return refined_; }

 private:
  // What a problem and the machine ask for, while it is solved.
  struct Task {
    const cone::ContactProblem& problem;
    double theta;
    double energy;     // J
    double tolerance;  // of the step
    cone::ContactSolver& solver;
    linalg::ReusableVector& impulses;
  };
  int improve(const Task& task, const cone::SolveOptions& better, double bearable);

  std::vector<double> given_;       // J, of each island
  std::vector<char> tried_inside_;  // of each island, with the impulses that it has
  std::vector<char> solved_;        // of each contact: its island is solved again
  linalg::ReusableVector velocity_, candidate_, part_;
  bool refined_ = false;
};

}  // namespace ricochet::integrate
