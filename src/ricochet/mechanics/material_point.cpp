#include "ricochet/mechanics/material_point.hpp"

namespace ricochet::mechanics {

Vector3 MaterialPoint::arm(const DofMap& map, const State& state) const {
  if (in_world() || !map.is_frame(node_)) return Vector3::Zero();
  return orientation(map, state, node_).rotate(offset_);
}

Vector3 MaterialPoint::position(const DofMap& map, const State& state) const {
  if (in_world()) return offset_;
  return mechanics::position(map, state, node_) + arm(map, state);
}

Vector3 MaterialPoint::velocity(const DofMap& map, const State& state) const {
  if (in_world()) return Vector3::Zero();
  const int start = map.v_start(node_);
  Vector3 velocity = state.v.segment<3>(start);
  if (map.is_frame(node_)) {
    const Vector3 angular = state.v.segment<3>(start + 3);
    velocity += orientation(map, state, node_).rotate(math::cross(angular, offset_));
  }
  return velocity;
}

Matrix3 MaterialPoint::rotation_gradient(const DofMap& map, const State& state) const {
  if (in_world() || !map.is_frame(node_)) return Matrix3::Zero();
  return -orientation(map, state, node_).matrix() * math::skew(offset_);
}

void MaterialPoint::add_force(const DofMap& map, const State& state, const Vector3& force, VectorX& generalised) const {
  if (in_world()) return;
  const int start = map.v_start(node_);
  generalised.segment<3>(start) += force;
  if (map.is_frame(node_)) {
    generalised.segment<3>(start + 3) += math::cross(offset_, orientation(map, state, node_).rotate_inverse(force));
  }
}

}  // namespace ricochet::mechanics
