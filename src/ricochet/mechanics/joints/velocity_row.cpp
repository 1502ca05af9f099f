#include "ricochet/mechanics/joints/velocity_row.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace ricochet::mechanics {

VelocityRow::VelocityRow(const DofMap& map, const model::VelocityRow& row)
    : rotation_(row.kind == model::VelocityKind::rotation), axis_(row.axis), speed_(row.speed) {
  add_side(map, row.first, -1);
  add_side(map, row.second, 1);
}

void VelocityRow::add_side(const DofMap& map, const model::Attachment& attachment, double sign) {
  const int node = attachment.node.index;
  if (node < 0) return;
  Side& side = sides_[node_count_++];
  side.node = node;
  side.sign = sign;
  side.turns = map.is_frame(node);
  side.column = columns_;
  side.v_size = map.v_size(node);
  side.v_start = map.v_start(node);
  side.q_start = map.q_start(node);
  side.point = attachment.offset;
  columns_ += side.v_size;
}

Vector3 VelocityRow::local_axis(const Side& side, const State& state) const {
  const int start = side.q_start + 3;
  const math::Quaternion rotation{state.q[start], state.q[start + 1], state.q[start + 2], state.q[start + 3]};
  return rotation.rotate_inverse(axis_);
}

void VelocityRow::gradient(const State& state, Gradient& g) const {
  g.setZero(columns_);
  for (int i = 0; i < node_count_; ++i) {
    const Side& side = sides_[i];
    if (!rotation_) g.segment<3>(side.column) = side.sign * axis_.transpose();
    if (!side.turns) continue;
    const Vector3 axis = local_axis(side, state);
    const Vector3 turning = rotation_ ? axis : math::cross(side.point, axis);
    g.segment<3>(side.column + 3) = side.sign * turning.transpose();
  }
}

double VelocityRow::value(const State& state) const {
  Gradient g;
  gradient(state, g);
  double sum = -speed_.value(state.time);
  for (int i = 0; i < node_count_; ++i) {
    const Side& side = sides_[i];
    sum += g.segment(side.column, side.v_size).dot(state.v.segment(side.v_start, side.v_size));
  }
  return sum;
}

double VelocityRow::curvature(const State& state) const {
  double gamma = 0;
  if (rotation_) return gamma;
  for (int i = 0; i < node_count_; ++i) {
    const Side& side = sides_[i];
    if (!side.turns) continue;
    const Vector3 omega = state.v.segment<3>(side.v_start + 3);
    gamma += side.sign * local_axis(side, state).dot(math::cross(omega, math::cross(omega, side.point)));
  }
  return gamma;
}

void VelocityRow::tangent(const State& state, double lambda, Tangent& k) const {
  k.setZero(columns_, columns_);
  for (int i = 0; i < node_count_; ++i) {
    const Side& side = sides_[i];
    if (!side.turns) continue;
    const Matrix3 turned = (side.sign * lambda) * math::skew(local_axis(side, state));
    const int start = side.column + 3;
    if (rotation_) {
      k.block<3, 3>(start, start) = turned;
    } else {
      k.block<3, 3>(start, start) = math::skew(side.point) * turned;
    }
  }
}

void VelocityRow::add_force(const State& state, double lambda, VectorX& force) const {
  Gradient g;
  gradient(state, g);
  for (int i = 0; i < node_count_; ++i) {
    const Side& side = sides_[i];
    force.segment(side.v_start, side.v_size) += lambda * g.segment(side.column, side.v_size).transpose();
  }
}

Joint::Reaction VelocityRow::reaction(double lambda) const {
  Joint::Reaction reaction;
  (rotation_ ? reaction.torque : reaction.force) = lambda * axis_;
  return reaction;
}

namespace {

void require_row(bool condition, const model::VelocityRow& row, const std::string& sentence) {
  if (!condition) throw std::invalid_argument(fmt::format("velocity condition '{}': {}", row.name, sentence));
}

void check_row_side(const model::Model& model, const model::VelocityRow& row, const model::Attachment& attachment) {
  const int index = attachment.node.index;
  require_row(index >= -1 && index < static_cast<int>(model.nodes.size()), row, "names a node that does not exist");
  require_row(attachment.offset.allFinite(), row, "its points must be finite");
  if (index < 0 || model.nodes[index].kind == model::NodeKind::frame) return;
  const std::string& name = model.nodes[index].name;
  require_row(row.kind == model::VelocityKind::translation, row,
              fmt::format("'{}' is a point and does not rotate", name));
  require_row(attachment.offset.isZero(0), row,
              fmt::format("'{}' is a point, so the condition must be on it, without an offset", name));
}

}  // namespace

VelocityRow make_velocity_row(const model::Model& model, const model::VelocityRow& row, const DofMap& map) {
  check_row_side(model, row, row.first);
  check_row_side(model, row, row.second);
  require_row(row.first.node.valid() || row.second.node.valid(), row, "both sides are fixed in the world");
  require_row(!(row.first.node == row.second.node), row, "both sides are on the same node");
  require_row(std::abs(row.axis.norm() - 1) < 1e-12, row, "its axis must be a unit vector");
  const bool rotation = row.kind == model::VelocityKind::rotation;
  const bool moves = rotation ? row.axis.z() != 0 : row.axis.x() != 0 || row.axis.y() != 0;
  require_row(!model.planar || moves, row, "no motion in the plane of the model has a part along its axis");
  return {map, row};
}

}  // namespace ricochet::mechanics
