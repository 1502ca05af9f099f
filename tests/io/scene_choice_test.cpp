// io/scene_choice: a path, an id, or ID/VARIANT.
#include "ricochet/io/scene_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/output_test_support.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/io/shipped_scenes.hpp"

namespace ricochet::io {
namespace {

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

}  // namespace
}  // namespace ricochet::io
