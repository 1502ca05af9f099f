// One solver on one problem of a file, timed and judged: what `ricochet solve` and the table of solvers do.
//
// A global problem is judged in its own form, and the time of its solve includes the factorisation of M. The residual
// is that of cone/residual whatever the solver believes.
#pragma once

#include <optional>
#include <string>

#include "ricochet/cone/solver_table.hpp"
#include "ricochet/io/problem_file.hpp"
#include "ricochet/io/problem_result.hpp"

namespace ricochet::io {

inline constexpr int kWorstOfMissed = 5;  // contacts listed of a problem that misses its tolerance

// Solves from r = 0. `worst` is how many of the worst contacts the result lists; without it, kWorstOfMissed if the
// tolerance is missed and none otherwise. A solver that is not made for the problem is a result too; a problem that
// cannot be posed, such as one with a singular mass matrix, is a FileError about `name`.
ProblemResult solve_problem(const std::string& name, const AnyContactProblem& problem, const cone::NamedSolver& solver,
                            const cone::SolveOptions& options, std::optional<int> worst = {});

}  // namespace ricochet::io
