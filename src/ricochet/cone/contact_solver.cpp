#include "ricochet/cone/contact_solver.hpp"

#include <algorithm>
#include <stdexcept>

#include "ricochet/cone/residual.hpp"
#include "ricochet/cone/status_enumeration.hpp"

namespace ricochet::cone {

namespace {

constexpr int kFewestScalarsOfAPiece = 300;  // of the work of a thread: less is not worth giving away

void require_fitting(std::span<const char> marks, const ContactProblem& problem) {
  if (marks.empty() || marks.size() == static_cast<std::size_t>(problem.contacts())) return;
  throw std::invalid_argument("a contact problem needs as many marks as it has contacts, or none");
}

}  // namespace

SolveReport ContactSolver::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                 const SolveOptions& options, std::span<const char> marks) {
  // Most steps of a few bodies that bounce.
  if (problem.contacts() == 0 && problem.free_velocity.size() == 0 && impulses.size() == 0) return {};
  if (options.kind == SolverKind::lemke) return solve_by_lemke(problem, impulses, options);
  if (options.kind == SolverKind::enumeration) return StatusEnumeration().solve(problem, impulses, options);
  require_fitting(marks, problem);
  gauss_seidel_.prepare(problem, impulses);
  return solve_islands(problem, impulses, options, marks);
}

SolveReport ContactSolver::solve_again(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                       const SolveOptions& options, std::span<const char> marks) {
  if (!goes_by_islands(options.kind) || marks.empty()) return solve(problem, impulses, options, marks);
  require_fitting(marks, problem);
  gauss_seidel_.prepare_again(problem, impulses, marks);
  return solve_islands(problem, impulses, options, marks);
}

SolveReport ContactSolver::solve_islands(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                         const SolveOptions& options, std::span<const char> marks) {
  const Islands& islands = gauss_seidel_.islands();
  const int threads = threads_ == nullptr || islands.has_zero_couplings() ? 1 : threads_->count();
  while (static_cast<int>(workers_.size()) < threads) workers_.push_back(std::make_unique<Worker>());
  const auto is_meant = [&](int island) { return marks.empty() || marks[islands.contacts(island).front()] != 0; };
  SolveReport all;
  if (threads == 1) {
    for (int island = 0; island < islands.count(); ++island) {
      if (is_meant(island)) add_island(solve_island(problem, island, impulses, options, *workers_.front()), all);
    }
    return all;
  }
  cut_into_pieces(islands);
  reports_.resize(islands.count());
  errors_.assign(first_island_.size() - 1, nullptr);
  threads_->for_each(static_cast<int>(first_island_.size()) - 1, [&](int piece) {
    // As many workers as threads: one of them is free.
    std::size_t w = 0;
    while (workers_[w]->busy.test_and_set(std::memory_order_acquire)) w = (w + 1) % workers_.size();
    try {
      for (int island = first_island_[piece]; island < first_island_[piece + 1]; ++island) {
        if (is_meant(island)) reports_[island] = solve_island(problem, island, impulses, options, *workers_[w]);
      }
    } catch (...) {  // work of threads must not throw
      errors_[piece] = std::current_exception();
    }
    workers_[w]->busy.clear(std::memory_order_release);
  });
  for (const std::exception_ptr& error : errors_) {
    if (error) std::rethrow_exception(error);
  }
  for (int island = 0; island < islands.count(); ++island) {
    if (is_meant(island)) add_island(reports_[island], all);
  }
  return all;
}

SolveReport ContactSolver::solve_by_lemke(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                          const SolveOptions& options) {
  if (!options.accept_guess) impulses.setZero(problem.delassus.scalar_rows());
  if (objection_to_lemke(problem).empty()) return lemke_.solve(problem, impulses, options);
  const Residual first = residual(problem, impulses);
  SolveReport report{SolveStatus::iteration_limit, 0, first.value, first.worst_contact};
  report.remark = problem.is_planar() ? SolveRemark::too_large : SolveRemark::not_planar;
  return report;
}

void ContactSolver::cut_into_pieces(const Islands& islands) {
  first_island_.clear();
  int scalars = kFewestScalarsOfAPiece;
  for (int island = 0; island < islands.count(); ++island) {
    if (scalars >= kFewestScalarsOfAPiece) {
      first_island_.push_back(island);
      scalars = 0;
    }
    scalars += islands.scalars(island);
  }
  first_island_.push_back(islands.count());
}

SolveReport ContactSolver::solve_island(const ContactProblem& problem, int island, linalg::ReusableVector& impulses,
                                        const SolveOptions& options, Worker& worker) {
  if (options.kind == SolverKind::gauss_seidel) {
    return gauss_seidel_.solve_island(problem, island, impulses, options, worker.sweeps);
  }
  return worker.solver.solve(gauss_seidel_, problem, island, impulses, options);
}

}  // namespace ricochet::cone
