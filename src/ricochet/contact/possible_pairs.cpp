#include "ricochet/contact/possible_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ricochet::contact {

namespace {

// Parts, features and rules of other channels are those of assemblies, which put together what can touch.
bool is_own(const FormPart& part) { return part.channel == 0; }
bool has_holder(const Form& form) {
  return std::any_of(form.parts.begin(), form.parts.end(),
                     [](const FormPart& part) { return is_own(part) && part.is_holder(); });
}
bool is_all_holders(const Form& form) {
  return std::all_of(form.parts.begin(), form.parts.end(),
                     [](const FormPart& part) { return !is_own(part) || part.is_holder(); });
}

std::vector<Feature> own_features(const Form& form) {
  std::vector<Feature> own;
  std::copy_if(form.features.begin(), form.features.end(), std::back_inserter(own),
               [](const Feature& feature) { return feature.channel == 0; });
  return own;
}

// Calls visit(rule) for every rule under which parts of two bodies, or of a body and a surface, may touch.
template <class Visit>
void for_each_own_rule(const PairRules& rules, int a, int b, const Visit& visit) {
  rules.for_each_rule(a, b, [&](int rule) {
    if (rules.has_channel(rule, 0)) visit(rule);
  });
}

// "a face", "a hollow sphere": the first part of a body that holds others.
std::string holder_words(const Form& form) {
  for (const model::ShapePart& part : form.shape.parts) {
    if (part.channel != 0) continue;
    if (std::holds_alternative<model::HollowSphereShape>(part.shape)) return "a hollow sphere";
    if (std::holds_alternative<model::HollowCylinderShape>(part.shape)) return "a hollow cylinder";
    if (model::is_holder(part.shape)) break;
  }
  return "a face";
}

// What holds others does not count: it minds their features only.
bool is_convex(const Form& form) {
  return std::all_of(form.parts.begin(), form.parts.end(),
                     [](const FormPart& part) { return !is_own(part) || part.is_convex() || part.is_holder(); });
}

bool is_point(const Form& form) {
  return std::any_of(form.parts.begin(), form.parts.end(),
                     [](const FormPart& part) { return is_own(part) && part.is_ball && part.radius == 0; });
}

std::string words_for(const model::Model& model, int participant) {
  const bool is_body = participant < static_cast<int>(model.bodies.size());
  const auto words_for_surface = [&](int surface) { return model.surfaces[surface].mesh ? "mesh" : "plane"; };
  return fmt::format("'{}' ({})", model::participant_name(model, participant),
                     is_body ? model::shape_name(model.bodies[participant])
                             : words_for_surface(participant - static_cast<int>(model.bodies.size())));
}

std::string pair_words(const model::Model& model, int a, int b) {
  return fmt::format("pairs {} with {}", words_for(model, a), words_for(model, b));
}

// The first other body, mesh or plane that this one may touch under a rule and of which `is_wanted` is true, and the
// rule.
template <class Wanted>
std::optional<std::pair<int, int>> partner_of(const PairRules& rules, int body, const Wanted& is_wanted) {
  for (int other = 0; other < rules.participants(); ++other) {
    if (other == body || !is_wanted(other)) continue;
    std::optional<int> rule;
    const auto [a, b] = std::minmax(body, other);
    for_each_own_rule(rules, a, b, [&](int found) { rule = rule.value_or(found); });
    if (rule) return std::pair(*rule, other);
  }
  return {};
}

// Sides are looked at first: many points on one side of a rule do not meet each other.
std::optional<ImpossiblePair> find_pair_of_points(const model::Model& model, const PairRules& rules,
                                                  const std::vector<int>& points) {
  for (int rule = 0; rule < rules.rules(); ++rule) {
    if (!rules.has_channel(rule, 0)) continue;
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

bool is_all_balls(std::span<const Feature> features) {
  return !features.empty() && std::all_of(features.begin(), features.end(),
                                          [](const Feature& feature) { return feature.kind == FeatureKind::ball; });
}

// Parts with rims would be held by their other features only, and pass through with the rims.
bool has_rim(std::span<const Feature> features) {
  return std::any_of(features.begin(), features.end(),
                     [](const Feature& feature) { return feature.kind == FeatureKind::rim; });
}

// The smallest hollow of a body, m; infinite if it has none.
double smallest_hollow(const model::Body& body) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const model::ShapePart& part : body.parts) {
    if (part.channel != 0) continue;
    if (const auto* sphere = std::get_if<model::HollowSphereShape>(&part.shape)) {
      smallest = std::min(smallest, sphere->radius);
    }
    if (const auto* cylinder = std::get_if<model::HollowCylinderShape>(&part.shape)) {
      smallest = std::min(smallest, cylinder->radius);
    }
  }
  return smallest;
}

// Why a body with faces or hollows cannot touch another body or a surface; empty if it can.
std::string complaint_about_holder(const model::Model& model, const Forms& forms, int bodies, int body, int other) {
  const Form& form = forms.of_body(body);
  const std::string holds = fmt::format("{} holds points, balls and corners", holder_words(form));
  if (other >= bodies) {
    return is_all_holders(form) ? fmt::format("{} of bodies; surfaces pass through it", holds) : "";
  }
  const Form& other_form = forms.of_body(other);
  const std::vector<Feature> features = own_features(other_form);
  if (has_rim(features)) {
    return fmt::format("{}, and '{}' has a rim, which would pass through it", holds, model.bodies[other].name);
  }
  const double room = smallest_hollow(model.bodies[body]);
  for (const Feature& feature : features) {
    if (feature.radius < room) continue;
    return fmt::format("'{}' has the radius {:g} m and does not go into {} of {:g} m", model.bodies[other].name,
                       feature.radius, holder_words(form), room);
  }
  if (is_all_holders(form) && !is_all_balls(features)) {
    const bool are_faces = holder_words(form) == "a face" && holder_words(other_form) == "a face";
    return fmt::format("{} of bodies; {} pass through each other", holds, are_faces ? "two faces" : "two such shapes");
  }
  return "";
}

std::optional<ImpossiblePair> find_pair_of_holder(const model::Model& model, const PairRules& rules, const Forms& forms,
                                                  int body) {
  std::string complaint;
  const auto partner = partner_of(rules, body, [&](int other) {
    bool may_touch = false;
    const auto [a, b] = std::minmax(body, other);
    for_each_own_rule(rules, a, b, [&](int /*rule*/) { may_touch = true; });
    if (may_touch) complaint = complaint_about_holder(model, forms, rules.bodies(), body, other);
    return !complaint.empty();
  });
  if (!partner) return {};
  const auto [a, b] = std::minmax(body, partner->second);
  return ImpossiblePair{partner->first, fmt::format("{}: {}", pair_words(model, a, b), complaint)};
}

// A mesh knows the sides by middles: a point that has come through by the least is behind it.
std::optional<ImpossiblePair> find_point_at_mesh(const model::Model& model, const PairRules& rules, int point) {
  const auto partner = partner_of(rules, point, [&](int other) {
    if (other < rules.bodies()) return false;
    const auto& mesh = model.surfaces[other - rules.bodies()].mesh;
    return mesh && mesh->below.isZero(0);
  });
  if (!partner) return {};
  return ImpossiblePair{partner->first,
                        fmt::format("{}: a point has no size that could keep it on its side of a mesh; make it a "
                                    "small sphere",
                                    pair_words(model, point, partner->second))};
}

}  // namespace

std::optional<ImpossiblePair> find_impossible_pair(const model::Model& model, const PairRules& rules,
                                                   const Forms& forms) {
  std::vector<int> points;
  const auto is_solid = [&](int other) {
    return rules.collides(other) && (other >= rules.bodies() || !is_all_holders(forms.of_body(other)));
  };
  for (int body = 0; body < rules.bodies(); ++body) {
    if (has_holder(forms.of_body(body))) {
      if (auto impossible = find_pair_of_holder(model, rules, forms, body)) return impossible;
    }
    if (!rules.collides(body)) continue;
    if (is_point(forms.of_body(body))) {
      points.push_back(body);
      if (auto impossible = find_point_at_mesh(model, rules, body)) return impossible;
    }
    if (is_convex(forms.of_body(body))) continue;
    const auto partner = partner_of(rules, body, is_solid);
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
