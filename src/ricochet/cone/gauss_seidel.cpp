#include "ricochet/cone/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

#include "ricochet/cone/first_guess.hpp"
#include "ricochet/cone/residual.hpp"
#include "ricochet/math/fetch.hpp"

namespace ricochet::cone {

namespace {

constexpr std::size_t kHandfulOfContacts = 8;
constexpr int kSweepsBetweenResiduals = 10;
constexpr std::size_t kFewestContactsToSkip = 100;  // there is nothing to be saved in small islands
constexpr double kNoticeableChange = 0.1;           // compared with the largest change of the last whole sweep
constexpr int kSweepsBeforeJumps = 10;              // most problems of a time step are solved by then
constexpr std::size_t kSolversAhead = 8;            // whose diagonal blocks, far from each other, are asked for early

// v += W_ij r_j.
template <int kRows, int kColumns>
inline void add_coupling(const double* block, const double* r, double* v) {
  for (int i = 0; i < kRows; ++i) {
    double sum = 0;
    for (int j = 0; j < kColumns; ++j) sum += block[i * kColumns + j] * r[j];
    v[i] += sum;
  }
}

void add_large_coupling(int rows, int columns, const double* block, const double* r, double* v) {
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) sum += block[i * columns + j] * r[j];
    v[i] += sum;
  }
}

template <int kRows>
inline void add_row_coupling(const ContactProblem& problem, int contact, const double* impulses, double* v) {
  const linalg::BlockSparseMatrix& delassus = problem.delassus;
  const double* values = delassus.values().data();
  for (const linalg::BlockSparseMatrix::Entry& entry : delassus.row(contact)) {
    if (entry.column == contact) continue;
    const double* block = values + entry.value_start;
    const double* r = impulses + delassus.column_offset(entry.column);
    switch (delassus.column_size(entry.column)) {
      case 3:
        add_coupling<kRows, 3>(block, r, v);
        break;
      case 2:
        add_coupling<kRows, 2>(block, r, v);
        break;
      case 1:
        add_coupling<kRows, 1>(block, r, v);
        break;
      default:
        add_large_coupling(kRows, delassus.column_size(entry.column), block, r, v);
    }
  }
}

void add_large_row_coupling(const ContactProblem& problem, int contact, const double* impulses, double* v) {
  const linalg::BlockSparseMatrix& delassus = problem.delassus;
  for (const linalg::BlockSparseMatrix::Entry& entry : delassus.row(contact)) {
    if (entry.column == contact) continue;
    add_large_coupling(delassus.row_size(contact), delassus.column_size(entry.column),
                       delassus.values().data() + entry.value_start, impulses + delassus.column_offset(entry.column),
                       v);
  }
}

// The impulses of some contacts, one after the other, and back.
void pack(const ContactProblem& problem, std::span<const int> contacts, const linalg::ReusableVector& impulses,
          std::vector<double>& packed) {
  double* to = packed.data();
  for (const int i : contacts) {
    const double* from = impulses.data() + problem.block_offset(i);
    to = std::copy(from, from + problem.block_size(i), to);
  }
}

void unpack(const ContactProblem& problem, std::span<const int> contacts, const std::vector<double>& packed,
            linalg::ReusableVector& impulses) {
  const double* from = packed.data();
  for (const int i : contacts) {
    std::copy(from, from + problem.block_size(i), impulses.data() + problem.block_offset(i));
    from += problem.block_size(i);
  }
}

}  // namespace

void NonsmoothGaussSeidel::prepare(const ContactProblem& problem, linalg::ReusableVector& impulses) {
  validate(problem);
  scales_.prepare(problem);
  const int scalars = problem.delassus.scalar_rows();
  if (impulses.size() != scalars) impulses.setZero(scalars);
  best_.resize(scalars);
  prepared_ = problem.delassus.values();
  unnoticed_.assign(problem.contacts(), 0.0);
  stirred_.assign(problem.contacts(), 0);
  local_.resize(problem.contacts());
  place_.assign(problem.contacts(), 0);
  rolling_.clear();
  bilateral_.clear();
  closing_.assign(problem.contacts(), 0);
  has_solvers_.assign(problem.contacts(), 0);
  for (int island = 0; island < islands().count(); ++island) prepare_island(problem, island, impulses);
}

