// The default solver: island by island, Gauss-Seidel while it converges, direct methods where it creeps.
//
// Contacts that do not feel each other (cone/islands) are solved one island after the other, each as if it were alone,
// to the last bit: with its own iterations, its own limits, and its own scale of velocities. A thousand boxes that need
// Newton are a thousand small problems, not one large one. Within an island:
//
//  1. No contact closes: r = 0.
//  2. Nonsmooth Gauss-Seidel from the given impulses, accelerated from the eleventh sweep on. Most problems of a time
//     step end here, without allocation. It is stopped as soon as a stretch of sweeps (one per scalar, 50 to 300) does
//     not reduce the residual ten times, and after four stretches at the latest. Islands so large that a factorisation
//     costs thousands of sweeps (5000 scalars) get nothing else.
//  3. Some steps of semismooth Newton from the best point so far, which keeps the result near to that of Gauss-Seidel
//     where contacts are redundant.
//  4. The interior-point method, where there are only sliding contacts and not too many for its dense matrix (700
//     scalars): slow to start, but hard to stop. Bodies that tumble and come to rest need it.
//  5. Newton from zero, and the enumeration of statuses for a handful of planar or frictionless contacts.
//  6. Newton from the best point and ever longer Gauss-Seidel in turn, until the iteration limit.
//
// Threads take islands from a heap of work in which neighbouring islands of a few hundred scalars are one piece; each
// has its own solvers. What an island gets does not depend on who solves it, nor on what was solved before.
//
// Every stage starts from and keeps the best point, judged by the residual of cone/residual alone, so the result is
// never worse than that of the stage before. Nothing depends on time or chance: equal problems get equal bits.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "ricochet/cone/body_path.hpp"
#include "ricochet/cone/focused_sweeps.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/interior_point.hpp"
#include "ricochet/cone/islands.hpp"
#include "ricochet/cone/semismooth_newton.hpp"
#include "ricochet/cone/solver.hpp"
#include "ricochet/math/threads.hpp"

namespace ricochet::cone {

class ContactSolver {
 public:
  // As NonsmoothGaussSeidel::solve, which it is for SolverKind::gauss_seidel. Iterations are sweeps and Newton steps
  // together (the enumeration counts as one), of the island that needed most of them, and at most
  // options.max_iterations on each. Residual and worst contact are those of the whole problem, which is solved if every
  // island is.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options = {});

  // Islands may be solved on these threads from now on; they must outlive the solver. Results stay the same, bit for
  // bit.
  void use(const math::Threads& threads) { threads_ = &threads; }

 private:
  // The solvers of one thread.
  struct Worker {
    NonsmoothGaussSeidel::Workspace sweeps;
    SemismoothNewton newton;
    InteriorPoint interior_point;
    BodyPath body_path;
    FocusedSweeps focused;
    ContactProblem part;  // the island on which the direct solvers work, unless it is the whole problem
    linalg::ReusableVector part_impulses, best;
    std::atomic_flag busy;
  };

  SolveReport solve_island(const ContactProblem& problem, int island, linalg::ReusableVector& impulses,
                           const SolveOptions& options, Worker& worker);
  void follow_body_path(const ContactProblem& problem, int island, linalg::ReusableVector& impulses,
                        const SolveOptions& options, Worker& worker, SolveReport& report, int& iterations);
  void cut_into_pieces(const Islands& islands);

  NonsmoothGaussSeidel gauss_seidel_;
  const math::Threads* threads_ = nullptr;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<int> first_island_;     // of each piece, and the number of islands
  std::vector<SolveReport> reports_;  // of each island
};

}  // namespace ricochet::cone
