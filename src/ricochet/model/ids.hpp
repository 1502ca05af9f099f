// How elements of a model refer to each other: typed indices, and points of bodies.
#pragma once

#include "ricochet/math/types.hpp"

namespace ricochet::model {

// A typed index, so that the number of a body cannot be taken for the number of a node.
template <class Tag>
struct Id {
  int index = -1;
  bool valid() const { return index >= 0; }
  friend bool operator==(Id, Id) = default;
};
using NodeId = Id<struct NodeTag>;
using BodyId = Id<struct BodyTag>;
using SurfaceId = Id<struct SurfaceTag>;
using SystemId = Id<struct SystemTag>;
using RuleId = Id<struct RuleTag>;
using JointId = Id<struct JointTag>;
using DriverId = Id<struct DriverTag>;
using MaterialId = Id<struct MaterialTag>;
using ClearanceId = Id<struct ClearanceTag>;

// A point carried by a node (offset in its axes, m) or, without a node, a point of the world.
struct Attachment {
  NodeId node;
  Vector3 offset = Vector3::Zero();
};

}  // namespace ricochet::model
