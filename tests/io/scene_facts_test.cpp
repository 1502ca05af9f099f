#include "ricochet/io/scene_facts.hpp"

#include <gtest/gtest.h>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

constexpr const char* kTake = "probe: along, take: last";
constexpr const char* kLiteral =
    "does not apply: its numbers are for the scene as it is written, and --set changes the physics";

TEST(SceneFacts, ProbesAndFactsAreRead) {
  const study::Case scene = slide_case();
  ASSERT_EQ(scene.probes.size(), 2);
  EXPECT_EQ(scene.probes.name(0), "along");
  ASSERT_EQ(scene.facts.size(), 2U);
  EXPECT_EQ(scene.facts[0].name, "distance");
  EXPECT_EQ(scene.facts[0].source, "derived");
  EXPECT_EQ(scene.facts[0].probe, 0);
  EXPECT_EQ(scene.facts[0].take, study::Take::last);
  EXPECT_EQ(scene.facts[0].expected, 2);
  EXPECT_EQ(scene.facts[0].tolerance, 0.2);
  EXPECT_TRUE(scene.facts[1].is_bound);
  EXPECT_EQ(scene.facts[1].above, -1e-10);
  EXPECT_FALSE(scene.facts[1].below);
}

TEST(SceneFacts, AnExpressionInAFactIsAHiddenProbe) {
  const study::Case scene = slide_case(kTake, "probe: speed*block.velocity.x, take: max");
  ASSERT_EQ(scene.probes.size(), 3);
  EXPECT_TRUE(scene.probes.hidden(2));
  EXPECT_EQ(scene.facts[0].probe, 2);
  EXPECT_EQ(scene.facts[0].take, study::Take::max);
}

TEST(SceneFacts, EventsTimesAndWindowsAreRead) {
  const study::Fact event =
      slide_case(kTake, "event: {probe: gap, crosses: 0.1*speed, direction: falling, nth: 2}, over: [step, end/2]")
          .facts[0];
  ASSERT_TRUE(event.event);
  EXPECT_EQ(event.event->level, 0.2);
  EXPECT_EQ(event.event->direction, study::Direction::falling);
  EXPECT_EQ(event.event->nth, 2);
  EXPECT_EQ(event.probe, 1);
  EXPECT_EQ(event.over, std::make_pair(1e-3, 0.5));
  const study::Fact at = slide_case(kTake, "probe: along, at: end - 2*step").facts[0];
  EXPECT_EQ(at.take, study::Take::at);
  EXPECT_EQ(at.at, 1 - 2e-3);
  EXPECT_EQ(slide_case(kTake, "probe: along").facts[0].take, study::Take::last);
}

TEST(SceneFacts, OrdersAreRead) {
  const study::Fact fact = slide_case(kTake, "order: {probe: gap, steps: [1e-4, 8*step], count: 4}").facts[0];
  ASSERT_TRUE(fact.order);
  EXPECT_EQ(fact.order->largest, 8e-3);
  EXPECT_EQ(fact.order->smallest, 1e-4);
  EXPECT_EQ(fact.order->count, 4);
  EXPECT_EQ(fact.probe, 1);
}

TEST(SceneFactsBadInput, OrdersNeedTwoStepsAndNothingElse) {
  expect_complaints({
      {kTake, "order: {probe: gap, steps: [1e-3, 1e-3]}",
       "slide.yaml:22:49: 'expect.0.order.steps' needs two different steps"},
      {kTake, "probe: along, order: {probe: gap, steps: [1e-3, 1e-4]}",
       "slide.yaml:22:5: the fact 'distance' must not have 'probe': an order is read from several runs"},
  });
}

TEST(SceneFacts, TheLargerToleranceCounts) {
  EXPECT_EQ(slide_case("{relative: 0.1}", "{relative: 0.1, absolute: 0.5}").facts[0].tolerance, 0.5);
  EXPECT_EQ(slide_case("{relative: 0.1}", "{relative: 0.1, absolute: 0.01}").facts[0].tolerance, 0.2);
  EXPECT_EQ(slide_case("{relative: 0.1}", "{absolute: 2*step}").facts[0].tolerance, 2e-3);
}

TEST(SceneFacts, AFactThatFollowsItsParametersHoldsUnderOverrides) {
  const study::Case scene = slide_case("", "", {"parameters.speed=3"});
  EXPECT_EQ(scene.facts[0].expected, 3);
  EXPECT_EQ(scene.facts[0].not_applicable, "");
}

