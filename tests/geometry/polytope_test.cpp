// Topology and normals of polytopes, and what is not a convex solid.
#include "ricochet/geometry/polytope.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "ricochet/math/rotation.hpp"

namespace ricochet::geometry {
namespace {

const std::vector<Vector3> kPyramid = {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {0, 0, 1}};
const std::vector<std::vector<int>> kPyramidFaces = {{3, 2, 1, 0}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};

TEST(Polytope, PyramidHasItsEdgesAndNormals) {
  const Polytope pyramid = closed_polytope(kPyramid, kPyramidFaces);
  EXPECT_LE((pyramid.middle - Vector3(0, 0, 0.2)).norm(), 1e-15);
  ASSERT_EQ(pyramid.edges.size(), 8u);
  for (const Polytope::Edge& edge : pyramid.edges) {
    const Vector3 along = pyramid.vertices[edge.head] - pyramid.vertices[edge.tail];
    EXPECT_NEAR(edge.left_normal.dot(along), 0, 1e-15);
    EXPECT_NEAR(edge.right_normal.dot(along), 0, 1e-15);
    // Seen from outside, the left face is left: its normal and the way along make a direction into the face.
    const Vector3 into_left = math::cross(edge.left_normal, along);
    EXPECT_GT(edge.right_normal.dot(-into_left), 0);
  }
  for (const Polytope::Face& face : pyramid.faces) {
    EXPECT_NEAR(face.normal.norm(), 1, 1e-15);
    EXPECT_GE(face.offset, pyramid.inner_radius);
    for (int i = 0; i < face.count; ++i) {
      EXPECT_NEAR(face.normal.dot(pyramid.vertices[pyramid.corner_vertices[face.first + i]]), face.offset, 1e-15);
    }
  }
  EXPECT_NEAR(pyramid.inner_radius, 0.2, 1e-15);
  EXPECT_EQ(pyramid.faces_at(4).size(), 4u);
  EXPECT_EQ(pyramid.edges_at(4).size(), 4u);
  EXPECT_EQ(pyramid.faces_at(0).size(), 3u);
  EXPECT_EQ(pyramid.support(Vector3(0, 0, 1)), 4);
  EXPECT_EQ(pyramid.support(Vector3(-1, -1, 0)), 2);
  EXPECT_TRUE(pyramid.allows(Vector3(0, 0, 1)));
  EXPECT_EQ(pyramid.face_feature(0), 13);
}

TEST(Polytope, TriangleAllowsNormalsBetweenItsNeighbors) {
  const Vector3 leaning = Vector3(0, -1, 1).normalized();
  const std::array<Vector3, 3> beyond = {leaning, Vector3(0, 0, 1), Vector3(-1, 0, 0)};  // convex, flat, border
  const std::array<Vector3, 3> no_shadows = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
  const Polytope triangle = triangle_polytope(Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), beyond, no_shadows);
  EXPECT_TRUE(triangle.allows(Vector3(0, 0, 1)));
  EXPECT_TRUE(triangle.allows(leaning));
  EXPECT_TRUE(triangle.allows(Vector3(0, -0.5, 1).normalized()));
  EXPECT_FALSE(triangle.allows(Vector3(0, -1.1, 1).normalized()));
  EXPECT_FALSE(triangle.allows(Vector3(0.1, 0.1, 1).normalized()));  // over the flat edge
  EXPECT_TRUE(triangle.allows(Vector3(-1, 0, 0.1).normalized()));    // over the border, which ends in the plane
  EXPECT_FALSE(triangle.allows(Vector3(-1, 0, -0.1).normalized()));
}

TEST(PolytopeBadInput, SaysWhatIsWrong) {
  const auto message = [](const std::vector<Vector3>& vertices,
                          const std::vector<std::vector<int>>& faces) -> std::string {
    try {
      closed_polytope(vertices, faces);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(kPyramid, kPyramidFaces), "");
  auto faces = kPyramidFaces;
  faces.pop_back();
  EXPECT_THAT(message(kPyramid, faces), ::testing::HasSubstr("is not closed"));
  faces = kPyramidFaces;
  faces[1] = {1, 0, 4};
  EXPECT_THAT(message(kPyramid, faces), ::testing::HasSubstr("in opposite directions"));
  faces = kPyramidFaces;
  faces[2] = {1, 2, 7};
  EXPECT_THAT(message(kPyramid, faces), ::testing::HasSubstr("names vertex 7"));
  faces[2] = {1, 2};
  EXPECT_THAT(message(kPyramid, faces), ::testing::HasSubstr("has 2 corners"));
  // The apex pushed in through the base leaves faces that look inwards; beside it the solid is not convex.
  auto vertices = kPyramid;
  vertices[4] = Vector3(0, 0, -1);
  EXPECT_THAT(message(vertices, kPyramidFaces), ::testing::HasSubstr("inwards"));
  vertices = kPyramid;
  vertices.emplace_back(0, 0, 0.1);  // hollows the base
  EXPECT_THAT(
      message(vertices, {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}}),
      ::testing::HasSubstr("not convex"));
}

}  // namespace
}  // namespace ricochet::geometry
