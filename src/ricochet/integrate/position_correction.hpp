// Bodies that rest on each other are held where they came to rest, by a change of positions alone.
//
// Moreau-Jean keeps the velocities of contacts, not their gaps: a body that strikes within a step stays as deep as it
// has come, and what the tolerance of the solver leaves adds up, so that stacks would sink. When the impulses p of a
// step are known, contacts that have sunk make it solve its contact problem once more, with the gap that they should
// lose in their free velocity:
//
//   u' = W p' + b + (gap + depth) / h  and p' satisfy the Coulomb-Signorini law,     q_1 += h A^-1 H^T (p' - p),
//
// with the W, b and friction of the step, its matrix A and its gradients H. Bodies, joints and springs give way as they
// would to true impulses; the weight that holds a body down also lets it sink back, and friction keeps what lies on a
// slope where it is. Contacts that do not rest have their own b. Islands without an error are left alone. Since p'
// starts from p and need only be as good as a tenth of the error, this mostly costs a few sweeps; islands with errors
// much smaller than the largest wait for a step in which they are the largest. (M. Anitescu & G. Hart, Int. J. Numer.
// Meth. Eng. 60, 2004, have the gap in the velocities themselves, where it adds kinetic energy.)
//
// In large heaps a correction costs more than the steps around it and disturbs some of them, and there is always some
// contact among thousands that calls for one. So after the correction of an island of n contacts n/20 steps pass
// without, at most 100, in which nothing is given up either (below), and gaps are not looked at: large heaps are lifted
// more slowly. (The number of iterations would tell better, but not the same in another frame of reference.) What 200
// iterations do not reach is held where it is.
//
// Velocities stay, so kinetic energy does; the change of potential energy has a line in the ledger.
//
// What rests is a contact that has carried an impulse for twenty steps on end. Impacts are not corrected: a body that
// bounces leaves by itself, and lifting it each time would feed the bouncing. (After n steps in touch a rocking body
// strikes with n g h, loses (1 - e^2) (n g h)^2 / 2 and would be given g times the depth n g h^2: less, if
// n (1 - e^2) > 2.)
//
// The depth at which a contact is held is the one that it has when it comes to rest, and is remembered
// (contact/contact_memory). A body that is brought to touch exactly would not stay at rest: bodies rest on more points
// than they need, some of them would open by less than a rounding of the geometry, fall for a step, and strike. What
// falls in one step, h |b_N|, is how deep contacts are by the nature of the scheme (h^2 times force over mass: what is
// pressed hard rests deeper); only what is deeper is given up, by a five-hundredth in every step, so slowly that
// nothing is shaken. The fall is the largest of the island, and forgotten as slowly, so that a support that shakes does
// not pump. A contact that others have lifted stays where it is then.
//
// The lowest point of a rim that runs round it does not rest either, as of a tin that wobbles. By the chord that stands
// for its arc in a step it sinks by half of way times angle; to lift it again would feed the wobbling for ever. It is
// held wherever it is, and lifted when it lies.
//
// The least depth is what keeps a contact from opening by mistake: by what the solver leaves in a step, by rounding,
// and by how much bodies that turn bend the gap in a step, at most h^2 omega^2 arm / 2 each. Of the last not more than
// what it falls in one step: a contact that does open will be as deep as that when it has closed again.
#pragma once

#include <span>
#include <vector>

#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/integrate/scheme.hpp"
#include "ricochet/linalg/effective_mass.hpp"

namespace ricochet::integrate {

class PositionCorrection {
 public:
  static constexpr int steps_at_rest = 20;

  // What a step knows when its end is known.
  struct Step {
    const System& system;
    const linalg::EffectiveMass& matrix;
    const std::vector<contact::Contact>& contacts;
    const linalg::BlockSparseMatrix& gradients;
    std::span<contact::RememberedContact> memory;  // of each contact, at the end of the step
    double h = 0;                                  // s
    std::span<const double> resting_speeds;        // m/s, of each contact: which the solver's tolerance leaves
    const cone::SolveOptions& options;
    cone::ContactProblem& problem;           // is given back as it was
    const cone::Islands& islands;            // of the problem
    const linalg::ReusableVector& impulses;  // p
    bool impulses_solve_problem = true;      // not so if they come from two problems (integrate/poisson_impact)

    bool rests(std::size_t contact) const { return memory[contact].steps >= steps_at_rest; }
    int island_of(std::size_t contact) const { return islands.island_of(static_cast<int>(contact)); }
  };

  // Moves the positions of `end` if anything rests at the wrong depth. Returns whether it did.
  bool correct(const Step& step, cone::ContactSolver& solver, mechanics::State& end);

  double energy() const { return energy_; }  // J, what the last correction changed
  // Gap after the last correction of each contact whose island was corrected, m, and whether it was. (Others are where
  // they were, but for the rounding of quaternions.)
  const std::vector<double>& gaps() const { return gaps_; }
  bool was_corrected(std::size_t contact) const { return corrected_[contact] != 0; }

 private:
  static double least_depth(const Step& step, const mechanics::State& end, std::size_t contact);  // m
  double tolerable(const Step& step, std::size_t contact) const;  // m, of an error of depth
  bool is_looked_at(const Step& step, std::size_t contact) const;
  static bool runs(const Step& step, const mechanics::State& end, std::size_t contact);
  void hold(const Step& step);
  bool find_errors(const Step& step, const mechanics::State& end);
  double error(const Step& step, std::size_t contact) const;

  struct IslandError {
    double error = 0, fastest = 0;  // m/s: that must be lost, and the largest free velocity
    double fall = 0;                // m, in one step, of late: the largest of what rests
    long pause = 0;                 // the longest of its contacts
    bool corrected = false, solved = true;
    double ratio() const { return fastest > 0 ? error / fastest : 0; }
  };

  std::vector<IslandError> errors_;  // of each island
  std::vector<char> corrected_;      // of each contact, and of what acts in joints: its island is
  std::vector<char> runs_;           // of each contact that is looked at
  cone::ResidualScales scales_;      // of a correction that was not solved
  double tolerance_ = 0;
  std::vector<double> gaps_, least_;  // of each contact, m: as they are, and how deep they have to be
  linalg::ReusableVector wanted_, free_velocity_, impulses_, before_;
  VectorX change_, joint_impulses_, moved_;
  double energy_ = 0;
};

}  // namespace ricochet::integrate
