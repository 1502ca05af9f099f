// The default solver on one island: Gauss-Seidel while it converges, other methods where it creeps.
//
//  1. No contact closes: r = 0.
//     Large islands on bodies (below) that rest but for a few contacts: cone/local_repairs. Where these creep and there
//     will be no path, cone/focused_sweeps go on at once: whole sweeps cost more than what is wrong in a few places.
//  2. Nonsmooth Gauss-Seidel from the given impulses, accelerated from the eleventh sweep on. Most problems of a time
//     step end here, without allocation. It is stopped as soon as a stretch of sweeps (one per scalar, 50 to 300) does
//     not reduce the residual ten times, and after four stretches at the latest. Where bodies are known a stretch is
//     five sweeps (up to 100 for tolerances below 1e-6, to 50 where they are many): the next stage costs not much more
//     than that, and nearly always ends with a solution.
//  3. Islands of free bodies (ContactProblem::bodies), more than a box on four corners: cone/body_path, and some sweeps
//     from where it ends. In large ones (1200 scalars) something small often keeps the path from its end. They try it
//     once if its steps are cheap or they have no more than 4000 scalars, as long as it goes well. It is left a little
//     before its end, since cone/focused_sweeps may do the rest for less, and gone on with if they do not. What is left
//     then, if it is more than a handful of contacts, is approached by proximal points.
//  4. Some steps of semismooth Newton from the best point so far, which keeps the result near to that of Gauss-Seidel
//     where contacts are redundant, and is the shortest way to tolerances below 1e-6: those begin with it. Problems of
//     more than 5000 scalars, or 1200 on bodies, do without: a factorisation costs thousands of sweeps.
//  5. Islands of free bodies: cone/focused_sweeps. Those of more than 700 scalars get nothing else until the iteration
//     limit.
//     But where a path was too dear for the third stage, it is taken after some of these sweeps, if it can be borne.
//  6. The interior-point method with dense matrices, where there are only sliding contacts and not too many for it (700
//     scalars): slow to start, but hard to stop. Bodies that tumble and come to rest at 1e-8 need it.
//  7. Newton from zero, and the enumeration of statuses for a handful of planar or frictionless contacts. Then
//     Newton from a hundred other places, if the contacts are a handful and friction is larger than 1.
//  8. Newton from the best point and ever longer Gauss-Seidel in turn, until the iteration limit.
//
// With SolveOptions::inside all of this is past, and something else is wanted: see there.
//
// Every stage starts from and keeps the best point, judged by the residual of cone/residual alone, so the result is
// never worse than that of the stage before. Nothing depends on time or chance, nor on what was solved before: equal
// problems get equal bits.
#pragma once

#include "ricochet/cone/focused_sweeps.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/interior_point.hpp"
#include "ricochet/cone/local_repairs.hpp"
#include "ricochet/cone/semismooth_newton.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

class IslandSolver {
 public:
  // `sweeps` has been prepared with the problem and its impulses. Several islands may be solved at the same time, each
  // with a solver of its own. Iterations are sweeps and Newton steps together (the enumeration counts as one).
  SolveReport solve(NonsmoothGaussSeidel& sweeps, const ContactProblem& problem, int island,
                    linalg::ReusableVector& impulses, const SolveOptions& options);

 private:
  // What is being solved, and how far it has come.
  struct Task {
    NonsmoothGaussSeidel& sweeps;
    const ContactProblem& problem;
    int island;
    linalg::ReusableVector& impulses;  // of the whole problem
    const SolveOptions& options;
    std::span<const int> contacts;
    SolveReport report;  // of best_
    int iterations = 0;

    SolveReport reported() const {
      SolveReport all = report;
      all.iterations = iterations;
      return all;
    }
    int left() const { return options.max_iterations - iterations; }
    bool goes_on() const { return report.status != SolveStatus::converged && left() > 0; }
    SolveOptions at_most(int limit) const;
    const ResidualScales& scales() const { return sweeps.scales(); }
  };

  void keep_the_better(Task& task, SolveReport found);
  static SolveReport judged(const Task& task, SolveReport found);
  void sweep(Task& task, int limit);
  void follow_path(Task& task);
  void try_path(Task& task);
  void take_the_dear_path(Task& task);
  void solve_inside(Task& task, bool has_bodies);
  void approach(Task& task);
  bool repair(Task& task);
  void focus(Task& task, int limit);
  template <class Solver>
  void solve_directly(Task& task, Solver& solver, int limit, bool from_zero = false);
  template <class Solver>
  void solve_from_start(Task& task, Solver& solver, int limit);
  void try_other_starts(Task& task);
  void enumerate(Task& task);
  const ContactProblem& part_of(const Task& task) const { return part_is_copied_ ? part_ : task.problem; }
  void copy_part(const Task& task);

  LocalRepairs repairs_;
  NonsmoothGaussSeidel::Workspace workspace_;
  SemismoothNewton newton_;
  InteriorPoint interior_point_;
  BodyPath path_;
  FocusedSweeps focused_;
  ContactProblem part_;  // the island on which the direct solvers work, unless it is the whole problem
  bool part_is_known_ = false, part_is_copied_ = false;
  linalg::ReusableVector part_impulses_, best_;  // of the island
};

}  // namespace ricochet::cone
