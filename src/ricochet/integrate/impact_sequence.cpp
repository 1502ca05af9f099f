#include "ricochet/integrate/impact_sequence.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::integrate {

ApproachTolerance approach_tolerance(const mechanics::Equations& equations, double h, double fastest,
                                     double solver_tolerance) {
  constexpr double kPartOfGravity = 1e-3, kPartOfSpeed = 1e-9, kSafety = 10;
  const double gravity = std::sqrt(equations.weight_norm_squared() / std::max(equations.total_mass(), 1e-300));
  const double left = std::max(kPartOfSpeed, kSafety * solver_tolerance) * fastest;
  return {left, left + kPartOfGravity * gravity * h};
}

// Blocks that approach. Those behind the contacts with more than one component are friction and motors of joints.
void ImpactSequence::find_awake(const Step& step) {
  const int contacts = static_cast<int>(step.tangential.size());
  awake_.clear();
  for (int block = 0; block < step.problem.contacts(); ++block) {
    const bool acts_once = block >= contacts && step.problem.block_size(block) > 1;
    const double velocity = free_[step.problem.block_offset(block)];
    if (step.tolerance.wakes(passes_, velocity, acts_once)) awake_.push_back(block);
  }
}

// The problem of the blocks that are awake.
void ImpactSequence::build_part(const Step& step) {
  const cone::ContactProblem& whole = step.problem;
  place_.assign(whole.contacts(), -1);
  sizes_.clear();
  for (std::size_t i = 0; i < awake_.size(); ++i) {
    place_[awake_[i]] = static_cast<int>(i);
    sizes_.push_back(whole.block_size(awake_[i]));
  }
  part_.bodies = nullptr;  // their H has other rows
  part_.delassus.reserve_like(whole.delassus);
  part_.delassus.reset(sizes_);
  part_.friction.clear();
  part_.bilateral.clear();
  part_.free_velocity.resize(0);
  for (const int block : awake_) {
    part_.delassus.begin_row(whole.block_size(block));
    part_.friction.push_back(whole.friction[block]);
    for (const linalg::BlockSparseMatrix::Entry& entry : whole.delassus.row(block)) {
      if (place_[entry.column] < 0) continue;
      part_.delassus.append(place_[entry.column]) = whole.delassus.block(block, entry);
    }
    const int from = whole.block_offset(block), size = whole.block_size(block);
    const Eigen::Index to = part_.free_velocity.size();
    part_.free_velocity.extend(to + size);
    part_.free_velocity.segment(to, size) = free_.segment(from, size);
    part_.free_velocity[to] += step.restitution[block] * std::min(before_[from], 0.0);
    if (block >= static_cast<int>(step.tangential.size())) continue;
    const int slip = std::min(size, 3) - 1;
    part_.free_velocity.segment(to + 1, slip) += step.tangential[block] * before_.segment(from + 1, slip);
  }
}

// Of p, along the velocities half-way through the pass. Their sum over passes and contacts is that of the whole step.
void ImpactSequence::add_works(const Step& step) {
  for (const int block : awake_) {
    if (block >= static_cast<int>(works_.size())) break;
    const int start = step.problem.block_offset(block), size = step.problem.block_size(block);
    const int linear = std::min(size, 3);
    const auto work = [&](int from, int count) {
      const auto p = given_.segment(start + from, count);
      return p.dot(mean_.segment(start + from, count)) + step.theta * p.dot(pass_.segment(start + from, count));
    };
    works_[block] += Vector3(work(0, 1), work(1, linear - 1), work(linear, size - linear));
    const auto p = given_.segment(start, size);
    // The forces of the step come before the first pass.
    const linalg::ReusableVector& begin = passes_ == 1 ? before_ : free_;
    works_at_mean_[block] +=
        0.5 * p.dot(begin.segment(start, size) + free_.segment(start, size) + pass_.segment(start, size));
  }
}

cone::SolveReport ImpactSequence::solve(const Step& step, const cone::SolveOptions& options,
                                        cone::ContactSolver& solver, linalg::ReusableVector& impulses) {
  const cone::ContactProblem& problem = step.problem;
  const Eigen::Index scalars = problem.delassus.scalar_rows();
  free_ = problem.free_velocity;
  before_ = step.before;
  mean_ = (1 - step.theta) * before_ + step.theta * free_;
  works_.assign(step.tangential.size(), Vector3::Zero());
  works_at_mean_.assign(step.tangential.size(), 0);
  part_impulses_.resize(0);
  if (!step.again) known_count_ = 0;
  sum_.setZero(scalars);
  ended_ = true;
  cone::SolveReport report;
  int iterations = 0;
  for (passes_ = 1;; ++passes_) {
    find_awake(step);
    if (awake_.empty()) break;
    if (passes_ > step.max_passes) {
      report.status = cone::SolveStatus::iteration_limit;
      report.worst_contact = awake_.front();
      ended_ = false;
      break;
    }
    build_part(step);
    const auto pass = static_cast<std::size_t>(passes_ - 1);
    const bool is_known = pass < known_count_ && known_[pass].awake == awake_;
    if (is_known) {
      part_impulses_ = known_[pass].impulses;
    } else {
      part_impulses_.setZero(part_.delassus.scalar_rows());
      for (std::size_t i = 0; i < awake_.size() && passes_ == 1; ++i) {
        const int from = problem.block_offset(awake_[i]), size = problem.block_size(awake_[i]);
        part_impulses_.segment(part_.block_offset(static_cast<int>(i)), size) = impulses.segment(from, size);
      }
    }
    cone::SolveOptions some = options;
    some.accept_guess = is_known;
    cone::SolveReport found = solver.solve(part_, part_impulses_, some);
    renumber(found, [&](int block) { return awake_[block]; });
    iterations += found.iterations;
    add_island(found, report);
    if (known_.size() <= pass) known_.resize(pass + 1);
    known_[pass].awake = awake_;
    known_[pass].impulses = part_impulses_;
    known_count_ = is_known ? known_count_ : pass + 1;

    given_.setZero(scalars);
    for (std::size_t i = 0; i < awake_.size(); ++i) {
      const int to = problem.block_offset(awake_[i]), size = problem.block_size(awake_[i]);
      given_.segment(to, size) = part_impulses_.segment(part_.block_offset(static_cast<int>(i)), size);
    }
    pass_.setZero(scalars);
    problem.delassus.multiply_add(given_, pass_);
    add_works(step);
    sum_ += given_;
    free_ += pass_;
    before_ += pass_;
    mean_ += 2 * step.theta * pass_;
  }
  --passes_;
  report.iterations = iterations;
  impulses = sum_;
  return report;
}

}  // namespace ricochet::integrate
