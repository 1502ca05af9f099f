#include "ricochet/contact/pair_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace ricochet::contact {

namespace {

// The participants of one side of a rule, each once.
std::vector<int> side_of(const model::Model& model, const std::vector<model::Participant>& participants) {
  std::vector<int> side;
  side.reserve(participants.size());
  for (const model::Participant& participant : participants)
    side.push_back(model::participant_index(model, participant));
  std::sort(side.begin(), side.end());
  side.erase(std::unique(side.begin(), side.end()), side.end());
  return side;
}

}  // namespace

PairRules::PairRules(const model::Model& model) {
  for (const model::Body& body : model.bodies) node_of_body_.push_back(body.node.index);
  memberships_.resize(model.bodies.size() + model.surfaces.size());
  collides_.assign(memberships_.size(), 0);
  is_plane_.assign(model.bodies.size(), 0);
  for (const model::Surface& surface : model.surfaces) is_plane_.push_back(surface.mesh ? 0 : 1);
  for (std::size_t rule = 0; rule < model.contacts.size(); ++rule) add_rule(model, static_cast<int>(rule));
}

void PairRules::add_rule(const model::Model& model, int rule) {
  const model::ContactRule& source = model.contacts[rule];
  const std::vector<int> first = side_of(model, source.first);
  const std::vector<int> second = side_of(model, source.second);
  if (first.size() == 1 && second.size() == 1 && first != second) {
    const auto [a, b] = std::minmax(first[0], second[0]);
    if (share_a_node(a, b)) {
      throw std::invalid_argument(fmt::format("contact '{}' pairs '{}' with '{}', which sit on the same node",
                                              source.name, model.bodies[a].name, model.bodies[b].name));
    }
  }
  const auto has_surface = [&](const std::vector<int>& side) { return !side.empty() && side.back() >= bodies(); };
  const auto has_one_surface = [&](const std::vector<int>& side) {
    return has_surface(side) && (side.size() == 1 || side[side.size() - 2] < bodies());
  };
  const bool only_one = has_one_surface(first) && has_one_surface(second) && first.back() == second.back();
  if (has_surface(first) && has_surface(second) && !only_one) {
    throw std::invalid_argument(fmt::format("contact '{}' pairs two surfaces", source.name));
  }
  for (const bool is_first : {true, false}) {
    const std::vector<int>& others = is_first ? second : first;
    const bool others_collide = std::any_of(others.begin(), others.end(), [&](int other) { return !is_plane_[other]; });
    for (const int participant : is_first ? first : second) {
      std::vector<Membership>& all = memberships_[participant];
      if (all.empty() || all.back().rule != rule) all.push_back({rule});
      (is_first ? all.back().first : all.back().second) = true;
      if (others_collide && !is_plane_[participant]) collides_[participant] = 1;
    }
  }
  std::vector<std::pair<int, int>>& except = exceptions_.emplace_back();
  for (const auto& [a, b] : source.except) {
    except.emplace_back(std::minmax({model::participant_index(model, a), model::participant_index(model, b)}));
  }
  std::sort(except.begin(), except.end());
  find_plane_pairs(rule, first, second);

  first_law_.push_back(static_cast<int>(laws_.size()));
  laws_.push_back(source.law);
  for (const model::MaterialLaw& each : source.material_laws) laws_.push_back(each.law);
  model::ContactRule& kept = law_rules_.emplace_back();
  kept.material_laws = source.material_laws;
  kept.first_channel = source.first_channel;
  kept.last_channel = source.last_channel;
}

void PairRules::find_plane_pairs(int rule, const std::vector<int>& first, const std::vector<int>& second) {
  std::vector<int>& of_bodies = bodies_at_planes_.emplace_back();
  std::vector<int>& of_planes = planes_at_bodies_.emplace_back();
  for (const auto* side : {&first, &second}) {
    const std::vector<int>& other = side == &first ? second : first;
    const auto bodies_end = std::lower_bound(side->begin(), side->end(), bodies());
    if (bodies_end == side->begin()) continue;
    const std::size_t before = of_planes.size();
    std::copy_if(other.begin(), other.end(), std::back_inserter(of_planes), [&](int i) { return is_plane_[i] != 0; });
    if (of_planes.size() > before) of_bodies.insert(of_bodies.end(), side->begin(), bodies_end);
  }
  for (std::vector<int>* list : {&of_bodies, &of_planes}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  // A rule that has surfaces on both sides has one surface only, so each of these bodies meets it.
  const auto takes_surface = [&](const auto& pair) { return pair.second >= bodies(); };
  all_meet_.push_back(std::none_of(exceptions_[rule].begin(), exceptions_[rule].end(), takes_surface) ? 1 : 0);
}

const PairRules::Membership* PairRules::membership(int participant, int rule) const {
  const std::vector<Membership>& all = memberships_[participant];
  const auto found = std::lower_bound(
      all.begin(), all.end(), rule, [](const Membership& membership, int wanted) { return membership.rule < wanted; });
  return found != all.end() && found->rule == rule ? &*found : nullptr;
}

bool PairRules::is_excepted(int rule, int a, int b) const {
  const std::vector<std::pair<int, int>>& except = exceptions_[rule];
  return !except.empty() && std::binary_search(except.begin(), except.end(), std::pair(a, b));
}

bool PairRules::may_touch(int rule, int a, int b) const {
  const Membership* of_a = membership(a, rule);
  const Membership* of_b = membership(b, rule);
  return a != b && of_a != nullptr && of_b != nullptr && are_opposite(*of_a, *of_b) && !share_a_node(a, b) &&
         !is_excepted(rule, a, b);
}

}  // namespace ricochet::contact
