#include "ricochet/contact/colliders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "contact/heap_model.hpp"

namespace ricochet::contact {
namespace {

struct ColliderCase {
  explicit ColliderCase(const model::Model& source)
      : model(source),
        map(model),
        rules(model),
        forms(model),
        colliders(rules, forms, map, model),
        state(mechanics::initial_state(model, map)) {}

  model::Model model;
  mechanics::DofMap map;
  PairRules rules;
  Forms forms;
  Colliders colliders;
  mechanics::State state;
};

using Triple = std::tuple<int, int, int>;

TEST(Colliders, EveryPartOfABodyThatMeetsOthers) {
  model::Model model = test::heap_of_spheres(9, 1);
  test::add_ball(model, 1, 1, Vector3::Zero());  // meets nobody
  const ColliderCase c(model);
  EXPECT_EQ(c.colliders.size(), 12);
  EXPECT_EQ(c.colliders[5].participant, 4);
  EXPECT_EQ(c.colliders[6].participant, 4);
  EXPECT_EQ(c.colliders[6].part, 1);
  EXPECT_EQ(c.colliders[11].participant, 8);
}

// While bodies move and turn, and the reach changes: all pairs of boxes within reach are candidates, in order.
TEST(CollidersProperty, NoPairWithinReachIsMissed) {
  ColliderCase c(test::heap_of_spheres(60, 2));
  math::Random random(3);
  for (int step = 0; step < 100; ++step) {
    const double reach = step == 50 ? 3 : 0.01 * (step % 3);
    const auto candidates = c.colliders.candidates(c.state, reach);
    const auto less = [](const Candidate& x, const Candidate& y) {
      return std::tuple(x.rule, x.a, x.b) < std::tuple(y.rule, y.a, y.b);
    };
    EXPECT_TRUE(std::is_sorted(candidates.begin(), candidates.end(), less));
    std::set<Triple> found;
    for (const Candidate& candidate : candidates) {
      EXPECT_TRUE(found.emplace(candidate.rule, candidate.a, candidate.b).second);
      EXPECT_TRUE(c.rules.may_touch(candidate.rule, c.colliders[candidate.a].participant,
                                    c.colliders[candidate.b].participant));
    }
    std::size_t all = 0;
    for (int a = 0; a < c.colliders.size(); ++a) {
      for (int b = a + 1; b < c.colliders.size(); ++b) {
        if (c.colliders[a].participant == c.colliders[b].participant) continue;
        c.rules.for_each_rule(c.colliders[a].participant, c.colliders[b].participant, [&](int rule) {
          ++all;
          if (geometry::distance(c.colliders.box(a, c.state), c.colliders.box(b, c.state)) > reach) return;
          EXPECT_TRUE(found.contains({rule, a, b}));
        });
      }
    }
    EXPECT_LT(found.size(), step == 50 ? all + 1 : all / 4);  // it does save something, also after the far reach
    c.state.v.setRandom();
    mechanics::advance(c.map, c.state.q, c.state.v, step % 2 == 0 ? 0.001 : 0.1, c.state.q);
  }
}

// Faces without limits are candidates with all that may touch them, in order, also before anything has moved.
TEST(Colliders, FacesWithoutLimitsAreNearEverything) {
  model::Model model;
  std::vector<model::Participant> all;
  for (int i = 0; i < 6; ++i) {
    test::add_ball(model, 1, 0.5, Vector3(100 * i, 0, 0));
    all.push_back(test::body(i));
  }
  model.bodies[3].parts = {{model::FaceShape{}, Vector3::Zero(), {}, "face"},
                           {model::SphereShape{0.5}, Vector3::Zero(), {}, "ball"}};
  model.nodes[4].position = model.nodes[5].position;  // these meet in the broad phase
  test::add_contact(model, all, all);
  ColliderCase c(model);
  std::vector<Triple> found;
  for (const Candidate& candidate : c.colliders.candidates(c.state, 0)) {
    found.emplace_back(candidate.rule, candidate.a, candidate.b);
  }
  EXPECT_EQ(found, (std::vector<Triple>{{0, 0, 3}, {0, 1, 3}, {0, 2, 3}, {0, 3, 5}, {0, 3, 6}, {0, 5, 6}}));
}

}  // namespace
}  // namespace ricochet::contact
