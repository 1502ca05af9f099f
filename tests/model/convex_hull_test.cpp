#include "ricochet/model/convex_hull.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "model/test_models.hpp"
#include "model/test_polyhedra.hpp"
#include "ricochet/model/mass_properties.hpp"
#include "ricochet/model/polyhedron.hpp"

namespace ricochet::model {
namespace {

Vector3 face_normal(const PolyhedronShape& hull, const std::vector<int>& face) {
  Vector3 sum = Vector3::Zero();
  const Vector3& first = hull.vertices[face[0]];
  for (std::size_t i = 2; i < face.size(); ++i) {
    sum += math::cross(hull.vertices[face[i - 1]] - first, hull.vertices[face[i]] - first);
  }
  return sum.normalized();
}

// How far a point lies outside the plane of any face, in extents of the points.
double farthest_outside(const PolyhedronShape& hull, const std::vector<Vector3>& points, std::size_t least_sides = 3) {
  double result = 0;
  for (const std::vector<int>& face : hull.faces) {
    if (face.size() < least_sides) continue;
    const Vector3 normal = face_normal(hull, face);
    Vector3 middle = Vector3::Zero();
    for (const int vertex : face) middle += hull.vertices[vertex] / static_cast<double>(face.size());
    for (const Vector3& point : points) result = std::max(result, normal.dot(point - middle));
  }
  return result / extent(points);
}

// How far a face turns to the right anywhere on its way, in extents of its polyhedron.
double largest_dent(const PolyhedronShape& hull) {
  double result = 0;
  for (const std::vector<int>& face : hull.faces) {
    const Vector3 normal = face_normal(hull, face);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Vector3& corner = hull.vertices[face[(i + 1) % face.size()]];
      const Vector3 along = (corner - hull.vertices[face[i]]).normalized();
      const Vector3 next = hull.vertices[face[(i + 2) % face.size()]] - corner;
      result = std::max(result, -normal.dot(math::cross(along, next)));
    }
  }
  return result / extent(hull.vertices);
}

std::size_t edge_count(const PolyhedronShape& hull) {
  std::size_t sides = 0;
  for (const std::vector<int>& face : hull.faces) sides += face.size();
  return sides / 2;
}

// The vertices are given points, in the order given.
bool is_subsequence(const std::vector<Vector3>& vertices, const std::vector<Vector3>& points) {
  auto next = points.begin();
  for (const Vector3& vertex : vertices) {
    next = std::find(next, points.end(), vertex);
    if (next++ == points.end()) return false;
  }
  return true;
}

// What a convex hull is: a closed convex surface on some of the points with all of them inside. `tolerance` in extents.
void expect_hull(const PolyhedronShape& hull, const std::vector<Vector3>& points, double tolerance) {
  ASSERT_NO_THROW(check_closed(hull, "the hull"));
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), edge_count(hull) + 2);  // Euler
  EXPECT_TRUE(is_subsequence(hull.vertices, points));
  EXPECT_LE(farthest_outside(hull, points), tolerance);
  EXPECT_LE(largest_dent(hull), tolerance);
  // The tetrahedra between the faces and a point inside, none of them negative, fill the hull.
  Vector3 inside = Vector3::Zero();
  for (const Vector3& point : points) inside += point / static_cast<double>(points.size());
  double sum = 0;
  for (const std::vector<int>& face : hull.faces) {
    for (std::size_t i = 2; i < face.size(); ++i) {
      const Vector3 a = hull.vertices[face[0]] - inside, b = hull.vertices[face[i - 1]] - inside;
      sum += std::abs(a.dot(math::cross(b, hull.vertices[face[i]] - inside))) / 6;
    }
  }
  EXPECT_NEAR(volume(hull), sum, 1e-12 * sum);
}

std::vector<Vector3> grid(int count) {
  std::vector<Vector3> points;
  for (int i = 0; i <= count; ++i) {
    for (int j = 0; j <= count; ++j) {
      for (int k = 0; k <= count; ++k) points.push_back(Vector3(i, j, k) / count);
    }
  }
  return points;
}

