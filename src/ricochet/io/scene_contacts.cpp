// Contact rules: from names and patterns to participants, and whether their shapes can touch in this version.
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ricochet/io/scene_model.hpp"

namespace ricochet::io {

namespace {

class ContactReader {
 public:
  explicit ContactReader(model::Model& model) : model_(model) {
    const int bodies = static_cast<int>(model.bodies.size());
    const int count = bodies + static_cast<int>(model.surfaces.size());
    for (int i = 0; i < count; ++i) index_.emplace(model::participant_name(model, i), i);
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
    require_pairs(entry, first, second);
    rule.first = participants(first);
    rule.second = participants(second);
    rule.law = {entry["friction"].number(), entry["restitution"].number(), entry["tangential_restitution"].number()};
    model_.contacts.push_back(std::move(rule));
  }

 private:
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
    if (const auto exact = index_.find(name); exact != index_.end()) {
      found.insert(exact->second);
      return;
    }
    for (const auto& [candidate, index] : index_) {
      if (matches_pattern(name, candidate)) found.insert(index);
    }
  }

  // Surfaces come last in the order of participants.
  bool has_surface(const std::vector<int>& side) const { return is_surface(side.back()); }

  std::string_view shape_of(int participant) const {
    return is_surface(participant) ? "plane" : model::shape_name(model_.bodies[participant]);
  }

  // Whether two things can touch depends on their shapes only: a few pairs of shapes stand for all pairs of bodies.
  void require_pairs(const Entry& entry, const std::vector<int>& first, const std::vector<int>& second) const {
    bool has_pair = false;
    for (const auto& [shape_a, these] : by_shape(first)) {
      for (const auto& [shape_b, those] : by_shape(second)) {
        const int a = these.front();
        const int b = those.front() != a ? those.front() : those.size() > 1 ? those[1] : -1;
        if (b < 0 && these.size() < 2) continue;  // a body never touches itself
        require_pair(entry, b < 0 ? these[1] : a, b < 0 ? a : b);
        has_pair = true;
      }
    }
    if (has_pair) return;
    entry.refuse(fmt::format("'{}' pairs '{}' with itself only; name what it touches", entry.path(),
                             model::participant_name(model_, first.front())));
  }

  std::map<std::string_view, std::vector<int>> by_shape(const std::vector<int>& side) const {
    std::map<std::string_view, std::vector<int>> result;
    for (const int participant : side) result[shape_of(participant)].push_back(participant);
    return result;
  }

  void require_pair(const Entry& entry, int a, int b) const {
    const std::string& name_a = model::participant_name(model_, a);
    const std::string& name_b = model::participant_name(model_, b);
    const bool is_known = is_surface(b) || (shape_of(a) == "sphere" && shape_of(b) == "sphere");
    if (is_known) return;
    entry.refuse(
        fmt::format("'{}' pairs '{}' ({}) with '{}' ({}): in this version there is no contact between these "
                    "shapes; bodies touch planes, and spheres touch spheres",
                    entry.path(), name_a, shape_of(a), name_b, shape_of(b)));
  }

  std::vector<model::Participant> participants(const std::vector<int>& side) const {
    const int bodies = static_cast<int>(model_.bodies.size());
    std::vector<model::Participant> result;
    result.reserve(side.size());
    for (const int i : side) {
      result.push_back(is_surface(i) ? model::Participant{{}, {i - bodies}} : model::Participant{{i}, {}});
    }
    return result;
  }

  model::Model& model_;
  std::unordered_map<std::string, int> index_;
};

}  // namespace

void read_contacts(const Entry& scene, model::Model& model) {
  ContactReader reader(model);
  for (const Entry& entry : scene["contacts"].entries()) reader.read(entry);
}

}  // namespace ricochet::io
