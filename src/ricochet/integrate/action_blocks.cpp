#include "ricochet/integrate/action_blocks.hpp"

#include <algorithm>

namespace ricochet::integrate {

namespace {

// Of the response that a coordinate would have without joints: where others hold it, as a drive does, what is left in W
// is rounding of either sign.
constexpr double kLeastPartOfResponse = 1e-12;

bool is_motor(const mechanics::JointActions& actions, int action) {
  return action >= actions.limits() + actions.frictions();
}

const math::TimeFunction& speed_of(const mechanics::JointActions& actions, int action) {
  return actions.motor(action - actions.limits() - actions.frictions()).speed;
}

}  // namespace

void ActionBlocks::take_all(const mechanics::JointActions& actions) {
  blocks_.clear();
  for (int limit = 0; limit < actions.limits(); ++limit) {
    blocks_.push_back({limit, 1, 0});
    blocks_.push_back({limit, -1, 0});
  }
  for (int action = actions.limits(); action < actions.count(); ++action) blocks_.push_back({action, 0, 0});
  bounds_.assign(blocks_.size(), 0);
}

void ActionBlocks::take_active(const ActionBlocks& all, std::span<const double> values,
                               std::span<const double> multipliers, double closed) {
  blocks_.clear();
  std::size_t offset = 0;
  for (const Block& block : all.blocks_) {
    const bool active = block.side == 0 || multipliers[offset] > 0 || values[offset] <= closed;
    if (active) blocks_.push_back(block);
    offset += static_cast<std::size_t>(block.size());
  }
  bounds_.assign(blocks_.size(), 0);
}

int ActionBlocks::scalars() const {
  int sum = 0;
  for (const Block& block : blocks_) sum += block.size();
  return sum;
}

void ActionBlocks::append_rows(const mechanics::Equations& equations, const mechanics::State& state,
                               linalg::BlockSparseMatrix& rows) {
  const mechanics::JointActions& actions = equations.joint_actions();
  for (Block& block : blocks_) {
    const double sign = block.side != 0 ? block.side : 1;
    equations.joints().append_coordinate_row(actions.coordinate(block.action), state, sign * actions.arm(block.action),
                                             block.size(), rows);
    block.response = equations.free_response(rows, rows.rows() - 1);
  }
}

void ActionBlocks::append_friction(cone::ContactProblem& problem) const {
  for (const Block& block : blocks_) problem.friction.emplace_back(block.side != 0 ? 0.0 : 1.0);
}

void ActionBlocks::complete(int first, cone::ContactProblem& problem) const {
  for (int k = 0; k < count(); ++k) {
    const Block& block = blocks_[k];
    linalg::MutableBlockView w = problem.delassus.block(first + k, cone::diagonal_entry(problem.delassus, first + k));
    double& response = w(block.size() - 1, block.size() - 1);
    response = std::max(response, kLeastPartOfResponse * block.response);
    if (block.side == 0) w(0, 0) = block.response;
  }
}

void ActionBlocks::set_bounds(const mechanics::JointActions& actions, const mechanics::State& state,
                              const VectorX& multipliers, double weight) {
  for (int k = 0; k < count(); ++k) {
    const Block& block = blocks_[k];
    if (block.side != 0) continue;
    const int first_motor = actions.limits() + actions.frictions();
    const double force = is_motor(actions, block.action)
                             ? actions.motor(block.action - first_motor).largest / actions.arm(block.action)
                             : actions.capacity(block.action - actions.limits(), state, multipliers);
    bounds_[k] = weight * force;
  }
}

void ActionBlocks::position_values(const mechanics::JointActions& actions, const mechanics::State& begin,
                                   const mechanics::State& now, std::span<const double> multipliers,
                                   std::span<double> values) const {
  std::size_t offset = 0;
  for (int k = 0; k < count(); ++k) {
    const Block& block = blocks_[k];
    if (block.side != 0) {
      values[offset] = actions.gap(block.action, block.side, now);
    } else {
      values[offset] = block.response * (multipliers[offset] - bounds_[k]);
      double moved = actions.value(block.action, now) - actions.value(block.action, begin);
      if (is_motor(actions, block.action)) {
        const math::TimeFunction& speed = speed_of(actions, block.action);
        const double h = now.time - begin.time;
        moved -=
            h / 6 * (speed.value(begin.time) + 4 * speed.value(0.5 * (begin.time + now.time)) + speed.value(now.time));
      }
      values[offset + 1] = actions.arm(block.action) * moved;
    }
    offset += static_cast<std::size_t>(block.size());
  }
}

void ActionBlocks::velocity_values(const mechanics::JointActions& actions, double time, std::span<const double> before,
                                   std::span<const double> impulses, std::span<double> values) const {
  std::size_t offset = 0;
  for (int k = 0; k < count(); ++k) {
    const Block& block = blocks_[k];
    if (block.side != 0) {
      values[offset] += actions.limit(block.action).restitution * std::min(before[offset], 0.0);
    } else {
      values[offset] = block.response * (impulses[offset] - bounds_[k]);
      if (is_motor(actions, block.action)) {
        values[offset + 1] -= actions.arm(block.action) * speed_of(actions, block.action).value(time);
      }
    }
    offset += static_cast<std::size_t>(block.size());
  }
}

void ActionBlocks::account(const mechanics::JointActions& actions, std::span<const double> impulses,
                           std::span<const double> mean, double h, StepReport& report) const {
  report.joint_actions.assign(actions.count(), {});
  std::size_t offset = 0;
  for (const Block& block : blocks_) {
    const std::size_t last = offset + static_cast<std::size_t>(block.size()) - 1;
    const double impulse = impulses[last], work = impulse * mean[last];
    const double sign = block.side != 0 ? block.side : 1;
    JointActionRecord& record = report.joint_actions[block.action];
    record.force += sign * actions.arm(block.action) * impulse / h;
    record.power += work / h;
    (is_motor(actions, block.action) ? report.works.drivers : report.works.joints) += work;
    offset = last + 1;
  }
}

}  // namespace ricochet::integrate
