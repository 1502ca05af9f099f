// Contact rules: from names, patterns and groups to participants, whether their shapes can touch, and the laws of their
// materials.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "ricochet/contact/possible_pairs.hpp"
#include "ricochet/io/scene_materials.hpp"
#include "ricochet/io/scene_model.hpp"

namespace ricochet::io {

namespace {

using ParticipantPair = std::pair<int, int>;  // of participants

class ContactReader {
 public:
  ContactReader(const Entry& scene, model::Model& model) : model_(model), table_(scene, model) {
    for (const char* section : {"bodies", "surfaces"}) {
      for (const Entry& entry : scene[section].entries()) add_participant(entry);
    }
  }

  void read(const Entry& entry) {
    model::ContactRule rule;
    rule.name = entry.name();
    const std::vector<Entry> between = entry["between"].entries();
    std::vector<int> first = read_side(between[0]);
    std::vector<int> second = read_side(between[1]);
    if (has_surface(first) && has_surface(second)) {
      entry.refuse(fmt::format("'{}' pairs the surface '{}' with the surface '{}'; surfaces do not touch each other",
                               entry.path(), model::participant_name(model_, first.back()),
                               model::participant_name(model_, second.back())));
    }
    if (has_surface(first)) std::swap(first, second);  // the body that meets a surface is A
    const std::set<ParticipantPair> except = read_exceptions(entry, first, second);
    const std::vector<ParticipantPair> pairs = pairs_to_judge(first, second, except);
    if (pairs.empty()) refuse_empty_rule(entry, first, except);
    rule.first = participants(first);
    rule.second = participants(second);
    for (const auto& [a, b] : except) rule.except.emplace_back(participant(a), participant(b));
    read_laws(entry, pairs, rule);
    model_.contacts.push_back(std::move(rule));
  }

 private:
  // Participants are numbered in the order of the file, bodies first, as the model numbers them.
  void add_participant(const Entry& entry) {
    const int number = static_cast<int>(index_.size());
    index_.emplace(entry.name(), number);
    const Entry group = entry["group"];
    if (!group.exists()) return;
    if (!is_valid_name(group.text())) {
      group.refuse(fmt::format(
          "'{}' cannot be the name of a group: names consist of letters, digits, '-' and '_' and begin with a letter",
          group.text()));
    }
    groups_[group.text()].push_back(number);
  }

  bool is_surface(int participant) const { return participant >= static_cast<int>(model_.bodies.size()); }

  std::vector<int> read_side(const Entry& side) const {
    std::set<int> found;
    if (side.value().is_scalar()) {
      add_matches(side.text(), found);
    } else {
      for (const Entry& name : side.entries()) add_matches(name.text(), found);
      if (found.empty()) side.refuse(fmt::format("'{}' is an empty list", side.path()));
    }
    return {found.begin(), found.end()};
  }

  void add_matches(const std::string& name, std::set<int>& found) const {
    if (name.starts_with(group_prefix)) {
      const std::vector<int>& group = groups_.at(name.substr(group_prefix.size()));
      found.insert(group.begin(), group.end());
      return;
    }
    if (const auto exact = index_.find(name); exact != index_.end()) {
      found.insert(exact->second);
      return;
    }
    for (const auto& [candidate, index] : index_) {
      if (matches_pattern(name, candidate)) found.insert(index);
    }
  }

  // The pairs of a rule that shall not touch, the smaller number first. One that the rule does not have is a mistake.
  std::set<ParticipantPair> read_exceptions(const Entry& rule, const std::vector<int>& first,
                                            const std::vector<int>& second) const {
    const auto has = [](const std::vector<int>& side, int i) {
      return std::binary_search(side.begin(), side.end(), i);
    };
    std::set<ParticipantPair> result;
    for (const Entry& entry : rule["except"].entries()) {
      const std::vector<Entry> sides = entry.entries();
      bool takes_out = false;
      for (const int a : read_side(sides[0])) {
        for (const int b : read_side(sides[1])) {
          if (a == b || !((has(first, a) && has(second, b)) || (has(first, b) && has(second, a)))) continue;
          result.insert(std::minmax(a, b));
          takes_out = true;
        }
      }
      if (takes_out) continue;
      entry.refuse(fmt::format("'{}' takes no pair out of '{}': the rule does not let these touch; delete it",
                               entry.path(), rule.path()));
    }
    return result;
  }

  // Surfaces come last in the order of participants.
  bool has_surface(const std::vector<int>& side) const { return is_surface(side.back()); }

  // What a body touches with may be made of several materials.
  std::vector<model::MaterialId> materials_of(int participant) const {
    if (is_surface(participant)) return {model_.surfaces[participant - model_.bodies.size()].material};
    std::vector<model::MaterialId> result;
    for (const model::ShapePart& part : model_.bodies[participant].parts) {
      if (std::find(result.begin(), result.end(), part.material) == result.end()) result.push_back(part.material);
    }
    return result;
  }

