// The coefficients of the contacts of a step: numbers, from laws that may depend on speed.
//
// They are taken at the start of the step, once, so that the step itself solves Coulomb's problem with constant
// coefficients: friction at the speed of slip |u_T0|, restitution at the speed of approach max(-u_N0, 0). Functions of
// speed therefore enter the motion with first order in the step.
#pragma once

#include <string>
#include <vector>

#include "ricochet/cone/contact_law.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/linalg/reusable_vector.hpp"

namespace ricochet::integrate {

// `velocity_before`: u_0 of the contacts, m/s. False if a function gives something that is no coefficient at its speed:
// `complaint` is then a sentence that names the contact, the coefficient, the speed and the value. Does not allocate
// once it has seen as many contacts.
bool evaluate_coefficients(const contact::ContactSet& set, const std::vector<contact::Contact>& contacts,
                           const linalg::ReusableVector& velocity_before,
                           std::vector<model::ContactCoefficients>& coefficients, std::string& complaint);

// The same for the block of a contact problem.
cone::Friction friction_of(const model::ContactCoefficients& coefficients);

}  // namespace ricochet::integrate
