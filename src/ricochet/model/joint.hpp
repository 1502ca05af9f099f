// Joints as plain data: which two frames are connected, how, and with which numbers. At the end, conditions on
// velocities alone.
//
// Every joint connects a first and a second frame. Either may belong to a node or, without a node, be fixed in the
// world. The third axis (z) of a joint frame is the axis of the joint: what turns, turns about it; what slides, slides
// along it. Coordinates measure the second frame relative to the first:
//
//   type          second frame relative to the first                             coordinates
//   ball          same point                                                     none
//   revolute      same point, same z                                             0 angle about z
//   universal     same point, z of the first normal to x of the second           0 angle about z of the first,
//                                                                                1 angle about x of the second
//   cylindrical   point on the z axis, same z                                    0 translation, 1 angle
//   prismatic     point on the z axis, same orientation                          0 translation
//   planar        point in the x-y plane, same z                                 0 x, 1 y, 2 angle about z
//   fixed         same point, same orientation                                   none
//   distance      length between the points = target(t)                          0 length
//   screw         cylindrical, and translation = pitch angle/(2 pi) + target(t)   0 translation, 1 angle
//
// Three types act on coordinates of other joints and have no frames of their own; their coordinates are those they
// name:
//
//   gear          first angle = ratio * second angle + target(t)                 0 first, 1 second
//   coupler       first coordinate = ratio * second coordinate + target(t)       0 first, 1 second
//   drive         first coordinate = target(t)                                   0 first
//
// Without a target, the relation (distance, screw, gear, coupler, drive) holds as the nodes are placed in the model.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/time_function.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/ids.hpp"

namespace ricochet::model {

enum class JointType {
  ball,
  revolute,
  universal,
  cylindrical,
  prismatic,
  planar,
  fixed,
  distance,
  screw,
  gear,
  coupler,
  drive,
};

// A word for messages and files: "revolute".
inline const char* name_of(JointType type) {
  constexpr std::array<const char*, 12> names = {"ball",  "revolute", "universal", "cylindrical", "prismatic", "planar",
                                                 "fixed", "distance", "screw",     "gear",        "coupler",   "drive"};
  return names[static_cast<std::size_t>(type)];
}

// Gears, couplers and drives: they name coordinates of other joints and have no frames.
inline bool acts_on_coordinates(JointType type) {
  return type == JointType::gear || type == JointType::coupler || type == JointType::drive;
}

// Whether a joint of this type keeps a relation that may be a function of time.
inline bool has_target(JointType type) {
  return type == JointType::distance || type == JointType::screw || acts_on_coordinates(type);
}

// A point of a body (or of the world) and three axes there. A point node has no axes of its own: those given are then
// world axes.
struct JointFrame {
  Attachment attachment;
  math::Quaternion axes;  // joint axes to body axes (or world axes)
};

// One coordinate of another joint, numbered as in the table above.
struct JointCoordinate {
  JointId joint;
  int index = 0;
};

struct Joint {
  std::string name;
  JointType type = JointType::ball;
  JointFrame first;                          // not for gear, coupler, drive
  JointFrame second;                         // not for gear, coupler, drive
  double pitch = 0;                          // screw: m per turn, right-handed if positive
  std::array<JointCoordinate, 2> coupled;    // gear, coupler: both; drive: the first
  double ratio = 1;                          // gear, coupler: speed of the first / speed of the second
  std::optional<math::TimeFunction> target;  // distance, screw, gear, coupler, drive: m or rad
};

enum class VelocityKind {
  rotation,     // of the second node against the first, rad/s
  translation,  // of the second point against the first, m/s
};

// A condition on velocities about an axis that stands still in the world: the velocity of the second side relative to
// the first, along or about the axis, is a function of time. A ball that rolls but must not spin about the vertical is
// {rotation, first: world, second: ball, axis: vertical, speed: 0}. Unlike a joint, it has no value of the coordinates
// to keep: nothing is assembled and nothing drifts.
struct VelocityRow {
  std::string name;
  VelocityKind kind = VelocityKind::rotation;
  Attachment first;  // the world unless given; a rotation does not ask for the point
  Attachment second;
  Vector3 axis = Vector3::UnitZ();  // unit vector, world
  math::TimeFunction speed;         // rad/s or m/s
};

// Joint axes with z along `axis` (not zero, any length). If the axis is normal to the body's z, so is the joint's x,
// and the joint's y is the body's z; if the axis is the body's z, the joint axes are the body's: in planar models the
// rows of a joint then lie either in the plane or normal to it.
inline math::Quaternion axes_along(const Vector3& axis) {
  const Vector3 z = axis.normalized();
  const Vector3 helper = std::abs(z.z()) < 0.9 ? Vector3::UnitZ() : Vector3::UnitY();
  const Vector3 x = math::cross(helper, z).normalized();
  Matrix3 axes;
  axes << x, math::cross(z, x), z;
  return math::Quaternion::from_matrix(axes);
}

}  // namespace ricochet::model
