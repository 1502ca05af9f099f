#include "ricochet/cone/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/cone/first_guess.hpp"
#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {

namespace {

constexpr int kHandfulOfContacts = 8;
constexpr int kSweepsBetweenResiduals = 10;

// v += W_ij r_j.
template <int kRows, int kColumns>
inline void add_coupling(const double* block, const double* r, double* v) {
  for (int i = 0; i < kRows; ++i) {
    double sum = 0;
    for (int j = 0; j < kColumns; ++j) sum += block[i * kColumns + j] * r[j];
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
      default:
        add_coupling<kRows, 1>(block, r, v);
    }
  }
}

}  // namespace

void NonsmoothGaussSeidel::prepare(const ContactProblem& problem) {
  const int contacts = problem.contacts();
  local_.resize(contacts);
  impulse_scale_.resize(contacts);
  double largest_square = 0;
  for (int i = 0; i < contacts; ++i) {
    double square = 0;
    for (int k = 0; k < problem.block_size(i); ++k) {
      const double b = problem.free_velocity[problem.block_offset(i) + k];
      square += b * b;
    }
    largest_square = std::max(largest_square, square);
  }
  const double largest_free_velocity = std::sqrt(largest_square);
  for (int i = 0; i < contacts; ++i) {
    const int size = problem.block_size(i);
    const double* block = problem.delassus.values().data() + diagonal_entry(problem, i).value_start;
    local_[i] = LocalSolver(block, size, problem.friction[i]);
    double trace = 0;
    for (int k = 0; k < size; ++k) trace += block[k * (size + 1)];
    impulse_scale_[i] = trace > 0 ? size / trace * largest_free_velocity : 0.0;
  }
}

// One visit to every contact. True if no impulse changed by more than the tolerance: time to look at the residual.
bool NonsmoothGaussSeidel::sweep(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                 double tolerance) const {
  bool quiet = true;
  const int contacts = problem.contacts();
  for (int i = 0; i < contacts; ++i) {
    const int size = problem.block_size(i);
    const int offset = problem.block_offset(i);
    double v[3] = {};
    for (int k = 0; k < size; ++k) v[k] = problem.free_velocity[offset + k];
    switch (size) {
      case 3:
        add_row_coupling<3>(problem, i, impulses.data(), v);
        break;
      case 2:
        add_row_coupling<2>(problem, i, impulses.data(), v);
        break;
      default:
        add_row_coupling<1>(problem, i, impulses.data(), v);
    }
    double r[3] = {};
    local_[i].solve(v, r);
    double change = 0;
    for (int k = 0; k < size; ++k) {
      const double difference = r[k] - impulses[offset + k];
      change += difference * difference;
      impulses[offset + k] = r[k];
    }
    const double allowed = tolerance * impulse_scale_[i];
    quiet = quiet && change <= allowed * allowed;
  }
  return quiet;
}

SolveReport NonsmoothGaussSeidel::solve(const ContactProblem& problem, linalg::ReusableVector& impulses,
                                        const SolveOptions& options) {
  validate(problem);
  SolveReport best;
  const auto look = [&](int iterations) {  // true if converged
    const Residual now = residual(problem, impulses, velocity_);
    const bool first = best.iterations == 0;
    if (first || now.value < best.residual) {
      best = {SolveStatus::iteration_limit, iterations, now.value, now.worst_contact};
      best_ = impulses;
    }
    return now.value <= options.tolerance;
  };
  const bool closing = admit_first_guess(problem, impulses);
  bool converged = false;
  int sweeps = 0;
  if (!closing || options.max_iterations <= 0) {
    converged = look(0);
  } else {
    prepare(problem);
    while (!converged && sweeps < options.max_iterations) {
      const bool quiet = sweep(problem, impulses, options.tolerance);
      ++sweeps;
      const bool due = sweeps == 1 || sweeps % kSweepsBetweenResiduals == 0 || sweeps == options.max_iterations ||
                       problem.contacts() <= kHandfulOfContacts;
      if (quiet || due) converged = look(sweeps);
    }
  }
  impulses = best_;
  best.iterations = sweeps;
  best.status = converged ? SolveStatus::converged : SolveStatus::iteration_limit;
  return best;
}

}  // namespace ricochet::cone
