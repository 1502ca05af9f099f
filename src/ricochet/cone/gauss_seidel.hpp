// Nonsmooth Gauss-Seidel: visit the contacts in order, give each its exact impulse while the others hold still, repeat.
//
//   r_i <- solution of the single contact (W_ii, b_i + sum_{j != i} W_ij r_j, mu_i),      see cone/local_solver,
//                                                                                     rolling_solver, bilateral_solver
//
// (M. Jean, "The non-smooth contact dynamics method", CMAME 177, 1999; Jourdan, Alart & Jean 1998.) Robust, also for
// redundant contacts and where no solution is unique; its convergence is linear and slows down with the length of the
// chains of contacts and the ratio of masses. Of many solutions (hyperstatic problems) it finds one that depends on the
// start and on the order of the contacts, not the one of smallest norm.
//
// Islands (cone/islands) are solved one after the other, each as if it were alone: none is swept longer than it needs.
//
// Sweeps that creep can be accelerated (cone/anderson): after each the impulses of the island jump to where the last
// few sweeps seem to lead. Jumps that do not pay are undone, and tried ever more rarely: every sweep counts as one,
// also those that are undone, and what they can cost is bounded there.
//
// Settled contacts of large islands (100 and more) are skipped. A contact is stirred when a neighbour (W_ij stored) has
// changed noticeably since its last visit: by more than a tenth of the largest change of the last whole sweep, in one
// visit or in several, each impulse in terms of its scale. After a whole sweep that has stirred no more than half of
// the contacts the next sweeps visit only those that are stirred. Every tenth sweep is whole again, and so is the one
// that follows when nobody changes by more than the tolerance; residuals are only computed after whole sweeps. So
// skipping changes the order of visits, never what is called a solution. It pays where something happens in one corner
// of a heap that rests. Accelerated sweeps are whole: jumps need the same map each time.
//
// It stops only when the residual of cone/residual is below the tolerance. A residual costs about as much as a sweep,
// so it is computed after the first sweep, after every sweep that hardly changed anything, and otherwise after every
// tenth (every one for a handful of contacts). At the iteration limit the best point that was evaluated is returned
// with its true residual.
#pragma once

#include <span>
#include <vector>

#include "ricochet/cone/anderson.hpp"
#include "ricochet/cone/bilateral_solver.hpp"
#include "ricochet/cone/local_solver.hpp"
#include "ricochet/cone/residual_scales.hpp"
#include "ricochet/cone/rolling_solver.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

enum class Sweeps {
  plain,
  accelerated,  // from the eleventh on
};

// When to stop sweeps that creep, for solvers that have something better: after the first stretch of sweeps that did
// not bring the residual to `reduction` of what it was at the end of the stretch before, and after so many stretches.
struct Patience {
  int stretch = 0;  // sweeps; 0: no such limit
  double reduction = 0;
  int stretches = 0;
};

class NonsmoothGaussSeidel {
 public:
  // What one island needs while it is swept. Several islands of one problem may be solved at the same time, each with a
  // workspace of its own: they write to different entries of everything else.
  struct Workspace {
    SafeguardedAnderson anderson;
    std::vector<double> start, image;  // impulses of the island, one contact after the other
    double noticeable = 0;
    bool few_stirred = false;
  };

  // `impulses`: in, the first guess (projected on the cones; zero where not finite, and all zero if its size is wrong);
  // out, the solution. If no contact of an island closes (all b_N >= 0) its answer is r = 0 whatever the guess, without
  // a sweep. Iterations are sweeps, of the island that needed most of them. Throws std::invalid_argument for problems
  // that `validate` rejects. Does not allocate once it has solved a problem of the same size.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options = {},
                    Sweeps kind = Sweeps::plain);

  // The same in pieces, for solvers that do something about the islands on which it creeps: prepare a problem and its
  // first guess, then solve any island, any number of times. Contacts are numbered as in the whole problem.
  void prepare(const ContactProblem& problem, linalg::ReusableVector& impulses);
  // Once more the problem that was prepared last, where it was then, and of which nothing but b of the marked islands
  // has become another: only these are prepared, from impulses of the same size. Marks are as in cone/contact_solver.
  void prepare_again(const ContactProblem& problem, linalg::ReusableVector& impulses, std::span<const char> marks);
  const ResidualScales& scales() const { return scales_; }
  const Islands& islands() const { return scales_.islands(); }
  SolveReport solve_island(const ContactProblem& problem, int island, linalg::ReusableVector& impulses,
                           const SolveOptions& options, Workspace& workspace, Sweeps kind = Sweeps::plain,
                           const Patience& patience = {});

  // Solves one contact, with the impulses around it as they are. Returns by how much its impulse changed, over rho V.
  double visit(const ContactProblem& problem, int contact, linalg::ReusableVector& impulses) const;

 private:
  bool sweep(const ContactProblem& problem, std::span<const int> contacts, linalg::ReusableVector& impulses,
             double tolerance, bool find_stirred, Workspace& workspace);
  bool sweep_stirred(const ContactProblem& problem, std::span<const int> contacts, linalg::ReusableVector& impulses,
                     double tolerance, const Workspace& workspace);
  void notice(const ContactProblem& problem, int contact, int end, double noticeable);
  void begin_jumps(const ContactProblem& problem, int island, Workspace& workspace) const;
  static void jump(const ContactProblem& problem, std::span<const int> contacts, linalg::ReusableVector& impulses,
                   Workspace& workspace);
  void prepare_island(const ContactProblem& problem, int island, linalg::ReusableVector& impulses);
  void prepare_local(const BlockLaw& law, int contact, const double* block);

  ResidualScales scales_;
  std::vector<LocalSolver> local_;  // of the contacts of size 1 to 3; the others have their places in the next two
  std::vector<RollingSolver> rolling_;
  std::vector<BilateralSolver> bilateral_;
  std::vector<int> place_;            // of each contact, in rolling_ or bilateral_ if it belongs there
  std::vector<char> closing_;         // of each island: b_N < 0 somewhere (as long as if every contact were one),
  std::vector<char> has_solvers_;     // and whether its contacts have been given what solves them
  std::span<const double> prepared_;  // the numbers of W, never looked at: only to know the problem again
  linalg::ReusableVector best_;
  std::vector<double> unnoticed_;  // of each contact: its change since its neighbours were last stirred by it
  std::vector<char> stirred_;      // of each contact: a neighbour has changed noticeably since its last visit
  Workspace workspace_;
};

}  // namespace ricochet::cone
