#include "ricochet/cone/focused_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ricochet/cone/residual.hpp"
#include "ricochet/math/fetch.hpp"

namespace ricochet::cone {

namespace {

constexpr int kWholeSweeps = 30;  // at most, as long as more than
constexpr double kMany = 0.1;     // of the contacts miss the tolerance
constexpr int kWholeSweepsBetweenLooks = 10;
constexpr int kSweepsOfARound = 20;
constexpr double kStirs = 0.5;             // of the tolerance
constexpr int kRoundsOfABody = 4;          // for which it stays stirred
constexpr int kMostContactsOfAPath = 150;  // larger groups are swept
constexpr int kRoundsBeforePath = 10;      // that a group has to be wrong; doubled with each path, up to
constexpr int kMostRoundsBeforePath = 1 << 20;
constexpr int kMostStepsOfAGroup = 1000;  // sweeps or Newton steps in one round: more than any round makes
constexpr int kContactsAhead = 2;
constexpr double kPathTolerance = 0.3;  // of the tolerance: what follows around it may disturb it again

}  // namespace

bool FocusedSweeps::prepare(const ContactProblem& problem, std::span<const int> contacts) {
  if (!given_.prepare(problem, contacts)) return false;
  const std::size_t bodies = given_.bodies().size();
  contacts_.resize(contacts.size());
  first_contact_.assign(bodies + 1, 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const BodyContacts::Contact& given = given_.contacts()[i];
    Contact& contact = contacts_[i];
    contact.free_velocity.setZero();
    contact.free_velocity.head(given.size) = problem.free_velocity.segment(given.offset, given.size);
    for (int k = 0; k < 2; ++k) {
      contact.bodies[k] = given.bodies[k];
      if (given.bodies[k] < 0) continue;
      contact.gradients[k] = given.gradients[k];
      contact.responses[k].noalias() = given.gradients[k] * given_.bodies()[given.bodies[k]].inverse.transpose();
      ++first_contact_[given.bodies[k] + 1];
    }
    const double* block =
        problem.delassus.values().data() + diagonal_entry(problem.delassus, given.contact).value_start;
    contact.local = LocalSolver(block, given.size, given.friction);
  }
  for (std::size_t body = 0; body < bodies; ++body) first_contact_[body + 1] += first_contact_[body];
  contacts_of_body_.resize(first_contact_.back());
  queue_.assign(first_contact_.begin(), first_contact_.end());
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    for (const int body : contacts_[i].bodies) {
      if (body >= 0) contacts_of_body_[queue_[body]++] = i;
    }
  }
  velocity_.resize(bodies);
  is_refreshed_.assign(bodies, 0);
  stirred_.resize(bodies);
  warm_.assign(bodies, 0);
  errors_.resize(contacts.size());
  taken_.resize(contacts.size());
  rounds_.assign(contacts.size(), 0);
  patience_.assign(contacts.size(), kRoundsBeforePath);
  is_unwritten_.assign(contacts.size(), 0);
  unwritten_.reserve(contacts.size());
  around_.resize(problem.free_velocity.size());
  candidate_.resize(problem.free_velocity.size());
  return true;
}

// --- Contacts --------------------------------------------------------------------------------------------------------

// Contacts in focus lie anywhere.
inline void FocusedSweeps::fetch(const Contact& contact) {
  const char* begin = reinterpret_cast<const char*>(&contact);
  for (std::size_t at = 0; at < sizeof(Contact); at += math::kBytesOfACacheLine) math::fetch(begin + at);
}

inline Vector3 FocusedSweeps::velocity(const Contact& contact) const {
  Vector3 result = contact.free_velocity;
  for (int k = 0; k < 2 && contact.bodies[k] >= 0; ++k) {
    result.noalias() += contact.gradients[k] * velocity_[contact.bodies[k]];
  }
  return result;
}

inline void FocusedSweeps::give(const Contact& contact, const Vector3& impulse) {
  for (int k = 0; k < 2 && contact.bodies[k] >= 0; ++k) {
    velocity_[contact.bodies[k]].noalias() += contact.responses[k].transpose() * impulse;
  }
}

inline void FocusedSweeps::visit(Contact& contact) {
  const Vector3 u = velocity(contact);
  Vector3 r = contact.impulse;
  contact.local.solve_again(u.data(), r.data());
  const Vector3 change = r - contact.impulse;
  contact.impulse = r;
  give(contact, change);
}

void FocusedSweeps::refresh() {
  for (Vector6& velocity : velocity_) velocity.setZero();
  for (const Contact& contact : contacts_) give(contact, contact.impulse);
}

double FocusedSweeps::error_of(const ResidualScales& scales, int contact) const {
  const Vector3 u = velocity(contacts_[contact]);
  return contact_residual(scales, given_.contacts()[contact].contact, contacts_[contact].impulse.data(), u.data());
}

// The residuals of all contacts.
void FocusedSweeps::look(const ResidualScales& scales) {
  refresh();
  for (std::size_t i = 0; i < contacts_.size(); ++i) errors_[i] = error_of(scales, static_cast<int>(i));
}

