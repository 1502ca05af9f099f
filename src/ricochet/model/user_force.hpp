// Forces that a user computes in code as functions of time and motion: magnets, wind, controllers.
//
// A law must be a function of its arguments alone. A scheme asks for it several times in a step, at motions that it
// tries; a law that remembers what it was asked before gives a motion that solves nothing.
//
// A scheme finds the motion by Newton's method. Laws may tell how they change with the motion (stiffness and damping):
// the solution does not depend on it, but forces that change much within a step are not solved without.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ricochet/math/rotation.hpp"
#include "ricochet/math/types.hpp"
#include "ricochet/model/ids.hpp"
#include "ricochet/model/joint.hpp"

namespace ricochet::model {

// How a point of a body moves.
struct PointMotion {
  Vector3 position = Vector3::Zero();          // m, world
  math::Quaternion orientation;                // body to world
  Vector3 velocity = Vector3::Zero();          // m/s, world
  Vector3 angular_velocity = Vector3::Zero();  // rad/s, body components
};

// What acts on a body at a point of it.
struct Wrench {
  Vector3 force = Vector3::Zero();   // N, world
  Vector3 torque = Vector3::Zero();  // N m, world
};

class ForceLaw {
 public:
  ForceLaw() = default;
  ForceLaw(const ForceLaw&) = delete;
  ForceLaw& operator=(const ForceLaw&) = delete;
  virtual ~ForceLaw() = default;

  // One wrench for each point. May throw: then the step fails with the sentence of the exception.
  virtual void evaluate(double time, std::span<const PointMotion> points, std::span<Wrench> wrenches) const = 0;

  // stiffness = -d(wrenches)/d(positions, rotations), damping = -d(wrenches)/d(velocities, angular velocities): square,
  // six rows and columns for each point, rotations and angular velocities about body axes. Both come as zeros of that
  // size, and stay so for a law that does not know.
  virtual void tangents(double /*time*/, std::span<const PointMotion> /*points*/, MatrixX& /*stiffness*/,
                        MatrixX& /*damping*/) const {}
};

// A law that acts at points of bodies, each on a node.
struct UserForce {
  std::string name;
  std::vector<Attachment> points;
  std::shared_ptr<const ForceLaw> law;
};

class EffortLaw {
 public:
  EffortLaw() = default;
  EffortLaw(const EffortLaw&) = delete;
  EffortLaw& operator=(const EffortLaw&) = delete;
  virtual ~EffortLaw() = default;

  // The force (N) or torque (N m) along a joint coordinate (m or rad), positive where it makes the coordinate grow.
  virtual double effort(double time, double coordinate, double speed) const = 0;

  struct Tangent {
    double stiffness = 0;  // -d(effort)/d(coordinate)
    double damping = 0;    // -d(effort)/d(speed)
  };
  virtual Tangent tangent(double /*time*/, double /*coordinate*/, double /*speed*/) const { return {}; }
};

// A law that acts along a coordinate of a joint.
struct UserEffort {
  std::string name;
  JointCoordinate coordinate;
  std::shared_ptr<const EffortLaw> law;
};

}  // namespace ricochet::model
