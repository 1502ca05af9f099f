// Contact of a rim (a circle of radius r with the centre c = x + R a and the unit normal z of its plane) with a plane.
//
//   s = n - (n.z) z                              what of n lies in the plane of the rim; |s| is the sine of the tilt
//   lowest point    c - r s/|s|,                 gap = n.(c - p) - r |s|
//   legs            at k/6 of a turn from it     gap = n.(c - p) - r |s| cos(k pi/3)
//
// The lowest point touches alone while the cylinder leans or rolls. Where it stands flat (s = 0) all points of the rim
// are equally low; the six together hold it, as legs would: a cylinder is held up to between 0.87 and 1 of its radius.
//
// Here, and over a step of Moreau-Jean, they turn with the lean, not with the body: as the gap of the lowest point is
// the smallest of the whole rim, its rate is that of the material point there, and those of the others are so up to
// |s|. Over a step of the nonsmooth generalized-alpha scheme that is true of a lowest point that touches alone only;
// where several points of a rim touch they are fixed in the body (rim_legs.hpp).
#pragma once

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/features.hpp"
#include "ricochet/mechanics/surface_motion.hpp"

namespace ricochet::contact {

// How a rim lies to a plane; its six points follow.
struct RimLean {
  double height = 0;                 // m, of the centre above the plane
  double sine = 0;                   // of the tilt
  Vector3 down = Vector3::Zero();    // from the centre to the lowest point, unit vector in body axes
  Vector3 across = Vector3::Zero();  // a quarter turn further about the axis
};

// The same for all six points of a rim.
RimLean rim_lean(const Feature& rim, const BodyPlace& body, const mechanics::PlaneAt& plane);

double rim_plane_gap(const Feature& rim, const RimLean& lean);
Vector3 rim_plane_arm(const Feature& rim, const RimLean& lean, const BodyPlace& body);  // m, world: from the node

// As find_ball_plane.
bool find_rim_plane(const Feature& rim, const RimLean& lean, const BodyPlace& body, double coordinates, double reach,
                    Contact& contact);

}  // namespace ricochet::contact
