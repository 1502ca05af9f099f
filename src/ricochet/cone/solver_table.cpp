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
#include "ricochet/cone/semismooth_newton.hpp"
#include "ricochet/cone/solve_by_islands.hpp"
#include "ricochet/cone/status_enumeration.hpp"

namespace ricochet::cone {

namespace {

constexpr int kLargestDenseProblem = 2000;  // scalars; a factorisation then takes about a second

template <class Solver>
SolveReport solve_with(const ContactProblem& problem, linalg::ReusableVector& impulses, const SolveOptions& options) {
  return Solver().solve(problem, impulses, options);
}

SolveReport solve_accelerated(const ContactProblem& problem, linalg::ReusableVector& impulses,
                              const SolveOptions& options) {
  return NonsmoothGaussSeidel().solve(problem, impulses, options, Sweeps::accelerated);
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
  if (!problem.is_planar())
    return "takes planar and frictionless contacts only (blocks of size 1 and 2), none bilateral";
  Islands islands;
  islands.find(problem.delassus);
  std::size_t most = 0;
  for (int i = 0; i < islands.count(); ++i) most = std::max(most, islands.contacts(i).size());
  if (most <= kMostEnumeratedContacts) return {};
  return fmt::format("takes at most {} contacts that feel each other, but there are {}", kMostEnumeratedContacts, most);
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
    {"lemke", "Lemke's pivoting on the friction problem of Flores, planar contacts", solve_with<LemkeContactSolver>,
     objection_to_lemke, SolverKind::lemke},
    {"enumeration", "every combination of statuses of a few planar contacts", solve_with<StatusEnumeration>,
     objection_to_enumeration, SolverKind::enumeration},
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
