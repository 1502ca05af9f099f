#include "ricochet/io/shipped_scenes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "io/output_test_support.hpp"
#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

// Two scenes in a directory of their own, one of them with a variant.
class ShippedScenes : public testing::Test {
 protected:
  ShippedScenes() {
    put_file(directory_ / "slide.yaml", kSlideScene);
    put_file(directory_ / "bounce-5.1.yaml", "{ricochet: 1, time: {end: 1, step: 0.1}}");
    put_file(directory_ / "notes.txt", "not a scene");
    ::setenv("RICOCHET_SCENES", directory_.path().c_str(), 1);
  }
  ~ShippedScenes() override { ::unsetenv("RICOCHET_SCENES"); }

  TemporaryDirectory directory_;
};
using ShippedScenesBadInput = ShippedScenes;
using Ids = std::vector<std::string>;

TEST_F(ShippedScenes, AreListedInOrder) { EXPECT_EQ(io::shipped_scenes(), (Ids{"bounce-5.1", "slide"})); }

TEST_F(ShippedScenes, HaveAPath) {
  EXPECT_EQ(io::shipped_scene_path("bounce-5.1"), (directory_ / "bounce-5.1.yaml").string());
}

TEST_F(ShippedScenes, MatchPatternsWithTheirVariants) {
  EXPECT_EQ(io::matching_scenes({}), (Ids{"bounce-5.1", "slide", "slide/fast"}));
  EXPECT_EQ(io::matching_scenes({"slide"}), (Ids{"slide", "slide/fast"}));
  EXPECT_EQ(io::matching_scenes({"slide/*"}), Ids{"slide/fast"});
  EXPECT_EQ(io::matching_scenes({"slide/fast", "b*"}), (Ids{"bounce-5.1", "slide/fast"}));
}

TEST_F(ShippedScenes, LongVariantsMustBeNamed) {
  put_file(directory_ / "wall.yaml",
           "{ricochet: 1, time: {end: 1, step: 1}, variants: {whole: {long: true, set: {time.end: 9}}, half: {set: "
           "{time.end: 5}}}}");
  EXPECT_EQ(io::matching_scenes({}), (Ids{"bounce-5.1", "slide", "slide/fast", "wall", "wall/half"}));
  EXPECT_EQ(io::matching_scenes({"wall"}), (Ids{"wall", "wall/half"}));
  EXPECT_EQ(io::matching_scenes({"wall/whole"}), Ids{"wall/whole"});
  EXPECT_EQ(io::matching_scenes({"wall/*"}), (Ids{"wall/whole", "wall/half"}));
}

TEST_F(ShippedScenes, AreFoundByIdOrPath) {
  EXPECT_EQ(io::find_scene("slide"), (directory_ / "slide.yaml").string());
  EXPECT_EQ(io::find_scene((directory_ / "notes.txt").string()), (directory_ / "notes.txt").string());
  EXPECT_EQ(io::find_scene("missing.yaml"), "missing.yaml");
}

TEST_F(ShippedScenesBadInput, AreRefusedWithASuggestion) {
  EXPECT_EQ(input_complaint([] { io::find_scene("slid"); }), "there is no shipped scene 'slid'; did you mean 'slide'?");
  EXPECT_EQ(input_complaint([] { io::shipped_scene_path("nothing-like-it"); }),
            "there is no shipped scene 'nothing-like-it'; there are bounce-5.1, slide");
  EXPECT_EQ(input_complaint([] { io::matching_scenes({"x*"}); }),
            "no shipped scene matches 'x*'; there are bounce-5.1, slide, slide/fast");
}

TEST_F(ShippedScenesBadInput, ADirectoryThatDoesNotExistIsNamed) {
  ::setenv("RICOCHET_SCENES", "nowhere", 1);
  EXPECT_EQ(input_complaint([] { io::shipped_scenes(); }),
            "the environment variable RICOCHET_SCENES names 'nowhere', which is not a directory");
}

}  // namespace
}  // namespace ricochet::test