TEST(ConvexHull, OfTheVerticesOfAPolyhedronIsThePolyhedron) {
  for (const PolyhedronShape& shape :
       {test::corner_tetrahedron(1, 2, 3), test::octahedron(0.7), test::box_polyhedron(Vector3(1, 2, 3))}) {
    const PolyhedronShape hull = convex_hull(shape.vertices);
    EXPECT_EQ(hull.vertices, shape.vertices);
    EXPECT_EQ(hull.faces, merged_coplanar_faces(shape).faces);  // the same faces, sorted
  }
}

TEST(ConvexHull, FillsTheConcaveCorner) {
  const PolyhedronShape hull = convex_hull(test::l_shape().vertices);
  // The box 3 x 4 x 1 without the triangle (3, 1), (3, 4), (1, 4).
  EXPECT_DOUBLE_EQ(volume(hull), 12 - 3);
  EXPECT_EQ(hull.faces.size(), 7u);
}

TEST(ConvexHull, DropsWhatIsInsideOrThereAlready) {
  const std::vector<Vector3> corners = test::box_polyhedron(Vector3(1, 1, 1)).vertices;
  std::vector<Vector3> points = {Vector3(0, 0, 0), Vector3(0, 0, 1), Vector3(0.5, 1, 1)};  // in the middle of things
  for (const Vector3& corner : corners) {
    points.push_back(corner);
    points.emplace_back(corner / 2);
    points.push_back(corner);
    points.emplace_back(corner * (1 + 1e-15));
  }
  const PolyhedronShape hull = convex_hull(points);
  EXPECT_EQ(hull.vertices, corners);
  EXPECT_EQ(hull.faces, convex_hull(corners).faces);
}

// Turned, the points of a face lie in a plane only up to rounding; the hull has to find the cube in them.
TEST(ConvexHull, OfAGridIsACubeInAnyPosition) {
  math::Random random(21);
  for (int count = 1; count < 8; ++count) {
    const PolyhedronShape cube = convex_hull(grid(count));
    EXPECT_EQ(cube.vertices, grid(1));
    EXPECT_EQ(cube.faces.size(), 6u);
    for (int i = 0; i < 10; ++i) {
      std::vector<Vector3> points = grid(count);
      const math::Quaternion turn = test::random_rotation(random);
      const Vector3 away = test::random_vector3(random, i);
      for (Vector3& point : points) point = away + turn.rotate(point);
      const PolyhedronShape hull = convex_hull(points);
      EXPECT_EQ(hull.faces, cube.faces);
      expect_hull(hull, points, 1e-13);
    }
  }
}

// Every triangle of points in general position that has all others on one side is a face, and there are no other faces.
TEST(ConvexHullProperty, FindsTheSameFacesAsTryingAllTriangles) {
  math::Random random(22);
  for (int round = 0; round < 100; ++round) {
    std::vector<Vector3> points(5 + random.integer(20));
    for (Vector3& point : points) point = test::random_vector3(random);
    const int count = static_cast<int>(points.size());
    std::vector<std::vector<Vector3>> expected;
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count; ++j) {
        for (int k = i + 1; k < count; ++k) {
          if (k == j) continue;
          const Vector3 normal = math::cross(points[j] - points[i], points[k] - points[i]);
          const bool is_face = std::all_of(points.begin(), points.end(), [&](const Vector3& point) {
            return point == points[j] || point == points[k] || normal.dot(point - points[i]) <= 0;
          });
          if (is_face) expected.push_back({points[i], points[j], points[k]});
        }
      }
    }
    const PolyhedronShape hull = convex_hull(points);
    std::vector<std::vector<Vector3>> actual;
    for (const std::vector<int>& face : hull.faces) {
      actual.emplace_back();
      for (const int vertex : face) actual.back().push_back(hull.vertices[vertex]);
    }
    EXPECT_THAT(actual, testing::UnorderedElementsAreArray(expected)) << "round " << round;
  }
}

