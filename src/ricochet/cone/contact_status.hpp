// What a contact does, read from its impulse: open, sticking or slipping.
//
// The impulse decides, not the velocity: a solver leaves a slip velocity of round-off size at a sticking contact,
// whereas the local solver puts a slipping impulse on the boundary of the cone to the last bits.
#pragma once

#include <cmath>

#include "ricochet/cone/contact_problem.hpp"

namespace ricochet::cone {

enum class ContactStatus {
  open,   // r_N = 0, also when the contact just touches
  stick,  // |r_T| < mu r_N
  slip,   // |r_T| = mu r_N up to round-off; a closed frictionless contact slips
};

// From the normal impulse r_N and the tangential impulses (one or two, both N s).
inline ContactStatus contact_status(double friction, double normal, double tangent_1 = 0, double tangent_2 = 0) {
  constexpr double round_off = 0x1p-44;  // some hundred units in the last place
  if (!(normal > 0)) return ContactStatus::open;
  const double tangential = std::sqrt(tangent_1 * tangent_1 + tangent_2 * tangent_2);
  return tangential >= friction * normal * (1 - round_off) ? ContactStatus::slip : ContactStatus::stick;
}

// From the impulses of a block. Coupled sliding and spinning slip together.
inline ContactStatus contact_status(const BlockLaw& law, const double* r) {
  if (law.bilateral) return ContactStatus::stick;
  if (law.is_coupled()) return contact_status(law.friction.sliding, r[0], law.groups()[0].length(r));
  return contact_status(law.size > 1 ? law.friction.sliding : 0.0, r[0], law.size > 1 ? r[1] : 0.0,
                        law.size > 2 ? r[2] : 0.0);
}

// The status of one contact of a problem at impulses r: what it does in its tangent plane, whether it rolls or not. A
// bilateral block sticks.
inline ContactStatus contact_status(const ContactProblem& problem, const linalg::VectorView& impulses, int contact) {
  if (problem.is_bilateral(contact)) return ContactStatus::stick;
  return contact_status(problem.law(contact), impulses.data() + problem.block_offset(contact));
}

}  // namespace ricochet::cone
