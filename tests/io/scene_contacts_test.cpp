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
  EXPECT_EQ(model.contacts[0].law.friction, 0);
  EXPECT_EQ(model.contacts[0].law.restitution, 0.5);
  EXPECT_EQ(model.contacts[0].law.tangential_restitution, 0);
  EXPECT_EQ(slide_case().model.contacts[0].law.friction, 0.3);
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

TEST(SceneContactsBadInput, PairsThatCannotTouchAreNamed) {
  expect_complaints({
      {"[[block, box], ground]", "[block, box]",
       "slide.yaml:17:10: 'contacts.slide' pairs 'block' (point) with 'box' (box): in this version there is no contact "
       "between these shapes; bodies touch planes, and spheres touch spheres"},
      {"[[block, box], ground]", "[ground, ground]",
       "slide.yaml:17:10: 'contacts.slide' pairs the surface 'ground' with the surface 'ground'; surfaces do not touch "
       "each other"},
      {"[[block, box], ground]", "[block, block]",
       "slide.yaml:17:10: 'contacts.slide' pairs 'block' with itself only; name what it touches"},
      {"[[block, box], ground]", "[[], ground]", "slide.yaml:17:21: 'contacts.slide.between.0' is an empty list"},
      {"[[block, box], ground]", "[\"*\", \"*\"]",
       "slide.yaml:17:10: 'contacts.slide' pairs the surface 'ground' with the surface 'ground'; surfaces do not touch "
       "each other"},
      {"[[block, box], ground]", "[b*, b*]",
       "slide.yaml:17:10: 'contacts.slide' pairs 'box' (box) with 'block' (point): in this version there is no contact "
       "between these shapes; bodies touch planes, and spheres touch spheres"},
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
      {"[[block, box], ground]", "[[block, [box]], ground]",
       "slide.yaml:17:29: 'contacts.slide.between.0.1' must be a name or a pattern of names, but it is a list of 1 "
       "entry"},
  });
}

}  // namespace
}  // namespace ricochet::test
