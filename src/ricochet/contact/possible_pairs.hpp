// Which shapes cannot touch each other, told before a run rather than found out in it.
#pragma once

#include "ricochet/contact/forms.hpp"
#include "ricochet/contact/pair_rules.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::contact {

// Throws std::invalid_argument with a sentence that names the rule and the two bodies if a rule lets bodies touch whose
// shapes cannot.
void check_pairs(const model::Model& model, const PairRules& rules, const Forms& forms);

}  // namespace ricochet::contact
