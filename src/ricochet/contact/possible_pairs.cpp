#include "ricochet/contact/possible_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ricochet::contact {

namespace {

bool is_convex(const Form& form) {
  return std::all_of(form.parts.begin(), form.parts.end(), [](const FormPart& part) { return part.solid != nullptr; });
}

bool is_point(const Form& form) {
  return std::any_of(form.parts.begin(), form.parts.end(),
                     [](const FormPart& part) { return part.is_ball && part.radius == 0; });
}

bool is_round(const Form& form) {
  return std::all_of(form.parts.begin(), form.parts.end(), [](const FormPart& part) { return part.is_ball; });
}

std::string pair_words(const model::Model& model, int a, int b) {
  return fmt::format("pairs '{}' ({}) with '{}' ({})", model.bodies[a].name, model::shape_name(model.bodies[a]),
                     model.bodies[b].name, model::shape_name(model.bodies[b]));
}

}  // namespace

std::optional<ImpossiblePair> find_impossible_pair(const model::Model& model, const PairRules& rules,
                                                   const Forms& forms) {
  std::vector<int> odd;  // bodies that cannot touch every shape
  for (int body = 0; body < rules.bodies(); ++body) {
    const Form& form = forms.of_body(body);
    const bool is_odd = !is_convex(form) || is_point(form) || (model.planar && !is_round(form));
    if (rules.collides(body) && is_odd) odd.push_back(body);
  }
  for (const int body : odd) {
    const bool convex = is_convex(forms.of_body(body));
    const bool planar = model.planar && !is_round(forms.of_body(body));
    for (int other = 0; other < rules.bodies(); ++other) {
      if (other == body || (convex && !planar && !is_point(forms.of_body(other)))) continue;
      const auto [a, b] = std::minmax(body, other);
      std::optional<int> rule;
      rules.for_each_rule(a, b, [&](int found) { rule = rule.value_or(found); });
      if (!rule) continue;
      const std::string words = pair_words(model, a, b);
      if (planar) return ImpossiblePair{*rule, words + ": in a plane only discs touch each other in this version"};
      if (convex) return ImpossiblePair{*rule, words + ": two points never touch"};
      return ImpossiblePair{
          *rule,
          fmt::format("{}, but '{}' is not convex: bodies touch with convex parts; give its shape as several of them",
                      words, model.bodies[body].name)};
    }
  }
  return {};
}

}  // namespace ricochet::contact
