// Where a body is at a state: read once for all of its features. A node without rotation leaves them at its position.
#pragma once

#include "ricochet/math/rotation.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::contact {

struct BodyPlace {
  Vector3 position = Vector3::Zero();  // m, of the node
  math::Quaternion rotation;
  bool turns = false;

  // From the node to a point given in its axes, world components (m).
  Vector3 arm(const Vector3& offset) const { return turns ? rotation.rotate(offset) : Vector3::Zero(); }
};

// Of what is fixed in the world and given there.
inline BodyPlace in_world() { return {Vector3::Zero(), {}, true}; }

inline BodyPlace place_of(const mechanics::DofMap& map, const mechanics::State& state, int node) {
  return {mechanics::position(map, state, node), mechanics::orientation(map, state, node), map.is_frame(node)};
}

}  // namespace ricochet::contact
