#include "ricochet/integrate/position_correction.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/cone/residual.hpp"

namespace ricochet::integrate {

namespace {

constexpr double kSafety = 2;           // times what may open a contact by mistake
constexpr double kWorthCorrecting = 5;  // times the least depth,
constexpr double kPartOfFall = 0.05;    // this part of a step's fall,
constexpr double kPartOfDepth = 0.02;   // and this one of the depth: what is deep is lifted in lots
constexpr double kRoughly = 0.1;        // of the largest error, a correction may leave; smaller ones wait
constexpr double kLessExact = 100;      // than the step, at most
constexpr int kMostIterations = 200;
constexpr long kContactsForAStep = 20;   // that passes without a correction,
constexpr long kLongestPause = 100;      // up to so many steps
constexpr double kGivenUp = 0.002;       // of what is deeper than a step's fall, in a step
constexpr double kPartOfRunning = 1e-5;  // of a step's fall, that a contact which runs over its body may sink in a step
constexpr double kGapRoundings = 4;      // gaps are not known better than within so many times their rounding

// rad/s, of a body; 0 without a body, or for one that cannot turn.
double angular_speed(const mechanics::DofMap& map, const mechanics::State& state, model::NodeId node) {
  if (!node.valid() || !map.is_frame(node.index)) return 0;
  return state.v.segment<3>(map.v_start(node.index) + 3).norm();
}

// omega^2 arm, m/s^2, of a body at a contact.
double turning(const mechanics::DofMap& map, const mechanics::State& state, model::NodeId node, const Vector3& arm) {
  const double speed = angular_speed(map, state, node);
  return speed * speed * arm.norm();
}

}  // namespace

double PositionCorrection::least_depth(const Step& step, const mechanics::State& end, std::size_t contact) {
  const contact::Contact& at = step.contacts[contact];
  const mechanics::DofMap& map = step.system.equations.map();
  const double free_velocity = step.problem.free_velocity[step.gradients.row_offset(static_cast<int>(contact))];
  const double turns = turning(map, end, at.node_a, at.arm_a) + turning(map, end, at.node_b, at.arm_b);
  const double bend = std::min(0.5 * step.h * step.h * turns, step.h * std::abs(free_velocity));
  return std::max(kSafety * std::max(step.h * step.resting_speeds[contact], bend), kGapRoundings * at.gap_rounding);
}

// What the normal velocity of a contact that rests must lose, m/s. Downwards it cannot be more than what its weight
// makes in a step.
double PositionCorrection::error(const Step& step, std::size_t contact) const {
  if (!step.rests(contact)) return 0;
  const double fastest = std::abs(step.problem.free_velocity[step.gradients.row_offset(static_cast<int>(contact))]);
  return std::min((gaps_[contact] + step.memory[contact].depth) / step.h, fastest);
}

double PositionCorrection::tolerable(const Step& step, std::size_t contact) const {
  const IslandError& island = errors_[step.island_of(contact)];
  return std::max(
      {kWorthCorrecting * least_[contact], kPartOfFall * island.fall, kPartOfDepth * step.memory[contact].depth});
}

// Does a point of a rim run over body A, so that it sinks in a step by more than what the solver leaves?
bool PositionCorrection::runs(const Step& step, const mechanics::State& end, std::size_t contact) {
  const contact::Contact& at = step.contacts[contact];
  if (at.rim < 0 && !at.is_of_rim) return false;
  const mechanics::DofMap& map = step.system.equations.map();
  contact::RememberedContact& memory = step.memory[contact];
  const double angle = step.h * (angular_speed(map, end, at.node_a) + angular_speed(map, end, at.node_b));
  const double allowed = std::max(kPartOfRunning * memory.fall, kSafety * step.h * step.resting_speeds[contact]);
  if (!at.node_a.valid() || !map.is_frame(at.node_a.index) || at.arm_a.norm() * angle <= allowed) return false;
  const Vector3 before = memory.place;
  const bool is_known = memory.placed == memory.steps - 1;
  memory.place = mechanics::orientation(map, end, at.node_a.index).rotate_inverse(at.arm_a);
  memory.placed = memory.steps;
  return is_known && 0.5 * (memory.place - before).norm() * angle > allowed;
}

// While an island pauses only contacts that have just come to rest are.
bool PositionCorrection::is_looked_at(const Step& step, std::size_t contact) const {
  if (!step.rests(contact)) return false;
  return step.memory[contact].depth == 0 || errors_[step.island_of(contact)].pause == 0;
}

// The depths at which contacts are held, in this step.
void PositionCorrection::hold(const Step& step) {
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    double& depth = step.memory[i].depth;
    if (!is_looked_at(step, i)) continue;
    if (runs_[i] != 0) {
      depth = std::max(-gaps_[i], least_[i]);
      continue;
    }
    const bool lifted = -gaps_[i] < depth - tolerable(step, i);
    if (depth == 0 || lifted) depth = -gaps_[i];
    const IslandError& island = errors_[step.island_of(i)];
    const double given_up = island.pause > 0 ? 0 : kGivenUp * std::max(depth - island.fall, 0.0);
    depth = std::max(depth - given_up, least_[i]);
  }
}

