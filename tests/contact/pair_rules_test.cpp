#include "ricochet/contact/pair_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "model/test_models.hpp"

namespace ricochet::contact {
namespace {

model::Model with_participants(int bodies, int surfaces) {
  model::Model model;
  for (int i = 0; i < bodies; ++i) test::add_ball(model, 1, 1, Vector3(3 * i, 0, 0));
  for (int i = 0; i < surfaces; ++i) test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  return model;
}

// All pairs of a rule, one after another, as the rule is defined.
using Triple = std::tuple<int, int, int>;
std::set<Triple> by_definition(const model::Model& model) {
  std::set<Triple> result;
  const auto nodes_differ = [&](int a, int b) {
    const int bodies = static_cast<int>(model.bodies.size());
    return b >= bodies || !(model.bodies[a].node == model.bodies[b].node);
  };
  for (std::size_t rule = 0; rule < model.contacts.size(); ++rule) {
    for (const model::Participant& first : model.contacts[rule].first) {
      for (const model::Participant& second : model.contacts[rule].second) {
        const auto [a, b] =
            std::minmax({model::participant_index(model, first), model::participant_index(model, second)});
        if (a != b && nodes_differ(a, b)) result.emplace(static_cast<int>(rule), a, b);
      }
    }
    for (const auto& [first, second] : model.contacts[rule].except) {
      const auto [a, b] =
          std::minmax({model::participant_index(model, first), model::participant_index(model, second)});
      result.erase({static_cast<int>(rule), a, b});
    }
  }
  return result;
}

TEST(PairRulesProperty, TheyAreThePairsOfTheDefinition) {
  math::Random random(17);
  for (int run = 0; run < 200; ++run) {
    const int bodies = 2 + run % 7, surfaces = run % 4;
    model::Model model = with_participants(bodies, surfaces);
    if (run % 5 == 0) model.bodies[1].node = model.bodies[0].node;
    const auto draw = [&](int count) { return static_cast<int>(random.uniform(0, count)); };
    for (int rule = 0; rule < 3; ++rule) {
      std::vector<model::Participant> first, second;
      for (int i = 0; i < 4; ++i) first.push_back(test::body(draw(bodies)));
      for (int i = 0; i < 3; ++i) second.push_back(test::body(draw(bodies)));
      for (int i = 0; i < surfaces; ++i) (rule == 0 ? first : second).push_back(test::surface(draw(surfaces)));
      test::add_contact(model, first, second);
      for (int i = 0; i < rule; ++i) {
        model.contacts.back().except.emplace_back(test::body(draw(bodies)), test::body(draw(bodies)));
        if (surfaces > 0) model.contacts.back().except.emplace_back(test::surface(0), test::body(draw(bodies)));
      }
    }
    const PairRules rules(model);
    const std::set<Triple> expected = by_definition(model);
    std::set<Triple> asked, visited, at_surfaces;
    for (int a = 0; a < bodies + surfaces; ++a) {
      for (int b = a + 1; b < bodies + surfaces; ++b) {
        for (int rule = 0; rule < 3; ++rule) {
          if (rules.may_touch(rule, a, b)) asked.emplace(rule, a, b);
        }
        if (a < bodies) rules.for_each_rule(a, b, [&](int rule) { visited.emplace(rule, a, b); });
      }
    }
    for (int rule = 0; rule < 3; ++rule) {
      for (const int a : rules.bodies_at_planes(rule)) {
        for (const int b : rules.planes_at_bodies(rule)) {
          if (rules.all_meet(rule) || rules.may_touch(rule, a, b)) at_surfaces.emplace(rule, a, b);
        }
      }
    }
    EXPECT_EQ(asked, expected);
    EXPECT_EQ(visited, expected);
    std::set<Triple> bodies_only = expected, surfaces_only = expected;
    std::erase_if(bodies_only, [&](const Triple& triple) { return std::get<2>(triple) >= bodies; });
    std::erase_if(surfaces_only, [&](const Triple& triple) { return std::get<2>(triple) < bodies; });
    EXPECT_EQ(at_surfaces, surfaces_only);
    for (const auto& [rule, a, b] : bodies_only) EXPECT_TRUE(rules.collides(a) && rules.collides(b));
  }
}

TEST(PairRules, LawsOfMaterials) {
  model::Model model = with_participants(2, 1);
  test::add_contact(model, {test::body(0)}, {test::body(1)}, {0.5});
  test::add_contact(model, {test::body(0)}, {test::surface(0)}, {0.6});
  model.contacts[1].material_laws = {{{0}, {1}, {0.1}}, {{2}, {2}, {0.2}}};
  const PairRules rules(model);
  const auto friction = [&](int rule, int a, int b) {
    return rules.law(rules.law_place(rule, {a}, {b})).friction.at(0);
  };
  EXPECT_EQ(friction(0, 0, 1), 0.5);
  EXPECT_EQ(friction(1, 0, 1), 0.1);
  EXPECT_EQ(friction(1, 1, 0), 0.1);
  EXPECT_EQ(friction(1, 2, 2), 0.2);
  EXPECT_EQ(friction(1, 2, -1), 0.6);
}

TEST(PairRules, BodiesOnOneNodeNeverTouch) {
  model::Model model = with_participants(3, 0);
  model.bodies[1].node = model.bodies[0].node;
  const std::vector<model::Participant> all = {test::body(0), test::body(1), test::body(2)};
  test::add_contact(model, all, all);
  const PairRules rules(model);
  EXPECT_FALSE(rules.may_touch(0, 0, 1));
  EXPECT_TRUE(rules.may_touch(0, 0, 2));
}

TEST(PairRulesBadInput, TwoSurfacesDoNotTouch) {
  model::Model model = with_participants(1, 2);
  test::add_contact(model, {test::body(0), test::surface(1)}, {test::surface(1), test::body(0)});
  EXPECT_NO_THROW(PairRules{model});  // the same surface on both sides is no pair
  test::add_contact(model, {test::body(0), test::surface(1)}, {test::surface(0)});
  EXPECT_THROW(PairRules{model}, std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::contact