void NonsmoothGaussSeidel::prepare_again(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                         std::span<const char> marks) {
  const std::span<const double> values = problem.delassus.values();
  if (values.data() != prepared_.data() || values.size() != prepared_.size() ||
      scales_.contacts() != problem.contacts() || impulses.size() != best_.size()) {
    throw std::logic_error("the contact problem is not the one that has been prepared");
  }
  for (int island = 0; island < islands().count(); ++island) {
    const std::span<const int> contacts = islands().contacts(island);
    if (marks[contacts.front()] == 0) continue;
    for (const int i : contacts) validate_free_velocity(problem, i);
    scales_.find_speeds(island, problem.free_velocity);
    prepare_island(problem, island, impulses);
  }
}

// The first guess of an island, and what solves its contacts unless that is known. Where none closes none is needed.
void NonsmoothGaussSeidel::prepare_island(const ContactProblem& problem, int island, linalg::ReusableVector& impulses) {
  const std::span<const int> contacts = islands().contacts(island);
  closing_[island] = 0;
  for (const int i : contacts) {
    if (admit_first_guess(problem, i, impulses)) closing_[island] = 1;
  }
  if (closing_[island] == 0) {
    for (const int i : contacts) impulses.segment(problem.block_offset(i), problem.block_size(i)).setZero();
  } else if (std::exchange(has_solvers_[island], char{1}) == 0) {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      if (k + kSolversAhead < contacts.size()) {
        math::fetch(scales_.diagonal_block(problem.delassus, contacts[k + kSolversAhead]));
      }
      prepare_local(problem.law(contacts[k]), contacts[k], scales_.diagonal_block(problem.delassus, contacts[k]));
    }
  }
}

void NonsmoothGaussSeidel::prepare_local(const BlockLaw& law, int contact, const double* block) {
  if (law.bilateral) {
    place_[contact] = static_cast<int>(bilateral_.size());
    bilateral_.emplace_back(block, law.size);
  } else if (law.size > 3) {
    place_[contact] = static_cast<int>(rolling_.size());
    rolling_.emplace_back(block, law);
  } else {
    local_[contact] = LocalSolver(block, law.size, law.friction.sliding);
  }
}

// Gives a contact its exact impulse; returns by how much that changed, in terms of the contact's scale.
double NonsmoothGaussSeidel::visit(const ContactProblem& problem, int contact, linalg::ReusableVector& impulses) const {
  const int size = problem.block_size(contact);
  const int offset = problem.block_offset(contact);
  double v[kLargestBlock] = {};
  for (int k = 0; k < size; ++k) v[k] = problem.free_velocity[offset + k];
  switch (size) {
    case 3:
      add_row_coupling<3>(problem, contact, impulses.data(), v);
      break;
    case 2:
      add_row_coupling<2>(problem, contact, impulses.data(), v);
      break;
    case 1:
      add_row_coupling<1>(problem, contact, impulses.data(), v);
      break;
    default:
      add_large_row_coupling(problem, contact, impulses.data(), v);
  }
  double r[kLargestBlock] = {};
  for (int k = 0; k < size; ++k) r[k] = impulses[offset + k];
  if (problem.is_bilateral(contact)) {
    bilateral_[place_[contact]].solve(v, r);
  } else if (size > 3) {
    rolling_[place_[contact]].solve(v, r);
  } else {
    local_[contact].solve(v, r);
  }
  const bool with_arms = scales_.has_arms(contact);
  double change = 0;
  for (int k = 0; k < size; ++k) {
    const double difference = (r[k] - impulses[offset + k]) / (with_arms ? scales_.arms(contact)[k] : 1.0);
    change += difference * difference;
    impulses[offset + k] = r[k];
  }
  return change == 0 ? 0.0 : std::sqrt(change) / scales_.impulse(contact);
}

