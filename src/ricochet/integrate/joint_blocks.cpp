#include "ricochet/integrate/joint_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet::integrate {

namespace {

constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();
// Of the response that a coordinate would have without joints: where others hold it, as a drive does, what is left in W
// is rounding of either sign.
constexpr double kLeastResponse = 1e-12;

}  // namespace

void JointBlocks::detect(const mechanics::Equations& equations, const mechanics::State& state,
                         const JointMemory& memory_before, linalg::BlockSparseMatrix& gradients) {
  const mechanics::JointActions& actions = equations.joint_actions();
  first_ = gradients.rows();
  blocks_.clear();
  const auto append = [&](int action, int side, int memory, bool is_open = false) {
    const int size = side != 0 ? 1 : 2;
    const double sign = side != 0 ? side : 1;
    const int row = gradients.rows();
    equations.joints().append_coordinate_row(actions.coordinate(action), state, sign * actions.arm(action), size,
                                             gradients);
    blocks_.push_back({action, side, gradients.row_offset(row),
                       kLeastResponse * equations.free_response(gradients, row), false, is_open, memory});
  };
  for (int limit = 0; limit < actions.limits(); ++limit) {
    const double rounding = kRounding * actions.arm(limit) * std::abs(actions.value(limit, state));
    for (const int side : {1, -1}) {
      const int place = 2 * limit + (side < 0 ? 1 : 0);
      const double slack = place < memory_before.slack.size() ? memory_before.slack[place] : 0.0;
      const double gap = actions.gap(limit, side, state);
      if (gap <= slack + rounding) append(limit, side, place, gap > rounding);
    }
  }
  for (int action = actions.limits(); action < actions.count(); ++action) append(action, 0, actions.limits() + action);
  bounds_.assign(blocks_.size(), 0);
}

void JointBlocks::add_targets(const mechanics::JointActions& actions, double time,
                              linalg::ReusableVector& velocity) const {
  const int first_motor = actions.limits() + actions.frictions();
  for (const Block& block : blocks_) {
    if (block.action < first_motor) continue;
    velocity[block.offset + 1] -=
        actions.arm(block.action) * actions.motor(block.action - first_motor).speed.value(time);
  }
}

void JointBlocks::recall(const JointMemory& memory, linalg::ReusableVector& impulses) {
  for (Block& block : blocks_) {
    const double before = block.memory < memory.impulses.size() ? memory.impulses[block.memory] : 0;
    block.held_before = before != 0;
    if (block.size() == 2) impulses[block.offset] = 0;  // its bound, which complete and update will give
    impulses[block.offset + block.size() - 1] = before;
  }
}

void JointBlocks::remember(const mechanics::JointActions& actions, const JointMemory& before,
                           const linalg::ReusableVector& impulses, std::span<const double> slacks,
                           JointMemory& after) const {
  if (actions.count() == 0) return;
  after.impulses.setZero(actions.limits() + actions.count());
  after.slack.setZero(2 * actions.limits());
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Block& block = blocks_[k];
    const double impulse = impulses[block.offset + block.size() - 1];
    after.impulses[block.memory] = impulse;
    if (block.side == 0 || !(impulse > 0)) continue;
    const bool has_slack = block.is_open && before.slack.size() > 0;
    after.slack[block.memory] = slacks[k] + (has_slack ? before.slack[block.memory] : 0.0);
  }
}

int JointBlocks::complete(const mechanics::JointActions& actions, ImpactLaw law, double theta, double least,
                          const linalg::ReusableVector& velocity_before, cone::ContactProblem& problem) const {
  int blocked = -1;
  for (int k = 0; k < count(); ++k) {
    const Block& block = blocks_[k];
    const bool is_limit = block.side != 0;
    problem.friction.emplace_back(is_limit ? 0.0 : 1.0);
    const auto diagonal = cone::diagonal_entry(problem.delassus, first_ + k);
    linalg::MutableBlockView w = problem.delassus.block(first_ + k, diagonal);
    double& response = w(block.size() - 1, block.size() - 1);
    if (is_limit && response <= block.floor && problem.free_velocity[block.offset] < -least) blocked = block.action;
    response = std::max(response, block.floor);
    if (is_limit) {
      model::ContactCoefficients coefficients;
      coefficients.restitution = actions.limit(block.action).restitution;
      const Vector3 before(velocity_before[block.offset], 0, 0);
      problem.free_velocity[block.offset] += impact_offset(law, theta, coefficients, before)[0];
      continue;
    }
    w(0, 0) = response;
    const bool is_friction = block.action < actions.limits() + actions.frictions();
    const Vector3 before(0, velocity_before[block.offset + 1], 0);
    if (is_friction) problem.free_velocity[block.offset + 1] += impact_offset(law, theta, {}, before)[1];
  }
  return blocked;
}

