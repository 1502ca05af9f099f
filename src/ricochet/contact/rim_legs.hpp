// Legs: points of a rim that are fixed in its body over a step.
//
// Which point of a rim is lowest follows from how the body leans (rim_plane.hpp). Where the rim stands as good as flat
// on a plane that point may be anywhere in the next moment, and equations in which it moves have no solution that could
// be followed. A rim of which several points touch has legs instead: each is a ball of no radius fixed in the body
// (ContactKind::ball_plane), as the corner of a box is. Of a rim that leans or rolls the lowest point touches alone,
// and stays the lowest point (ContactKind::rim_plane).
//
// Between its legs a rim may sink in as the body moves on. What is found there later becomes one more leg beside those
// that are known; a rim has six features, so it has six legs at most.
#pragma once

#include <vector>

#include "ricochet/contact/contact.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::contact {

// Makes legs of all points of rims that do not touch a plane alone. The contacts are those of a state, sorted.
void fix_legs(const mechanics::DofMap& map, const mechanics::State& state, std::vector<Contact>& contacts);

// Adds what was found at a state to which sorted contacts have been moved. What has the key of a leg gets that of
// another point of the rim, if there is one left, and else that of the leg that is most open, which it replaces. Other
// contacts replace those of their key.
void add_with_legs(const std::vector<Contact>& found, std::vector<Contact>& contacts);

}  // namespace ricochet::contact