// Points of many kinds, each with its own way to be difficult: in a ball, on a sphere, on few integers (many in one
// plane), flat, long, and far from the origin.
TEST(ConvexHullProperty, IsClosedConvexAndContainsAllPoints) {
  math::Random random(23);
  for (int round = 0; round < 300; ++round) {
    std::vector<Vector3> points(12 + random.integer(200));
    const int kind = round % 6;
    const Vector3 away = kind == 5 ? Vector3(test::random_vector3(random, 1000)) : Vector3(Vector3::Zero());
    for (Vector3& point : points) {
      point = test::random_vector3(random);
      if (kind == 1) point.normalize();
      if (kind == 2) point = point.array().round();
      if (kind == 3) point.z() *= 1e-6;
      if (kind == 4) point = Vector3(point.x(), 1e-4 * point.y(), 1e-3 * point.z());
      point += away;
    }
    const PolyhedronShape hull = convex_hull(points);
    SCOPED_TRACE(testing::Message() << "round " << round);
    // In flat and long ones, neighbouring faces may by chance be close enough to one plane to be merged.
    expect_hull(hull, points, kind == 3 || kind == 4 ? 4 * kCoplanarTolerance : 1e-12);
    // The hull of a hull is the hull.
    const PolyhedronShape again = convex_hull(hull.vertices);
    EXPECT_EQ(again.vertices, hull.vertices);
    EXPECT_EQ(again.faces, hull.faces);
  }
}

// The planes z = 0 and z = -1e-7 x meet in an edge so sharp that the point (5e-4, 0, 0) in front of it lies within the
// tolerance of both, and so do the pieces around a bump of 1e-12 in the middle of the lower one. But the corner is no
// part of a straight edge, and the pieces look down while the upper plane looks up.
TEST(ConvexHull, ASharpEdgeKeepsItsCorners) {
  const std::vector<Vector3> wedge = {Vector3(-1, -1, 0),   Vector3(-1, 1, 0), Vector3(-1, -1, 1e-7),
                                      Vector3(-1, 1, 1e-7), Vector3(0, -1, 0), Vector3(0, 1, 0),
                                      Vector3(5e-4, 0, 0)};
  std::vector<Vector3> points = wedge;
  points.emplace_back(-5e-4, 0.1, -1e-12);
  const PolyhedronShape hull = convex_hull(points);
  EXPECT_EQ(hull.vertices, wedge);
  const std::vector<std::vector<int>> faces = {{0, 1, 5, 6, 4}, {0, 2, 3, 1}, {0, 4, 2}, {1, 3, 5}, {2, 4, 6, 5, 3}};
  EXPECT_EQ(hull.faces, faces);
}

// A roof so flat that points near the ridge lie within the tolerance of both its planes: the border between them can be
// drawn in many ways, most of them ragged.
TEST(ConvexHullProperty, FacesThatHardlyTurnAreConvexPolygons) {
  math::Random random(27);
  for (int round = 0; round < 100; ++round) {
    const double slope = std::pow(10, random.uniform(-9.5, -6));
    std::vector<Vector3> points;
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-1.0, 1.0}) points.emplace_back(x, y, -1);
    }
    for (int i = 0; i < 60; ++i) {
      const double y = random.uniform(-1, 1), x = std::pow(random.uniform(-1, 1), 5);
      points.emplace_back(x, y, -slope * std::abs(x));
    }
    SCOPED_TRACE(testing::Message() << "round " << round);
    expect_hull(convex_hull(points), points, 5 * kCoplanarTolerance);
  }
}

