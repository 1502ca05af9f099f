// io/scene_choice: a path, an id, or ID/VARIANT; and what is noticed about a scene.
#include "ricochet/io/scene_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/output_test_support.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/shipped_scenes.hpp"

namespace ricochet::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SceneChoice, KnowsShippedScenesTheirVariantsAndFiles) {
  const std::string ball = shipped_scene_path("bouncing-ball");
  EXPECT_EQ(choose_scene("bouncing-ball", "").path, ball);
  EXPECT_EQ(choose_scene("bouncing-ball", "moon").variant, "moon");
  EXPECT_EQ(choose_scene("bouncing-ball/moon", "").path, ball);
  EXPECT_EQ(choose_scene("bouncing-ball/moon", "").variant, "moon");
  EXPECT_EQ(choose_scene(ball, "moon").path, ball);
  EXPECT_EQ(choose_scene(ball, "moon").variant, "moon");
  EXPECT_EQ(choose_scene("elsewhere/ball.yaml", "").path, "elsewhere/ball.yaml");  // the reader will complain
}

TEST(SceneChoiceBadInput, UnknownIdsGetASuggestion) {
  EXPECT_THAT([] { choose_scene("bouncing-bal", ""); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("did you mean 'bouncing-ball'")));
}

TEST(SceneChoice, NoticesContactsThatStartTooDeep) {
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

}  // namespace
}  // namespace ricochet::io