void JointBlocks::append_restitution(const mechanics::JointActions& actions, std::vector<double>& restitution) const {
  for (const Block& block : blocks_) {
    restitution.push_back(block.side != 0 ? actions.limit(block.action).restitution : 0.0);
  }
}

double JointBlocks::update(const mechanics::JointActions& actions, const mechanics::State& stage,
                           const VectorX& joint_impulses, double h, bool half_way, cone::ContactProblem& problem) {
  const int first_motor = actions.limits() + actions.frictions();
  double largest = 0;
  multipliers_ = joint_impulses / h;
  for (int k = 0; k < count(); ++k) {
    const Block& block = blocks_[k];
    if (block.side != 0) continue;
    const bool is_friction = block.action < first_motor;
    const double force = is_friction ? actions.capacity(block.action - actions.limits(), stage, multipliers_)
                                     : actions.motor(block.action - first_motor).largest / actions.arm(block.action);
    const double bound = half_way ? 0.5 * (h * force + bounds_[k]) : h * force;
    const auto diagonal = cone::diagonal_entry(problem.delassus, first_ + k);
    const double response = problem.delassus.values()[diagonal.value_start];
    largest = std::max(largest, response * (bound - bounds_[k]) * (bound - bounds_[k]));
    bounds_[k] = bound;
    problem.free_velocity[block.offset] = -response * bound;
  }
  return largest;
}

void JointBlocks::append_held(const linalg::BlockSparseMatrix& gradients, const linalg::ReusableVector& impulses,
                              linalg::BlockSparseMatrix& held) const {
  for (int k = 0; k < count(); ++k) {
    const int last = blocks_[k].size() - 1;
    const double impulse = impulses[blocks_[k].offset + last];
    const bool holds = last == 0 ? impulse > 0 : impulse != 0 && std::abs(impulse) < (1 - 1e-9) * bounds_[k];
    if (holds && blocks_[k].held_before) held.append_part_of_row(gradients, first_ + k, last, 1);
  }
}

void JointBlocks::account(const mechanics::JointActions& actions, const linalg::ReusableVector& impulses,
                          const linalg::ReusableVector& velocity_mean, double h, StepReport& report) const {
  report.joint_actions.assign(actions.count(), {});
  for (const Block& block : blocks_) {
    const int last = block.offset + block.size() - 1;
    const double impulse = impulses[last], work = impulse * velocity_mean[last];
    JointActionRecord& record = report.joint_actions[block.action];
    record.force += (block.side != 0 ? block.side : 1) * actions.arm(block.action) * impulse / h;
    record.power += work / h;
    const bool is_motor = block.action >= actions.limits() + actions.frictions();
    (is_motor ? report.works.drivers : report.works.joints) += work;
  }
}

JointBlocks::Created JointBlocks::created(const mechanics::JointActions& actions,
                                          const linalg::ReusableVector& impulses,
                                          const linalg::ReusableVector& velocity_before,
                                          const linalg::ReusableVector& velocity_after,
                                          const linalg::ReusableVector& velocity_mean) const {
  Created sum;
  for (const Block& block : blocks_) {
    if (block.action >= actions.limits() + actions.frictions()) continue;
    const int last = block.offset + block.size() - 1;
    sum.at_mean += std::max(0.5 * impulses[last] * (velocity_before[last] + velocity_after[last]), 0.0);
    sum.at_stage += std::max(impulses[last] * velocity_mean[last], 0.0);
  }
  return sum;
}

}  // namespace ricochet::integrate