// Noise around the tolerance at which faces are merged: flatter or not, the surface is closed and convex. Of the
// triangles that remain some are needles, whose planes have no digits to be compared with.
TEST(ConvexHullProperty, NoiseOfAnySizeLeavesTheSurfaceClosed) {
  math::Random random(24);
  for (int round = 0; round < 200; ++round) {
    const double noise = std::pow(10, random.uniform(-16, -6));
    std::vector<Vector3> points = grid(1 + static_cast<int>(random.integer(4)));
    const math::Quaternion turn = test::random_rotation(random);
    for (Vector3& point : points) point = turn.rotate(point) + test::random_vector3(random, noise);
    const PolyhedronShape hull = convex_hull(points);
    ASSERT_NO_THROW(check_closed(hull, "the hull")) << "noise " << noise;
    EXPECT_EQ(hull.vertices.size() + hull.faces.size(), edge_count(hull) + 2) << "noise " << noise;
    EXPECT_LE(farthest_outside(hull, points, 4), 5 * kCoplanarTolerance) << "noise " << noise;
    EXPECT_NEAR(volume(hull), 1, 1e-14 + 20 * noise);
    if (noise < 1e-12) {
      EXPECT_EQ(hull.faces.size(), 6u) << "noise " << noise;
    }
  }
}

TEST(ConvexHullProperty, PowersOfTwoScaleBitForBit) {
  math::Random random(25);
  for (int round = 0; round < 20; ++round) {
    std::vector<Vector3> points = grid(2);
    const math::Quaternion turn = test::random_rotation(random);
    for (Vector3& point : points) point = turn.rotate(point);
    for (int i = 0; i < 20; ++i) points.push_back(test::random_vector3(random));
    const PolyhedronShape hull = convex_hull(points);
    for (const double scale : {0x1p-30, 0x1p10}) {
      std::vector<Vector3> scaled = points;
      for (Vector3& point : scaled) point *= scale;
      const PolyhedronShape other = convex_hull(scaled);
      EXPECT_EQ(other.faces, hull.faces);
      ASSERT_EQ(other.vertices.size(), hull.vertices.size());
      for (std::size_t v = 0; v < hull.vertices.size(); ++v) EXPECT_EQ(other.vertices[v], scale * hull.vertices[v]);
    }
  }
}

// All points are vertices: the largest hull of this number of points, with 2 V - 4 triangles.
TEST(ConvexHull, OfThousandsOfPointsOnASphere) {
  math::Random random(26);
  std::vector<Vector3> points(4000);
  for (Vector3& point : points) point = test::random_vector3(random).normalized();
  const PolyhedronShape hull = convex_hull(points);
  EXPECT_EQ(hull.vertices, points);
  EXPECT_EQ(hull.faces.size(), 2 * points.size() - 4);
  // Triangles with corners on the sphere miss some 12/n of it.
  EXPECT_NEAR(volume(hull) / volume(SphereShape{1}), 1 - 12.0 / 4000, 0.2 * 12.0 / 4000);
}

TEST(ConvexHullBadInput, SaysWhyThereIsNone) {
  struct Spoiled {
    std::vector<Vector3> points;
    const char* sentence;
  };
  const math::Quaternion turn = math::Quaternion{0.5, -0.3, 0.7, 0.2}.normalized();
  std::vector<Vector3> on_line, in_plane;
  for (int i = 0; i < 30; ++i) {
    on_line.push_back(Vector3(1, 2, 3) + turn.rotate(Vector3(0.1 * i, 0, 0)));
    in_plane.push_back(Vector3(1, 2, 3) + turn.rotate(Vector3(0.1 * i, 0.01 * i * i, 0)));
  }
  std::vector<Vector3> infinite = test::octahedron(1).vertices;
  infinite[4].z() = std::numeric_limits<double>::infinity();
  const std::vector<Spoiled> cases = {
      {{}, "a convex hull needs at least four points, not 0"},
      {{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)}, "a convex hull needs at least four points, not 3"},
      {infinite, "point 4 of a convex hull must be finite"},
      {std::vector<Vector3>(5, Vector3(1, 2, 3)), "the points of a convex hull must not all be the same"},
      {on_line, "the points of a convex hull must not all lie on a line"},
      {in_plane, "the points of a convex hull must not all lie in a plane"},
  };
  for (const Spoiled& spoiled : cases) {
    try {
      convex_hull(spoiled.points);
      ADD_FAILURE() << "accepted: " << spoiled.sentence;
    } catch (const std::invalid_argument& error) {
      EXPECT_STREQ(error.what(), spoiled.sentence);
    }
  }
}

}  // namespace
}  // namespace ricochet::model