// The same, bit for bit, when only the contacts in focus_ have changed since: the velocities of their bodies are added
// up afresh in the same order, and what touches these bodies is looked at.
void FocusedSweeps::look_again(const ResidualScales& scales) {
  queue_.clear();
  for (const int contact : focus_) {
    for (const int body : contacts_[contact].bodies) {
      if (body < 0 || is_refreshed_[body] != 0) continue;
      is_refreshed_[body] = 1;
      queue_.push_back(body);
    }
  }
  for (const int body : queue_) {
    velocity_[body].setZero();
    for (int k = first_contact_[body]; k < first_contact_[body + 1]; ++k) {
      const Contact& contact = contacts_[contacts_of_body_[k]];
      const int side = contact.bodies[0] == body ? 0 : 1;
      velocity_[body].noalias() += contact.responses[side].transpose() * contact.impulse;
    }
  }
  for (const int body : queue_) {
    is_refreshed_[body] = 0;
    for (int k = first_contact_[body]; k < first_contact_[body + 1]; ++k) {
      const int contact = contacts_of_body_[k];
      const int other = contacts_[contact].bodies[contacts_[contact].bodies[0] == body ? 1 : 0];
      if (other >= 0 && is_refreshed_[other] != 0) continue;  // comes with the other body
      errors_[contact] = error_of(scales, contact);
    }
  }
}

// The largest residual of the last look.
double FocusedSweeps::worst_error() {
  double worst = -1;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (std::isnan(worst) || errors_[i] <= worst) continue;  // what is not a number stays the worst
    worst = errors_[i];
    worst_contact_ = given_.contacts()[i].contact;
  }
  return worst;
}

void FocusedSweeps::write(std::span<const int> contacts, linalg::ReusableVector& impulses) const {
  for (const int i : contacts) {
    const BodyContacts::Contact& given = given_.contacts()[i];
    impulses.segment(given.offset, given.size) = contacts_[i].impulse.head(given.size);
  }
}

// --- Groups ----------------------------------------------------------------------------------------------------------

// Stirs bodies; contacts of stirred bodies that hang together are a group, if one of them misses the tolerance.
void FocusedSweeps::find_groups(double tolerance) {
  std::fill(taken_.begin(), taken_.end(), 0);
  for (int& rounds : warm_) rounds = std::max(rounds - 1, 0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!(errors_[i] > kStirs * tolerance)) continue;
    for (const int body : contacts_[i].bodies) {
      if (body >= 0) warm_[body] = kRoundsOfABody;
    }
  }
  for (std::size_t body = 0; body < warm_.size(); ++body) stirred_[body] = warm_[body] > 0 ? 1 : 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (rounds_[i] == 0 && !(errors_[i] > tolerance)) continue;  // nearly all
    const bool stays = std::any_of(std::begin(contacts_[i].bodies), std::end(contacts_[i].bodies),
                                   [&](int body) { return body >= 0 && stirred_[body] != 0; });
    rounds_[i] = errors_[i] > tolerance ? rounds_[i] + 1 : stays ? rounds_[i] : 0;
  }
  focus_.clear();
  groups_.clear();
  for (int first = 0; first < static_cast<int>(stirred_.size()); ++first) {
    if (stirred_[first] != 1) continue;
    const int begin = static_cast<int>(focus_.size());
    queue_.assign(1, first);
    stirred_[first] = 2;  // in a group
    bool wrong = false;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const int body = queue_[next];
      for (int k = first_contact_[body]; k < first_contact_[body + 1]; ++k) {
        const int contact = contacts_of_body_[k];
        if (taken_[contact] != 0) continue;
        taken_[contact] = 1;
        focus_.push_back(contact);
        wrong = wrong || errors_[contact] > tolerance;
        for (const int other : contacts_[contact].bodies) {
          if (other < 0 || stirred_[other] != 1) continue;
          stirred_[other] = 2;
          queue_.push_back(other);
        }
      }
    }
    if (!wrong) {
      focus_.resize(begin);
      continue;
    }
    std::sort(focus_.begin() + begin, focus_.end());
    groups_.push_back({begin, static_cast<int>(focus_.size())});
  }
}

bool FocusedSweeps::is_stuck(const Group& group, double tolerance) const {
  if (group.end - group.begin > kMostContactsOfAPath) return false;
  return std::any_of(focus_.begin() + group.begin, focus_.begin() + group.end, [&](int contact) {
    return errors_[contact] > tolerance && rounds_[contact] >= patience_[contact];
  });
}

double FocusedSweeps::worst_of(const ResidualScales& scales, const Group& group) const {
  double worst = 0;
  for (int k = group.begin; k < group.end; ++k) {
    const double error = error_of(scales, focus_[k]);
    if (std::isnan(error)) return error;
    worst = std::max(worst, error);
  }
  return worst;
}