TEST(SceneFacts, ALiteralFactDoesNotApplyWhenThePhysicsChanges) {
  EXPECT_EQ(slide_case("", "", {"parameters.speed=3"}).facts[1].not_applicable, kLiteral);
  EXPECT_EQ(slide_case("", "", {"bodies.box.mass=3"}).facts[1].not_applicable, kLiteral);
  EXPECT_EQ(slide_case("value: speed*end", "value: 2*end", {"bodies.box.mass=3"}).facts[0].not_applicable, kLiteral);
}

TEST(SceneFacts, OverridesOfTheRunDoNotTouchLiteralFacts) {
  for (const char* override_text : {"time.step=1e-4", "integrator.theta=1", "solver.tolerance=1e-8", "output.every=10",
                                    "name=other", "parameters.speed=2", "expect.1.bound.above=0"}) {
    EXPECT_EQ(slide_case("", "", {override_text}).facts[1].not_applicable, "") << override_text;
  }
}

TEST(SceneFacts, WhenSaysWhereAFactApplies) {
  EXPECT_EQ(slide_case("bound: {above: -1e-10}", "bound: {above: -1e-10}, when: true", {"parameters.speed=3"})
                .facts[1]
                .not_applicable,
            "");
  const char* when = "take: last, when: friction > tan(slope)";
  EXPECT_EQ(slide_case("take: last", when).facts[0].not_applicable, "");
  EXPECT_EQ(slide_case("take: last", when, {"parameters.friction=0.1"}).facts[0].not_applicable,
            "does not apply: friction > tan(slope) is false");
  EXPECT_EQ(slide_case("take: last", "take: last, when: false").facts[0].not_applicable,
            "does not apply: false is false");
}

TEST(SceneFacts, TheFormulaOfAFactThatDoesNotApplyIsNotEvaluated) {
  const study::Fact fact =
      slide_case("value: speed*end", "value: speed/(friction - 0.3), when: friction > 0.3").facts[0];
  EXPECT_EQ(fact.not_applicable, "does not apply: friction > 0.3 is false");
}

TEST(SceneFacts, TimesThatBecomeImpossibleMakeAFactInapplicable) {
  EXPECT_EQ(slide_case(kTake, "probe: along, over: [0.5, end]", {"time.end=0.2"}).facts[0].not_applicable,
            "does not apply: the window from 0.5 s to 0.2 s is empty");
  EXPECT_EQ(slide_case(kTake, "probe: along, at: end - 0.5", {"time.end=0.2"}).facts[0].not_applicable,
            "does not apply: the time -0.3 s is before the start");
}

TEST(SceneFacts, FactsOfAVariantAreAddedOrReplace) {
  const char* variant =
      "{set: {parameters.speed: 4}, expect: [{fact: distance, probe: gap, take: first, value: 7, tolerance: {absolute: "
      "1}, "
      "source: here}, {fact: other, probe: gap, bound: {below: 1}, source: here}]}";
  const study::Case scene = slide_case("{set: {parameters.speed: 4}}", variant, {}, "fast");
  ASSERT_EQ(scene.facts.size(), 3U);
  EXPECT_EQ(scene.facts[0].expected, 7);
  EXPECT_EQ(scene.facts[0].not_applicable, "");
  EXPECT_EQ(scene.facts[1].not_applicable,
            "does not apply: its numbers are for the scene as it is written, and the variant changes the physics");
  EXPECT_EQ(scene.facts[2].name, "other");
  EXPECT_EQ(slide_case("{set: {parameters.speed: 4}}", variant, {"parameters.mass=1"}, "fast").facts[0].not_applicable,
            kLiteral);
}

