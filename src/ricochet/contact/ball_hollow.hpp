// Contact of a ball of one body (see features.hpp: a point with a radius) with the inside of a sphere or of a cylinder
// that another body carries: balls in a bowl, in a bore, in a ring.
//
// With s the distance of the ball's centre from the middle, or from the axis (carried_core.hpp):
//
//   gap = (R - r) - s,    if s <= 2 R, and along the axis |a.e| <= half length
//
// Otherwise there is no contact: what is that far outside has never been inside, and what is beyond the ends of a bore
// has left it. A bore with ends holds what is outside of it only up to its half length, if that is less than R: the
// rest has come around its ends, which are not features themselves.
//
// A sphere and a bore without ends hold every convex body exactly by those of its features that are balls (corners,
// ends): distances from a point and from a line are convex, so the furthest point of the body is one of them.
#pragma once

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/carried_core.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/geometry/bounds.hpp"
#include "ricochet/model/shape.hpp"

namespace ricochet::contact {

// In the axes of the node.
struct HollowOfBody {
  CoreOfBody core;         // a point or an axis; its radius is -R
  double half_length = 0;  // m; infinite: a sphere, a bore without ends, a circle in the plane
  bool is_bounded = true;  // false: a bore without ends, in space

  double radius() const { return -core.radius; }  // R, m
  bool has_ends() const;
  double depth() const;  // m, how far outside it holds what has come through it
};

HollowOfBody make_hollow(const model::HollowSphereShape& shape, const Vector3& position, bool planar);
HollowOfBody make_hollow(const model::HollowCylinderShape& shape, const Vector3& position,
                         const math::Quaternion& orientation, bool planar);

// If the gap is at most `reach` (m), up to the rounding error of computing it, fills in all of the contact but key, law
// and nodes. The ball is A, or else what is hollow.
bool find_ball_hollow(const BallOfBody& ball, const BodyPlace& at_ball, const HollowOfBody& hollow,
                      const BodyPlace& at_hollow, bool ball_is_a, bool planar, double reach, Contact& contact);

// Infinite if the ball is beyond the ends or too far outside.
double ball_hollow_gap(const BallOfBody& ball, const BodyPlace& at_ball, const HollowOfBody& hollow,
                       const BodyPlace& at_hollow);

// Of the hollow and all around it that it holds; infinite without ends.
geometry::Bounds hollow_bounds(const HollowOfBody& hollow, const BodyPlace& at_hollow);
double hollow_radius(const HollowOfBody& hollow);  // m, of the sphere around its middle that holds the same

}  // namespace ricochet::contact