// The b of the problem, in wanted_, and how well it should be solved. False if nothing is worth correcting.
bool PositionCorrection::find_errors(const Step& step, const mechanics::State& end) {
  const std::size_t contacts = step.contacts.size();
  gaps_.resize(contacts);
  least_.resize(contacts);
  runs_.assign(contacts, 0);
  errors_.reserve(step.problem.contacts());
  errors_.assign(step.islands.count(), {});
  bool any_rests = false;
  for (std::size_t i = 0; i < contacts; ++i) any_rests = any_rests || step.rests(i);
  if (!any_rests) return false;
  for (std::size_t i = 0; i < contacts; ++i) {
    const int row = static_cast<int>(i);
    IslandError& island = errors_[step.island_of(i)];
    const int linear = std::min(step.gradients.row_size(row), 3);
    const auto b = step.problem.free_velocity.segment(step.gradients.row_offset(row), linear);
    island.fastest = std::max(island.fastest, b.norm());
    island.pause = std::max(island.pause, step.memory[i].pause);
    if (!step.rests(i)) continue;
    step.memory[i].fall = std::max(step.h * std::abs(b[0]), (1 - kGivenUp) * step.memory[i].fall);
    island.fall = std::max(island.fall, step.memory[i].fall);
  }
  for (std::size_t i = 0; i < contacts; ++i) {
    if (!is_looked_at(step, i)) continue;
    gaps_[i] = step.system.contacts.gap(step.contacts[i], end);
    least_[i] = least_depth(step, end, i);
    runs_[i] = runs(step, end, i) ? 1 : 0;
  }
  hold(step);
  bool wrong = false;
  for (std::size_t i = 0; i < contacts; ++i) {
    IslandError& island = errors_[step.island_of(i)];
    if (island.pause > 0 || !step.rests(i) || !(-gaps_[i] - step.memory[i].depth > tolerable(step, i))) continue;
    wrong = true;
    island.error = std::max(island.error, std::abs(error(step, i)));
  }
  if (!wrong) return false;
  double largest = 0;
  for (const IslandError& island : errors_) largest = std::max(largest, island.ratio());
  // Whoever asks for exact velocities gets positions that follow from them, not from how the sweeps happened to end.
  const double tolerance = step.options.tolerance;
  tolerance_ = std::max(std::min(kRoughly * kRoughly * largest, kLessExact * tolerance), tolerance);
  wanted_ = step.problem.free_velocity;
  corrected_.assign(step.problem.contacts(), 0);
  for (int k = 0; k < step.islands.count(); ++k) {
    IslandError& island = errors_[k];
    island.corrected = island.error > 0 && island.ratio() >= kRoughly * largest;
    if (!island.corrected) continue;
    for (const int row : step.islands.contacts(k)) {
      corrected_[row] = 1;
      const auto i = static_cast<std::size_t>(row);
      if (i < contacts) wanted_[step.gradients.row_offset(row)] += error(step, i);
    }
  }
  return true;
}

bool PositionCorrection::correct(const Step& step, cone::ContactSolver& solver, mechanics::State& end) {
  energy_ = 0;
  if (!find_errors(step, end)) return false;
  cone::SolveOptions options = step.options;
  impulses_ = step.impulses;
  if (!step.impulses_solve_problem) solver.solve(step.problem, impulses_, options, corrected_);
  before_ = impulses_;
  free_velocity_ = step.problem.free_velocity;
  step.problem.free_velocity = wanted_;
  options.tolerance = tolerance_;
  options.accept_guess = true;
  options.max_iterations = std::min(options.max_iterations, kMostIterations);
  const cone::SolveReport report = solver.solve_again(step.problem, impulses_, options, corrected_);
  const bool solved = report.status == cone::SolveStatus::converged;
  if (!solved) scales_.prepare(step.problem);
  for (int k = 0; k < step.islands.count(); ++k) {
    IslandError& island = errors_[k];
    if (!island.corrected) continue;
    const std::span<const int> contacts = step.islands.contacts(k);
    island.solved = solved || cone::residual(step.problem, scales_, impulses_, contacts).value <= tolerance_;
    const auto number = static_cast<long>(contacts.size());
    const long pause = 1 + std::min(number / kContactsForAStep, kLongestPause);  // this step is one of them
    for (const int contact : contacts) {
      if (static_cast<std::size_t>(contact) < step.memory.size()) step.memory[contact].pause = pause;
    }
  }
  step.problem.free_velocity = free_velocity_;

  const mechanics::Equations& equations = step.system.equations;
  impulses_ -= before_;
  change_.setZero(equations.map().v_total());
  joint_impulses_.setZero(equations.joints().rows());
  for (int i = 0; i < step.problem.contacts(); ++i) {
    if (corrected_[i] == 0) continue;
    step.gradients.transpose_multiply_add_row(i, impulses_.data() + step.gradients.row_offset(i), change_.data());
  }
  step.matrix.solve_with_rows(change_, joint_impulses_);
  // Where masses depend on positions, what moves has another kinetic energy as well.
  const auto energy = [&] {
    return equations.potential_energy(end) + (equations.mass_changes() ? equations.kinetic_energy(end) : 0.0);
  };
  const double before = energy();
  mechanics::advance(equations.map(), end.q, change_, step.h, moved_);
  end.q = moved_;
  equations.update_angles(end, 0);
  energy_ = energy() - before;
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    if (!was_corrected(i)) continue;
    gaps_[i] = step.system.contacts.gap(step.contacts[i], end);
    const bool is_solved = errors_[step.island_of(i)].solved;
    if (!is_solved && step.rests(i)) step.memory[i].depth = std::max(step.memory[i].depth, -gaps_[i]);
  }
  return true;
}

}  // namespace ricochet::integrate
