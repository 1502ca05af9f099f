#include "ricochet/mechanics/joints/joint_set.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/mechanics/joints/joint_factory.hpp"

namespace ricochet::mechanics {

JointSet::JointSet(const model::Model& model, const DofMap& map, int first_angle)
    : node_sizes_(map.v_sizes()), holds_node_(model.nodes.size(), 0) {
  const auto mark = [&](const auto& joint) {
    for (int i = 0; i < joint.nodes(); ++i) holds_node_[joint.node(i)] = 1;
  };
  for (int i = 0; i < static_cast<int>(model.joints.size()); ++i) {
    joints_.push_back(make_joint(model, model.joints, {i}, map));
    mark(joints_.back());
    row_start_.push_back(rows_);
    angle_start_.push_back(first_angle + angles_);
    for (int row = 0; row < joints_.back().rows(); ++row) {
      units_.push_back(joints_.back().unit(row));
      owners_.push_back(i);
    }
    rows_ += joints_.back().rows();
    angles_ += joints_.back().coordinate_count();
  }
  for (const model::VelocityRow& row : model.velocity_rows) {
    owners_.push_back(static_cast<int>(joints_.size() + velocity_rows_.size()));
    velocity_rows_.push_back(make_velocity_row(model, row, map));
    mark(velocity_rows_.back());
    units_.push_back(velocity_rows_.back().unit());
    ++rows_;
  }
}

Joint::Coordinates JointSet::coordinates_of(int joint, const State& state) const {
  Joint::Coordinates coordinates = {};
  for (int k = 0; k < joints_[joint].coordinate_count(); ++k) coordinates[k] = state.angles[angle_start_[joint] + k];
  return coordinates;
}

void JointSet::set_start_coordinates(State& state) const {
  for (int i = 0; i < joints(); ++i) {
    const Joint::Coordinates start = joints_[i].start_coordinates(state);
    for (int k = 0; k < joints_[i].coordinate_count(); ++k) state.angles[angle_start_[i] + k] = start[k];
  }
}

void JointSet::update_coordinates(State& state) const {
  for (int i = 0; i < joints(); ++i) {
    const Joint::Coordinates now = joints_[i].coordinates(state, coordinates_of(i, state));
    for (int k = 0; k < joints_[i].coordinate_count(); ++k) state.angles[angle_start_[i] + k] = now[k];
  }
}

void JointSet::values(const State& state, VectorX& g) const {
  g.setZero(rows_);
  Joint::Rows local;
  for (int i = 0; i < joints(); ++i) {
    joints_[i].value(state, coordinates_of(i, state), local);
    g.segment(row_start_[i], local.size()) = local;
  }
}

double JointSet::error(const State& state, double arm) const {
  double largest = 0;
  Joint::Rows local;
  for (int i = 0; i < joints(); ++i) {
    joints_[i].value(state, coordinates_of(i, state), local);
    for (int k = 0; k < joints_[i].rows(); ++k) {
      const double length = joints_[i].unit(k) == JointUnit::angle ? arm : 1.0;
      largest = std::max(largest, length * std::abs(local[k]));
    }
  }
  return largest;
}

// Block columns must come in ascending order of nodes; a joint numbers its nodes as it was told of them.
template <class Rows>
void JointSet::append_rows(const Rows& joint, const Eigen::Ref<const MatrixX>& local,
                           linalg::BlockSparseMatrix& g) const {
  g.begin_row(static_cast<int>(local.rows()));
  for (int last = -1, count = 0; count < joint.nodes(); ++count) {
    int next = -1;
    for (int i = 0; i < joint.nodes(); ++i) {
      if (joint.node(i) > last && (next < 0 || joint.node(i) < joint.node(next))) next = i;
    }
    g.append(joint.node(next)) = local.middleCols(joint.column(next), joint.v_size(next));
    last = joint.node(next);
  }
}

void JointSet::gradients(const State& state, linalg::BlockSparseMatrix& g) const {
  g.reset(node_sizes_);
  Joint::Gradient local;
  for (const Joint& joint : joints_) {
    joint.gradient(state, local);
    append_rows(joint, local, g);
  }
  VelocityRow::Gradient row;
  for (const VelocityRow& velocity_row : velocity_rows_) {
    velocity_row.gradient(state, row);
    append_rows(velocity_row, row, g);
  }
}

void JointSet::append_coordinate_row(const model::JointCoordinate& coordinate, const State& state, double factor,
                                     int size, linalg::BlockSparseMatrix& rows) const {
  const Joint& joint = joints_[coordinate.joint.index];
  Joint::Gradient gradient, block;
  joint.coordinate_gradient(state, coordinate.index, gradient);
  block.setZero(size, joint.columns());
  block.row(size - 1) = factor * gradient.row(0);
  append_rows(joint, block, rows);
}

template <class Rows>
void JointSet::add_tangent(const Rows& joint, const Eigen::Ref<const MatrixX>& local, linalg::EffectiveMass& matrix) {
  for (int i = 0; i < joint.nodes(); ++i) {
    for (int j = 0; j < joint.nodes(); ++j) {
      matrix.add(joint.node(i), joint.node(j),
                 local.block(joint.column(i), joint.column(j), joint.v_size(i), joint.v_size(j)));
    }
  }
}

void JointSet::add_no_tangent(const Joint& joint, linalg::EffectiveMass& matrix) {
  for (int i = 0; i < joint.nodes(); ++i) {
    for (int j = 0; j < joint.nodes(); ++j) matrix.add_zero(joint.node(i), joint.node(j));
  }
}

void JointSet::add_tangents(const State& state, const VectorX& lambda, double factor,
                            linalg::EffectiveMass& matrix) const {
  Joint::Tangent tangent;
  Joint::Rows of_joint;
  for (int i = 0; i < joints(); ++i) {
    of_joint = lambda.segment(row_start_[i], joints_[i].rows());
    if (of_joint.isZero(0)) {
      add_no_tangent(joints_[i], matrix);
    } else {
      joints_[i].tangent(state, of_joint, tangent);
      tangent *= factor;
      add_tangent(joints_[i], tangent, matrix);
    }
  }
  VelocityRow::Tangent of_row;
  const int start = rows_ - static_cast<int>(velocity_rows_.size());
  for (std::size_t i = 0; i < velocity_rows_.size(); ++i) {
    velocity_rows_[i].tangent(state, factor * lambda[start + static_cast<int>(i)], of_row);
    add_tangent(velocity_rows_[i], of_row, matrix);
  }
}

void JointSet::rates(double time, VectorX& g_t) const {
  g_t.setZero(rows_);
  Joint::Rows first, second;
  for (int i = 0; i < joints(); ++i) {
    joints_[i].time_derivatives(time, first, second);
    g_t.segment(row_start_[i], first.size()) = first;
  }
  const int start = rows_ - static_cast<int>(velocity_rows_.size());
  for (std::size_t i = 0; i < velocity_rows_.size(); ++i) {
    g_t[start + static_cast<int>(i)] = velocity_rows_[i].explicit_rate(time);
  }
}

void JointSet::accelerations(const State& state, VectorX& gamma) const {
  gamma.setZero(rows_);
  Joint::Rows curvature, first, second;
  for (int i = 0; i < joints(); ++i) {
    joints_[i].curvature(state, curvature);
    joints_[i].time_derivatives(state.time, first, second);
    gamma.segment(row_start_[i], curvature.size()) = curvature + second;
  }
  const int start = rows_ - static_cast<int>(velocity_rows_.size());
  for (std::size_t i = 0; i < velocity_rows_.size(); ++i) {
    gamma[start + static_cast<int>(i)] =
        velocity_rows_[i].curvature(state) + velocity_rows_[i].time_derivative(state.time);
  }
}

}  // namespace ricochet::mechanics
