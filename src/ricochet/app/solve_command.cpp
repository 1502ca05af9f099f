#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "ricochet/app/commands.hpp"
#include "ricochet/app/exit_code.hpp"
#include "ricochet/app/interrupt.hpp"
#include "ricochet/app/messages.hpp"
#include "ricochet/app/problem_choice.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/solver_table.hpp"
#include "ricochet/io/file_error.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/problem_file.hpp"
#include "ricochet/io/problem_result.hpp"
#include "ricochet/io/text_output.hpp"
#include "ricochet/math/text_distance.hpp"

namespace ricochet::app {

namespace {

using Clock = std::chrono::steady_clock;

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

// A problem in the form that a solver takes, and how to judge a point of it. Global problems are judged in their own
// form, and reduced only for solvers that do not take them as they are.
class JudgedProblem {
 public:
  explicit JudgedProblem(const io::AnyContactProblem& problem)
      : global_(std::get_if<cone::GlobalContactProblem>(&problem)) {
    if (global_ == nullptr) {
      local_ = &std::get<cone::ContactProblem>(problem);
    } else {
      system_.prepare(*global_);
    }
  }

  int blocks() const { return global_ == nullptr ? local_->contacts() : global_->contacts(); }
  cone::BlockLaw law(int block) const { return global_ == nullptr ? local_->law(block) : global_->law(block); }

  // Why the solver does not take it; empty if it does.
  std::string objection(const cone::NamedSolver& solver) {
    return as_it_is(solver) ? solver.objection_to_global(*global_) : solver.objection(local());
  }

  cone::SolveReport solve(const cone::NamedSolver& solver, linalg::ReusableVector& impulses,
                          const cone::SolveOptions& options) {
    return as_it_is(solver) ? solver.solve_global(*global_, impulses, options)
                            : solver.solve(local(), impulses, options);
  }

  void judge(const linalg::ReusableVector& impulses, io::ProblemResult& result) {
    linalg::ReusableVector velocity;
    if (global_ == nullptr) {
      result.residual = cone::residual(*local_, impulses).value;
      result.fclib_residual = cone::fclib_residual(*local_, impulses);
      cone::contact_velocity(*local_, impulses, velocity);
    } else {
      result.residual = system_.residual(*global_, impulses).value;
      result.fclib_residual = system_.fclib_residual(*global_, impulses);
      VectorX node_velocity;
      system_.velocity(*global_, impulses, node_velocity, velocity);
    }
    int end = 0;
    for (int i = 0; i < blocks(); ++i) {
      const cone::BlockLaw law_of_block = law(i);
      const int start = end;
      end += law_of_block.size;
      std::vector<double>& to = law_of_block.bilateral ? result.multipliers : result.r;
      to.insert(to.end(), impulses.data() + start, impulses.data() + end);
      if (!law_of_block.bilateral) result.u.insert(result.u.end(), velocity.data() + start, velocity.data() + end);
    }
  }

 private:
  bool as_it_is(const cone::NamedSolver& solver) const { return global_ != nullptr && solver.solve_global != nullptr; }

  const cone::ContactProblem& local() {
    if (local_ == nullptr) {
      system_.reduce(*global_, reduced_);
      local_ = &reduced_;
    }
    return *local_;
  }

  const cone::GlobalContactProblem* global_;
  const cone::ContactProblem* local_ = nullptr;  // null until a global problem is reduced
  cone::GlobalSystem system_;
  cone::ContactProblem reduced_;
};

io::ProblemResult solve_problem(const std::string& name, const io::AnyContactProblem& problem,
                                const cone::NamedSolver& solver, const cone::SolveOptions& options) {
  io::ProblemResult result;
  result.file = name;
  result.solver = solver.name;
  result.dimension = io::contact_dimension(problem);
  const Clock::time_point start = Clock::now();
  std::optional<JudgedProblem> judged;
  try {
    judged.emplace(problem);
  } catch (const std::invalid_argument& error) {  // such as a singular mass matrix
    throw io::FileError(fmt::format("{}: {}.", name, error.what()));
  }
  for (int i = 0; i < judged->blocks(); ++i) result.contacts += judged->law(i).bilateral ? 0 : 1;
  const auto not_applicable = [&](const std::string& why) {
    result.status = "not_applicable";
    result.message = why;
    return result;
  };
  if (const std::string why = judged->objection(solver); !why.empty()) return not_applicable(why);
  linalg::ReusableVector impulses;
  try {
    result.iterations = judged->solve(solver, impulses, options).iterations;
  } catch (const std::invalid_argument& error) {  // the problem is sound: the solver does not take such contacts
    return not_applicable(error.what());
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  judged->judge(impulses, result);
  result.status = result.residual <= options.tolerance ? "converged" : "not_reached";
  return result;
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
  return fmt::format("{} {:>10} {:>10.1e} {:>10.1e} {:>9.3f} ms{}\n", start, result.iterations, result.residual,
                     result.fclib_residual, 1e3 * result.seconds, result.converged() ? "" : "  not reached");
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
        io::ProblemResult result = solve_problem(name, file.problem, *solver, how);
        reached = reached || result.converged();
        if (!options.quiet || (solvers.size() == 1 && !result.converged())) say(result_line(result));
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
