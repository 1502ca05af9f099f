#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/app/problem_choice.hpp"
#include "ricochet/cone/solver_table.hpp"
#include "ricochet/io/file_error.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/problem_file.hpp"
#include "ricochet/io/problem_solve.hpp"
#include "ricochet/io/text_output.hpp"
#include "ricochet/math/text_distance.hpp"

namespace ricochet::app {

namespace {

std::vector<const cone::NamedSolver*> choose_solvers(const std::string& name) {
  std::vector<const cone::NamedSolver*> solvers;
  for (const cone::NamedSolver& solver : cone::solver_table()) {
    if (name == "all" || name == solver.name) solvers.push_back(&solver);
  }
  if (solvers.empty()) {
    const std::vector<std::string> names = cone::solver_names();
    const std::string near = math::nearest(name, names);
    throw io::InputError(
        {}, fmt::format("--solver: there is no solver '{}'{}; the solvers are {}, or all", name,
                        near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(names, ", ")));
  }
  return solvers;
}

constexpr int name_width = 44;

std::string title_line() {
  return fmt::format("{:<{}} {:>8}  {:<14} {:>10} {:>10} {:>10} {:>11}\n", "problem", name_width, "contacts", "solver",
                     "iterations", "residual", "FCLIB", "time   ");
}

std::string result_line(const io::ProblemResult& result) {
  std::string name = std::filesystem::path(result.file).filename().string();
  if (name.size() > name_width) name = name.substr(0, name_width - 3) + "...";
  const std::string start = fmt::format("{:<{}} {:>8}  {:<14}", name, name_width, result.contacts, result.solver);
  if (result.status == "not_applicable") return fmt::format("{} {}\n", start, result.message);
  return fmt::format("{} {:>10} {:>10.1e} {:>10.1e} {:>9.3f} ms{}\n{}", start, result.iterations, result.residual,
                     result.fclib_residual, 1e3 * result.seconds, result.converged() ? "" : "  not reached",
                     result.message.empty() ? "" : fmt::format("  {}\n", result.message));
}

// One line per contact, components in columns: r_N r_T1 r_T2 ..., then u alike.
std::string worst_lines(const io::ProblemResult& result) {
  const auto columns = [](const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += fmt::format(" {:>11.4e}", value);
    return text;
  };
  std::string lines;
  for (const io::ProblemContact& contact : result.worst) {
    lines += fmt::format("  contact {:>6}  size {}  {:<5}  residual {:>8.1e}  r{}  u{}\n", contact.number,
                         contact.r.size(), contact.status, contact.residual, columns(contact.r), columns(contact.u));
  }
  return lines;
}

cone::SolveOptions checked_options(const SolveCommandOptions& options) {
  if (!(options.tolerance > 0 && options.tolerance < 1)) {
    throw io::InputError({}, fmt::format("--tolerance must be between 0 and 1, but is {}", options.tolerance));
  }
  cone::SolveOptions how;
  how.tolerance = options.tolerance;
  if (options.max_iterations > 0) how.max_iterations = options.max_iterations;
  return how;
}

}  // namespace

int solve_command(const SolveCommandOptions& options) {
  const cone::SolveOptions how = checked_options(options);
  const std::vector<const cone::NamedSolver*> solvers = choose_solvers(options.solver);
  const std::vector<std::string> names = choose_problems(options.problems);
  for (const std::string& name : names) {
    std::error_code unknown;
    if (!options.json.empty() && std::filesystem::equivalent(name, options.json, unknown)) {
      throw io::InputError({}, fmt::format("--json would overwrite the problem {}; give another file", name));
    }
  }
  std::optional<io::TextOutput> json;  // opened first, so that nothing is solved in vain
  if (!options.json.empty()) json.emplace(options.json);

  std::vector<io::ProblemResult> results;
  std::size_t solved = 0, unreadable = 0;
  if (!options.quiet) say(title_line());
  for (const std::string& name : names) {
    if (interrupted()) break;
    bool reached = false;
    try {
      const io::ProblemFile file = io::read_problem(name);
      for (const cone::NamedSolver* solver : solvers) {
        if (interrupted()) break;
        io::ProblemResult result = io::solve_problem(name, file.problem, *solver, how, options.worst);
        reached = reached || result.converged();
        if (!options.quiet || (solvers.size() == 1 && !result.converged())) {
          say(result_line(result));
          if (options.worst) say(worst_lines(result));
        }
        std::fflush(stdout);  // a long list of problems is read while it grows
        if (result.status == "not_applicable" && solvers.size() > 1) continue;
        if (json) results.push_back(std::move(result));
      }
    } catch (const io::FileError& error) {  // the others can still be solved
      complain(error.what());
      ++unreadable;
      continue;
    }
    solved += reached ? 1 : 0;
    if (options.quiet && !reached && solvers.size() > 1) say(fmt::format("{}: no solver reaches it\n", name));
  }
  say(fmt::format("{} of {} problems reach {:g}\n", solved, names.size(), how.tolerance));
  if (json) {
    json->buffer() += io::problem_results_json(results);
    json->close();
  }
  if (interrupted()) return exit_interrupted;
  if (unreadable > 0) return exit_unreadable_file;
  return solved == names.size() ? exit_done : exit_not_reached;
}

}  // namespace ricochet::app
