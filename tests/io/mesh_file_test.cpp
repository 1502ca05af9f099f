#include "ricochet/io/mesh_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace ricochet::io {
namespace {

class MeshFile : public testing::Test {
 protected:
  MeshFile() { std::filesystem::create_directories(folder_); }
  ~MeshFile() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  static std::string complaint(const std::string& path) {
    try {
      read_mesh_file(path, 1);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("ricochet-mesh-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};
using MeshFileBadInput = MeshFile;

constexpr const char* kObj = R"(# a tent: a square and a ridge
v 0 0 0
v 2 0 0
v 2 2 0.5
v 0 2 0.5
v 2 4 0
v 0 4 0
f 1 2 3 4
f 4 3 5 6
)";

TEST_F(MeshFile, PolygonsOfAnObjFileBecomeTriangles) {
  const model::TriangleMesh mesh = read_mesh_file(write("tent.obj", kObj), 0.5);
  EXPECT_EQ(mesh.vertices.size(), 6u);  // those of the ridge are shared
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NO_THROW(model::validate(mesh, "it"));
  double highest = 0;
  for (const Vector3& vertex : mesh.vertices) highest = std::max(highest, vertex.z());
  EXPECT_EQ(highest, 0.25);
}

constexpr const char* kStl = R"(solid square
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 1 1 0
 endloop
endfacet
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 1 0
  vertex 0 1 0
 endloop
endfacet
endsolid square
)";

TEST_F(MeshFile, FacetsOfAnStlFileShareTheirVertices) {
  const model::TriangleMesh mesh = read_mesh_file(write("square.stl", kStl), 1);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST_F(MeshFile, BinaryStl) {
  std::string bytes(80, ' ');
  const auto append = [&](const auto& value) {
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    bytes.append(raw, sizeof(value));
  };
  append(std::uint32_t{1});
  for (const float number : {0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.25F}) append(number);
  append(std::uint16_t{0});
  const model::TriangleMesh mesh = read_mesh_file(write("one.STL", bytes), 1);
  ASSERT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(mesh.vertices[mesh.triangles[0][2]], Vector3(0, 1, 0.25));
}

TEST_F(MeshFileBadInput, SaysWhichFile) {
  EXPECT_THAT(complaint("none.stl"), testing::HasSubstr("there is no file 'none.stl'"));
  EXPECT_THAT(complaint(write("a.fbx", kObj)), testing::HasSubstr("is neither an STL nor an OBJ file"));
  EXPECT_THAT(complaint(write("empty.obj", "")), testing::HasSubstr("empty.obj' cannot be read"));
  EXPECT_NE(complaint(write("noise.stl", std::string(200, 'x'))), "");
  EXPECT_NE(complaint(write("points.obj", "v 0 0 0\nv 1 0 0\n")), "");
  EXPECT_NE(complaint(write("cut.stl", std::string(kStl).substr(0, 60))), "");
}

}  // namespace
}  // namespace ricochet::io
