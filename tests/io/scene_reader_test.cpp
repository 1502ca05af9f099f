#include "ricochet/io/scene_reader.hpp"

#include <gtest/gtest.h>

#include "io/output_test_support.hpp"
#include "io/scene_test_support.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::test {
namespace {

TEST(SceneReader, SettingsHaveTheirDefaults) {
  const study::Case scene = slide_case();
  EXPECT_EQ(scene.id, "slide");
  EXPECT_EQ(scene.name, "Slide");
  EXPECT_EQ(scene.source_text, kSlideScene);
  EXPECT_EQ(scene.settings.end, 1);
  EXPECT_EQ(scene.settings.step, 1e-3);
  EXPECT_EQ(scene.settings.moreau_jean.theta, 0.5);
  EXPECT_EQ(scene.settings.moreau_jean.motion_tolerance, 1e-12);
  EXPECT_EQ(scene.settings.solver.kind, cone::SolverKind::automatic);
  EXPECT_EQ(scene.settings.solver.tolerance, 1e-10);
  EXPECT_EQ(scene.settings.solver.max_iterations, 10000);
  EXPECT_EQ(scene.output_every, 1);
}

TEST(SceneReader, SettingsAreRead) {
  const study::Case scene =
      slide_case("time:",
                 "integrator: {scheme: moreau-jean, moreau-jean: {theta: 0.6}, motion_tolerance: 1e-9}\n"
                 "solver: {name: gauss-seidel, tolerance: 1e-6, max_iterations: 50}\n"
                 "output: {every: 10}\n"
                 "time:");
  EXPECT_EQ(scene.settings.moreau_jean.theta, 0.6);
  EXPECT_EQ(scene.settings.moreau_jean.motion_tolerance, 1e-9);
  EXPECT_EQ(scene.settings.solver.kind, cone::SolverKind::gauss_seidel);
  EXPECT_EQ(scene.settings.solver.tolerance, 1e-6);
  EXPECT_EQ(scene.settings.solver.max_iterations, 50);
  EXPECT_EQ(scene.output_every, 10);
}

TEST(SceneReader, AnEndBetweenStepsGivesANotice) {
  EXPECT_TRUE(io::read_scene_text(kSlideScene, "slide.yaml").notices.empty());
  const io::Scene scene = io::read_scene_text(kSlideScene, "slide.yaml", {"time.step=0.3"});
  ASSERT_EQ(scene.notices.size(), 1U);
  EXPECT_EQ(scene.notices[0], "time.end = 1 is not a whole number of steps of 0.3: the run goes to 1.2");
  EXPECT_EQ(scene.run_case.overrides, std::vector<std::string>{"time.step=0.3"});
}

TEST(SceneReader, TheSmallestSceneHasATimeOnly) {
  const study::Case scene =
      io::read_scene_text("{ricochet: 1, time: {end: 1, step: 0.1}}", "a/b/galvez-5.1.yaml").run_case;
  EXPECT_EQ(scene.id, "galvez-5.1");
  EXPECT_TRUE(scene.model.bodies.empty());
}

TEST(SceneReader, AFileIsRead) {
  const TemporaryDirectory directory;
  put_file(directory / "slide.yaml", kSlideScene);
  const std::string path = (directory / "slide.yaml").string();
  EXPECT_EQ(io::read_scene(path).run_case.model.bodies.size(), 2U);
  EXPECT_EQ(io::variant_names(path), std::vector<std::string>{"fast"});
}

TEST(SceneReaderBadInput, NotAScene) {
  EXPECT_EQ(scene_complaint("- a\n"), "slide.yaml:1:1: a scene is a map of keys and begins with 'ricochet: 1'");
  EXPECT_EQ(scene_complaint("just text"), "slide.yaml:1:1: a scene is a map of keys and begins with 'ricochet: 1'");
  EXPECT_EQ(
      scene_complaint("name: x\n"),
      "slide.yaml:1:1: the key 'ricochet' is missing; a scene begins with the version of its format, 'ricochet: 1'");
  EXPECT_EQ(scene_complaint("ricochet: 2\njoints: {}\n"),
            "slide.yaml:1:11: this scene has format 2, but this program reads format 1 only; use a newer Ricochet");
}

TEST(SceneReaderBadInput, AnErrorThatAnOverrideCausesElsewhereNamesIt) {
  EXPECT_EQ(
      scene_complaint(kSlideScene, {"time.end=2", "parameters.mass=0"}),
      "slide.yaml:8:17: 'bodies.block.mass' must be greater than 0, but 'mass' is 0 (read with --set time.end=2 --set "
      "parameters.mass=0)");
}

// Whatever is typed wrong by one character, the scene is either read or refused with an InputError; anything else would
// be a crash of the program.
TEST(SceneReaderBadInput, SingleMistypedCharactersNeverCrash) {
  const std::string alphabet = "{}[]:,-#&*!|>'\"%@` \t\n\r?~=<./+()^0123456789eaxyt\x01\x7f\xc3\xff";
  math::Random random(20240501);
  int read = 0;
  int refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string text = kSlideScene;
    const auto position = static_cast<std::size_t>(random.uniform(0, static_cast<double>(text.size())));
    const char character = alphabet[static_cast<std::size_t>(random.uniform(0, static_cast<double>(alphabet.size())))];
    switch (trial % 3) {
      case 0:
        text[position] = character;
        break;
      case 1:
        text.insert(position, 1, character);
        break;
      default:
        text.erase(position, 1);
    }
    try {
      io::read_scene_text(text, "slide.yaml", {}, trial % 2 == 0 ? "" : "fast");
      ++read;
    } catch (const io::InputError& error) {
      ++refused;
      EXPECT_TRUE(std::string(error.what()).starts_with("slide.yaml")) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(read, 400);
  EXPECT_GT(refused, 1500);
}

TEST(SceneReaderBadInput, TruncatedScenesNeverCrash) {
  const std::string whole = kSlideScene;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      io::read_scene_text(whole.substr(0, length), "slide.yaml");
    } catch (const io::InputError&) {
      continue;
    }
  }
  SUCCEED();
}

}  // namespace
}  // namespace ricochet::test
