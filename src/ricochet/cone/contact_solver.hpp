// The default solver: island by island.
//
// Contacts that do not feel each other (cone/islands) are solved one island after the other, each as if it were alone,
// to the last bit: with its own iterations, its own limits, and its own scale of velocities (cone/island_solver). A
// thousand boxes that need Newton are a thousand small problems, not one large one.
//
// Threads take islands from a heap of work in which neighbouring islands of a few hundred scalars are one piece; each
// has its own solvers. What an island gets does not depend on who solves it, nor on what was solved before.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/island_solver.hpp"
#include "ricochet/cone/lemke_contact_solver.hpp"
#include "ricochet/cone/solver.hpp"
#include "ricochet/math/threads.hpp"

namespace ricochet::cone {

class ContactSolver {
 public:
  // As NonsmoothGaussSeidel::solve, which it is for SolverKind::gauss_seidel. With SolverKind::lemke and enumeration it
  // is these solvers, and a problem that they do not take is not solved, with a remark; Lemke's starts from zero unless
  // the guess may be accepted, so that what it finds depends on the problem alone. Iterations are sweeps and Newton
  // steps together (the enumeration counts as one), of the island that needed most of them, and at most
  // options.max_iterations on each. Residual and worst contact are those of the whole problem, which is solved if every
  // island is.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options = {}) {
    return solve(problem, impulses, options, {});
  }
  // The same for some whole islands, of which each contact has a mark: others keep their impulses, if the law allows
  // them, and the report does not tell of them. There are as many marks as contacts, or none, which means all. Lemke's
  // method and enumeration, which know islands of their own, solve all in any case.
  SolveReport solve(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options,
                    std::span<const char> marks);

  // Once more the problem that was solved last, where it was then, and of which nothing but b has become another since:
  // what is known of it is used again, and what has no mark costs nothing. There are as many impulses as there were.
  // (scales() go on telling of the b that an island had when it was solved last.)
  SolveReport solve_again(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options,
                          std::span<const char> marks);

  // Of the last problem that had contacts, with its islands; not for lemke and enumeration.
  const ResidualScales& scales() const { return gauss_seidel_.scales(); }

  // Islands may be solved on these threads from now on; they must outlive the solver. Results stay the same, bit for
  // bit.
  void use(const math::Threads& threads) { threads_ = &threads; }

 private:
  // The solvers of one thread.
  struct Worker {
    IslandSolver solver;
    NonsmoothGaussSeidel::Workspace sweeps;
    std::atomic_flag busy;
  };

  SolveReport solve_island(const ContactProblem& problem, int island, linalg::ReusableVector& impulses,
                           const SolveOptions& options, Worker& worker);
  SolveReport solve_islands(const ContactProblem& problem, linalg::ReusableVector& impulses,
                            const SolveOptions& options, std::span<const char> marks);
  SolveReport solve_by_lemke(const ContactProblem& problem, linalg::ReusableVector& impulses,
                             const SolveOptions& options);
  void cut_into_pieces(const Islands& islands);

  NonsmoothGaussSeidel gauss_seidel_;
  LemkeContactSolver lemke_;
  const math::Threads* threads_ = nullptr;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<int> first_island_;           // of each piece, and the number of islands
  std::vector<SolveReport> reports_;        // of each island
  std::vector<std::exception_ptr> errors_;  // of each piece
};

}  // namespace ricochet::cone