  // Under which law two things touch depends on their materials only: one pair of each kind stands for all pairs of a
  // rule that are not excepted.
  std::vector<ParticipantPair> pairs_to_judge(const std::vector<int>& first, const std::vector<int>& second,
                                              const std::set<ParticipantPair>& except) const {
    std::vector<ParticipantPair> result;
    const auto those_like = by_kind(second);
    for (const auto& [kind_a, these] : by_kind(first)) {
      for (const auto& [kind_b, those] : those_like) {
        if (const auto pair = first_pair(these, those, except)) result.push_back(*pair);
      }
    }
    return result;
  }

  // A body never touches itself.
  static std::optional<ParticipantPair> first_pair(const std::vector<int>& these, const std::vector<int>& those,
                                                   const std::set<ParticipantPair>& except) {
    for (const int a : these) {
      for (const int b : those) {
        if (a != b && !except.contains(std::minmax(a, b))) return std::pair(a, b);
      }
    }
    return {};
  }

  using Kind = std::vector<int>;  // materials

  std::map<Kind, std::vector<int>> by_kind(const std::vector<int>& side) const {
    std::map<Kind, std::vector<int>> result;
    for (const int participant : side) {
      Kind kind;
      for (const model::MaterialId material : materials_of(participant)) kind.push_back(material.index);
      result[kind].push_back(participant);
    }
    return result;
  }

  [[noreturn]] void refuse_empty_rule(const Entry& entry, const std::vector<int>& first,
                                      const std::set<ParticipantPair>& except) const {
    if (!except.empty()) {
      entry["except"].refuse(
          fmt::format("'{}' leaves nothing of '{}' that may touch", entry["except"].path(), entry.path()));
    }
    entry.refuse(fmt::format("'{}' pairs '{}' with itself only; name what it touches", entry.path(),
                             model::participant_name(model_, first.front())));
  }

  // The rule's own law, and for every pair of materials that meets under it that of the table, in which keys that the
  // rule writes take the place of the table's.
  void read_laws(const Entry& entry, const std::vector<ParticipantPair>& pairs, model::ContactRule& rule) const {
    rule.law = read_law(entry, {});
    const bool is_complete = entry["friction"].is_written() && entry["restitution"].is_written();
    std::set<ParticipantPair> seen;
    for (const auto& [a, b] : pairs) {
      for (const model::MaterialId material_a : materials_of(a)) {
        for (const model::MaterialId material_b : materials_of(b)) {
          if (!seen.insert(std::minmax(material_a.index, material_b.index)).second) continue;
          if (const model::ContactLaw* law = table_.find(material_a, material_b)) {
            rule.material_laws.push_back({material_a, material_b, read_law(entry, *law)});
          } else if (!is_complete && !table_.empty()) {
            require_no_materials(entry, a, material_a, b, material_b);
          }
        }
      }
    }
  }

  // A law that is not in the table would silently be none: no friction, no restitution.
  void require_no_materials(const Entry& entry, int a, model::MaterialId material_a, int b,
                            model::MaterialId material_b) const {
    if (!material_a.valid() && !material_b.valid()) return;
    const std::string remedy = "write friction and restitution in the rule";
    if (material_a.valid() && material_b.valid()) {
      const std::string& name_a = model_.materials[material_a.index].name;
      const std::string& name_b = model_.materials[material_b.index].name;
      entry.refuse(fmt::format(
          "'{}' lets '{}' ({}) touch '{}' ({}), but 'material_pairs' has no law between {} and {}; add one, or {}",
          entry.path(), model::participant_name(model_, a), name_a, model::participant_name(model_, b), name_b, name_a,
          name_b, remedy));
    }
    const int without = material_a.valid() ? b : a;
    const int with = material_a.valid() ? a : b;
    const model::MaterialId material = material_a.valid() ? material_a : material_b;
    entry.refuse(
        fmt::format("'{}' lets '{}' ({}) touch '{}', which has no material, so 'material_pairs' cannot give "
                    "their law; give it a material, or {}",
                    entry.path(), model::participant_name(model_, with), model_.materials[material.index].name,
                    model::participant_name(model_, without), remedy));
  }

  model::Participant participant(int i) const {
    return is_surface(i) ? model::Participant{{}, {i - static_cast<int>(model_.bodies.size())}}
                         : model::Participant{{i}, {}};
  }

  std::vector<model::Participant> participants(const std::vector<int>& side) const {
    std::vector<model::Participant> result;
    result.reserve(side.size());
    for (const int i : side) result.push_back(participant(i));
    return result;
  }

  model::Model& model_;
  MaterialPairs table_;
  std::unordered_map<std::string, int> index_;
  std::unordered_map<std::string, std::vector<int>> groups_;
};

}  // namespace

void read_contacts(const Entry& scene, model::Model& model) {
  ContactReader reader(scene, model);
  const std::vector<Entry> entries = scene["contacts"].entries();
  for (const Entry& entry : entries) reader.read(entry);
  const contact::PairRules rules(model);
  if (const auto impossible = contact::find_impossible_pair(model, rules, contact::Forms(model))) {
    const Entry& entry = entries[impossible->rule];
    entry.refuse(fmt::format("'{}' {}", entry.path(), impossible->sentence));
  }
}

}  // namespace ricochet::io