// One visit to every contact of an island. True if no impulse changed by more than the tolerance: time to look at the
// residual. If asked to, finds out who has been stirred by it, and whether these are few.
bool NonsmoothGaussSeidel::sweep(const ContactProblem& problem, std::span<const int> contacts,
                                 linalg::ReusableVector& impulses, double tolerance, bool find_stirred,
                                 Workspace& workspace) {
  double largest = 0;
  for (const int i : contacts) {
    unnoticed_[i] = visit(problem, i, impulses);
    largest = std::max(largest, unnoticed_[i]);
  }
  workspace.few_stirred = false;
  if (find_stirred) {
    workspace.noticeable = kNoticeableChange * largest;
    for (const int i : contacts) stirred_[i] = 0;
    // Contacts that come later have been visited with what their earlier neighbours did.
    for (const int i : contacts) notice(problem, i, i, workspace.noticeable);
    std::size_t stirred = 0;
    for (const int i : contacts) stirred += stirred_[i];
    workspace.few_stirred = stirred <= contacts.size() / 2;
  }
  return largest <= tolerance;
}

// One visit to the contacts that have been stirred. True if no impulse changed by more than the tolerance: time for a
// sweep.
bool NonsmoothGaussSeidel::sweep_stirred(const ContactProblem& problem, std::span<const int> contacts,
                                         linalg::ReusableVector& impulses, double tolerance,
                                         const Workspace& workspace) {
  double largest = 0;
  for (const int i : contacts) {
    if (stirred_[i] == 0) continue;
    stirred_[i] = 0;
    const double change = visit(problem, i, impulses);
    unnoticed_[i] += change;
    largest = std::max(largest, change);
    notice(problem, i, problem.contacts(), workspace.noticeable);
  }
  return largest <= tolerance;
}

// Stirs the neighbours of a contact that come before `end` if it has changed noticeably.
void NonsmoothGaussSeidel::notice(const ContactProblem& problem, int contact, int end, double noticeable) {
  if (!(unnoticed_[contact] > noticeable)) return;
  unnoticed_[contact] = 0;
  for (const linalg::BlockSparseMatrix::Entry& entry : problem.delassus.row(contact)) {
    if (entry.column < end && entry.column != contact) stirred_[entry.column] = 1;
  }
}

void NonsmoothGaussSeidel::begin_jumps(const ContactProblem& problem, int island, Workspace& workspace) const {
  workspace.anderson.reset(islands().scalars(island));
  for (std::vector<double>* packed : {&workspace.start, &workspace.image}) {
    packed->reserve(problem.delassus.scalar_rows());  // so that an island larger than those before allocates nothing
    packed->resize(islands().scalars(island));
  }
  double* weight = workspace.anderson.weights();
  for (const int i : islands().contacts(island)) {
    const double* arms = scales_.has_arms(i) ? scales_.arms(i) : nullptr;
    for (int k = 0; k < problem.block_size(i); ++k) {
      *weight++ = 1 / (arms == nullptr ? scales_.impulse(i) : scales_.impulse(i) * arms[k]);
    }
  }
}

// After a sweep from workspace.start: to the point that cone/anderson proposes, or back to an earlier one.
void NonsmoothGaussSeidel::jump(const ContactProblem& problem, std::span<const int> contacts,
                                linalg::ReusableVector& impulses, Workspace& workspace) {
  pack(problem, contacts, impulses, workspace.image);
  if (!workspace.anderson.choose_next(workspace.start.data(), workspace.image.data())) return;
  unpack(problem, contacts, workspace.image, impulses);
  for (const int i : contacts) put_into_law(problem.law(i), impulses.data() + problem.block_offset(i));
}