TEST(SceneFactsBadInput, EveryMistakeIsNamed) {
  expect_complaints({
      {"gap: contact.slide.gap", "gap: contact.slid.gap",
       "slide.yaml:20:8: in 'probes.gap': there is no contact rule 'slid'; did you mean 'slide'?"},
      {"gap: contact.slide.gap", "gap: blok.position.x",
       "slide.yaml:20:8: in 'probes.gap': 'blok' is neither a body nor a node; did you mean 'block'?"},
      {"gap: contact.slide.gap", "gap: block.positon.x",
       "slide.yaml:20:8: in 'probes.gap': a body has no 'positon'; did you mean 'position'?"},
      {"gap: contact.slide.gap", "gap: block.position",
       "slide.yaml:20:8: in 'probes.gap': 'block.position' is a vector: add .x, .y, .z or .norm"},
      {"gap: contact.slide.gap", "gap: sped",
       "slide.yaml:20:8: in 'probes.gap': 'sped' is not known here; did you mean 'speed'?"},
      {"gap: contact.slide.gap", "gap: t",
       "slide.yaml:20:8: in 'probes.gap': 't' is not known here; did you mean 'time'?"},
      {"gap: contact.slide.gap", "gap: 2*",
       "slide.yaml:20:10: in 'probes.gap': expected a number, a name or '(' after '*'"},
      {"gap: contact.slide.gap", "gap: energy.totl",
       "slide.yaml:20:8: in 'probes.gap': 'energy' has no 'totl'; did you mean 'total'?"},
      {"gap: contact.slide.gap", "gap: 2*block@[0.1,0,0].position.x",
       "slide.yaml:20:10: in 'probes.gap': 'block' is a point and has no other material point than [0,0,0]"},
      {"gap: contact.slide.gap", "gap: block",
       "slide.yaml:20:8: in 'probes.gap': 'block' is a body, not a number: write for example 'block.position.x'"},
      {"probe: along", "probe: alon",
       "slide.yaml:22:29: in 'expect.0.probe': 'alon' is not known here; did you mean 'along'?"},
      {"probe: along, ", "", "slide.yaml:22:5: the fact 'distance' needs a 'probe'"},
      {"value: speed*end, ", "", "slide.yaml:22:5: the fact 'distance' needs either 'value' or 'bound'"},
      {"value: speed*end", "value: 1, bound: {above: 1}",
       "slide.yaml:22:5: the fact 'distance' needs either 'value' or 'bound'"},
      {", tolerance: {relative: 0.1}", "", "slide.yaml:22:5: the fact 'distance' has a value but no tolerance"},
      {"{relative: 0.1}", "{}", "slide.yaml:22:77: 'expect.0.tolerance' needs 'absolute' or 'relative' or both"},
      {"{relative: 0.1}", "{relative: -0.1}",
       "slide.yaml:22:88: 'expect.0.tolerance.relative' must be at least 0, but is -0.1"},
      {"{above: -1e-10}", "{}", "slide.yaml:23:47: 'expect.1.bound' needs 'above' or 'below' or both"},
      {"take: last", "take: last, at: 0.5",
       "slide.yaml:22:5: the fact 'distance' must have only one of 'take', 'at' and 'event'"},
      {"probe: gap, ", "probe: gap, take: min, ",
       "slide.yaml:23:5: the fact 'no penetration' must not have 'take': a bound holds at every step"},
      {"take: last", "at: 0.5, over: [0, 1]",
       "slide.yaml:22:5: the fact 'distance' must not have 'over': 'at' is a single time"},
      {"take: last", "event: {probe: along}",
       "slide.yaml:22:5: the fact 'distance' must not have 'probe': the event has its own"},
      {"take: last", "over: [1, 0.5]",
       "slide.yaml:22:43: in the fact 'distance' the window from 1 s to 0.5 s is empty"},
      {"take: last", "at: -1", "slide.yaml:22:40: in the fact 'distance' the time -1 s is before the start"},
      {"fact: no penetration", "fact: distance",
       "slide.yaml:23:5: there are two facts 'distance'; give one of them another name"},
      {"value: speed*end", "value: speed/(friction - 0.3)",
       "slide.yaml:22:55: 'expect.0.value' must be a finite number, but 'speed/(friction - 0.3)' is infinite"},
      {"probe: along, take: last", "event: {probe: along, nth: 0}",
       "slide.yaml:22:49: 'expect.0.event.nth' must be at least 1, but is 0"},
      {"take: last", "take: last, when: 1/0",
       "slide.yaml:22:54: 'expect.0.when' must be a finite number, but '1/0' is infinite"},
      {"take: last", "take: last, when: yes",
       "slide.yaml:22:54: in 'expect.0.when': 'yes' is not known here; the names known here are friction, slope, "
       "speed, mass, step, end, theta"},
      {"probe: along, take: last", "order: {probe: along}",
       "slide.yaml:22:29: the key 'steps' is missing in 'expect.0.order'; it must be a list of 2 numbers, in s"},
      {"probe: along, take: last", "ordre: {probe: along}",
       "slide.yaml:22:22: unknown key 'ordre' in 'expect.0'; did you mean 'order'?"},
  });
}

}  // namespace
}  // namespace ricochet::test
