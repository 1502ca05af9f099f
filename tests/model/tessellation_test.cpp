// model/tessellation: surfaces are closed, turned outwards, on the true surface, and as large as their number of
// segments lets them be.
#include "ricochet/model/tessellation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "model/test_polyhedra.hpp"
#include "ricochet/model/polyhedron.hpp"

namespace ricochet::model {
namespace {

PolyhedronShape as_polyhedron(const TriangleMesh& mesh) {
  PolyhedronShape result;
  result.vertices = mesh.vertices;
  for (const auto& triangle : mesh.triangles) result.faces.emplace_back(triangle.begin(), triangle.end());
  return result;
}

double enclosed_volume(const TriangleMesh& mesh) {
  double volume = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    volume += mesh.vertices[a].dot(math::cross(mesh.vertices[b], mesh.vertices[c])) / 6;
  }
  return volume;
}

struct RoundShape {
  Shape shape;
  double volume;
};

const std::vector<RoundShape>& round_shapes() {
  constexpr double pi = std::numbers::pi;
  static const std::vector<RoundShape> shapes = {
      {SphereShape{2}, 4 * pi / 3 * 8},
      {CylinderShape{0.5, 3}, pi * 0.25 * 6},
      {CapsuleShape{0.5, 3}, pi * 0.25 * 6 + 4 * pi / 3 * 0.125},
      {CapsuleShape{0.5, 0}, 4 * pi / 3 * 0.125},
      {ConeShape{2, 3}, pi * 4 * 3 / 3},
  };
  return shapes;
}

TEST(Tessellation, RoundShapesAreClosedAndTurnedOutwards) {
  for (const RoundShape& round : round_shapes()) {
    for (const int segments : {4, 8, 24}) {
      EXPECT_NO_THROW(check_closed(as_polyhedron(tessellated(round.shape, segments)), "it")) << segments;
    }
  }
}

TEST(Tessellation, MissingVolumeFallsWithTheSquareOfTheSegments) {
  for (const RoundShape& round : round_shapes()) {
    const double coarse = round.volume - enclosed_volume(tessellated(round.shape, 24));
    const double fine = round.volume - enclosed_volume(tessellated(round.shape, 48));
    EXPECT_GT(fine, 0) << shape_name(round.shape);
    EXPECT_LT(coarse, 0.03 * round.volume);
    EXPECT_NEAR(coarse / fine, 4, 0.1);
  }
}

TEST(Tessellation, VerticesLieOnTheSurface) {
  for (const Vector3& vertex : tessellated(SphereShape{2}).vertices) EXPECT_NEAR(vertex.norm(), 2, 1e-14);
  for (const Vector3& vertex : tessellated(CapsuleShape{0.5, 3}).vertices) {
    const Vector3 nearest(0, 0, std::clamp(vertex.z(), -3.0, 3.0));
    EXPECT_NEAR((vertex - nearest).norm(), 0.5, 1e-14);
  }
}

TEST(Tessellation, ABoxHasItsCorners) {
  const TriangleMesh mesh = tessellated(BoxShape{Vector3(1, 2, 3)});
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_NO_THROW(check_closed(as_polyhedron(mesh), "it"));
  EXPECT_DOUBLE_EQ(enclosed_volume(mesh), 48);
}

TEST(Tessellation, APolyhedronThatIsNotConvexKeepsItsVolume) {
  for (const Vector3& axis : {Vector3(0, 0, 1), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(1, -2, 3)}) {
    const math::Quaternion turn = math::exponential(2.0 * axis);
    const PolyhedronShape shape = test::transformed(test::l_shape(), 2, Vector3(5, -3, 1), turn);
    const TriangleMesh mesh = tessellated(shape);
    EXPECT_EQ(mesh.triangles.size(), 2u * 4 + 6u * 2);
    EXPECT_NO_THROW(check_closed(as_polyhedron(mesh), "it"));
    EXPECT_NEAR(enclosed_volume(mesh), 6 * 8, 1e-11);
  }
}

TEST(Tessellation, EarsOfAStarDoNotOverlap) {
  std::vector<Vector2> star;
  for (int i = 0; i < 10; ++i) {
    const double angle = std::numbers::pi / 5 * i, radius = i % 2 == 0 ? 1 : 0.3;
    star.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  const PolyhedronShape shape = test::prism(star, 0, 1);
  double area = 0, turned = 0;
  for (const auto& [a, b, c] : triangulated(shape.vertices, shape.faces[1])) {
    const double z = math::cross(shape.vertices[b] - shape.vertices[a], shape.vertices[c] - shape.vertices[a]).z();
    area += std::abs(z) / 2;
    turned += z / 2;
  }
  EXPECT_NEAR(area, 10 * 0.5 * 0.3 * std::sin(std::numbers::pi / 5), 1e-14);
  EXPECT_DOUBLE_EQ(area, turned);
}

TEST(Tessellation, APointHasNoSurface) {
  EXPECT_TRUE(tessellated(PointShape{}).triangles.empty());
  EXPECT_TRUE(triangulated({}, {}).empty());
}

TEST(Tessellation, AFaceIsAThinPlateBehindIt) {
  const TriangleMesh mesh = drawn_face({Vector2(2, std::numeric_limits<double>::infinity())}, Vector2(5, 4));
  EXPECT_NO_THROW(check_closed(as_polyhedron(mesh), "it"));
  double lowest = 0;
  for (const Vector3& vertex : mesh.vertices) {
    EXPECT_EQ(std::abs(vertex.x()), 2);
    EXPECT_EQ(std::abs(vertex.y()), 4);
    EXPECT_LE(vertex.z(), 0);
    lowest = std::min(lowest, vertex.z());
  }
  EXPECT_NEAR(enclosed_volume(mesh), 4 * 8 * -lowest, 1e-12);
  EXPECT_LT(-lowest, 0.05);
  EXPECT_EQ(tessellated(FaceShape{}).vertices, drawn_face({}, Vector2::Ones()).vertices);
}

// Their wall faces inwards; the rings at the ends of a bore face along its axis.
TEST(Tessellation, HollowsShowTheirInside) {
  const TriangleMesh sphere = drawn_hollow(HollowSphereShape{2}), bore = drawn_hollow(HollowCylinderShape{2}, 5);
  EXPECT_NEAR(enclosed_volume(sphere), -enclosed_volume(tessellated(SphereShape{2})), 1e-12);
  EXPECT_EQ(tessellated(HollowSphereShape{2}).vertices, sphere.vertices);
  int walls = 0, rings = 0;
  for (const auto& [a, b, c] : bore.triangles) {
    const Vector3 &first = bore.vertices[a], &second = bore.vertices[b], &third = bore.vertices[c];
    const Vector3 normal = math::cross(second - first, third - first).normalized();
    const Vector3 middle = (first + second + third) / 3;
    EXPECT_NEAR(std::max(std::abs(first.z()), std::abs(second.z())), 5, 0);
    if (std::abs(normal.z()) > 0.5) {
      EXPECT_NEAR(normal.z(), middle.z() / 5, 1e-12);
      ++rings;
    } else {
      EXPECT_LT(normal.head<2>().dot(middle.head<2>()), 0);
      ++walls;
    }
  }
  EXPECT_EQ(walls, 2 * kDrawnSegments);
  EXPECT_EQ(rings, 4 * kDrawnSegments);
  EXPECT_EQ(drawn_hollow(HollowCylinderShape{2, 3}, 5).vertices.back().z(), 3);
}

}  // namespace
}  // namespace ricochet::model
