// io/scene_notices: what is noticed about a scene.
#include "ricochet/io/scene_notices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/output_test_support.hpp"

namespace ricochet::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SceneNotices, NoticesContactsThatStartTooDeep) {
  const auto text = [](const char* height) {
    return std::string(
               "ricochet: 1\ntime: {end: 1, step: 0.1}\nsurfaces: {floor: {type: plane, normal: [0, 1, 0]}}\n") +
           "bodies: {ball: {shape: {type: sphere, radius: 1}, mass: 1, position: [0, " + height + ", 0]}}\n" +
           "contacts: {touch: {between: [ball, floor]}}\n";
  };
  EXPECT_THAT(notices_of(read_scene_text(text("1"), "x.yaml")), ElementsAre());
  EXPECT_THAT(notices_of(read_scene_text(text("0.75"), "x.yaml")),
              ElementsAre(HasSubstr("starts with a penetration of 0.25 m")));
}

// Boxes that lie in each other by 1, 2, 3 ... cm: of each pair one corner is told, of all pairs the deepest three.
TEST(SceneNotices, OverlapsAreToldPairByPairTheDeepestFirst) {
  std::string text =
      "ricochet: 1\ntime: {end: 1, step: 0.1}\ncontacts: {touch: {between: [\"group:all\", \"group:all\"]}}\nbodies:\n";
  double height = 0;
  for (int i = 0; i < 6; ++i) {
    text += "  box" + std::to_string(i) +
            ": {shape: {type: box, size: [1, 1, 1]}, mass: 1, group: all, position: [0, " + std::to_string(height) +
            ", 0]}\n";
    height += 1 - 0.01 * (i + 1);
  }
  EXPECT_THAT(notices_of(read_scene_text(text, "x.yaml")),
              ElementsAre(AllOf(HasSubstr("box4."), HasSubstr("box5."), HasSubstr("penetration of 0.05 m")),
                          AllOf(HasSubstr("box3."), HasSubstr("box4."), HasSubstr("penetration of 0.04 m")),
                          AllOf(HasSubstr("box2."), HasSubstr("box3."), HasSubstr("penetration of 0.03 m")),
                          HasSubstr("2 more pairs start inside each other")));
}

TEST(SceneNotices, SurfacesThatNoRuleNamesAreTold) {
  const std::string text =
      "ricochet: 1\ntime: {end: 1, step: 0.1}\nbodies: {ball: {shape: {type: sphere, radius: 1}, mass: 1, position: "
      "[0, "
      "3, 0]}}\ncontacts: {touch: {between: [ball, floor]}}\nsurfaces:\n  floor: {type: plane, normal: [0, 1, 0]}\n";
  EXPECT_THAT(notices_of(read_scene_text(text, "x.yaml")), ElementsAre());
  EXPECT_THAT(
      notices_of(read_scene_text(text + "  wall: {type: plane, normal: [1, 0, 0], point: [-9, 0, 0]}\n", "x.yaml")),
      ElementsAre(HasSubstr("surface 'wall' is named by no contact rule")));
}

// A rule for all and one for some, as they are first written.
TEST(SceneNotices, PairsOfTwoRulesAreTold) {
  const auto notices = [](const std::string& contacts) {
    return notices_of(read_scene_text(
        "ricochet: 1\ntime: {end: 1, step: 0.1}\nsurfaces: {floor: {type: plane, normal: [0, 1, 0]}}\nbodies:\n"
        "  a: {shape: {type: sphere, radius: 1}, mass: 1, position: [0, 3, 0], group: all}\n"
        "  b: {shape: {type: sphere, radius: 1}, mass: 1, position: [3, 3, 0], group: all}\n"
        "  c: {shape: {type: sphere, radius: 1}, mass: 1, position: [6, 3, 0], group: all}\ncontacts:\n" +
            contacts,
        "x.yaml"));
  };
  const std::string all = "  all: {between: [\"group:all\", [\"group:all\", floor]]",
                    some = "  some: {between: [c, a]}\n";
  EXPECT_THAT(notices(all + "}\n"), ElementsAre());
  EXPECT_THAT(notices(all + "}\n" + some), ElementsAre(HasSubstr("'all' and 'some' both let 'a' touch 'c'")));
  EXPECT_THAT(notices(all + ", except: [[a, c]]}\n" + some), ElementsAre());
  EXPECT_THAT(
      notices("  balls: {between: [\"group:all\", \"group:all\"]}\n  ground: {between: [\"group:all\", floor]}\n"),
      ElementsAre());
  EXPECT_THAT(notices("  x: {between: [a, floor]}\n  y: {between: [floor, [b, a, c]]}\n"),
              ElementsAre(HasSubstr("'x' and 'y' both let 'a' touch 'floor'")));
}

TEST(SceneNotices, BodiesThatNoRuleNamesAreTold) {
  const std::string head =
      "ricochet: 1\ntime: {end: 1, step: 0.1}\nsurfaces: {floor: {type: plane, normal: [0, 1, 0]}}\n";
  const std::string ball = ": {shape: {type: sphere, radius: 1}, mass: 1, position: [0, 3, 0]";
  const std::string rule = "contacts: {touch: {between: [ball, floor]}}\n";
  const auto notices = [&](const std::string& rest) { return notices_of(read_scene_text(head + rest, "x.yaml")); };
  const std::string named = "bodies:\n  ball" + ball + "}\n";
  EXPECT_THAT(notices(named + rule), ElementsAre());
  EXPECT_THAT(notices(named + "  stone" + ball + "}\n" + rule),
              ElementsAre(HasSubstr("body 'stone' is named by no contact rule")));
  EXPECT_THAT(notices(named + "  stone" + ball + "}\n  rock" + ball + "}\n  chip" + ball + "}\n" + rule),
              ElementsAre(HasSubstr("body 'stone' and 2 others are named by no contact rule")));
  // What joints or nothing at all lets move is perhaps only to be seen, and a scene without rules asks for no contact.
  EXPECT_THAT(notices(named + "  stone" + ball + ", fixed: [x, y, z]}\n" + rule), ElementsAre());
  EXPECT_THAT(notices(named + "  stone" + ball + "}\njoints: {pin: {type: ball, second: stone}}\n" + rule),
              ElementsAre());
  EXPECT_THAT(notices(named), ElementsAre());
}

}  // namespace
}  // namespace ricochet::io
