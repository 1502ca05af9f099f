#include "ricochet/contact/possible_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace ricochet::contact {

namespace {

bool is_convex(const Form& form) {
  return std::all_of(form.parts.begin(), form.parts.end(), [](const FormPart& part) { return part.is_convex(); });
}

bool is_point(const Form& form) {
  return std::any_of(form.parts.begin(), form.parts.end(),
                     [](const FormPart& part) { return part.is_ball && part.radius == 0; });
}

std::string words_for(const model::Model& model, int participant) {
  const bool is_body = participant < static_cast<int>(model.bodies.size());
  return fmt::format("'{}' ({})", model::participant_name(model, participant),
                     is_body ? model::shape_name(model.bodies[participant]) : "mesh");
}

std::string pair_words(const model::Model& model, int a, int b) {
  return fmt::format("pairs {} with {}", words_for(model, a), words_for(model, b));
}

// The first body or mesh that this one may touch under a rule, and the rule.
std::optional<std::pair<int, int>> partner_of(const PairRules& rules, int body) {
  for (int other = 0; other < rules.participants(); ++other) {
    if (other == body || !rules.collides(other)) continue;
    std::optional<int> rule;
    const auto [a, b] = std::minmax(body, other);
    rules.for_each_rule(a, b, [&](int found) { rule = rule.value_or(found); });
    if (rule) return std::pair(*rule, other);
  }
  return {};
}

// Sides are looked at first: many points on one side of a rule do not meet each other.
std::optional<ImpossiblePair> find_pair_of_points(const model::Model& model, const PairRules& rules,
                                                  const std::vector<int>& points) {
  for (int rule = 0; rule < rules.rules(); ++rule) {
    std::vector<int> first, second;
    for (const int point : points) {
      if (rules.is_first(rule, point)) first.push_back(point);
      if (rules.is_second(rule, point)) second.push_back(point);
    }
    for (const int i : first) {
      for (const int j : second) {
        const auto [a, b] = std::minmax(i, j);
        if (!rules.may_touch(rule, a, b)) continue;
        return ImpossiblePair{rule, pair_words(model, a, b) + ": two points never touch"};
      }
    }
  }
  return {};
}

}  // namespace

std::optional<ImpossiblePair> find_impossible_pair(const model::Model& model, const PairRules& rules,
                                                   const Forms& forms) {
  std::vector<int> points;
  for (int body = 0; body < rules.bodies(); ++body) {
    if (!rules.collides(body)) continue;
    if (is_point(forms.of_body(body))) points.push_back(body);
    if (is_convex(forms.of_body(body))) continue;
    const auto partner = partner_of(rules, body);
    if (!partner) continue;
    const auto [a, b] = std::minmax(body, partner->second);
    return ImpossiblePair{
        partner->first,
        fmt::format("{}, but '{}' is not convex: bodies touch with convex parts; give its shape as several of them",
                    pair_words(model, a, b), model.bodies[body].name)};
  }
  return find_pair_of_points(model, rules, points);
}

}  // namespace ricochet::contact
