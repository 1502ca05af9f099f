#include "ricochet/contact/possible_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace ricochet::contact {

namespace {

bool is_made_of_balls(const Form& form) {
  return std::all_of(form.parts.begin(), form.parts.end(), [](const FormPart& part) { return part.is_ball; });
}

}  // namespace

void check_pairs(const model::Model& model, const PairRules& rules, const Forms& forms) {
  for (int rule = 0; rule < rules.rules(); ++rule) {
    for (int body = 0; body < rules.bodies(); ++body) {
      if (!rules.takes_part(rule, body) || is_made_of_balls(forms.of_body(body))) continue;
      for (int other = 0; other < rules.bodies(); ++other) {
        const auto [a, b] = std::minmax(body, other);
        if (!rules.may_touch(rule, a, b)) continue;
        throw std::invalid_argument(
            fmt::format("contact '{}' pairs '{}' ({}) with '{}' ({}): such a pair is not supported",
                        model.contacts[rule].name, model.bodies[a].name, model::shape_name(model.bodies[a]),
                        model.bodies[b].name, model::shape_name(model.bodies[b])));
      }
    }
  }
}

}  // namespace ricochet::contact
