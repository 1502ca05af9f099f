#include "ricochet/io/scene_surfaces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

std::string scene_with(const std::string& surface, const std::string& head = "") {
  return "ricochet: 1\n" + head +
         "time: {end: 1, step: 0.1}\n"
         "bodies:\n"
         "  ball: {shape: {type: sphere, radius: 1}, mass: 1}\n"
         "surfaces:\n"
         "  ground: " +
         surface +
         "\ncontacts:\n"
         "  land: {between: [ball, ground]}\n";
}

model::Surface surface_of(const std::string& surface) {
  return io::read_scene_text(scene_with(surface), "ground.yaml").run_case.model.surfaces[0];
}

std::string complaint(const std::string& surface, const std::string& head = "") {
  return input_complaint([&] { io::read_scene_text(scene_with(surface, head), "ground.yaml"); });
}

TEST(SceneSurfaces, AMeshIsPlacedInTheWorld) {
  const model::Surface surface = surface_of(
      "{type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]], position: [5, 6, 7], "
      "orientation: {axis: [0, 0, 1], angle: 90*deg}}");
  ASSERT_TRUE(surface.mesh);
  EXPECT_LE((surface.mesh->vertices[1] - Vector3(5, 7, 7)).norm(), 1e-14);
  EXPECT_FALSE(surface_of("{type: plane, normal: [0, 0, 1]}").mesh);
}

TEST(SceneSurfaces, AHeightFieldIsAMesh) {
  const model::Surface surface =
      surface_of("{type: height-field, heights: [[0, 1, 0], [0, 2, 0]], spacing: [0.5, 2], position: [1, 0, 0]}");
  ASSERT_TRUE(surface.mesh);
  EXPECT_EQ(surface.mesh->triangles.size(), 4u);
  EXPECT_EQ(surface.mesh->vertices[4], Vector3(1.5, 2, 2));
}

TEST(SceneSurfaces, FlippedMeshesAreSeenFromTheOtherSide) {
  const std::string mesh = "{type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]]";
  EXPECT_EQ(surface_of(mesh + "}").mesh->triangles[0], (std::array{0, 1, 2}));
  EXPECT_EQ(surface_of(mesh + ", flipped: true}").mesh->triangles[0], (std::array{0, 2, 1}));
}

TEST(SceneSurfaces, FilesBeginInTheFolderOfTheScene) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "ricochet-scene-surfaces";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "wedge.obj") << "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 2 3\nf 1 3 4\n";
  std::ofstream(folder / "scene.yaml") << scene_with("{type: mesh, file: wedge.obj, scale: 0.1}");
  std::ofstream(folder / "body.yaml") << "ricochet: 1\ntime: {end: 1, step: 0.1}\nbodies:\n  wedge: {shape: {type: "
                                         "polyhedron, file: wedge.obj, scale: 0.1}, density: 6}\n";
  const model::Model model = io::read_scene((folder / "scene.yaml").string()).run_case.model;
  ASSERT_TRUE(model.surfaces[0].mesh);
  EXPECT_EQ(model.surfaces[0].mesh->vertices[1], Vector3(1, 0, 0));
  const model::Model body = io::read_scene((folder / "body.yaml").string()).run_case.model;
  EXPECT_NEAR(body.bodies[0].mass, 1, 1e-12);  // of the hull, a sixth of a cubic metre
  std::filesystem::remove_all(folder);
}

TEST(SceneSurfacesBadInput, MeshesThatAreNone) {
  EXPECT_THAT(complaint("{type: mesh}"), testing::HasSubstr("'surfaces.ground' has no 'vertices': give vertices and"));
  EXPECT_THAT(complaint("{type: mesh, file: a.stl, triangles: [[0, 1, 2]]}"),
              testing::HasSubstr("has a file and also vertices or triangles"));
  EXPECT_THAT(complaint("{type: mesh, file: nowhere.stl}"),
              testing::HasSubstr("there is no file 'nowhere.stl' in the folder '/"));
  EXPECT_THAT(complaint("{type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [2, 0, 0]], triangles: [[0, 1, 2]]}"),
              testing::HasSubstr("there is no area in triangle 0 of 'surfaces.ground'"));
  EXPECT_THAT(complaint("{type: height-field, heights: [[0, 1, 0], [0, 2]], spacing: [1, 1]}"),
              testing::HasSubstr("'surfaces.ground.heights.1' has 2 heights, but the first row has 3"));
  EXPECT_THAT(complaint("{type: height-field, heights: [[0, 1], [0, 2]], spacing: [1, 1]}", "planar: true\n"),
              testing::HasSubstr("'surfaces.ground' is a height-field, which a planar scene cannot have"));
}

TEST(SceneSurfacesBadInput, MeshesAreNotDriven) {
  for (const char* how : {"velocity: [1, 0, 0]", "position: [t, 0, 0]", "angular_velocity: 1"}) {
    const std::string text = scene_with("{type: height-field, heights: [[0, 1], [0, 2]], spacing: [1, 1]}") +
                             "drivers:\n  d: {surface: ground, " + how + "}\n";
    EXPECT_THAT(input_complaint([&] { io::read_scene_text(text, "ground.yaml"); }),
                testing::HasSubstr("ground.yaml:10:16: 'drivers.d' moves 'ground', which is a mesh or a height field"));
  }
}

}  // namespace
}  // namespace ricochet::test
