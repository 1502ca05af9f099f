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

double LocalRepairs::error_of(const ResidualScales& scales, const ContactProblem& problem, int contact,
                              const linalg::ReusableVector& impulses) const {
  const int size = problem.block_size(contact), offset = problem.block_offset(contact);
  double velocity[kLargestBlock] = {};
  for (int k = 0; k < size; ++k) velocity[k] = problem.free_velocity[offset + k];
  problem.delassus.multiply_add_row(contact, impulses.data(), velocity);
  return contact_residual(scales, contact, impulses.data() + offset, velocity);
}

void LocalRepairs::find_disturbed(const ContactProblem& problem) {
  disturbed_.clear();
  for (const int contact : wrong_) {
    for (const auto& entry : problem.delassus.row(contact)) {  // the contact itself is among them
      if (is_listed_[entry.column] != 0) continue;
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
  is_listed_.resize(problem.contacts(), 0);
  double visits = 0;
  const auto look = [&](std::span<const int> at) {
    for (const int contact : at) errors_[contact] = error_of(scales, problem, contact, impulses);
  };
  const auto is_wrong = [&](int contact) { return !(errors_[contact] <= options.tolerance); };
  const auto report = [&](SolveStatus status) {
    SolveReport result{status, std::min(static_cast<int>(std::ceil(visits)), options.max_iterations), 0, -1};
    for (const int contact : contacts) {
      if (result.worst_contact >= 0 && !(errors_[contact] > result.residual)) continue;
      result.residual = errors_[contact];
      result.worst_contact = contact;
    }
    const bool small = status == SolveStatus::converged;
    if (small && !credible(problem, scales, impulses, contacts, result.residual)) {
      result.status = SolveStatus::iteration_limit;
    }
    return result;
  };
  if (options.accept_guess) {
    look(contacts);
    if (std::none_of(contacts.begin(), contacts.end(), is_wrong)) return report(SolveStatus::converged);
  }
  for (const int contact : contacts) sweeps.visit(problem, contact, impulses);
  visits = 1;
  look(contacts);
  std::span<const int> looked_at = contacts;
  if (static_cast<double>(std::count_if(contacts.begin(), contacts.end(), is_wrong)) > kFew * all) {
    return report(SolveStatus::iteration_limit);
  }
  while (std::any_of(looked_at.begin(), looked_at.end(), is_wrong)) {
    if (visits > std::min(kMostVisits, static_cast<double>(options.max_iterations))) {
      return report(SolveStatus::iteration_limit);
    }
    wrong_.clear();
    for (const int contact : looked_at) {
      if (!(errors_[contact] <= kWorthAVisit * options.tolerance)) wrong_.push_back(contact);
    }
    for (const int contact : wrong_) sweeps.visit(problem, contact, impulses);
    find_disturbed(problem);
    look(disturbed_);
    looked_at = disturbed_;
    visits += static_cast<double>(wrong_.size() + disturbed_.size()) / all;
  }
  return report(SolveStatus::converged);
}

}  // namespace ricochet::cone
