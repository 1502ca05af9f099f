// Which shapes cannot touch each other, told before a run rather than found out in it: two points; points and meshes;
// polyhedra that are
// not convex with anything but planes, faces and hollows; faces and hollows with anything but points, balls and
// corners.
#pragma once

#include <optional>
#include <string>

#include "ricochet/contact/forms.hpp"
#include "ricochet/contact/pair_rules.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

struct ImpossiblePair {
  int rule = 0;
  std::string sentence;  // with the rule as its subject: "pairs 'a' (point) with 'b' (point): two points never touch"
};

// One of them, if there is any.
std::optional<ImpossiblePair> find_impossible_pair(const model::Model& model, const PairRules& rules,
                                                   const Forms& forms);

}  // namespace ricochet::contact
