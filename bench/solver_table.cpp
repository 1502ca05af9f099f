#include "bench/solver_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bench/timed_child.hpp"
#include "ricochet/io/problem_solve.hpp"

namespace ricochet::bench {

namespace {

// What a child sends back: these bytes.
struct Answer {
  int contacts = 0;
  int applicable = 0;
  int reached = 0;
  double residual = 0;
  double seconds = 0;
};

std::string solve_and_pack(const std::string& name, const io::AnyContactProblem& problem,
                           const cone::NamedSolver& solver, const cone::SolveOptions& options) {
  const io::ProblemResult result = io::solve_problem(name, problem, solver, options, 0);
  const Answer answer = {result.contacts, result.status != "not_applicable" ? 1 : 0, result.converged() ? 1 : 0,
                         result.residual, result.seconds};
  std::string bytes(sizeof answer, '\0');
  std::memcpy(bytes.data(), &answer, sizeof answer);
  return bytes;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

struct SolverSummary {
  std::string solver;
  int applicable = 0;
  std::array<int, table_tolerances.size()> reached = {};
  std::vector<double> times;  // to the middle tolerance, of those that reach it
  double total = 0;           // of everything that was tried
};

std::vector<SolverSummary> summaries(std::span<const TableEntry> entries) {
  std::vector<SolverSummary> result;
  for (const TableEntry& entry : entries) {
    auto place = std::find_if(result.begin(), result.end(),
                              [&](const SolverSummary& known) { return known.solver == entry.solver; });
    if (place == result.end()) place = result.insert(place, {entry.solver, 0, {}, {}, 0});
    SolverSummary& summary = *place;
    if (!entry.applicable) continue;
    ++summary.applicable;
    for (int i = 0; i < entry.reached; ++i) ++summary.reached[i];
    if (entry.reached > 1) summary.times.push_back(entry.seconds[1]);
    for (const double seconds : entry.seconds) summary.total += seconds;
  }
  return result;
}

std::string time_text(double seconds) {
  if (seconds >= 10) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.3g} ms", 1e3 * seconds);
}

std::string tolerance_text(double tolerance) { return fmt::format("1e{:.0f}", std::log10(tolerance)); }

// Rows of cells, the first row being the head; the first column to the left, the others to the right.
std::string grid(const std::vector<std::vector<std::string>>& rows, bool markdown) {
  std::vector<std::size_t> widths(rows.front().size(), 3);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const char* edge = markdown ? (i == 0 ? "| " : " | ") : (i == 0 ? "" : "  ");
      text += i == 0 ? fmt::format("{}{:<{}}", edge, rows[k][i], widths[i])
                     : fmt::format("{}{:>{}}", edge, rows[k][i], widths[i]);
    }
    text += markdown ? " |\n" : "\n";
    if (k != 0 || !markdown) continue;
    for (std::size_t i = 0; i < widths.size(); ++i) text += i == 0 ? "|---" : "|---:";
    text += "|\n";
  }
  return text;
}

// All misses of one solver in a paragraph, each under the loosest tolerance that is missed.
std::string misses_of(std::span<const TableEntry> entries, const std::string& solver, bool markdown) {
  std::string text;
  for (int level = 0; level < static_cast<int>(table_tolerances.size()); ++level) {
    std::string list;
    for (const TableEntry& entry : entries) {
      if (!entry.applicable || entry.solver != solver || entry.reached != level) continue;
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", entry.problem, entry.obstacle);
    }
    if (!list.empty())
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", tolerance_text(table_tolerances[level]), list);
  }
  if (text.empty()) return {};
  return fmt::format("{} misses {}.\n", markdown ? fmt::format("- `{}`", solver) : solver, text);
}

// The misses of `auto` one by one.
std::string misses_in_full(std::span<const TableEntry> entries, const std::string& solver, bool markdown) {
  std::vector<std::vector<std::string>> rows = {{"problem", "contacts", "misses", "residual", "time"}};
  for (const TableEntry& entry : entries) {
    if (!entry.applicable || entry.solver != solver || entry.reached == static_cast<int>(table_tolerances.size())) {
      continue;
    }
    rows.push_back({entry.problem, std::to_string(entry.contacts), tolerance_text(table_tolerances[entry.reached]),
                    entry.obstacle, time_text(entry.seconds[entry.reached])});
  }
  const std::string name = markdown ? fmt::format("`{}`", solver) : solver;
  if (rows.size() == 1) return fmt::format("{} reaches every tolerance on every problem.\n", name);
  return fmt::format("What {} misses:\n\n{}", name, grid(rows, markdown));
}

}  // namespace

TableEntry measure_solver(const std::string& name, const io::AnyContactProblem& problem,
                          const cone::NamedSolver& solver, const TableLimits& limits) {
  TableEntry entry;
  entry.problem = name;
  entry.contacts = io::block_count(problem);
  entry.solver = solver.name;
  for (std::size_t level = 0; level < table_tolerances.size(); ++level) {
    const cone::SolveOptions options = {.tolerance = table_tolerances[level], .max_iterations = limits.max_iterations};
    const ChildResult child = run_timed(limits.seconds, [&] { return solve_and_pack(name, problem, solver, options); });
    Answer answer;
    if (child.end == ChildResult::End::out_of_time) {
      entry.seconds[level] = limits.seconds;
      entry.obstacle = "time";
      return entry;
    }
    if (child.end != ChildResult::End::finished || child.answer.size() != sizeof answer) {
      entry.obstacle = child.answer.empty() ? "broke down" : child.answer;
      return entry;
    }
    std::memcpy(&answer, child.answer.data(), sizeof answer);
    entry.contacts = answer.contacts;
    entry.applicable = answer.applicable != 0;
    if (!entry.applicable) return entry;
    entry.seconds[level] = answer.seconds;
    if (answer.reached == 0) {
      entry.obstacle = fmt::format("{:.1e}", answer.residual);
      return entry;
    }
    ++entry.reached;
  }
  return entry;
}

std::string solver_table_text(std::span<const TableEntry> entries, const TableLimits& limits, double calibration,
                              bool markdown) {
  std::vector<std::string> problems;
  for (const TableEntry& entry : entries) problems.push_back(entry.problem);
  problems.erase(std::unique(problems.begin(), problems.end()), problems.end());  // entries of a problem are neighbours

  std::vector<std::vector<std::string>> rows = {{"solver", "problems"}};
  for (const double tolerance : table_tolerances) rows[0].push_back(tolerance_text(tolerance));
  rows[0].insert(rows[0].end(), {"median to " + tolerance_text(table_tolerances[1]), "total"});
  const std::vector<SolverSummary> solvers = summaries(entries);
  for (const SolverSummary& summary : solvers) {
    std::vector<std::string> row = {markdown ? fmt::format("`{}`", summary.solver) : summary.solver,
                                    std::to_string(summary.applicable)};
    for (const int count : summary.reached) row.push_back(std::to_string(count));
    row.push_back(summary.times.empty() ? "-" : time_text(median(summary.times)));
    row.push_back(time_text(summary.total));
    rows.push_back(row);
  }
  std::string text = fmt::format(
      "{} problems, each solve from zero within {} iterations and {:g} s; the calibration kernel took {:.0f} ns per "
      "contact.\n\n{}\n",
      problems.size(), limits.max_iterations, limits.seconds, 1e9 * calibration, grid(rows, markdown));
  for (std::size_t i = 0; i < solvers.size(); ++i) {
    text += i == 0 ? misses_in_full(entries, solvers[i].solver, markdown) + "\n"
                   : misses_of(entries, solvers[i].solver, markdown);
  }
  return text;
}

}  // namespace ricochet::bench
