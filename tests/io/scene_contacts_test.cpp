#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

constexpr const char* kBetween = "[[block, box], ground]";

std::vector<std::string> side_names(const model::Model& model, const std::vector<model::Participant>& side) {
  std::vector<std::string> names;
  for (const model::Participant& participant : side) {
    names.push_back(model::participant_name(model, model::participant_index(model, participant)));
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(SceneContacts, TheBodyComesFirstAndTheSurfaceSecond) {
  for (const char* between : {"[[block, box], ground]", "[ground, [block, box]]", "[b*, ground]",
                              "[[ground], [b*, block]]", "[\"b?*\", ground]"}) {
    SCOPED_TRACE(between);
    const model::Model model = slide_case(kBetween, between).model;
    ASSERT_EQ(model.contacts.size(), 1U);
    EXPECT_EQ(side_names(model, model.contacts[0].first), (Names{"block", "box"}));
    EXPECT_EQ(side_names(model, model.contacts[0].second), Names{"ground"});
  }
}

TEST(SceneContacts, LawsHaveDefaults) {
  const model::Model model = slide_case("friction: friction", "restitution: 0.5").model;
  EXPECT_EQ(model.contacts[0].law.friction.at(0), 0);
  EXPECT_EQ(model.contacts[0].law.restitution.at(0), 0.5);
  EXPECT_EQ(model.contacts[0].law.tangential_restitution, 0);
  EXPECT_EQ(slide_case().model.contacts[0].law.friction.at(0), 0.3);
}

TEST(SceneContacts, APatternOnBothSidesPairsAllSpheres) {
  const std::string scene = R"(
ricochet: 1
time: {end: 1, step: 0.1}
bodies:
  ball-1: {shape: {type: sphere, radius: 1}, mass: 1}
  ball-2: {shape: {type: sphere, radius: 1}, mass: 1, position: [3, 0, 0]}
  ball-3: {shape: {type: sphere, radius: 1}, mass: 1, position: [6, 0, 0]}
surfaces:
  floor: {type: plane, normal: [0, 0, 1]}
contacts:
  balls: {between: [ball-*, ball-*]}
  mixed: {between: [[ball-1, floor], ball-2]}
)";
  const model::Model model = io::read_scene_text(scene, "balls.yaml").run_case.model;
  EXPECT_EQ(side_names(model, model.contacts[0].first), (Names{"ball-1", "ball-2", "ball-3"}));
  EXPECT_EQ(side_names(model, model.contacts[0].second), (Names{"ball-1", "ball-2", "ball-3"}));
  EXPECT_EQ(side_names(model, model.contacts[1].first), Names{"ball-2"});
  EXPECT_EQ(side_names(model, model.contacts[1].second), (Names{"ball-1", "floor"}));
}

constexpr const char* kGroupScene = R"(
ricochet: 1
time: {end: 1, step: 0.1}
bodies:
  ball-1: {shape: {type: sphere, radius: 1}, mass: 1, group: chain}
  ball-2: {shape: {type: sphere, radius: 1}, mass: 1, group: chain, position: [3, 0, 0]}
  ball-3: {shape: {type: sphere, radius: 1}, mass: 1, group: chain, position: [6, 0, 0]}
  box: {shape: {type: box, size: [1, 1, 1]}, mass: 1, group: debris}
  speck: {shape: {type: point}, mass: 1}
  grain: {shape: {type: point}, mass: 1}
surfaces:
  floor: {type: plane, normal: [0, 0, 1], group: walls}
  wall: {type: plane, normal: [1, 0, 0], group: walls}
contacts:
)";

model::Model group_model(const std::string& rule) {
  return io::read_scene_text(kGroupScene + rule, "groups.yaml").run_case.model;
}

std::string group_complaint(const std::string& rule) {
  return input_complaint([&] { group_model(rule); });
}

TEST(SceneContacts, GroupsSelectBodiesAndSurfaces) {
  const model::Model model = group_model("  all: {between: [group:walls, [group:chain, box]]}");
  EXPECT_EQ(side_names(model, model.contacts[0].first), (Names{"ball-1", "ball-2", "ball-3", "box"}));
  EXPECT_EQ(side_names(model, model.contacts[0].second), (Names{"floor", "wall"}));
}

TEST(SceneContacts, ExceptionsTakePairsOut) {
  const model::Model model =
      group_model("  chain: {between: [group:chain, group:chain], except: [[ball-2, ball-1], [ball-2, [ball-3]]]}");
  ASSERT_EQ(model.contacts[0].except.size(), 2u);
  EXPECT_EQ(model.contacts[0].except[0].first.body.index, 0);
  EXPECT_EQ(model.contacts[0].except[0].second.body.index, 1);
  EXPECT_EQ(model.contacts[0].except[1].first.body.index, 1);
  EXPECT_EQ(model.contacts[0].except[1].second.body.index, 2);
}

