// Where a surface is and how it moves. Without a driver it stands still; with one it moves as a rigid body: translation
// s(t) and a rotation by alpha(t) about an axis through a centre that is carried along,
//
//   point(t)  = c + s + Q (p - c),   normal(t) = Q n,   Q = exp(alpha axis~),
//   velocity of the material point at x:  ds/dt + dalpha/dt axis x (x - c - s).
//
// A plane that slides in itself, or turns about its normal, looks the same at all times: then velocities are enough. A
// prescribed velocity that changes the place of the plane, or of the centre of its rotation, must be constant, because
// its integral is needed exactly. Without a rotation the centre is the point by which the surface is given.
#pragma once

#include <vector>

#include "ricochet/math/types.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::mechanics {

struct PlaneAt {
  Vector3 point = Vector3::Zero();    // m
  Vector3 normal = Vector3::UnitY();  // unit vector
};

class SurfaceMotion {
 public:
  // Throws std::invalid_argument with a sentence if a prescribed velocity would have to be integrated. Whether a
  // velocity lies in the plane is tried at some times here, and checked at every time at which it is used.
  explicit SurfaceMotion(const model::Model& model);

  bool moves(int surface) const { return driver_[surface] >= 0; }
  int driver(int surface) const { return driver_[surface]; }  // -1: none

  PlaneAt plane(int surface, double time) const;
  Vector3 velocity(int surface, double time, const Vector3& point) const;  // m/s, of the material point there
  Vector3 angular_velocity(int surface, double time) const;                // rad/s
  Vector3 center(int surface, double time) const;                          // m, of the rotation: c + s

 private:
  struct Motion {
    model::DrivenTranslation translation;
    model::DrivenRotation rotation;
    bool slides = false;  // moves with a velocity that changes, and must stay in its plane
  };

  Vector3 translation_velocity(int surface, double time) const;  // ds/dt, m/s
  Vector3 shift(int surface, double time) const;                 // s, m
  double angle(int surface, double time) const;                  // alpha, rad

  std::vector<PlaneAt> start_;
  std::vector<int> driver_;
  std::vector<Motion> motion_;
};

}  // namespace ricochet::mechanics
