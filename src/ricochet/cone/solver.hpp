// What every contact solver is asked and what it answers. The meaning of each entry is the same for all solvers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "ricochet/cone/contact_problem.hpp"

namespace ricochet::cone {

enum class SolverKind {
  automatic,     // Gauss-Seidel, and direct methods where it creeps: see cone/contact_solver
  gauss_seidel,  // nothing but Gauss-Seidel
};

struct SolveOptions {
  double tolerance = 1e-8;                  // on the scaled natural-map residual of cone/residual, dimensionless
  int max_iterations = 10'000;              // sweeps, Newton steps, ...: whatever the solver counts, on each island
  SolverKind kind = SolverKind::automatic;  // for cone/contact_solver, which chooses among the others
  // Gauss-Seidel looks at the first guess and takes it if it will do. Otherwise it always sweeps once: a guess that is
  // taken again and again, step after step, would keep the same error in the same direction.
  bool accept_guess = false;
};

enum class SolveStatus { converged, iteration_limit };

// What a solver has learnt about the problem beyond its status.
enum class SolveRemark { none, ray, no_solution, no_combination, several_solutions };

// A sentence, empty for `none`.
inline const char* sentence(SolveRemark remark) {
  constexpr std::array<const char*, 5> sentences = {
      "",
      "Lemke's method ended on a ray: it found no solution, and cannot tell whether there is one",
      "Lemke's method ended on a ray, and the problem has no solution",
      "no combination of statuses solves the problem",
      "there are several solutions; this is the one nearest to the first guess",
  };
  return sentences[static_cast<std::size_t>(remark)];
}

struct SolveReport {
  SolveStatus status = SolveStatus::converged;
  int iterations = 0;      // of the island (cone/islands) that needed most of them
  double residual = 0;     // the scaled natural-map residual, see cone/residual
  int worst_contact = -1;  // the contact with the largest residual, -1 if there is no contact
  SolveRemark remark = SolveRemark::none;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("status", self.status);
    visitor("iterations", self.iterations);
    visitor("residual", self.residual);
    visitor("worst_contact", self.worst_contact);
    visitor("remark", self.remark);
  }
};

// Takes the report of one island into that of all, worst contacts numbered as in the whole: solved if every island is,
// the iterations of the one that needed most, the largest residual, and of equal ones that of the first contact.
inline void add_island(const SolveReport& island, SolveReport& all) {
  all.iterations = std::max(all.iterations, island.iterations);
  if (island.status != SolveStatus::converged) all.status = island.status;
  if (island.remark != SolveRemark::none) all.remark = island.remark;
  if (all.worst_contact < 0 || island.residual > all.residual ||
      (island.residual == all.residual && island.worst_contact < all.worst_contact)) {
    all.residual = island.residual;
    all.worst_contact = island.worst_contact;
  }
}

}  // namespace ricochet::cone
