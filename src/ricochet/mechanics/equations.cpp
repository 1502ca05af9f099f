#include "ricochet/mechanics/equations.hpp"

#include <algorithm>

#include "ricochet/mechanics/applied_loads.hpp"
#include "ricochet/mechanics/gravity.hpp"
#include "ricochet/mechanics/gyroscopic.hpp"
#include "ricochet/mechanics/joints/joint_efforts.hpp"
#include "ricochet/mechanics/joints/joint_springs.hpp"
#include "ricochet/mechanics/springs.hpp"
#include "ricochet/mechanics/torsion_springs.hpp"
#include "ricochet/mechanics/user_forces.hpp"
#include "ricochet/model/machine_size.hpp"
#include "ricochet/model/mass_properties.hpp"

namespace ricochet::mechanics {

Equations::Equations(const model::Model& model)
    : map_(model),
      driven_motion_(model, map_),
      joints_(std::make_unique<JointSet>(model, map_, static_cast<int>(model.torsion_springs.size()))),
      joint_actions_(model, *joints_, model::machine_size(model)),
      presence_(model, map_),
      initial_state_(mechanics::initial_state(model, map_)),
      masses_(model.nodes.size()),
      size_(model::machine_size(model)) {
  driven_motion_.set_start(initial_state_);
  presence_.set_start(initial_state_);
  initial_state_.angles.conservativeResize(initial_state_.angles.size() + joints_->coordinates());
  joints_->set_start_coordinates(initial_state_);
  for (const model::Body& body : model.bodies) {
    masses_[body.node.index].mass += body.mass;
    masses_[body.node.index].inertia += model::about_point({body.mass, body.center, body.inertia}, Vector3::Zero());
    if (!map_.moves_freely(body.node.index)) continue;
    weight_ += body.mass * model.gravity.norm();
    weight_norm_squared_ += body.mass * model.gravity.squaredNorm();
  }
  terms_.push_back(make_gravity(model, map_));
  if (!model.loads.empty()) terms_.push_back(make_applied_loads(model, map_));
  std::vector<Matrix3> inertia;
  for (const NodeMass& node : masses_) inertia.push_back(node.inertia);
  if (auto gyroscopic = make_gyroscopic(map_, inertia)) terms_.push_back(std::move(gyroscopic));
  if (!model.springs.empty()) terms_.push_back(make_springs(model, map_));
  if (!model.torsion_springs.empty()) terms_.push_back(make_torsion_springs(model, map_));
  if (!model.joint_springs.empty()) terms_.push_back(make_joint_springs(model, map_, *joints_));
  if (!model.user_forces.empty()) terms_.push_back(make_user_forces(model, map_));
  if (!model.user_efforts.empty()) terms_.push_back(make_joint_efforts(model, map_, *joints_));
  if (!model.systems.empty()) {
    auto systems = std::make_unique<Systems>(model, map_);
    systems_ = systems.get();
    terms_.push_back(std::move(systems));
  }
  for (const auto& term : terms_) {
    dependence_ = std::max(dependence_, term->dependence());
    couples_nodes_ = couples_nodes_ || term->couples_nodes();
  }
  couples_nodes_ = couples_nodes_ || joints_->rows() > 0;
  set_mass_diagonal();
}

std::unique_ptr<linalg::EffectiveMass> Equations::make_effective_mass() const {
  return couples_nodes_ ? linalg::make_sparse_mass(map_.v_sizes(), map_.free_components())
                        : linalg::make_block_diagonal_mass(map_.v_sizes(), map_.free_components());
}

void Equations::assemble(const State& state, double damping_factor, double stiffness_factor,
                         const linalg::BlockSparseMatrix& joint_rows, linalg::EffectiveMass& matrix) const {
  begin_matrix(state, damping_factor, stiffness_factor, matrix);
  matrix.set_rows(joint_rows);
  matrix.factorise();
}

void Equations::assemble(const State& state, double damping_factor, double stiffness_factor,
                         const linalg::BlockSparseMatrix& joint_rows, const VectorX& multipliers,
                         double multiplier_factor, linalg::EffectiveMass& matrix) const {
  begin_matrix(state, damping_factor, stiffness_factor, matrix);
  if (joints_->rows() > 0) joints_->add_tangents(state, multipliers, -multiplier_factor, matrix);
  matrix.set_rows(joint_rows);
  matrix.factorise();
}

void Equations::begin_matrix(const State& state, double damping_factor, double stiffness_factor,
                             linalg::EffectiveMass& matrix) const {
  matrix.clear();
  for (int node = 0; node < map_.nodes(); ++node) {
    if (map_.is_generalised(node)) continue;
    Matrix6 block = Matrix6::Zero();
    block.topLeftCorner<3, 3>() = masses_[node].mass * Matrix3::Identity();
    block.bottomRightCorner<3, 3>() = masses_[node].inertia;
    const int size = map_.v_size(node);
    matrix.add(node, node, block.topLeftCorner(size, size));
  }
  if (systems_ != nullptr) systems_->add_mass(state, matrix);
  for (const auto& term : terms_) term->add_tangents(state, damping_factor, stiffness_factor, matrix);
}

void Equations::force(const State& state, VectorX& force) const {
  force.setZero(map_.v_total());
  for (const auto& term : terms_) term->add_force(state, force);
  presence_.clear_absent(state, force);
}

void Equations::multiply_mass(const State& state, const VectorX& v, VectorX& momentum) const {
  momentum.resize(v.size());
  if (systems_ != nullptr) systems_->multiply_mass(state, v, momentum);
  for (int node = 0; node < map_.nodes(); ++node) {
    if (map_.is_generalised(node)) continue;
    const int start = map_.v_start(node);
    momentum.segment<3>(start) = masses_[node].mass * v.segment<3>(start);
    if (map_.is_frame(node)) {
      momentum.segment<3>(start + 3).noalias() = masses_[node].inertia * v.segment<3>(start + 3);
    }
  }
}

double Equations::total_mass() const {
  double sum = 0;
  for (const NodeMass& node : masses_) sum += node.mass;
  return sum;
}

void Equations::set_mass_diagonal() {
  mass_diagonal_.resize(map_.v_total());
  if (systems_ != nullptr) systems_->mass_diagonal(initial_state_, mass_diagonal_);
  for (int node = 0; node < map_.nodes(); ++node) {
    if (map_.is_generalised(node)) continue;
    const int start = map_.v_start(node);
    mass_diagonal_.segment<3>(start).setConstant(masses_[node].mass);
    if (map_.is_frame(node)) mass_diagonal_.segment<3>(start + 3) = masses_[node].inertia.diagonal();
  }
}

double Equations::mass_norm_squared(const State& state, const VectorX& dv) const {
  double sum = systems_ != nullptr ? systems_->mass_norm_squared(state, dv) : 0;
  for (int node = 0; node < map_.nodes(); ++node) {
    if (map_.is_generalised(node)) continue;
    const int start = map_.v_start(node);
    sum += masses_[node].mass * dv.segment<3>(start).squaredNorm();
    if (map_.is_frame(node)) {
      const Vector3 angular = dv.segment<3>(start + 3);
      sum += angular.dot(masses_[node].inertia * angular);
    }
  }
  return sum;
}

double Equations::free_response(const linalg::BlockSparseMatrix& rows, int row) const {
  double sum = 0;
  for (const auto& entry : rows.row(row)) {
    const linalg::BlockView block = rows.block(row, entry);
    const NodeMass& node = masses_[entry.column];
    for (int k = 0; k < block.cols(); ++k) {
      const double mass = k < 3 ? node.mass : node.inertia(k - 3, k - 3);
      const double value = block(block.rows() - 1, k);
      if (mass > 0) sum += value * value / mass;
    }
  }
  return sum;
}

double Equations::potential_energy(const State& state) const {
  double sum = 0;
  for (const auto& term : terms_) sum += term->potential(state);
  return sum;
}

double Equations::strain_energy(const State& state) const {
  double sum = 0;
  for (const auto& term : terms_) sum += term->strain_energy(state);
  return sum;
}

double Equations::energy_size(const State& state) const {
  double sum = 0;
  for (const auto& term : terms_) sum += term->energy_size(state);
  return sum;
}

Powers Equations::powers(const State& state) const {
  Powers powers;
  for (const auto& term : terms_) term->add_powers(state, powers);
  return powers;
}

double Equations::prescribed_work(const State& begin, const State& end) const {
  double sum = 0;
  for (const auto& term : terms_) sum += term->prescribed_work(begin, end);
  return sum;
}

double Equations::stage_excess(const State& begin, const State& stage, const State& end, double theta, double h) const {
  double sum = 0;
  for (const auto& term : terms_) sum += term->stage_excess(begin, stage, end, theta, h);
  return sum;
}

void Equations::update_angles(State& state, double h) const {
  for (const auto& term : terms_) term->update_angles(state, h);
  joints_->update_coordinates(state);
}

}  // namespace ricochet::mechanics
