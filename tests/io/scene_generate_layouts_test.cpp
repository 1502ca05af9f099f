#include "ricochet/io/scene_generate_layouts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "io/scene_test_support.hpp"
#include "ricochet/model/mass_properties.hpp"

namespace ricochet::test {
namespace {

const double kQuarterTurn = std::acos(0.0);

std::string layout_scene(const std::string& generator, bool planar = false, const std::string& parameters = "a: 0.5") {
  return fmt::format(
      "ricochet: 1\nplanar: {}\nparameters: {{{}}}\ntime: {{end: 1, step: 1}}\ngenerate:\n  it: {{{}}}\n",
      planar ? "true" : "false", parameters, generator);
}

model::Model layout_model(const std::string& generator, bool planar = false) {
  return io::read_scene_text(layout_scene(generator, planar), "layout.yaml").run_case.model;
}

std::string layout_complaint(const std::string& generator, bool planar = false,
                             const std::string& parameters = "a: 0.5") {
  return input_complaint([&] { io::read_scene_text(layout_scene(generator, planar, parameters), "x"); });
}

const model::BoxShape& box_of(const model::Model& model, int body) {
  return std::get<model::BoxShape>(model.bodies[body].parts[0].shape);
}

void expect_at(const model::Model& model, int body, const Vector3& position) {
  EXPECT_LE((model.nodes[body].position - position).norm(), 1e-14) << model.bodies[body].name;
}

TEST(SceneGenerateLayouts, AGridRunsAlongXFirst) {
  const model::Model model = layout_model(
      "type: grid, count: [3, 2, 4], spacing: [1, 2, 3], position: [a, 0, 0], body: {shape: {type: sphere, radius: "
      "0.1*$i}, mass: $i}");
  ASSERT_EQ(model.bodies.size(), 24U);
  EXPECT_EQ(model.bodies[0].name, "it-1");
  EXPECT_EQ(model.bodies[23].name, "it-24");
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(model.nodes[i].position, Vector3(0.5 + (i % 3), 2 * ((i / 3) % 2), 3 * (i / 6)));
    EXPECT_EQ(model.bodies[i].mass, i + 1.0);
    EXPECT_EQ(model.nodes[i].orientation.w, 1);
  }
}

TEST(SceneGenerateLayouts, ALayoutIsPlacedAndTurnedAsAWhole) {
  const std::string grid =
      "type: grid, count: [2, 2, 2], spacing: 1, body: {shape: {type: sphere, radius: a}, mass: 1}";
  const model::Model plain = layout_model(grid);
  const model::Model turned =
      layout_model(grid + ", position: [1, 2, 3], orientation: {axis: [1, 0, 0], angle: 90*deg}");
  for (int i = 0; i < 8; ++i) {
    const Vector3& p = plain.nodes[i].position;
    expect_at(turned, i, Vector3(1 + p.x(), 2 - p.z(), 3 + p.y()));
    EXPECT_NEAR(turned.nodes[i].orientation.x, std::sqrt(0.5), 1e-15);
  }
}

TEST(SceneGenerateLayouts, JitterAndOrientationsFollowTheSeed) {
  const std::string grid =
      "type: grid, count: [5, 5, 5], spacing: 1, jitter: 0.2, orientations: random, body: {shape: {type: box, size: "
      "[a, a, a]}, mass: 1}, seed: ";
  const model::Model first = layout_model(grid + "7");
  const model::Model again = layout_model(grid + "7");
  const model::Model other = layout_model(grid + "8");
  Vector3 mean = Vector3::Zero();
  std::set<double> angles;
  for (int i = 0; i < 125; ++i) {
    const Vector3 moved = first.nodes[i].position - Vector3(i % 5, (i / 5) % 5, i / 25);
    EXPECT_LE(moved.cwiseAbs().maxCoeff(), 0.2);
    mean += moved / 125;
    angles.insert(first.nodes[i].orientation.w);
    EXPECT_NEAR(first.nodes[i].orientation.norm(), 1, 1e-15);
    EXPECT_EQ(first.nodes[i].position, again.nodes[i].position);
    EXPECT_EQ(first.nodes[i].orientation.w, again.nodes[i].orientation.w);
    EXPECT_NE(first.nodes[i].position, other.nodes[i].position);
  }
  EXPECT_EQ(angles.size(), 125U);
  EXPECT_LE(mean.norm(), 0.05);  // standard deviation of the mean: 0.2/sqrt(3*125) = 0.01 per axis
}

// The mean of R_ii over all rotations is 0; its variance is 1/3.
TEST(SceneGenerateLayouts, RandomOrientationsPreferNoDirection) {
  math::Random random(3);
  Matrix3 mean = Matrix3::Zero();
  for (int i = 0; i < 3000; ++i) mean += io::random_orientation(random, false).matrix() / 3000;
  EXPECT_LE(mean.cwiseAbs().maxCoeff(), 5 * std::sqrt(1.0 / 3 / 3000));
  const math::Quaternion planar = io::random_orientation(random, true);
  EXPECT_EQ(planar.x, 0);
  EXPECT_EQ(planar.y, 0);
}

TEST(SceneGenerateLayouts, ATowerStandsOnItsOrigin) {
  const model::Model model = layout_model(
      "type: tower, name: slab, count: 5, size: [3, 1, 0.5], gap: 0.1, turn: 90*deg, position: [1, 2, 0], body: {mass: "
      "2}");
  ASSERT_EQ(model.bodies.size(), 5U);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(model.bodies[i].name, fmt::format("slab-{}", i + 1));
    expect_at(model, i, {1, 2, 0.25 + 0.6 * i});
    EXPECT_EQ(box_of(model, i).half_extents, Vector3(1.5, 0.5, 0.25));
    const Vector3 along = model.nodes[i].orientation.rotate({1, 0, 0});
    const Vector3 expected = i % 2 == 0 ? Vector3(i == 2 ? -1 : 1, 0, 0) : Vector3(0, i == 1 ? 1 : -1, 0);
    EXPECT_LE((along - expected).norm(), 1e-15) << i;
  }
}

