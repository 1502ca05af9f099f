// What every contact solver is asked and what it answers. The meaning of each entry is the same for all solvers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "ricochet/cone/contact_problem.hpp"

namespace ricochet::cone {

enum class SolverKind {
  automatic,     // Gauss-Seidel, and direct methods where it creeps: see cone/contact_solver
  gauss_seidel,  // nothing but Gauss-Seidel
  lemke,         // pivoting, planar contacts: cone/lemke_contact_solver
  enumeration,   // every combination of statuses, a few planar contacts: cone/status_enumeration
};

// Whether cone/contact_solver solves the islands of a problem each for itself, and keeps what it has learnt of them.
constexpr bool goes_by_islands(SolverKind kind) {
  return kind == SolverKind::automatic || kind == SolverKind::gauss_seidel;
}

struct SolveOptions {
  double tolerance = 1e-8;                  // on the scaled natural-map residual of cone/residual, dimensionless
  int max_iterations = 10'000;              // sweeps, Newton steps, ...: whatever the solver counts, on each island
  SolverKind kind = SolverKind::automatic;  // for cone/contact_solver, which chooses among the others
  // Gauss-Seidel looks at the first guess and takes it if it will do. Otherwise it always sweeps once: a guess that is
  // taken again and again, step after step, would keep the same error in the same direction.
  bool accept_guess = false;
  // For the default solver, and impulses that solve the problem already: a solution inside the cones, where friction
  // opposes slip at every contact (cone/body_path). Where none is found the impulses are left as they are, or replaced
  // by others that solve the problem.
  bool inside = false;
};

enum class SolveStatus { converged, iteration_limit };

// What a solver has learnt about the problem beyond its status.
enum class SolveRemark { none, ray, no_solution, no_combination, several_solutions, not_planar, too_large };

// A sentence, empty for `none`.
inline const char* sentence(SolveRemark remark) {
  constexpr std::array<const char*, 7> sentences = {
      "",
      "Lemke's method ended on a ray: it found no solution, and cannot tell whether there is one",
      "Lemke's method ended on a ray, and the problem has no solution",
      "no combination of statuses solves the problem",
      "there are several solutions with different velocities",
      "the solver takes planar contacts only, and no bilateral rows",
      "too many contacts feel each other for this solver: lemke takes 300 with friction, enumeration takes 6",
  };
  return sentences[static_cast<std::size_t>(remark)];
}

// How solutions were looked for beside the one that is returned. Solutions with the same velocities count as one:
// impulses of redundant contacts may always differ.
enum class SolutionSearch {
  none,  // nobody looked
  some,  // in some other ways; there may be more than were found
  all,   // all are known
};

// Where another solution differs most from the one that is returned.
struct SecondSolution {
  int contact = -1;                        // -1: there is no other
  std::array<double, 2> velocity = {};     // there, as returned, normal and tangential, m/s
  std::array<double, 2> alternative = {};  // and in the other solution

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("contact", self.contact);
    visitor("velocity", self.velocity);
    visitor("alternative", self.alternative);
  }
};

struct SolveReport {
  SolveStatus status = SolveStatus::converged;
  int iterations = 0;      // of the island (cone/islands) that needed most of them
  double residual = 0;     // the scaled natural-map residual, see cone/residual
  int worst_contact = -1;  // the contact with the largest residual, -1 if there is no contact
  SolveRemark remark = SolveRemark::none;
  SolutionSearch search = SolutionSearch::none;
  int solutions = 0;  // found, the returned one among them; 0 if nobody looked, or there was nothing to solve
  SecondSolution second = {};

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("status", self.status);
    visitor("iterations", self.iterations);
    visitor("residual", self.residual);
    visitor("worst_contact", self.worst_contact);
    visitor("remark", self.remark);
    visitor("search", self.search);
    visitor("solutions", self.solutions);
    visitor("second", self.second);
  }
};

// A report about a part of a problem, with its contacts numbered as in the whole: `place(i)` is the number of contact
// i.
template <class Place>
void renumber(SolveReport& report, Place&& place) {
  for (int* contact : {&report.worst_contact, &report.second.contact}) {
    if (*contact >= 0) *contact = place(*contact);
  }
}

// Numbers of solutions: of thirty islands there may be more than an int can count.
inline int multiplied(int a, int b) {
  return static_cast<int>(std::min<long long>(static_cast<long long>(a) * b, std::numeric_limits<int>::max()));
}

// Takes the report of one island into that of all, worst contacts numbered as in the whole: solved if every island is,
// the iterations of the one that needed most, the largest residual, and of equal ones that of the first contact.
// Solutions of islands combine freely, and all are known only if they are of every island.
inline void add_island(const SolveReport& island, SolveReport& all) {
  all.iterations = std::max(all.iterations, island.iterations);
  if (island.status != SolveStatus::converged) all.status = island.status;
  if (island.remark != SolveRemark::none) all.remark = island.remark;
  const bool is_first = all.worst_contact < 0;
  all.search = is_first ? island.search : std::min(all.search, island.search);
  all.solutions = is_first ? island.solutions : multiplied(all.solutions, island.solutions);
  if (all.second.contact < 0) all.second = island.second;
  if (all.worst_contact < 0 || island.residual > all.residual ||
      (island.residual == all.residual && island.worst_contact < all.worst_contact)) {
    all.residual = island.residual;
    all.worst_contact = island.worst_contact;
  }
}

}  // namespace ricochet::cone
