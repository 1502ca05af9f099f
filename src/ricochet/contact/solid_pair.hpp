// Contact of two convex solids: the points of their patch (geometry/patch.hpp), each a contact of its own.
//
// All share one normal, which turns with the solid whose face gives it:
//
//   gap = n . (c_A - c_B) - (r_A + r_B),   n = R n_0 with R of the carrier,   c = x + R c_0 of each.
//
// For a corner above a face that is exact at every state near by. For two edges that cross, and round sides against
// edges, c_A - c_B is along n, so that the rate is exact all the same: turning n does not change the gap to first
// order. c is the contact point itself, or the centre behind it where the solid is round (sphere, capsule, and the side
// of a cylinder that lies flat), so that it may roll. Two points facing each other (a ball at a corner) have |c_A -
// c_B| in place of the product.
#pragma once

#include <vector>

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/form_part.hpp"

namespace ricochet::contact {

// Appends the contacts of two parts with gaps of at most `reach` (m), up to rounding. Of their keys the features are
// set, as the solids number them; law and nodes are left to do.
void find_solid_contacts(const FormPart& a, const BodyPlace& at_a, const FormPart& b, const BodyPlace& at_b,
                         double reach, std::vector<Contact>& contacts);

// The smallest gap of two parts, whatever it is (m).
double solid_distance(const FormPart& a, const BodyPlace& at_a, const FormPart& b, const BodyPlace& at_b);

// Of a contact whose normal a body carries, at other places.
double carried_gap(const Contact& contact, const BodyPlace& at_a, const BodyPlace& at_b);
Vector3 carried_point(const Contact& contact, const BodyPlace& at_a, const BodyPlace& at_b);  // half way

}  // namespace ricochet::contact
