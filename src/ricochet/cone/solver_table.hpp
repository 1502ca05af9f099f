// Every contact solver by its name: the one list behind `ricochet solve --solver`, `solver.name` of a scene and the
// tables of results. A new solver becomes available everywhere by one line in solver_table.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/cone/global_problem.hpp"
#include "ricochet/cone/solver.hpp"

namespace ricochet::cone {

struct NamedSolver {
  std::string_view name;     // as users write it
  std::string_view summary;  // half a sentence

  // Solves from the given impulses, with a solver made for this call: see NonsmoothGaussSeidel::solve for the meaning
  // of the arguments, which is the same for all.
  SolveReport (*solve)(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options);

  // Why the solver is not made for this problem, the end of a sentence that begins with its name; empty if it is.
  std::string (*objection)(const ContactProblem& problem);

  // What makes it solve time steps; none if it only takes problems one at a time.
  std::optional<SolverKind> kind;

  // The same two for solvers that take problems in global form as they are. Null for all others: they take global
  // problems after GlobalSystem::reduce.
  SolveReport (*solve_global)(const GlobalContactProblem& problem, linalg::ReusableVector& impulses,
                              const SolveOptions& options) = nullptr;
  std::string (*objection_to_global)(const GlobalContactProblem& problem) = nullptr;
};

std::span<const NamedSolver> solver_table();  // the default, `auto`, comes first

// Null if there is none of that name.
const NamedSolver* find_solver(std::string_view name);

std::vector<std::string> solver_names();       // all of them
std::vector<std::string> step_solver_names();  // those with a kind

}  // namespace ricochet::cone