// Shapes that cannot touch may stand in a rule if the exceptions keep them apart.
TEST(SceneContacts, ExceptionsCountBeforeShapesDo) {
  const std::string rule = "  all: {between: [[group:chain, speck], [grain, floor]]";
  EXPECT_EQ(group_complaint(rule + "}"),
            "groups.yaml:15:8: 'contacts.all' pairs 'speck' (point) with 'grain' (point): two points never touch");
  EXPECT_EQ(group_complaint(rule + ", except: [[grain, speck]]}"), "");
}

TEST(SceneContactsBadInput, GroupsAndExceptionsThatDoNothing) {
  EXPECT_EQ(group_complaint("  all: {between: [group:chian, floor]}"),
            "groups.yaml:15:19: no body or surface is in the group 'chian', which 'contacts.all.between.0' names; did "
            "you mean 'chain'?");
  EXPECT_EQ(group_complaint("  all: {between: [ball-1, floor], except: [[ball-1, wall]]}"),
            "groups.yaml:15:44: 'contacts.all.except.0' takes no pair out of 'contacts.all': the rule does not let "
            "these touch; delete it");
  EXPECT_EQ(group_complaint("  all: {between: [ball-1, floor], except: [[group:chain, group:walls]]}"),
            "groups.yaml:15:43: 'contacts.all.except' leaves nothing of 'contacts.all' that may touch");
  EXPECT_THAT(input_complaint([] { slide_case("mass: 2,", "mass: 2, group: the heap,"); }),
              testing::HasSubstr("'the heap' cannot be the name of a group"));
}

TEST(SceneContactsBadInput, AShapeThatIsNotConvexTouchesPlanesOnly) {
  const std::string scene = R"(
ricochet: 1
time: {end: 1, step: 0.1}
bodies:
  ball: {shape: {type: sphere, radius: 1}, mass: 1}
  notch:
    mass: 1
    shape:
      type: polyhedron
      vertices: [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [0, 0, -1], [-1, 1, -1],
                 [-1, -1, 1], [1, -1, 1], [1, 1, 1], [0, 0, 1], [-1, 1, 1]]
      faces: [[4, 3, 2, 1, 0], [5, 6, 7, 8, 9], [0, 1, 6, 5], [1, 2, 7, 6], [2, 3, 8, 7], [3, 4, 9, 8], [4, 0, 5, 9]]
surfaces:
  floor: {type: plane, normal: [0, 0, 1]}
contacts:
  ground: {between: [[ball, notch], floor]}
)";
  EXPECT_EQ(input_complaint([&] { io::read_scene_text(scene, "notch.yaml"); }), "");
  EXPECT_EQ(
      input_complaint([&] { io::read_scene_text(scene + "  both: {between: [ball, notch]}\n", "notch.yaml"); }),
      "notch.yaml:17:9: 'contacts.both' pairs 'ball' (sphere) with 'notch' (polyhedron), but 'notch' is not convex: "
      "bodies touch with convex parts; give its shape as several of them");
}

TEST(SceneContactsBadInput, PairsThatCannotTouchAreNamed) {
  expect_complaints({
      {"[[block, box], ground]", "[ground, ground]",
       "slide.yaml:17:10: 'contacts.slide' pairs the surface 'ground' with the surface 'ground'; surfaces do not touch "
       "each other"},
      {"[[block, box], ground]", "[block, block]",
       "slide.yaml:17:10: 'contacts.slide' pairs 'block' with itself only; name what it touches"},
      {"[[block, box], ground]", "[[], ground]", "slide.yaml:17:21: 'contacts.slide.between.0' is an empty list"},
      {"[[block, box], ground]", "[\"*\", \"*\"]",
       "slide.yaml:17:10: 'contacts.slide' pairs the surface 'ground' with the surface 'ground'; surfaces do not touch "
       "each other"},
      {"[[block, box], ground]", "[ball-*, ground]",
       "slide.yaml:17:21: the pattern 'ball-*' in 'contacts.slide.between.0' matches no body or surface; the names are "
       "block, box, ground"},
      {"[[block, box], ground]", "[blok, ground]",
       "slide.yaml:17:21: there is no body or surface 'blok', which 'contacts.slide.between.0' names; did you mean "
       "'block'?"},
      {"[[block, box], ground]", "[block]",
       "slide.yaml:17:20: 'contacts.slide.between' must be a list of 2 entries, but it is a list of 1 entry"},
      {"[[block, box], ground]", "block",
       "slide.yaml:17:20: 'contacts.slide.between' must be a list of 2 entries, but it is 'block'"},
      {"[[block, box], ground]", "[group: all, ground]",
       "slide.yaml:17:21: 'contacts.slide.between.0' must be a name or a pattern of names or a list of names or a "
       "pattern of names, but it is a map; with a colon it needs quotes: \"group:all\""},
      {"[[block, box], ground]", "[[block, [box]], ground]",
       "slide.yaml:17:29: 'contacts.slide.between.0.1' must be a name or a pattern of names, but it is a list of 1 "
       "entry"},
  });
}

}  // namespace
}  // namespace ricochet::test
