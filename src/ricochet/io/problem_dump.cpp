#include "ricochet/io/problem_dump.hpp"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <string_view>
#include <utility>

#include "ricochet/cone/residual.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/problem_file.hpp"

namespace ricochet::io {

namespace {

constexpr std::string_view problem_prefix = "problem-", problem_suffix = ".hdf5";

}  // namespace

DumpRule parse_dump_rule(const std::string& text) {
  if (text == "failed") return {DumpRule::Kind::failed, 0};
  constexpr std::string_view every = "every:";
  const bool repeated = text.starts_with(every);
  const std::string_view digits = std::string_view(text).substr(repeated ? every.size() : 0);
  long number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < 1) {
    throw InputError({std::make_shared<std::string>("--dump-problem " + text)},
                     "a step (from 1), every:N or failed is expected");
  }
  return {repeated ? DumpRule::Kind::every : DumpRule::Kind::step, number};
}

bool is_problem_name(std::string_view file_name) {
  if (!file_name.starts_with(problem_prefix) || !file_name.ends_with(problem_suffix)) return false;
  if (file_name.size() <= problem_prefix.size() + problem_suffix.size()) return false;
  file_name.remove_prefix(problem_prefix.size());
  file_name.remove_suffix(problem_suffix.size());
  return file_name.find_first_not_of("0123456789") == std::string_view::npos;
}

ProblemDump::ProblemDump(std::filesystem::path directory, std::string run_name, std::vector<DumpRule> rules)
    : directory_(std::move(directory)), run_name_(std::move(run_name)), rules_(std::move(rules)) {}

void ProblemDump::begin(const simulation::Frame&) {}

void ProblemDump::step(const simulation::Frame& frame) {
  const bool failed = frame.report.status != integrate::StepStatus::done;  // but accepted
  if (chosen(frame.step_index, failed)) write(frame, frame.step_index, failed);
}

void ProblemDump::end(const simulation::Frame& frame, const simulation::RunResult& result) {
  // The step that ended the run was not recorded.
  const long step = frame.step_index + 1;
  if (result.outcome != simulation::Outcome::failed) return;
  const bool by_contacts = frame.report.status == integrate::StepStatus::contact_unconverged;
  if (by_contacts || chosen(step, true)) write(frame, step, true);
}

bool ProblemDump::chosen(long step, bool failed) const {
  for (const DumpRule& rule : rules_) {
    if (rule.kind == DumpRule::Kind::failed && failed) return true;
    if (rule.kind == DumpRule::Kind::step && rule.number == step) return true;
    if (rule.kind == DumpRule::Kind::every && step % rule.number == 0) return true;
  }
  return false;
}

void ProblemDump::write(const simulation::Frame& frame, long step, bool failed) {
  const cone::ContactProblem* problem = frame.problem.problem;
  if (problem == nullptr || problem->contacts() == 0) {
    ++skipped_;
    return;
  }
  ProblemFile file;
  file.title = fmt::format("{}, step {}", run_name_, step);
  file.description =
      fmt::format("contact problem of a step of Ricochet; residual {:.3g} after {} iterations{}",
                  frame.report.solver.residual, frame.report.solver.iterations, failed ? ": not solved" : "");
  const linalg::ReusableVector& impulses = *frame.problem.impulses;
  if (impulses.size() == problem->free_velocity.size()) {
    linalg::ReusableVector velocity;
    cone::contact_velocity(*problem, impulses, velocity);
    file.solution = ProblemPoint{impulses, velocity, {}};
  }
  file.problem = *problem;
  const std::string name = fmt::format("{}{}{}", problem_prefix, step, problem_suffix);
  write_problem(directory_ / name, file);
  written_.push_back(name);
}

}  // namespace ricochet::io
