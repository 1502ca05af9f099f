// Who may touch whom, and under which law: the contact rules of a model, without a table of all pairs.
//
// A rule lets every participant of one side touch every participant of the other, but for the pairs of `except`. Kept
// are the sides, not the pairs: a rule for 1e5 bodies among each other takes 1e5 entries. Participants are numbered as
// model::participant_index does; of a pair A is the smaller number: a body that meets a surface, else the body that
// comes first in the model. Bodies on one node never touch each other: nothing could part them.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/model/model.hpp"

namespace ricochet::contact {

class PairRules {
 public:
  // Throws std::invalid_argument with a sentence if a rule pairs two surfaces, or two bodies on one node and nothing
  // else.
  explicit PairRules(const model::Model& model);

  int rules() const { return static_cast<int>(exceptions_.size()); }
  int bodies() const { return static_cast<int>(node_of_body_.size()); }
  int participants() const { return static_cast<int>(memberships_.size()); }

  bool may_touch(int rule, int a, int b) const;  // a < b
  bool takes_part(int rule, int participant) const { return membership(participant, rule) != nullptr; }
  bool is_first(int rule, int participant) const {  // on the first side of the rule; it may be on both
    return takes_part(rule, participant) && membership(participant, rule)->first;
  }
  bool is_second(int rule, int participant) const {
    return takes_part(rule, participant) && membership(participant, rule)->second;
  }

  // Calls visit(rule) for every rule under which the two (a < b) may touch, in ascending order.
  template <class Visit>
  void for_each_rule(int a, int b, Visit&& visit) const {
    if (share_a_node(a, b)) return;
    auto of_a = memberships_[a].begin();
    auto of_b = memberships_[b].begin();
    while (of_a != memberships_[a].end() && of_b != memberships_[b].end()) {
      if (of_a->rule != of_b->rule) {
        ++(of_a->rule < of_b->rule ? of_a : of_b);
        continue;
      }
      if (are_opposite(*of_a, *of_b) && !is_excepted(of_a->rule, a, b)) visit(of_a->rule);
      ++of_a, ++of_b;
    }
  }

  // Do parts of this channel touch under the rule? See model::ShapePart.
  bool has_channel(int rule, int channel) const { return model::has_channel(law_rules_[rule], channel); }

  // Does this participant, a body or a mesh, make pairs that the broad phase finds: all but those with planes?
  bool collides(int participant) const { return collides_[participant] != 0; }

  // The bodies and planes of a rule that meet each other; whether a pair of them does, may_touch says.
  std::span<const int> bodies_at_planes(int rule) const { return bodies_at_planes_[rule]; }
  std::span<const int> planes_at_bodies(int rule) const { return planes_at_bodies_[rule]; }  // as participants
  // True if each of these bodies meets each of these planes.
  bool all_meet(int rule) const { return all_meet_[rule] != 0; }

  // The law of two materials under a rule, as a place in the list of all laws.
  int law_place(int rule, model::MaterialId a, model::MaterialId b) const {
    return first_law_[rule] + model::law_place(law_rules_[rule], a, b);
  }
  const model::ContactLaw& law(int place) const { return laws_[place]; }
  int laws() const { return static_cast<int>(laws_.size()); }

 private:
  struct Membership {
    int rule = 0;
    bool first = false, second = false;  // on which sides of it
  };

  void add_rule(const model::Model& model, int rule);
  void find_plane_pairs(int rule, const std::vector<int>& first, const std::vector<int>& second);
  const Membership* membership(int participant, int rule) const;
  bool is_excepted(int rule, int a, int b) const;
  bool share_a_node(int a, int b) const { return b < bodies() && node_of_body_[a] == node_of_body_[b]; }
  static bool are_opposite(const Membership& a, const Membership& b) {
    return (a.first && b.second) || (a.second && b.first);
  }

  std::vector<int> node_of_body_;
  std::vector<std::vector<Membership>> memberships_;  // of each participant, rules ascending
  std::vector<char> collides_;
  std::vector<char> is_plane_;                                // of each participant
  std::vector<std::vector<std::pair<int, int>>> exceptions_;  // of each rule, sorted, the smaller number first
  std::vector<std::vector<int>> bodies_at_planes_, planes_at_bodies_;
  std::vector<char> all_meet_;
  std::vector<model::ContactLaw> laws_;        // of each rule its own, then those of its materials
  std::vector<int> first_law_;                 // of each rule
  std::vector<model::ContactRule> law_rules_;  // their laws and channels only
};

}  // namespace ricochet::contact
