#include "ricochet/cone/local_repairs.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {

namespace {

constexpr double kFew = 0.1;          // of the contacts of an island
constexpr double kMostVisits = 5;     // of as many contacts as the island has
constexpr double kWorthAVisit = 0.5;  // of the tolerance

}  // namespace

void LocalRepairs::find_disturbed(const ContactProblem& problem, const Islands& islands, int island) {
  disturbed_.clear();
  for (const int contact : wrong_) {
    for (const auto& entry : problem.delassus.row(contact)) {  // the contact itself is among them
      if (is_listed_[entry.column] != 0 || islands.island_of(entry.column) != island) continue;
      is_listed_[entry.column] = 1;
      disturbed_.push_back(entry.column);
    }
  }
  for (const int contact : disturbed_) is_listed_[contact] = 0;
  std::sort(disturbed_.begin(), disturbed_.end());
}

SolveReport LocalRepairs::solve(const NonsmoothGaussSeidel& sweeps, const ContactProblem& problem, int island,
                                linalg::ReusableVector& impulses, const SolveOptions& options) {
  const std::span<const int> contacts = sweeps.islands().contacts(island);
  const ResidualScales& scales = sweeps.scales();
  const auto all = static_cast<double>(contacts.size());
  errors_.resize(problem.contacts());
  wrong_.reserve(problem.contacts());
  disturbed_.reserve(problem.contacts());
  is_listed_.resize(problem.contacts(), 0);
  double visits = 0;
  few_were_wrong_ = false;
  const auto look = [&](std::span<const int> at) {
    for (const int contact : at) errors_[contact] = contact_residual(problem, scales, contact, impulses.data());
  };
  const auto is_wrong = [&](int contact) { return !(errors_[contact] <= options.tolerance); };
  const auto report = [&](SolveStatus status) {
    SolveReport result{status, static_cast<int>(std::ceil(visits)), 0, -1};
    for (const int contact : contacts) {
      if (result.worst_contact >= 0 && (errors_[contact] <= result.residual || std::isnan(result.residual))) continue;
      result.residual = errors_[contact];
      result.worst_contact = contact;
    }
    const bool small = status == SolveStatus::converged;
    if (small && !credible(problem, scales, impulses, contacts, result.residual)) {
      result.status = SolveStatus::iteration_limit;
    }
    return result;
  };
  const double most_visits = std::min(kMostVisits, static_cast<double>(options.max_iterations));
  if (options.accept_guess || most_visits < 1) {
    look(contacts);
    const bool solved = std::none_of(contacts.begin(), contacts.end(), is_wrong);
    if (solved || most_visits < 1) return report(solved ? SolveStatus::converged : SolveStatus::iteration_limit);
  }
  for (const int contact : contacts) sweeps.visit(problem, contact, impulses);
  visits = 1;
  look(contacts);
  std::span<const int> looked_at = contacts;
  few_were_wrong_ = static_cast<double>(std::count_if(contacts.begin(), contacts.end(), is_wrong)) <= kFew * all;
  if (!few_were_wrong_) return report(SolveStatus::iteration_limit);
  while (std::any_of(looked_at.begin(), looked_at.end(), is_wrong)) {
    wrong_.clear();
    for (const int contact : looked_at) {
      if (!(errors_[contact] <= kWorthAVisit * options.tolerance)) wrong_.push_back(contact);
    }
    find_disturbed(problem, sweeps.islands(), island);
    visits += static_cast<double>(wrong_.size() + disturbed_.size()) / all;
    if (visits > most_visits) {
      visits = most_visits;
      return report(SolveStatus::iteration_limit);
    }
    for (const int contact : wrong_) sweeps.visit(problem, contact, impulses);
    look(disturbed_);
    looked_at = disturbed_;
  }
  return report(SolveStatus::converged);
}

}  // namespace ricochet::cone
