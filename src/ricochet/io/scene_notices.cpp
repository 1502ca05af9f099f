#include "ricochet/io/scene_notices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "ricochet/contact/contact_set.hpp"
#include "ricochet/contact/pair_rules.hpp"
#include "ricochet/mechanics/state.hpp"

namespace ricochet::io {

namespace {

constexpr std::size_t kPairsToName = 3;

// Of each pair its deepest contact; of many pairs the deepest ones.
void add_overlaps(const model::Model& model, std::vector<std::string>& notices) {
  const mechanics::DofMap map(model);
  const contact::ContactSet contacts(model, map);
  std::vector<contact::Contact> deep;
  contacts.detect(mechanics::initial_state(model, map), 0, deep);
  std::erase_if(deep, [](const contact::Contact& contact) { return contact.gap >= -contact.gap_rounding; });
  const auto pair_of = [](const contact::Contact& contact) {
    return std::pair(contact.key.participant_a, contact.key.participant_b);
  };
  std::stable_sort(deep.begin(), deep.end(), [&](const auto& a, const auto& b) {
    return std::pair(pair_of(a), a.gap) < std::pair(pair_of(b), b.gap);
  });
  const auto same_pair = [&](const auto& a, const auto& b) { return pair_of(a) == pair_of(b); };
  deep.erase(std::unique(deep.begin(), deep.end(), same_pair), deep.end());
  std::stable_sort(deep.begin(), deep.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
  const std::size_t named = std::min(deep.size(), kPairsToName);
  for (std::size_t i = 0; i < named; ++i) {
    notices.push_back(
        fmt::format("{} starts with a penetration of {:.3g} m", contacts.name(deep[i].key), -deep[i].gap));
  }
  if (deep.size() == named) return;
  notices.push_back(fmt::format("{} more pair{} inside each other, less deep", deep.size() - named,
                                deep.size() == named + 1 ? " starts" : "s start"));
}

// Bodies with a shape that move freely, in a scene where others touch each other.
void add_bodies_without_rules(const model::Model& model, std::vector<std::string>& notices) {
  std::vector<char> is_held(model.nodes.size(), 0), is_named(model.bodies.size(), 0);
  const auto hold = [&](model::NodeId node) {
    if (node.valid()) is_held[node.index] = 1;
  };
  for (const model::Joint& joint : model.joints) {
    hold(joint.first.attachment.node);
    hold(joint.second.attachment.node);
  }
  for (const model::Driver& driver : model.drivers) hold(driver.node);
  bool has_rules = false;
  for (const model::ContactRule& rule : model.contacts) {
    for (const auto* side : {&rule.first, &rule.second}) {
      for (const model::Participant& each : *side) {
        has_rules = true;
        if (each.body.valid()) is_named[each.body.index] = 1;
      }
    }
  }
  if (!has_rules) return;
  std::string first;
  int count = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const model::Body& body = model.bodies[i];
    const model::Node& node = model.nodes[body.node.index];
    const bool stays = node.fixed[0] && node.fixed[1] && (node.fixed[2] || model.planar);
    if (is_named[i] != 0 || is_held[body.node.index] != 0 || stays || body.parts.empty()) continue;
    if (count++ == 0) first = body.name;
  }
  if (count == 0) return;
  const std::string who = count == 1   ? fmt::format("body '{}' is", first)
                          : count == 2 ? fmt::format("body '{}' and another are", first)
                                       : fmt::format("body '{}' and {} others are", first, count - 1);
  notices.push_back(fmt::format("{} named by no contact rule and will pass through everything", who));
}

// What bodies pass through, in a scene where others touch each other.
void add_surfaces_without_rules(const model::Model& model, std::vector<std::string>& notices) {
  if (model.contacts.empty()) return;
  std::vector<char> is_named(model.surfaces.size(), 0);
  for (const model::ContactRule& rule : model.contacts) {
    for (const auto* side : {&rule.first, &rule.second}) {
      for (const model::Participant& each : *side) {
        if (each.surface.valid()) is_named[each.surface.index] = 1;
      }
    }
  }
  for (std::size_t i = 0; i < model.surfaces.size(); ++i) {
    if (is_named[i] != 0) continue;
    notices.push_back(
        fmt::format("surface '{}' is named by no contact rule: everything passes through it", model.surfaces[i].name));
  }
}

// Who is on which side of a rule, ascending.
struct Sides {
  std::vector<int> first, second;
};

// Two that touch under both rules, the smaller number first.
std::optional<std::pair<int, int>> pair_of_both(const contact::PairRules& rules, const std::vector<Sides>& sides,
                                                int one, int other) {
  const auto common = [](const std::vector<int>& a, const std::vector<int>& b) {
    std::vector<int> found;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(found));
    return found;
  };
  const auto find = [&](const std::vector<int>& left,
                        const std::vector<int>& right) -> std::optional<std::pair<int, int>> {
    for (const int i : left) {
      for (const int j : right) {
        const auto [a, b] = std::minmax(i, j);
        if (a != b && rules.may_touch(one, a, b) && rules.may_touch(other, a, b)) return std::pair(a, b);
      }
    }
    return {};
  };
  const Sides& a = sides[one];
  const Sides& b = sides[other];
  if (const auto found = find(common(a.first, b.first), common(a.second, b.second))) return found;
  return find(common(a.first, b.second), common(a.second, b.first));
}

// Under each of two rules such a pair makes contacts of its own, and how these share the load is nobody's choice.
void add_pairs_of_two_rules(const model::Model& model, std::vector<std::string>& notices) {
  const contact::PairRules rules(model);
  std::vector<Sides> sides(rules.rules());
  for (int rule = 0; rule < rules.rules(); ++rule) {
    for (int who = 0; who < rules.participants(); ++who) {
      if (rules.is_first(rule, who)) sides[rule].first.push_back(who);
      if (rules.is_second(rule, who)) sides[rule].second.push_back(who);
    }
  }
  for (int second = 1; second < rules.rules(); ++second) {
    for (int first = 0; first < second; ++first) {
      if (!rules.has_channel(first, 0) || !rules.has_channel(second, 0)) continue;
      const auto pair = pair_of_both(rules, sides, first, second);
      if (!pair) continue;
      notices.push_back(fmt::format(
          "the contact rules '{}' and '{}' both let '{}' touch '{}', and each makes contacts of its own: take the pair "
          "out of one of them with 'except'",
          model.contacts[first].name, model.contacts[second].name, model::participant_name(model, pair->first),
          model::participant_name(model, pair->second)));
    }
  }
}

}  // namespace

std::vector<std::string> notices_of(const Scene& scene) {
  std::vector<std::string> notices = scene.notices;
  add_bodies_without_rules(scene.run_case.model, notices);
  add_surfaces_without_rules(scene.run_case.model, notices);
  add_pairs_of_two_rules(scene.run_case.model, notices);
  add_overlaps(scene.run_case.model, notices);
  return notices;
}

}  // namespace ricochet::io