TEST(SceneGenerateLayouts, InPlanarScenesYIsUp) {
  const model::Model tower = layout_model("type: tower, count: 3, size: [2, 1], body: {mass: 1}", true);
  expect_at(tower, 2, {0, 2.5, 0});
  EXPECT_EQ(box_of(tower, 2).half_extents.head<2>(), Eigen::Vector2d(1, 0.5));
  const model::Model wall = layout_model("type: wall, layers: 2, blocks: 2, size: [2, 1], body: {mass: 1}", true);
  expect_at(wall, 3, {2, 1.5, 0});
  const model::Model arch =
      layout_model("type: arch, count: 3, inner_radius: 2, thickness: 1, body: {density: 1}", true);
  EXPECT_LE((arch.nodes[1].position.head<2>() - Eigen::Vector2d(0, arch.nodes[1].position.y())).norm(), 1e-15);
  EXPECT_GT(arch.nodes[1].position.y(), 2);
}

TEST(SceneGenerateLayouts, BondsHaveTheirBlocksWhereTheyBelong) {
  const std::string head = "type: wall, layers: 3, blocks: 4, size: [2, 1, 1], gap: 0.2, bed_gap: 0.1, body: {mass: 1}";
  const model::Model stack = layout_model(head + ", bond: stack");
  const model::Model running = layout_model(head);
  const model::Model closed = layout_model(head + ", bond: closed");
  const model::Model alternating = layout_model(head + ", bond: alternating");
  const model::Model stepped = layout_model(head + ", bond: stepped");
  ASSERT_EQ(stack.bodies.size(), 12U);
  ASSERT_EQ(running.bodies.size(), 12U);
  ASSERT_EQ(closed.bodies.size(), 4U + 5 + 4);
  ASSERT_EQ(alternating.bodies.size(), 15U);
  ASSERT_EQ(stepped.bodies.size(), 4U + 3 + 2);
  for (const model::Model* model : {&stack, &running, &closed, &stepped}) expect_at(*model, 0, {-3.3, 0, 0.5});
  expect_at(stack, 4, {-3.3, 0, 1.6});
  expect_at(running, 4, {-2.2, 0, 1.6});
  expect_at(running, 8, {-3.3, 0, 2.7});
  expect_at(stepped, 4, {-2.2, 0, 1.6});
  expect_at(stepped, 8, {1.1, 0, 2.7});
  // Two half blocks and a gap are a block: the ends of all layers are at 4.3.
  EXPECT_DOUBLE_EQ(box_of(closed, 4).half_extents.x(), 0.45);
  expect_at(closed, 4, {-4.3 + 0.45, 0, 1.6});
  expect_at(closed, 5, {-2.2, 0, 1.6});
  expect_at(closed, 8, {4.3 - 0.45, 0, 1.6});
  EXPECT_DOUBLE_EQ(box_of(alternating, 0).half_extents.x(), 0.45);
  EXPECT_DOUBLE_EQ(box_of(alternating, 9).half_extents.x(), 0.45);
  expect_at(alternating, 0, {-4.85 + 0.45, 0, 0.5});
  expect_at(alternating, 9, {4.85 - 0.45, 0, 1.6});
}