SolveReport NonsmoothGaussSeidel::solve_island(const ContactProblem& problem, int island,
                                               linalg::ReusableVector& impulses, const SolveOptions& options,
                                               Workspace& workspace, Sweeps kind, const Patience& patience) {
  const std::span<const int> contacts = islands().contacts(island);
  const auto copy = [&](const linalg::ReusableVector& from, linalg::ReusableVector& to) {
    for (const int i : contacts) {
      const double* start = from.data() + problem.block_offset(i);
      std::copy(start, start + problem.block_size(i), to.data() + problem.block_offset(i));
    }
  };
  SolveReport best;
  int best_sweep = -1;
  const auto look = [&](int sweeps) {  // true if converged
    const Residual now = residual(problem, scales_, impulses, contacts);
    if (now.value <= options.tolerance && !credible(problem, scales_, impulses, contacts, now.value)) {
      // Where there is no solution jumps may lead to infinity, or the first guess was there: back, and no more jumps.
      kind = Sweeps::plain;
      if (best_sweep >= 0) {
        copy(best_, impulses);
      } else {
        for (const int i : contacts) impulses.segment(problem.block_offset(i), problem.block_size(i)).setZero();
      }
      return false;
    }
    if (best_sweep < 0 || now.value < best.residual) {
      best = {SolveStatus::iteration_limit, sweeps, now.value, now.worst_contact};
      best_sweep = sweeps;
      if (!(now.value <= options.tolerance)) copy(impulses, best_);
    }
    return now.value <= options.tolerance;
  };
  bool converged = false;
  int sweeps = 0;
  if (closing_[island] == 0 || options.max_iterations <= 0) {
    converged = look(0);
  } else {
    if (options.accept_guess) converged = look(0);
    bool accelerating = false;
    double last_stretch = std::numeric_limits<double>::infinity();  // the residual at its end
    bool quiet = true;
    const bool handful = contacts.size() <= kHandfulOfContacts;
    const bool large = contacts.size() >= kFewestContactsToSkip;
    while (!converged && sweeps < options.max_iterations) {
      if (patience.stretch > 0 && sweeps > 0 && sweeps % patience.stretch == 0) {
        const bool crept = !(best.residual <= patience.reduction * last_stretch);
        if (crept || sweeps >= patience.stretch * patience.stretches) break;
        last_stretch = best.residual;
      }
      if (accelerating) pack(problem, contacts, impulses, workspace.start);
      ++sweeps;
      const bool due = sweeps == 1 || sweeps % kSweepsBetweenResiduals == 0 || sweeps == options.max_iterations ||
                       handful || (patience.stretch > 0 && sweeps % patience.stretch == 0);
      if (due || quiet || accelerating || !workspace.few_stirred) {
        quiet = sweep(problem, contacts, impulses, options.tolerance, due && large && !accelerating, workspace);
        if (quiet || due) converged = look(sweeps);
      } else {
        quiet = sweep_stirred(problem, contacts, impulses, options.tolerance, workspace);
      }
      if (kind == Sweeps::plain) accelerating = false;
      if (converged || kind == Sweeps::plain) continue;
      if (accelerating) {
        jump(problem, contacts, impulses, workspace);
      } else if (sweeps >= kSweepsBeforeJumps) {
        accelerating = true;
        begin_jumps(problem, island, workspace);
      }
    }
  }
  if (!converged && best_sweep < 0) look(sweeps);  // nothing but incredible points: what they were sent back to
  if (!converged) copy(best_, impulses);
  best.iterations = sweeps;
  best.status = converged ? SolveStatus::converged : SolveStatus::iteration_limit;
  return best;
}

SolveReport NonsmoothGaussSeidel::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                        const SolveOptions& options, Sweeps kind) {
  prepare(problem, impulses);
  SolveReport all;
  for (int island = 0; island < islands().count(); ++island) {
    add_island(solve_island(problem, island, impulses, options, workspace_, kind), all);
  }
  return all;
}

}  // namespace ricochet::cone
