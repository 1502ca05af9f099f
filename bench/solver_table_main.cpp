// Prints the table of docs/solvers.md: every named solver on every problem file of the given directories (files and
// globs will do too) and on the fixed list of generated problems. Progress goes to standard error.
//
//   build/release/bench/ricochet_solver_table [PROBLEMS...] [--markdown] [--seconds X] [--solver NAME]...
//                                             [--no-generated] [--largest CONTACTS]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include "bench/calibration.hpp"
#include "bench/contact_generators.hpp"
#include "bench/solver_table.hpp"
#include "ricochet/app/problem_choice.hpp"
#include "ricochet/io/file_error.hpp"

namespace {

using namespace ricochet;

constexpr const char* usage =
    "usage: ricochet_solver_table [PROBLEMS...] [--markdown] [--seconds X] [--solver NAME]... [--no-generated]\n"
    "                             [--largest CONTACTS]";

struct Options {
  std::vector<std::string> problems;
  std::vector<std::string> solvers;  // all if empty
  bench::TableLimits limits;
  bool markdown = false;
  bool generated = true;
  int largest = 1'000'000'000;  // problems with more contacts are left out
};

double positive_number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(value > 0 && value < 1e9)) {
    throw std::invalid_argument(fmt::format("{} needs a positive number, but got '{}'", option, text));
  }
  return value;
}

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == count) throw std::invalid_argument(word + " needs a value");
      return words[++i];
    };
    if (word == "--markdown") {
      options.markdown = true;
    } else if (word == "--no-generated") {
      options.generated = false;
    } else if (word == "--seconds") {
      options.limits.seconds = positive_number(word, value());
    } else if (word == "--largest") {
      options.largest = static_cast<int>(positive_number(word, value()));
    } else if (word == "--solver") {
      options.solvers.push_back(value());
      if (cone::find_solver(options.solvers.back()) == nullptr) {
        throw std::invalid_argument(fmt::format("there is no solver '{}'", options.solvers.back()));
      }
    } else if (word.starts_with("--")) {
      throw std::invalid_argument(fmt::format("there is no option {}\n{}", word, usage));
    } else {
      options.problems.push_back(word);
    }
  }
  return options;
}

class Table {
 public:
  Table(const Options& options, std::size_t problems) : options_(options), problems_(problems) {}

  void add(const std::string& name, const io::AnyContactProblem& problem) {
    fmt::print(stderr, "[{}/{}] {}, {} contacts:", ++number_, problems_, name, io::block_count(problem));
    if (io::block_count(problem) > options_.largest) {
      fmt::print(stderr, " left out\n");
      return;
    }
    calibrations_.push_back(bench::calibration_seconds_per_contact());
    for (const cone::NamedSolver& solver : cone::solver_table()) {
      const auto& chosen = options_.solvers;
      if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), solver.name) == chosen.end()) continue;
      const bench::TableEntry& entry =
          entries_.emplace_back(bench::measure_solver(name, problem, solver, options_.limits));
      if (entry.applicable) fmt::print(stderr, " {} {}/3", entry.solver, entry.reached);
      std::fflush(stderr);
    }
    fmt::print(stderr, "\n");
  }

  void print() {
    if (entries_.empty()) throw std::invalid_argument("there is no problem to solve");
    std::sort(calibrations_.begin(), calibrations_.end());
    fmt::print("{}", bench::solver_table_text(entries_, options_.limits, calibrations_[calibrations_.size() / 2],
                                              options_.markdown));
  }

 private:
  const Options& options_;
  std::size_t problems_, number_ = 0;
  std::vector<bench::TableEntry> entries_;
  std::vector<double> calibrations_;
};

int make_table(const Options& options) {
  const std::vector<std::string> files = app::choose_problems(options.problems);
  const std::vector<bench::GeneratedProblem> generated =
      options.generated ? bench::generated_problems() : std::vector<bench::GeneratedProblem>{};
  Table table(options, files.size() + generated.size());
  bool all_read = true;
  for (const std::string& file : files) {
    try {
      table.add(std::filesystem::path(file).filename().string(), io::read_problem(file).problem);
    } catch (const io::FileError& error) {
      fmt::print(stderr, "\n{}\n", error.what());
      all_read = false;
    }
  }
  for (const bench::GeneratedProblem& problem : generated) table.add(problem.name, problem.make());
  table.print();
  return all_read ? 0 : 3;
}

}  // namespace

int main(int count, char** words) {
  try {
    return make_table(parse(count, words));
  } catch (const std::exception& error) {
    fmt::print(stderr, "ricochet_solver_table: {}\n", error.what());
    return 2;
  }
}
