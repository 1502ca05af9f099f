// What acts along the coordinates of joints besides their equations, as plain data: springs, limits, friction, motors.
//
// A coordinate s is numbered as in model/joint and measured in m or rad; forces along it are in N or N m.
//
//   spring     force  k (rest(t) - s) - d ds/dt
//   limit      lower <= s <= upper, hard, with Newton's restitution of ds/dt
//   friction   opposes ds/dt with at most  constant + coefficient * (what the joint carries, see JointFriction)
//   motor      gives up to `largest` to make ds/dt = speed(t)
#pragma once

#include <limits>

#include "ricochet/math/time_function.hpp"
#include "ricochet/model/joint.hpp"

namespace ricochet::model {

struct JointSpring {
  JointCoordinate coordinate;
  double stiffness = 0;     // N/m or N m/rad
  double damping = 0;       // N s/m or N m s/rad
  math::TimeFunction rest;  // m or rad
};

struct JointLimit {
  JointCoordinate coordinate;
  double lower = -std::numeric_limits<double>::infinity();  // m or rad
  double upper = std::numeric_limits<double>::infinity();
  double restitution = 0;  // in [0, 1]
};

// The normal force that the coefficient multiplies is what the joint carries across its axis. About the axis it acts at
// the radius of the pin. Along the axis, a guide of some length carries also the moment M across the axis t, as two
// normal forces F/2 +- (t x M)/length at its ends, which both rub; length zero leaves the moment out.
struct JointFriction {
  JointCoordinate coordinate;
  double coefficient = 0;
  double radius = 0;    // m, of the pin, for angles
  double length = 0;    // m, of the guide, for translations
  double constant = 0;  // N or N m, whatever the joint carries
};

struct JointMotor {
  JointCoordinate coordinate;
  math::TimeFunction speed;  // m/s or rad/s
  double largest = 0;        // N or N m
};

}  // namespace ricochet::model
