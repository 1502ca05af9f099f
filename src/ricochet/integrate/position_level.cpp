#include "ricochet/integrate/position_level.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/integrate/kinetic_norm.hpp"

namespace ricochet::integrate {

using mechanics::State;

namespace {

constexpr double kRoundingOfPositions = 64 * std::numeric_limits<double>::epsilon();

// U that leads from one place to another.
void displacement(const mechanics::DofMap& map, const VectorX& from, const VectorX& to, VectorX& moved) {
  moved.setZero(map.v_total());
  for (int node = 0; node < map.nodes(); ++node) {
    const int q = map.q_start(node), v = map.v_start(node);
    if (map.is_generalised(node)) {
      const int size = map.v_size(node);
      moved.segment(v, size) = to.segment(q, size) - from.segment(q, size);
      continue;
    }
    moved.segment<3>(v) = to.segment<3>(q) - from.segment<3>(q);
    if (!map.is_frame(node) || to.segment<4>(q + 3) == from.segment<4>(q + 3)) continue;
    const math::Quaternion before{from[q + 3], from[q + 4], from[q + 5], from[q + 6]};
    const math::Quaternion after{to[q + 3], to[q + 4], to[q + 5], to[q + 6]};
    moved.segment<3>(v + 3) = math::logarithm(before.conjugate() * after);
  }
}

double largest_coordinate(const mechanics::DofMap& map, const State& state) {
  double largest = 0;
  for (int node = 0; node < map.nodes(); ++node) {
    if (map.is_generalised(node)) continue;
    largest = std::max(largest, mechanics::position(map, state, node).lpNorm<Eigen::Infinity>());
  }
  return largest;
}

// Of coordinates that need not be lengths, in the same norm.
double rounding_of_systems(const mechanics::Equations& equations, const State& state) {
  const mechanics::DofMap& map = equations.map();
  double sum = 0;
  for (int node = 0; node < map.nodes(); ++node) {
    if (!map.is_generalised(node)) continue;
    for (int i = 0; i < map.v_size(node); ++i) {
      const double size = std::max(std::abs(state.q[map.q_start(node) + i]), std::min(1.0, equations.size()));
      sum += equations.mass_diagonal()[map.v_start(node) + i] * size * size;
    }
  }
  return kRoundingOfPositions * std::sqrt(sum);
}

}  // namespace

void PositionLevel::begin(const System& system, const Instant& begin, double h, const SmoothMotion& smooth) {
  system_ = &system;
  begin_ = &begin;
  smooth_ = &smooth;
  h_ = h;
  state_ = smooth.state();
  actions_.take_all(system.equations.joint_actions());
  if (system.equations.joints().rows() > 0) {
    smooth_joints_.setZero(system.equations.map().v_total());
    smooth.rows().transpose_multiply_add(smooth.multipliers(), smooth_joints_);
  }
}

void PositionLevel::take(const std::vector<contact::Contact>& contacts) {
  contacts_ = contacts;
  couples_ = std::any_of(contacts_.begin(), contacts_.end(), contact::ContactMotion::couples);
}

int PositionLevel::scalars() const { return system_->contacts.scalars(contacts_) + actions_.scalars(); }

void PositionLevel::evaluate(const VectorX& multipliers, const linalg::ReusableVector& impulses, Residuals& residuals) {
  const mechanics::Equations& equations = system_->equations;
  const KineticNorm norm(equations);
  displacement(equations.map(), smooth_->state().q, state_.q, moved_);
  equations.multiply_mass(smooth_->state(), moved_, residuals.momentum);
  residuals.size = norm(residuals.momentum);
  if (equations.dependence() != mechanics::Dependence::none) {
    equations.force(state_, force_);
    force_ = h_ * h_ * (force_ - smooth_->force());
    if (equations.mass_changes()) {
      smooth_->changed_inertia(equations, state_, part_);
      force_ -= h_ * h_ * part_;
    }
    residuals.momentum -= force_;
    residuals.size += norm(force_);
  }
  residuals.rows.resize(0);
  if (equations.joints().rows() > 0) {
    equations.joints().values(state_, residuals.rows);
    equations.joints().gradients(state_, rows_);
    all_multipliers_ = multipliers + h_ * h_ * smooth_->multipliers();
    part_ = -h_ * h_ * smooth_joints_;
    rows_.transpose_multiply_add(all_multipliers_, part_);
    residuals.momentum -= part_;
    residuals.size += norm(part_);
  }
  residuals.values.resize(scalars());
  if (scalars() > 0) {
    const contact::ContactMotion motion(system_->contacts, begin_->state);
    Eigen::Index offset = 0;
    for (contact::Contact& contact : contacts_) {
      motion.move(state_, contact);
      const contact::ContactBlock& block = system_->contacts.block(contact);
      const Vector2 slip = motion.slip(contact, state_);
      const Vector3 turn = block.resists() ? motion.turn(contact, state_) : Vector3::Zero();
      block.set_velocity(Vector3(contact.gap, slip[0], slip[1]), turn, residuals.values.data() + offset);
      offset += block.size;
    }
    motion.gradients(state_, contacts_, gradients_);
    if (actions_.count() > 0) {
      const mechanics::JointActions& actions = equations.joint_actions();
      actions_.append_rows(equations, state_, gradients_);
      // What joints carry: a force F over the step has the multiplier h^2 F/2 here.
      part_ = smooth_->multipliers() + 2 / (h_ * h_) * multipliers;
      actions_.set_bounds(actions, state_, part_, 0.5 * h_ * h_);
      const std::size_t count = actions_.scalars();
      actions_.position_values(actions, begin_->state, state_, {impulses.data() + offset, count},
                               {residuals.values.data() + offset, count});
    }
    part_.setZero(residuals.momentum.size());
    gradients_.transpose_multiply_add(impulses, part_);
    residuals.momentum -= part_;
    residuals.size += norm(part_);
  }
  const double position = kRoundingOfPositions * (equations.size() + largest_coordinate(equations.map(), state_));
  double mass = 0;
  for (int node = 0; node < equations.map().nodes(); ++node) mass = std::max(mass, equations.node_mass(node));
  residuals.rounding = position * std::sqrt(mass) + rounding_of_systems(equations, state_);
}

bool PositionLevel::linearise(const VectorX& multipliers, const linalg::ReusableVector& impulses) {
  const mechanics::Equations& equations = system_->equations;
  const mechanics::DofMap& map = equations.map();
  std::unique_ptr<linalg::EffectiveMass>& chosen = couples_ ? coupled_ : own_;
  if (!chosen) {
    chosen =
        couples_ ? linalg::make_sparse_mass(map.v_sizes(), map.free_components()) : equations.make_effective_mass();
  }
  matrix_ = chosen.get();
  const bool has_forces = equations.dependence() != mechanics::Dependence::none;
  equations.begin_matrix(state_, 0, has_forces ? h_ * h_ : 0, *matrix_);
  // U changes by the inverse tangent of the rotation times the increment at the iterate.
  for (int node = 0; node < map.nodes(); ++node) {
    if (!map.is_frame(node)) continue;
    const Vector3 turn = moved_.segment<3>(map.v_start(node) + 3);
    if (turn.isZero(0)) continue;
    Matrix6 block = Matrix6::Zero();
    block.bottomRightCorner<3, 3>() =
        equations.node_inertia(node) * (math::right_tangent_inverse(turn) - Matrix3::Identity());
    matrix_->add(node, node, block);
  }
  if (equations.joints().rows() > 0) {
    all_multipliers_ = multipliers + h_ * h_ * smooth_->multipliers();
    equations.joints().add_tangents(state_, all_multipliers_, -1, *matrix_);
  }
  if (!contacts_.empty()) {
    const contact::ContactMotion motion(system_->contacts, begin_->state);
    motion.add_curvature(state_, contacts_, impulses, -1, *matrix_);
  }
  if (equations.joints().rows() > 0) matrix_->set_rows(rows_);
  matrix_->factorise();
  return true;
}

void PositionLevel::complete(cone::ContactProblem& problem) const {
  actions_.complete(static_cast<int>(contacts_.size()), problem);
}

void PositionLevel::move(const VectorX& change, double part) {
  mechanics::advance(system_->equations.map(), kept_, change, part, state_.q);
}

}  // namespace ricochet::integrate
