// What a solver made of a problem file, and the file that `ricochet solve --json` writes: {problems: [...]}, one entry
// per problem and solver, with the impulses and velocities, so that others can check them.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace ricochet::io {

// One of the contacts that break their law most.
struct ProblemContact {
  int number = 0;       // from 0; bilateral rows come after the contacts
  double residual = 0;  // of this contact alone
  std::string status;   // open, stick or slip
  std::vector<double> r, u;
};

struct ProblemResult {
  std::string file;    // as the user named it
  int contacts = 0;    // without bilateral rows
  int dimension = 0;   // of a contact
  std::string solver;  // its name
  // "converged", "not_reached" (a tolerance), or "not_applicable" (the solver is not made for such a problem)
  std::string status;
  std::string message;                // why it is not applicable, or what else the solver knows
  int solutions = 0;                  // with different velocities, that were found; 0 if the solver did not look
  bool all_known = false;             // there are no others
  int iterations = 0;                 // whatever the solver counts
  double residual = 0;                // of cone/residual
  double fclib_residual = 0;          // the unscaled one
  double seconds = 0;                 // of wall time, without reading the file
  std::vector<double> r, u;           // N s and m/s, contact by contact, normal first
  std::vector<double> multipliers;    // of bilateral rows
  std::vector<ProblemContact> worst;  // the worst first; as many as were asked for

  bool converged() const { return status == "converged"; }
};

std::string problem_results_json(std::span<const ProblemResult> results);  // with a newline at its end

}  // namespace ricochet::io
