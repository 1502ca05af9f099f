#include "ricochet/cone/solver_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "ricochet/cone/body_sweeps.hpp"
#include "ricochet/cone/contact_solver.hpp"
#include "ricochet/cone/gauss_seidel.hpp"
#include "ricochet/cone/interior_point.hpp"
#include "ricochet/cone/lemke_contact_solver.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/semismooth_newton.hpp"
#include "ricochet/cone/solve_by_islands.hpp"
#include "ricochet/cone/status_enumeration.hpp"

namespace ricochet::cone {

namespace {

constexpr int kLargestDenseProblem = 2000;  // scalars; a factorisation then takes about a second

constexpr int kMostContactsToCountSolutions = 3;

template <class Solver>
SolveReport solve_with(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options) {
  return Solver().solve(problem, impulses, options);
}

SolveReport solve_accelerated(const ContactProblem& problem, linalg::ReusableVector& impulses,
                              const SolveOptions& options) {
  return NonsmoothGaussSeidel().solve(problem, impulses, options, Sweeps::accelerated);
}

SolveReport solve_enumerating(const ContactProblem& problem, linalg::ReusableVector& impulses,
                              const SolveOptions& options) {
  validate(problem);
  const int scalars = problem.delassus.scalar_rows();
  if (impulses.size() != scalars || !impulses.allFinite()) impulses.setZero(scalars);
  const bool found = solve_by_enumeration(problem, impulses, options.tolerance);
  const Residual reached = residual(problem, impulses);
  SolveReport report{found ? SolveStatus::converged : SolveStatus::iteration_limit, 1, reached.value,
                     reached.worst_contact};
  if (!found) report.remark = "no combination of statuses solves the problem";
  if (found && problem.contacts() <= kMostContactsToCountSolutions &&
      all_planar_solutions(problem, options.tolerance).solutions.size() > 1) {
    report.remark = "there are several solutions; this is the one nearest to the first guess";
  }
  return report;
}

template <NewtonFunction kFunction>
SolveReport solve_by_newton(const ContactProblem& problem, linalg::ReusableVector& impulses,
                            const SolveOptions& options) {
  SemismoothNewton newton(kFunction);
  return solve_by_islands(newton, problem, impulses, options);
}

SolveReport solve_by_interior_point(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                    const SolveOptions& options) {
  InteriorPoint solver;
  return solve_by_islands(solver, problem, impulses, options);
}

std::string no_objection(const ContactProblem&) { return {}; }

std::string objection_to_dense(const ContactProblem& problem) {
  for (int i = 0; i < problem.contacts(); ++i) {
    if (!is_sliding_contact(problem, i)) return "takes neither rolling and spinning contacts nor bilateral blocks";
  }
  Islands islands;
  islands.find(problem.delassus);
  int scalars = 0;
  for (int i = 0; i < islands.count(); ++i) scalars = std::max(scalars, islands.scalars(i));
  if (scalars <= kLargestDenseProblem) return {};
  return fmt::format("needs a dense matrix of contacts that feel each other: at most {} rows, but there are {}",
                     kLargestDenseProblem, scalars);
}

std::string objection_to_enumeration(const ContactProblem& problem) {
  if (can_enumerate(problem)) return {};
  return "takes at most 6 contacts, all of them planar or frictionless";
}

constexpr const char* kGlobalOnly = "takes problems in global form only, with the mass M and the gradients H";

SolveReport refuse_local(const ContactProblem&, linalg::ReusableVector&, const SolveOptions&) {
  throw std::invalid_argument(kGlobalOnly);
}

std::string objection_to_local(const ContactProblem&) { return kGlobalOnly; }

SolveReport solve_body_sweeps(const GlobalContactProblem& problem, linalg::ReusableVector& impulses,
                              const SolveOptions& options) {
  return BodySweeps().solve(problem, impulses, options);
}

std::string objection_to_coupled_mass(const GlobalContactProblem& problem) {
  if (nodes_are_free_of_each_other(problem.mass)) return {};
  return "needs bodies that the mass M does not couple, of at most 6 components each";
}

const std::array<NamedSolver, 9> all_solvers = {{
    {"auto", "accelerated Gauss-Seidel while it converges, Newton and interior point where it creeps",
     solve_with<ContactSolver>, no_objection, SolverKind::automatic},
    {"gauss-seidel", "nonsmooth Gauss-Seidel sweeps and nothing else", solve_with<NonsmoothGaussSeidel>, no_objection,
     SolverKind::gauss_seidel},
    {"anderson", "nonsmooth Gauss-Seidel sweeps with Anderson acceleration", solve_accelerated, no_objection, {}},
    {"body-sweeps",
     "the sweeps of gauss-seidel with the velocities of bodies in place of W, global problems",
     refuse_local,
     objection_to_local,
     {},
     solve_body_sweeps,
     objection_to_coupled_mass},
    {"newton",
     "semismooth Newton on the projections of Alart and Curnier",
     solve_by_newton<NewtonFunction::alart_curnier>,
     no_objection,
     {}},
    {"newton-natural",
     "semismooth Newton on the natural map",
     solve_by_newton<NewtonFunction::natural_map>,
     no_objection,
     {}},
    {"interior-point", "primal-dual path following, dense", solve_by_interior_point, objection_to_dense, {}},
    {"lemke",
     "Lemke's pivoting on the friction problem of Flores, planar contacts",
     solve_with<LemkeContactSolver>,
     objection_to_lemke,
     {}},
    {"enumeration",
     "every combination of statuses of a few planar contacts",
     solve_enumerating,
     objection_to_enumeration,
     {}},
}};

}  // namespace

std::span<const NamedSolver> solver_table() { return all_solvers; }

const NamedSolver* find_solver(std::string_view name) {
  for (const NamedSolver& solver : all_solvers) {
    if (solver.name == name) return &solver;
  }
  return nullptr;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  names.reserve(all_solvers.size());
  for (const NamedSolver& solver : all_solvers) names.emplace_back(solver.name);
  return names;
}

std::vector<std::string> step_solver_names() {
  std::vector<std::string> names;
  for (const NamedSolver& solver : all_solvers) {
    if (solver.kind) names.emplace_back(solver.name);
  }
  return names;
}

}  // namespace ricochet::cone
