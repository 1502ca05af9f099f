#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/scene_test_support.hpp"
#include "ricochet/io/scene_generate_layouts.hpp"

namespace ricochet::test {
namespace {

std::string pile_scene(const std::string& generator, bool planar = false, const std::string& parameters = "a: 0.5") {
  return fmt::format(
      "ricochet: 1\nplanar: {}\nparameters: {{{}}}\ntime: {{end: 1, step: 1}}\ngenerate:\n  it: {{type: pile, {}}}\n",
      planar ? "true" : "false", parameters, generator);
}

model::Model pile_model(const std::string& generator, bool planar = false) {
  return io::read_scene_text(pile_scene(generator, planar), "pile.yaml").run_case.model;
}

std::string pile_complaint(const std::string& generator, bool planar = false,
                           const std::string& parameters = "a: 0.5") {
  return input_complaint([&] { io::read_scene_text(pile_scene(generator, planar, parameters), "x"); });
}

const std::string kBalls =
    "count: 50, spacing: 0.5, footprint: [1.5, 1.0], sizes: [0.5, 1], body: {shape: {type: sphere, radius: 0.2*$size}, "
    "density: 1000}";

// Six cubes to a layer; every ball is inside of its own.
TEST(SceneGeneratePile, EveryBodyIsInACubeOfItsOwn) {
  const model::Model model = pile_model(kBalls + ", position: [1, 2, 3]");
  ASSERT_EQ(model.bodies.size(), 50U);
  double smallest = 1, largest = 0, farthest = 0;
  for (int i = 0; i < 50; ++i) {
    const Vector3 center(1 + (i % 3 - 1) * 0.5, 2 + (i / 3 % 2 - 0.5) * 0.5, 3 + (i / 6 + 0.5) * 0.5);
    const double radius = std::get<model::SphereShape>(model.bodies[i].parts[0].shape).radius;
    const double away = (model.nodes[i].position - center).cwiseAbs().maxCoeff();
    EXPECT_LE(away + radius, 0.25 + 1e-14);
    smallest = std::min(smallest, radius);
    largest = std::max(largest, radius);
    farthest = std::max(farthest, away);
  }
  EXPECT_GE(smallest, 0.1);
  EXPECT_LE(smallest, 0.11);
  EXPECT_LE(largest, 0.2);
  EXPECT_GE(largest, 0.19);
  EXPECT_GE(farthest, 0.1);
}

TEST(SceneGeneratePile, FollowsItsSeed) {
  const model::Model first = pile_model(kBalls), again = pile_model(kBalls), other = pile_model(kBalls + ", seed: 2");
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(first.nodes[i].position, again.nodes[i].position);
    EXPECT_EQ(first.nodes[i].orientation.z, again.nodes[i].orientation.z);
    EXPECT_EQ(first.bodies[i].mass, again.bodies[i].mass);
    EXPECT_NE(first.bodies[i].mass, other.bodies[i].mass);
  }
}

TEST(SceneGeneratePile, KindsAreDrawnByTheirWeights) {
  const model::Model model = pile_model(
      "count: 4000, spacing: 1, footprint: [20, 20], kinds: {ball: {weight: 3, body: {shape: {type: sphere, radius: "
      "a}, "
      "mass: 1}}, box: {body: {shape: {type: box, size: [0.2, 0.2, 0.2]}, mass: $i}}, never: {weight: 0, body: {mass: "
      "1}}}");
  int balls = 0;
  for (int i = 0; i < static_cast<int>(model.bodies.size()); ++i) {
    const bool is_ball = std::holds_alternative<model::SphereShape>(model.bodies[i].parts[0].shape);
    EXPECT_TRUE(is_ball || std::holds_alternative<model::BoxShape>(model.bodies[i].parts[0].shape));
    EXPECT_EQ(model.bodies[i].mass, is_ball ? 1 : i + 1);
    balls += is_ball ? 1 : 0;
  }
  EXPECT_NEAR(balls, 3000, 5 * std::sqrt(4000 * 0.75 * 0.25));
}

// More cubes side by side than an integer counts: all bodies lie in the first row.
TEST(SceneGeneratePile, LargeFootprints) {
  for (const char* footprint : {"[65536, 65536]", "[65536, 65537]", "[1e300, 1e300]"}) {
    const model::Model model = pile_model(std::string("count: 10, spacing: 1, footprint: ") + footprint +
                                          ", body: {shape: {type: box, size: [a, a, a]}, mass: 1}");
    for (const model::Node& node : model.nodes) {
      EXPECT_LT(node.position.z(), 1) << footprint;
      EXPECT_TRUE(node.position.allFinite()) << footprint;
    }
  }
}

TEST(SceneGeneratePile, AlignedAndPlanarPiles) {
  const model::Model aligned = pile_model(
      "count: 3, spacing: 1, footprint: [1, 1], orientations: aligned, body: {shape: {type: box, size: [a, a, a]}, "
      "mass: 1}");
  for (const model::Node& node : aligned.nodes) EXPECT_EQ(node.orientation.w, 1);
  const model::Model planar =
      pile_model("count: 6, spacing: 1, footprint: [2], body: {shape: {type: box, size: [a, a]}, mass: 1}", true);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(planar.nodes[i].position.x(), i % 2 - 0.5, 0.15);
    EXPECT_NEAR(planar.nodes[i].position.y(), i / 2 + 0.5, 0.15);
    EXPECT_EQ(planar.nodes[i].position.z(), 0);
    EXPECT_EQ(planar.nodes[i].orientation.x, 0);
    EXPECT_NE(planar.nodes[i].orientation.z, 0);
  }
}

