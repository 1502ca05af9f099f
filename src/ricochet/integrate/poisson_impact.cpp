#include "ricochet/integrate/poisson_impact.hpp"

#include <algorithm>

namespace ricochet::integrate {

cone::SolveReport PoissonImpact::solve(const cone::ContactProblem& problem,
                                       const linalg::ReusableVector& velocity_before,
                                       const std::vector<double>& restitution, const cone::SolveOptions& options,
                                       cone::ContactSolver& solver, linalg::ReusableVector& impulses) {
  const int contacts = problem.contacts();
  bool approaches = false, gives_back = false;
  for (int i = 0; i < contacts; ++i) {
    approaches = approaches || velocity_before[problem.block_offset(i)] < 0;
    gives_back = gives_back || restitution[i] > 0;
  }
  compressed_ = approaches && gives_back;
  if (!compressed_) return solver.solve(problem, impulses, options);

  compression_.delassus = problem.delassus;
  compression_.friction = problem.friction;
  compression_.free_velocity = velocity_before;
  compression_impulses_.setZero(velocity_before.size());
  cone::SolveReport report = solver.solve(compression_, compression_impulses_, options);

  build_expansion(problem, restitution);
  expansion_impulses_.setZero(expansion_.delassus.scalar_rows());
  for (std::size_t k = 0; k < companions_.size(); ++k) {
    const int i = companions_[k];
    const int offset = problem.block_offset(i);
    expansion_impulses_[expansion_.block_offset(contacts + static_cast<int>(k))] =
        restitution[i] * compression_impulses_[offset];
  }
  cone::SolveReport second = solver.solve(expansion_, expansion_impulses_, options);
  renumber(second, [&](int block) { return block < contacts ? block : companions_[block - contacts]; });
  const int iterations = report.iterations + second.iterations;
  add_island(second, report);
  report.iterations = iterations;

  impulses = given_;
  impulses += expansion_impulses_.head(impulses.size());
  for (std::size_t k = 0; k < companions_.size(); ++k) {
    const int i = companions_[k];
    const int from = expansion_.block_offset(contacts + static_cast<int>(k));
    for (int t = 1; t < problem.block_size(i); ++t) {
      impulses[problem.block_offset(i) + t] += expansion_impulses_[from + t];
    }
  }
  return report;
}

// The contacts as they are, with b after the given impulses, and behind them their companions.
void PoissonImpact::build_expansion(const cone::ContactProblem& problem, const std::vector<double>& restitution) {
  const linalg::BlockSparseMatrix& delassus = problem.delassus;
  const int contacts = problem.contacts();
  given_ = compression_impulses_;
  companions_.clear();
  companion_of_.assign(contacts, -1);
  sizes_.clear();
  for (int i = 0; i < contacts; ++i) {
    const int offset = problem.block_offset(i);
    sizes_.push_back(problem.block_size(i));
    given_[offset] *= 1 + restitution[i];
    const cone::BlockLaw law = problem.law(i);
    bool rubs = false;
    for (int g = 0; g < law.group_count(); ++g) rubs = rubs || law.groups()[g].coefficient > 0;
    if (!rubs || !(restitution[i] * compression_impulses_[offset] > 0)) continue;
    companion_of_[i] = static_cast<int>(companions_.size());
    companions_.push_back(i);
  }
  for (const int i : companions_) sizes_.push_back(problem.block_size(i));

  const int all = contacts + static_cast<int>(companions_.size());
  expansion_.delassus.reset(sizes_);
  expansion_.friction.clear();
  for (int row = 0; row < all; ++row) {
    const bool is_companion = row >= contacts;
    const int i = is_companion ? companions_[row - contacts] : row;
    expansion_.friction.push_back(problem.friction[i]);
    expansion_.delassus.begin_row(problem.block_size(i));
    for (const bool to_companion : {false, true}) {
      for (const linalg::BlockSparseMatrix::Entry& entry : delassus.row(i)) {
        const int place = companion_of_[entry.column];
        if (to_companion && place < 0) continue;
        const linalg::BlockView from = delassus.block(i, entry);
        linalg::MutableBlockView block = expansion_.delassus.append(to_companion ? contacts + place : entry.column);
        block = from;
        if (is_companion) block.row(0).setZero();
        if (to_companion) block.col(0).setZero();
        if (is_companion && to_companion && entry.column == i) block(0, 0) = from(0, 0);
      }
    }
  }
  expansion_.free_velocity.setZero(expansion_.delassus.scalar_rows());
  expansion_.free_velocity.head(given_.size()) = problem.free_velocity;
  delassus.multiply_add(given_, expansion_.free_velocity.head(given_.size()));
  for (std::size_t k = 0; k < companions_.size(); ++k) {
    const int i = companions_[k];
    const int offset = problem.block_offset(i), size = problem.block_size(i);
    const int to = expansion_.block_offset(contacts + static_cast<int>(k));
    const double* block = delassus.values().data() + cone::diagonal_entry(delassus, i).value_start;
    expansion_.free_velocity[to] = -block[0] * restitution[i] * compression_impulses_[offset];
    expansion_.free_velocity.segment(to + 1, size - 1) = expansion_.free_velocity.segment(offset + 1, size - 1);
  }
}

}  // namespace ricochet::integrate
