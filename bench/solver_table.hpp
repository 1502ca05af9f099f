// Every solver on every problem: what it reaches and what it costs. The rows behind the table of docs/solvers.md.
//
// A solver is asked for 1e-4, then for 1e-8, then for 1e-12, each time from r = 0 and in a process of its own that the
// clock ends. The residual of cone/residual decides. A solver that misses a tolerance is not asked for a stricter one,
// which counts as missed.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "ricochet/cone/solver_table.hpp"
#include "ricochet/io/problem_file.hpp"

namespace ricochet::bench {

inline constexpr std::array<double, 3> table_tolerances = {1e-4, 1e-8, 1e-12};

struct TableLimits {
  int max_iterations = 10'000;  // of each solve
  double seconds = 10;          // of wall time of each solve
};

// One solver on one problem.
struct TableEntry {
  std::string problem;
  int contacts = 0;
  std::string solver;
  bool applicable = true;  // the solver does not object
  int reached = 0;         // how many of the tolerances
  std::string obstacle;    // the first one missed: the residual that was left, or "time", or what broke down
  std::array<double, table_tolerances.size()> seconds =
      {};  // of each solve that was tried; the limit if it took longer
};

TableEntry measure_solver(const std::string& name, const io::AnyContactProblem& problem,
                          const cone::NamedSolver& solver, const TableLimits& limits);

// The table and the list of failures. `calibration` is the time of the kernel of bench/calibration, s per contact: the
// unit in which speeds of different machines compare.
std::string solver_table_text(std::span<const TableEntry> entries, const TableLimits& limits, double calibration,
                              bool markdown);

}  // namespace ricochet::bench
