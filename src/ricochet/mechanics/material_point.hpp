// A point fixed in a body (or in the world): its position, velocity and gradient. Springs, loads, contacts and probes
// all attach to material points.
#pragma once

#include "ricochet/math/types.hpp"
#include "ricochet/mechanics/state.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

class MaterialPoint {
 public:
  MaterialPoint() = default;
  explicit MaterialPoint(const model::Attachment& attachment)
      : node_(attachment.node.index), offset_(attachment.offset) {}

  bool in_world() const { return node_ < 0; }
  int node() const { return node_; }

  Vector3 position(const DofMap& map, const State& state) const;
  Vector3 velocity(const DofMap& map, const State& state) const;

  // From the node to the point, in world axes (m): R a, zero for a point node.
  Vector3 arm(const DofMap& map, const State& state) const;

  // The rotational part of the gradient: dx/dTheta = -R a~ (3x3), with Theta the body rotation increment.
  Matrix3 rotation_gradient(const DofMap& map, const State& state) const;

  // Adds the generalised force of a world force at this point: f, and a x (R^T f) about the body axes.
  void add_force(const DofMap& map, const State& state, const Vector3& force, VectorX& generalised) const;

 private:
  int node_ = -1;
  Vector3 offset_ = Vector3::Zero();
};

}  // namespace ricochet::mechanics
