// Contact of a ball (see features.hpp: a point with a radius) with a plane, fixed or moving.
//
//   gap = n . (x + R a - p) - r,    contact point = x + R a - r n
#pragma once

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/features.hpp"
#include "ricochet/mechanics/surface_motion.hpp"

namespace ricochet::contact {

// If the gap is at most `reach` (m), up to the rounding error of computing it, fills in what depends on it: all of the
// contact but key, law, nodes and axes. `coordinates` is the sum of the largest of the body and of the plane's point.
bool find_ball_plane(const Feature& ball, const BodyPlace& body, const mechanics::PlaneAt& plane, double coordinates,
                     double reach, Contact& contact);

double ball_plane_gap(const Vector3& center, double radius, const BodyPlace& body, const mechanics::PlaneAt& plane);
Vector3 ball_plane_point(const Vector3& center, double radius, const BodyPlace& body, const mechanics::PlaneAt& plane);

}  // namespace ricochet::contact