// Volume and centroid of a voussoir against those of its trapezium; neighbours share the corners of their joint.
TEST(SceneGenerateLayouts, VoussoirsTouchAtRadialJoints) {
  const double inner = 3, outer = 3.5, depth = 0.7, springing = 0.3;
  const int count = 9;
  const model::Model model = layout_model(
      "type: arch, count: 9, inner_radius: 3, thickness: a, depth: 0.7, springing: 0.3, body: {density: 10}");
  ASSERT_EQ(model.bodies.size(), 9U);
  const double angle = (2 * kQuarterTurn - 2 * springing) / count;
  const auto joint_corners = [&](int body, double at) {
    std::set<std::pair<int, int>> found;  // inner or outer, front or back
    const model::Body& stone = model.bodies[body];
    const Vector3 direction(std::cos(at), 0, std::sin(at));
    for (const Vector3& vertex : std::get<model::PolyhedronShape>(stone.parts[0].shape).vertices) {
      const Vector3 world =
          model.nodes[body].position + model.nodes[body].orientation.rotate(stone.parts[0].position + vertex);
      for (const int side : {0, 1}) {
        for (const int face : {0, 1}) {
          const Vector3 corner = (side == 0 ? inner : outer) * direction + Vector3(0, (face - 0.5) * depth, 0);
          if ((world - corner).norm() <= 1e-14) found.insert({side, face});
        }
      }
    }
    return found.size();
  };
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(joint_corners(i, springing + i * angle), 4U) << i;
    EXPECT_EQ(joint_corners(i, springing + (i + 1) * angle), 4U) << i;
    const double area = 0.5 * (outer * outer - inner * inner) * std::sin(angle);
    EXPECT_NEAR(model.bodies[i].mass, 10 * area * depth, 1e-13);
  }
  EXPECT_LE((model.nodes[0].position - Vector3(-model.nodes[8].position.x(), 0, model.nodes[8].position.z())).norm(),
            1e-14);
}

TEST(SceneGenerateLayouts, NestedLayoutsNeedNamesOfTheirOwn) {
  const std::string towers =
      "type: repeat, count: 3, index: k, generate: {t: {type: tower, name: tower-$k, count: $k, size: [1, 1, 1], "
      "position: [2*$k, 0, 0], body: {mass: $i + $k}}}";
  const model::Model model = layout_model(towers);
  ASSERT_EQ(model.bodies.size(), 6U);
  EXPECT_EQ(model.bodies[4].name, "tower-3-2");
  EXPECT_EQ(model.bodies[4].mass, 5);
  expect_at(model, 4, {6, 0, 1.5});
  std::string unnamed = towers;
  unnamed.erase(unnamed.find("name: tower-$k, "), 16);
  EXPECT_NE(layout_complaint(unnamed).find("there is a body 't-1' already"), std::string::npos);
}

TEST(SceneGenerateLayoutsBadInput, SentencesSayWhatIsMissing) {
  EXPECT_EQ(layout_complaint("type: tower, count: 2, size: [1, 1], body: {mass: 1}"),
            "x:6:37: 'generate.it.size' must be [length, depth, height]");
  EXPECT_EQ(layout_complaint("type: tower, count: 2, size: [1, 1, 1], body: {mass: 1}", true),
            "x:6:37: 'generate.it.size' must be [length, height] in a planar scene");
  EXPECT_EQ(layout_complaint("type: tower, count: 2, size: [1, 1], turn: 1, body: {mass: 1}", true),
            "x:6:51: in a planar scene 'generate.it.turn' must be 0");
  EXPECT_EQ(layout_complaint("type: grid, count: [1, 1, 2], spacing: 1, body: {mass: 1}", true),
            "x:6:34: in a planar scene 'generate.it.count.2' must be 1");
  EXPECT_EQ(
      layout_complaint("type: wall, layers: 3, blocks: 2, bond: stepped, size: [1, 1, 1], body: {mass: 1}"),
      "x:6:28: 'generate.it.layers' must not be more than 'blocks' (2): with the bond 'stepped' every layer has one "
      "block less than the one below");
  EXPECT_EQ(
      layout_complaint("type: wall, layers: 3, blocks: 2, bond: closed, size: [1, 1, 1], gap: 1, body: {mass: 1}"),
      "x:6:78: 'generate.it.gap' leaves no room for half blocks: it must be less than their length, 1 m");
  EXPECT_EQ(layout_complaint("type: tower, count: 2, size: [1, 1, 1]"),
            "x:6:7: in generate.it with i = 1: 'bodies.it-1' has no mass: give it a 'mass' or a 'density'");
  EXPECT_EQ(
      layout_complaint("type: tower, count: 2, size: [1, 1, 1], body: {mass: 1, position: [0, 0, 0]}").substr(0, 62),
      "x:6:64: unknown key 'position' in 'generate.it.body'; the keys");
  EXPECT_EQ(layout_complaint("type: arch, count: 1, inner_radius: 1, thickness: 1, body: {density: 1}"),
            "x:6:27: 'generate.it.count' must be between 2 and 1000000, but is 1");
  EXPECT_EQ(layout_complaint("type: tower, count: 1, size: [1, 1, 1], body: {mass: 1}", false, "i: 1"),
            "x:6:7: the index 'i' of 'generate.it' has the name of a parameter; choose another with 'index'");
  EXPECT_EQ(layout_complaint("type: tower, name: 2x, count: 1, size: [1, 1, 1], body: {mass: 1}").substr(0, 71),
            "x:6:64: in generate.it with i = 1: '2x-1' cannot be the name of a body:");
}

}  // namespace
}  // namespace ricochet::test
