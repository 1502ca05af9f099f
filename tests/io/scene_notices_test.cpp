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
