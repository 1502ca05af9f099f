#include "ricochet/model/triangle_mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace ricochet::model {
namespace {

TriangleMesh square() { return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}}; }

std::string complaint(const TriangleMesh& mesh) {
  try {
    validate(mesh, "surface 'ground'");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(TriangleMesh, HeightFieldsLookUp) {
  const std::vector<double> heights = {0, 1, 0.5, 2, 0, 1};
  const TriangleMesh mesh = height_field(heights, 3, 0.5, 2);
  EXPECT_EQ(complaint(mesh), "");
  ASSERT_EQ(mesh.vertices.size(), 6u);
  EXPECT_EQ(mesh.vertices[4], Vector3(0.5, 2, 0));
  ASSERT_EQ(mesh.triangles.size(), 4u);
  for (const std::array<int, 3>& corners : mesh.triangles) {
    const Vector3 normal = math::cross(mesh.vertices[corners[1]] - mesh.vertices[corners[0]],
                                       mesh.vertices[corners[2]] - mesh.vertices[corners[0]]);
    EXPECT_DOUBLE_EQ(normal.z(), 1);  // twice the area seen from above
  }
}

TEST(TriangleMesh, PlacedWhereItIsAskedFor) {
  const TriangleMesh mesh =
      placed(square(), Vector3(1, 2, 3), math::Quaternion::from_axis_angle(Vector3::UnitX(), std::acos(0.0)));
  EXPECT_LE((mesh.vertices[2] - Vector3(2, 2, 4)).norm(), 1e-15);
}

TEST(TriangleMesh, VerticesAtOnePlaceAreJoined) {
  TriangleMesh apart{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                     {{0, 1, 2}, {3, 4, 5}, {0, 3, 1}}};
  const TriangleMesh joined = with_joined_vertices(apart);
  EXPECT_EQ(joined.vertices, square().vertices);
  EXPECT_EQ(joined.triangles, square().triangles);  // the third had no area
}

TEST(TriangleMeshBadInput, SaysWhatIsWrong) {
  EXPECT_EQ(complaint(square()), "");
  EXPECT_EQ(complaint({}), "surface 'ground' has no triangles");
  TriangleMesh mesh = square();
  mesh.vertices[1].x() = std::numeric_limits<double>::infinity();
  EXPECT_THAT(complaint(mesh), testing::HasSubstr("vertex 1 of surface 'ground'"));
  mesh = square();
  mesh.triangles[1][2] = 4;
  EXPECT_THAT(complaint(mesh), testing::HasSubstr("there is no vertex 4, which is a corner of triangle 1"));
  mesh = square();
  mesh.vertices[3] = Vector3(2, 2, 0);
  EXPECT_THAT(complaint(mesh), testing::HasSubstr("there is no area in triangle 1"));
  mesh = square();
  mesh.triangles[1] = {2, 0, 3};
  EXPECT_THAT(complaint(mesh), testing::HasSubstr("along the edge from vertex 2 to vertex 0 in the same direction"));
}

TEST(TriangleMeshBadInput, HeightFieldsAreGrids) {
  const std::vector<double> heights(6, 0.0);
  EXPECT_THROW(height_field(heights, 1, 1, 1), std::invalid_argument);
  EXPECT_THROW(height_field(heights, 4, 1, 1), std::invalid_argument);
  EXPECT_THROW(height_field(heights, 6, 1, 1), std::invalid_argument);
  EXPECT_THROW(height_field(heights, 3, 0, 1), std::invalid_argument);
  EXPECT_THROW(height_field(heights, 3, 1, -1), std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::model