TEST(SceneGeneratePile, PartsCountForTheRadius) {
  const std::string hammer =
      "count: 2, footprint: [3, 3], body: {mass: 1, parts: {head: {shape: {type: sphere, radius: 0.1}, position: [0, "
      "0, "
      "0.5]}, foot: {shape: {type: box, size: [0.2, 0.2, 0.2]}}}}, spacing: ";
  EXPECT_EQ(pile_model(hammer + "1.2").bodies.size(), 2U);
  EXPECT_EQ(
      pile_complaint(hammer + "1.19"),
      "x:6:202: 'generate.it.spacing' must be at least 1.2 m, so that 'it-1' can be turned in its cube of that edge");
}

TEST(SceneGeneratePileBadInput, SentencesSayWhatIsMissing) {
  EXPECT_EQ(pile_complaint("count: 1, spacing: 1, footprint: [1, 1]"),
            "x:6:7: 'generate.it' needs either a body or kinds");
  EXPECT_EQ(pile_complaint("count: 1, spacing: 1, footprint: [1], body: {mass: 1}"),
            "x:6:53: 'generate.it.footprint' must be [length, depth]");
  EXPECT_EQ(pile_complaint("count: 1, spacing: 1, footprint: [1, 1], body: {mass: 1}", true),
            "x:6:53: 'generate.it.footprint' must be [length] in a planar scene");
  EXPECT_EQ(pile_complaint("count: 1, spacing: 2, footprint: [1, 3], body: {mass: 1}"),
            "x:6:54: 'generate.it.footprint.0' must be at least the spacing, 2 m");
  EXPECT_EQ(pile_complaint("count: 1, spacing: 2, footprint: [2, 3], kinds: {b: {weight: 0, body: {mass: 1}}}"),
            "x:6:68: no kind of 'generate.it.kinds' has a weight");
  EXPECT_EQ(
      pile_complaint(kBalls, false, "size: 1"),
      "x:6:75: with 'generate.it.sizes' the index 'size' is drawn, but there is a parameter of this name; call it "
      "otherwise");
  EXPECT_EQ(pile_complaint("count: 2, spacing: 2, footprint: [2, 2], body: {mass: 1, shape: {type: sphere, radius: "
                           "1.5 - $i}}")
                .substr(0, 93),
            "x:6:107: in generate.it with i = 2: 'bodies.it-2.shape.radius' must be greater than 0, but '1");
}

}  // namespace
}  // namespace ricochet::test
