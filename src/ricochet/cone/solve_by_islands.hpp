// Lets a solver that knows nothing of islands (cone/islands) solve them one by one, so that each has its own steps.
#pragma once

#include "ricochet/cone/islands.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

// `solver.solve(problem, impulses, options)` is called for every island as a problem of its own.
template <class Solver>
SolveReport solve_by_islands(Solver& solver, const ContactProblem& problem, linalg::ReusableVector& impulses,
                             const SolveOptions& options) {
  validate(problem);
  Islands islands;
  islands.find(problem.delassus);
  if (islands.count() <= 1) return solver.solve(problem, impulses, options);
  const int scalars = problem.delassus.scalar_rows();
  if (impulses.size() != scalars) impulses.setZero(scalars);
  ContactProblem part;
  linalg::ReusableVector part_impulses;
  SolveReport all;
  for (int island = 0; island < islands.count(); ++island) {
    islands.copy_problem(problem, island, part);
    islands.copy_impulses(problem, impulses, island, part_impulses);
    SolveReport report = solver.solve(part, part_impulses, options);
    islands.return_impulses(problem, part_impulses, island, impulses);
    renumber(report, [&](int contact) { return islands.contacts(island)[contact]; });
    add_island(report, all);
  }
  return all;
}

}  // namespace ricochet::cone
