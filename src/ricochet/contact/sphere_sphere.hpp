// Contact of two spheres with the centres c = x + R a: gap = |c_A - c_B| - (r_A + r_B), normal (c_A - c_B)/|c_A - c_B|.
#pragma once

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/contact.hpp"

namespace ricochet::contact {

struct BallOfBody {
  Vector3 center = Vector3::Zero();  // a: m, from the node in its axes
  double radius = 0;                 // m
};

// If the gap is at most `reach` (m), up to the rounding error of computing it, fills in all of the contact but key, law
// and nodes.
bool find_sphere_sphere(const BallOfBody& a, const BodyPlace& at_a, const BallOfBody& b, const BodyPlace& at_b,
                        bool planar, double reach, Contact& contact);

double sphere_sphere_gap(const BallOfBody& a, const BodyPlace& at_a, const BallOfBody& b, const BodyPlace& at_b);
// Half way between the two surfaces.
Vector3 sphere_sphere_point(const BallOfBody& a, const BodyPlace& at_a, const BallOfBody& b, const BodyPlace& at_b);

}  // namespace ricochet::contact
