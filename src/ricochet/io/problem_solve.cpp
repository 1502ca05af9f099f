#include "ricochet/io/problem_solve.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/worst_contacts.hpp"
#include "ricochet/io/csv_writer.hpp"
#include "ricochet/io/file_error.hpp"

namespace ricochet::io {

namespace {

// A problem in the form that a solver takes, and how to judge a point of it.
// Global problems are judged in their own form, and reduced only for solvers
// that do not take them as they are.
class JudgedProblem {
 public:
  explicit JudgedProblem(const AnyContactProblem& problem)
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

  void judge(const linalg::ReusableVector& impulses, double tolerance, bool claimed, std::optional<int> worst,
             ProblemResult& result) {
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
    // A solver may know better than the residual: that it is small only because the impulses are huge.
    result.status = claimed && result.residual <= tolerance ? "converged" : "not_reached";
    const int count = worst.value_or(result.converged() ? 0 : kWorstOfMissed);
    for (const cone::WorstContact& bad : worst_contacts(impulses, velocity, count)) {
      const double* r = impulses.data() + bad.offset;
      const double* u = velocity.data() + bad.offset;
      result.worst.push_back({bad.contact,
                              bad.residual,
                              std::string(contact_status_name(bad.status)),
                              {r, r + bad.size},
                              {u, u + bad.size}});
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

  std::vector<cone::WorstContact> worst_contacts(const linalg::ReusableVector& impulses,
                                                 const linalg::ReusableVector& velocity, int count) const {
    if (count == 0) return {};
    if (global_ != nullptr) return cone::worst_contacts(system_.scales(), impulses, velocity, count);
    return cone::worst_contacts(*local_, impulses, count);
  }

  const cone::GlobalContactProblem* global_;
  const cone::ContactProblem* local_ = nullptr;  // null until a global problem is reduced
  cone::GlobalSystem system_;
  cone::ContactProblem reduced_;
};

}  // namespace

ProblemResult solve_problem(const std::string& name, const AnyContactProblem& problem, const cone::NamedSolver& solver,
                            const cone::SolveOptions& options, std::optional<int> worst) {
  ProblemResult result;
  result.file = name;
  result.solver = solver.name;
  result.dimension = contact_dimension(problem);
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::optional<JudgedProblem> judged;
  try {
    judged.emplace(problem);
  } catch (const std::invalid_argument& error) {  // such as a singular mass matrix
    throw FileError(fmt::format("{}: {}.", name, error.what()));
  }
  for (int i = 0; i < judged->blocks(); ++i) result.contacts += judged->law(i).bilateral ? 0 : 1;
  if (const std::string why = judged->objection(solver); !why.empty()) {
    result.status = "not_applicable";
    result.message = why;
    return result;
  }
  linalg::ReusableVector impulses;
  const cone::SolveReport report = judged->solve(solver, impulses, options);
  result.iterations = report.iterations;
  result.message = cone::sentence(report.remark);
  result.solutions = report.solutions;
  result.all_known = report.search == cone::SolutionSearch::all;
  if (report.second.contact >= 0) {
    result.message += fmt::format(": contact {} has u = ({:.6g}, {:.6g}) m/s here, and ({:.6g}, {:.6g}) in another",
                                  report.second.contact, report.second.velocity[0], report.second.velocity[1],
                                  report.second.alternative[0], report.second.alternative[1]);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  judged->judge(impulses, options.tolerance, report.status == cone::SolveStatus::converged, worst, result);
  return result;
}

}  // namespace ricochet::io
