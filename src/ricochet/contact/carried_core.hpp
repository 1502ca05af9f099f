// A ball at something round that a body carries: gap, normal and curvature are those of the true distance, wherever
// both are.
//
// The carrier has a core: a point p, a line through p along a, or a circle about that line with the middle p. With
// e = c - p from the core to the centre of the ball, all in one frame, the distance s of c from the core is
//
//   point   s = |e|
//   axis    s = |e - (a.e) a|
//   rim     s = |e - rho w|,   w = (e - (a.e) a)/|...|, the direction of the nearest point of the circle (radius rho)
//
// and u = ds/dc, the unit vector away from the core. The surface of the carrier is at the distance R around its core
// and is touched from outside, or from inside (a container: R < 0 here, as in Contact, and sigma = -1):
//
//   gap = sigma s - (R + r),     normal from the carrier to the ball: sigma u,
//
//   d2 gap/dc2 = sigma/s (1 - u u^T - k b b^T),   b = a, k = 1 of an axis;  b = a x w, k = rho/|e - (a.e) a| of a rim;
//                                                 k = 0 of a point.
//
// An edge is an axis with R = 0. For R < 0 and a point this is the ball in a sphere of Sanchez (2025, section 4.2), for
// R > 0 and an axis the ball beside a cylinder.
#pragma once

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/sphere_sphere.hpp"

namespace ricochet::contact {

// Both at one state, in world components.
struct CoreAt {
  double gap = 0;                    // m
  double distance = 0;               // s, m
  Vector3 normal = Vector3::Zero();  // n, from B to A
  double bend = 0;                   // sigma/s, 1/m: zero where the core itself is hit
  Vector3 straight = Vector3::Zero();
  double straightness = 0;  // b and k

  // d2 gap/dc2, 1/m.
  Matrix3 curvature() const {
    return bend * (Matrix3::Identity() - normal * normal.transpose() - straightness * straight * straight.transpose());
  }
};

// Of a carried contact with a core that is no plane. On the core itself, where no direction is away from it, the normal
// is `contact.axes.normal`.
CoreAt core_at(const Contact& contact, const BodyPlace& at_a, const BodyPlace& at_b);

// What a pair of a ball and a carrier knows of its contact; the rest follows.
struct CoreOfBody {
  CarriedCore core = CarriedCore::point;
  Vector3 center = Vector3::Zero();  // p, m, from the node in its axes
  Vector3 axis = Vector3::UnitZ();   // a
  double radius = 0;                 // R, m; negative: inside
  double rim_radius = 0;             // rho, m
};

// Fills in all of a contact but key, law, nodes and the rounding of its gap.
void set_core_contact(const BallOfBody& ball, const BodyPlace& at_ball, const CoreOfBody& core,
                      const BodyPlace& at_core, bool ball_is_a, bool planar, Contact& contact);

}  // namespace ricochet::contact
