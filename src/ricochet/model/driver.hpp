// Drivers as plain data: motion that is prescribed as a function of time, for a node or for a surface.
//
// What is driven needs no equation: its velocity is known. The force that it takes is a result, and its work is an
// entry of the energy ledger. A driver prescribes translation, rotation, or both.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "ricochet/math/time_function.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/ids.hpp"

namespace ricochet::model {

enum class DriverLevel {
  position,  // the function is a position (m) or an angle (rad)
  velocity,  // the function is a velocity (m/s) or an angular velocity (rad/s)
};

struct DrivenTranslation {
  DriverLevel level = DriverLevel::velocity;
  std::array<math::TimeFunction, 3> function;           // world components, of the node or of a point of the surface
  std::array<bool, 3> components = {true, true, true};  // which are prescribed; the others stay free
};

// Rotation about an axis that is fixed in the world and in what turns. An angle counts from the orientation at t = 0.
struct DrivenRotation {
  DriverLevel level = DriverLevel::velocity;
  math::TimeFunction function;
  Vector3 axis = Vector3::UnitZ();   // unit vector: axes of the node, or of the world for a surface
  Vector3 center = Vector3::Zero();  // m, world: a point of the axis of a surface (moves with its translation)
  bool only_about_axis = false;      // a node may turn freely about the other two axes; the axis is x, y or z then
};

struct Driver {
  std::string name;
  NodeId node;        // either a node
  SurfaceId surface;  // or a surface
  std::optional<DrivenTranslation> translation;
  std::optional<DrivenRotation> rotation;
};

// The velocity that a prescribed function means at a time: its rate if it is a position, its value if it is a velocity.
inline double driven_rate(DriverLevel level, const math::TimeFunction& function, double time) {
  return level == DriverLevel::position ? function.rate(time) : function.value(time);
}

// Whether a driver prescribes a velocity component of its node: x, y, z of the world, then rotation about its axes.
inline bool drives(const Driver& driver, int component) {
  if (component < 3) return driver.translation && driver.translation->components[component];
  return driver.rotation && (!driver.rotation->only_about_axis || driver.rotation->axis[component - 3] != 0);
}

}  // namespace ricochet::model
