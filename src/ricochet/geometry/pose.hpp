// Where a solid is: its position and rotation in common axes (those of the world, as a rule).
#pragma once

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::geometry {

struct Pose {
  Vector3 position = Vector3::Zero();  // m
  math::Quaternion rotation = {};      // axes of the solid to common axes

  Vector3 apply(const Vector3& point) const { return position + rotation.rotate(point); }
};

// One solid in the axes of another. All searching is done there, between the middles of the two: then the numbers are
// as small as the solids, wherever in the world they are, and lengths enter homogeneously. So solids and places scaled
// by a power of two give results scaled by it, bit for bit.
struct Placement {
  Matrix3 rotation = Matrix3::Identity();  // axes of A to axes of B
  Vector3 position = Vector3::Zero();      // m, of the middle of A from the middle of B, in axes of B

  Vector3 apply(const Vector3& point) const { return position + rotation * point; }
  Vector3 turn(const Vector3& direction) const { return rotation * direction; }
  Vector3 turn_back(const Vector3& direction) const { return rotation.transpose() * direction; }
  Placement inverse() const { return {rotation.transpose(), -(rotation.transpose() * position)}; }
};

}  // namespace ricochet::geometry