// By the path, with the impulses around the group as they are. Keeps what is better than before and credible. Returns
// Newton steps.
int FocusedSweeps::solve_group(const ContactProblem& problem, const ResidualScales& scales, const Group& group,
                               double tolerance, int most_steps) {
  const auto each = [&](auto&& what) {
    for (int k = group.begin; k < group.end; ++k) what(contacts_[focus_[k]], given_.contacts()[focus_[k]]);
  };
  const double before = worst_of(scales, group);
  numbers_.clear();
  best_.clear();
  each([&](Contact& contact, const BodyContacts::Contact& given) {
    numbers_.push_back(given.contact);
    best_.push_back(contact.impulse);
    candidate_.segment(given.offset, given.size) = contact.impulse.head(given.size);
    give(contact, -contact.impulse);
  });
  each([&](Contact& contact, const BodyContacts::Contact& given) {
    around_.segment(given.offset, given.size) = velocity(contact).head(given.size);
  });
  SolveReport report;
  if (path_.prepare(problem, scales, numbers_, around_)) {
    SolveOptions options;
    options.tolerance = kPathTolerance * tolerance;
    options.max_iterations = most_steps;
    report = path_.solve(scales, candidate_, options);
  }
  each([&](Contact& contact, const BodyContacts::Contact& given) {
    contact.impulse.head(given.size) = candidate_.segment(given.offset, given.size);
    give(contact, contact.impulse);
  });
  const double after = worst_of(scales, group);
  if (!(after < before) || !credible(problem, scales, candidate_, numbers_, after)) {
    std::size_t next = 0;
    each([&](Contact& contact, const BodyContacts::Contact&) {
      give(contact, best_[next] - contact.impulse);
      contact.impulse = best_[next++];
    });
  }
  for (int k = group.begin; k < group.end; ++k) {  // next time it has to have been wrong for longer
    rounds_[focus_[k]] = 0;
    patience_[focus_[k]] = std::min(2 * patience_[focus_[k]], kMostRoundsBeforePath);
  }
  return report.iterations;
}

// --- The island ------------------------------------------------------------------------------------------------------

// Of the contacts, by the last look.
double FocusedSweeps::part_wrong(double tolerance) const {
  const auto wrong = std::count_if(errors_.begin(), errors_.end(), [&](double error) { return !(error <= tolerance); });
  return static_cast<double>(wrong) / static_cast<double>(contacts_.size());
}

SolveReport FocusedSweeps::solve(const ContactProblem& problem, const ResidualScales& scales,
                                 linalg::ReusableVector& impulses, const SolveOptions& options) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyContacts::Contact& given = given_.contacts()[i];
    contacts_[i].impulse.setZero();
    contacts_[i].impulse.head(given.size) = impulses.segment(given.offset, given.size);
  }
  SolveReport best;
  best.residual = std::numeric_limits<double>::infinity();
  double visits = 0;  // per contact
  unwritten_.clear();
  const auto mark_changed = [&](int contact) {
    if (std::exchange(is_unwritten_[contact], char{1}) == 0) unwritten_.push_back(contact);
  };
  const auto converged = [&] {
    const double worst = worst_error();
    if (worst < best.residual) {
      best.residual = worst;
      best.worst_contact = worst_contact_;
      write(unwritten_, impulses);
      for (const int contact : unwritten_) is_unwritten_[contact] = 0;
      unwritten_.clear();
    }
    return worst <= options.tolerance;
  };
  const auto all = static_cast<double>(contacts_.size());
  const auto left = [&] { return options.max_iterations - visits; };
  look(scales);
  bool done = converged() && options.accept_guess;
  bool many = !options.accept_guess || part_wrong(options.tolerance) > kMany;
  for (int sweep = 1; sweep <= kWholeSweeps && !done && many && left() >= 1; ++sweep) {
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
      visit(contacts_[i]);
      mark_changed(i);
    }
    ++visits;
    if (sweep > 1 && sweep % kWholeSweepsBetweenLooks != 0 && left() >= 1) continue;
    look(scales);
    done = converged();
    many = part_wrong(options.tolerance) > kMany;
  }
  while (!done && left() >= 2) {
    ++visits;  // so that rounds come to an end, however few contacts they have
    find_groups(options.tolerance);
    if (groups_.empty()) break;  // what is wrong touches nothing that can move
    for (const Group& group : groups_) {
      const double part = (group.end - group.begin) / all;
      const int affordable = static_cast<int>(std::min(left() / part, static_cast<double>(kMostStepsOfAGroup)));
      if (is_stuck(group, options.tolerance)) {
        visits += solve_group(problem, scales, group, options.tolerance, affordable) * part;
        continue;
      }
      const int sweeps = std::min(kSweepsOfARound, affordable);
      for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (int k = group.begin; k < group.end; ++k) {
          if (k + kContactsAhead < group.end) fetch(contacts_[focus_[k + kContactsAhead]]);
          visit(contacts_[focus_[k]]);
        }
      }
      visits += sweeps * part;
    }
    for (const int contact : focus_) mark_changed(contact);
    look_again(scales);
    done = converged();
  }
  for (const int contact : unwritten_) is_unwritten_[contact] = 0;
  best.iterations = std::min(static_cast<int>(std::ceil(visits)), options.max_iterations);
  best.status = done ? SolveStatus::converged : SolveStatus::iteration_limit;
  return best;
}

}  // namespace ricochet::cone
