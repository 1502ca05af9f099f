// Contact of a ball with a box, a cylinder or a capsule of another body, exact also at other states than the one at
// which it was found.
//
// A convex solid and a ball have one contact: at the point of the solid nearest to the centre of the ball. What that
// point belongs to tells how gap and normal go on as both move:
//
//   box        a face: plane            an edge: axis with R = 0       a corner: point
//   cylinder   an end: plane            the side: axis with R          a rim: circle
//   capsule                             the side: axis with R          an end: point with R
//
// (carried_core.hpp; points are ContactKind::centers.) In solid_pair.hpp, which other solids use, the normal at an
// edge, a side or a rim is fixed in one of the bodies, which may be the ball: gap and rate are right where the contact
// was found, but the gap errs by d^2/(2 s) after a move by d across the normal, s from the core to the centre, and by
// s phi^2/2 after a turn of a ball that carries it. A centre inside of the solid is pushed out through the nearest
// face, end or side.
//
// Features are those of the solid (convex_solid.hpp), the same while the ball rolls on one face or side. A rim has one
// feature here, its low point. Where the ball rolls from one feature to the next, gap, normal and so velocities are
// continuous, but the contact gets another identity: what was remembered (contact_memory.hpp) is not found again, the
// solver starts cold, and the slack of a loaded contact, some 1e-15 m, is gone: at worst the ball is free for one step,
// which changes its velocity by g h. At an edge and at a corner the curvature jumps, so nothing smooth is lost.
#pragma once

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/form_part.hpp"

namespace ricochet::contact {

// Is one of them a ball with a radius and the other one of these solids, in space? (In the plane discs at outlines are
// exact already: their corners are centres, their edges straight. Points have no radius that keeps them off an edge.)
bool is_ball_at_solid(const FormPart& a, const FormPart& b);

// If the gap is at most `reach` (m), up to rounding, fills in all of the contact but law and nodes; of its key the
// features, as the solids number them.
bool find_ball_solid(const FormPart& a, const BodyPlace& at_a, const FormPart& b, const BodyPlace& at_b, double reach,
                     Contact& contact);

double ball_solid_gap(const FormPart& a, const BodyPlace& at_a, const FormPart& b, const BodyPlace& at_b);

}  // namespace ricochet::contact
