// Triangles of a surface: bodies that slide over a flat one never feel an edge, convex edges and borders are touched,
// hollow ones are not, but what sinks into them is below both sides.
#include "ricochet/geometry/mesh_triangles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "geometry/test_solids.hpp"

namespace ricochet::geometry {
namespace {

using namespace testing;

struct Mesh {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

// A grid of size x size squares, each cut in two, about the origin; the height is a function of x and y.
template <class Height>
Mesh grid(int size, double step, const Height& height) {
  Mesh mesh;
  for (int j = 0; j <= size; ++j) {
    for (int i = 0; i <= size; ++i) {
      const double x = (i - 0.5 * size) * step, y = (j - 0.5 * size) * step;
      mesh.vertices.emplace_back(x, y, height(x, y));
    }
  }
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const int v = j * (size + 1) + i;
      mesh.triangles.push_back({v, v + 1, v + size + 2});
      mesh.triangles.push_back({v, v + size + 2, v + size + 1});
    }
  }
  return mesh;
}

const auto kFlat = [](double, double) { return 0.0; };

struct Touch {
  Vector3 normal;
  PatchPoint point;
};

// All points that a solid has with a mesh.
std::vector<Touch> touches(const ConvexSolid& solid, const Pose& pose, const std::vector<ConvexSolid>& mesh,
                           const Pose& mesh_pose, double reach) {
  std::vector<Touch> found;
  Patch patch;
  for (const ConvexSolid& triangle : mesh) {
    if (!find_patch(solid, pose, triangle, mesh_pose, reach, patch)) continue;
    for (int i = 0; i < patch.count; ++i) found.push_back({patch.normal, patch.points[i]});
  }
  return found;
}

std::vector<ConvexSolid> sliders() {
  return {ConvexSolid::sphere(0.3),
          ConvexSolid::capsule(0.2, 0.4),
          ConvexSolid::box(Vector3(0.5, 0.35, 0.2)),
          ConvexSolid::cylinder(0.4, 0.25),
          prism(5, 0.4, 0.3),
          ConvexSolid::cone(0.4, 0.5)};
}

TEST(MeshTrianglesProperty, NothingStumblesOverAFlatMesh) {
  math::Random random(51);
  const Mesh mesh = grid(6, 0.7, kFlat);
  const auto triangles = mesh_triangles(mesh.vertices, mesh.triangles);
  for (const ConvexSolid& solid : sliders()) {
    SCOPED_TRACE(static_cast<int>(solid.kind()));
    for (int i = 0; i < 100; ++i) {
      SCOPED_TRACE(i);
      const math::Quaternion common = random_rotation(random);
      // Standing flat at times, leaning at others; sliding over the grid points themselves too.
      const Vector3 lean = i % 2 == 0 ? Vector3(0, 0, random.uniform(-3, 3)) : random_vector(random, 1.5);
      Pose pose = {Vector3(random.uniform(-1, 1), random.uniform(-1, 1), 0), math::exponential(lean)};
      if (i % 5 == 0) pose.position = Vector3(0.7 * (i % 3 - 1), 0.7 * (i % 4 - 1), 0);
      const double gap = random.uniform(-0.05, 0.05);
      pose.position.z() = gap - pose.apply(solid.support(pose.rotation.rotate_inverse(-Vector3::UnitZ()))).z();
      const Vector3 lowest = pose.apply(solid.support(pose.rotation.rotate_inverse(-Vector3::UnitZ())));
      const Pose turned = {common.rotate(pose.position), common * pose.rotation};
      const auto found = touches(solid, turned, triangles, {Vector3::Zero(), common}, gap + 1e-9);
      ASSERT_FALSE(found.empty());
      double nearest = kInfinity;
      for (const Touch& touch : found) {
        EXPECT_LE((touch.normal - common.rotate(Vector3::UnitZ())).norm(), 1e-12);
        EXPECT_NEAR(touch.point.gap, gap, 1e-9);
        nearest = std::min(nearest, (touch.point.on_a - common.rotate(lowest)).norm());
      }
      // The point that is lowest is among them, unless a whole rim is equally low.
      if (i % 2 == 0 && solid.is_curved()) continue;
      EXPECT_LE(nearest, 1e-9);
    }
  }
}

TEST(MeshTriangles, BoxOnAFlatMeshHasItsFourCornersAndNoMore) {
  const Mesh mesh = grid(6, 0.7, kFlat);
  const auto triangles = mesh_triangles(mesh.vertices, mesh.triangles);
  const ConvexSolid box = ConvexSolid::box(Vector3(0.5, 0.35, 0.2));
  const auto found = touches(box, {Vector3(0.13, 0.21, 0.2), {}}, triangles, {}, 1e-9);
  ASSERT_EQ(found.size(), 4u);
  std::vector<int> corners;
  for (const Touch& touch : found) corners.push_back(touch.point.feature_a);
  EXPECT_THAT(corners, ::testing::UnorderedElementsAre(0, 1, 2, 3));
}

TEST(MeshTriangles, ConvexEdgesAreTouchedBetweenTheirNormals) {
  // A roof with its ridge along y.
  const Mesh mesh = grid(4, 0.5, [](double x, double) { return -0.5 * std::abs(x); });
  const auto triangles = mesh_triangles(mesh.vertices, mesh.triangles);
  const ConvexSolid ball = ConvexSolid::sphere(0.2);
  for (const double side : {-0.05, 0.0, 0.03, 0.08}) {
    const Vector3 center(side, 0.1, std::sqrt(0.21 * 0.21 - side * side));
    const auto found = touches(ball, {center, {}}, triangles, {}, 0.02);
    ASSERT_FALSE(found.empty());
    for (const Touch& touch : found) {
      EXPECT_NEAR(touch.point.gap, 0.01, 1e-14);
      EXPECT_LE((touch.normal - Vector3(center.x(), 0, center.z()) / 0.21).norm(), 1e-12);
    }
  }
  const ConvexSolid box = ConvexSolid::box(Vector3(0.3, 0.3, 0.1));
  const auto found = touches(box, {Vector3(0.05, 0.07, 0.1), {}}, triangles, {}, 1e-9);
  ASSERT_GE(found.size(), 2u);
  double least = kInfinity, most = -kInfinity;
  for (const Touch& touch : found) {
    EXPECT_LE((touch.normal - Vector3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(touch.point.on_b.x(), 0, 1e-12);
    least = std::min(least, touch.point.on_b.y());
    most = std::max(most, touch.point.on_b.y());
  }
  EXPECT_NEAR(least, -0.23, 1e-12);
  EXPECT_NEAR(most, 0.37, 1e-12);
}

TEST(MeshTriangles, HollowEdgesGiveNoNormal) {
  const Mesh mesh = grid(4, 0.5, [](double x, double) { return 0.5 * std::abs(x); });
  const auto triangles = mesh_triangles(mesh.vertices, mesh.triangles);
  const ConvexSolid ball = ConvexSolid::sphere(0.2);
  // Touching both sides of the valley.
  const auto found = touches(ball, {Vector3(0, 0.1, 0.2 * std::sqrt(1.25)), {}}, triangles, {}, 0.05);
  ASSERT_GE(found.size(), 2u);
  for (const Touch& touch : found) {
    EXPECT_NEAR(std::abs(touch.normal.x()), 0.5 / std::sqrt(1.25), 1e-12);
    EXPECT_NEAR(touch.point.gap, 0, 1e-12);
  }
}

// A corner that is below the bottom of a valley projects on none of its sides, and is below both.
TEST(MeshTriangles, WhatSinksIntoAFoldTouchesBothSides) {
  const std::vector<ConvexSolid> solids = {ConvexSolid::box(Vector3(0.1, 0.07, 0.1)), ConvexSolid::cone(0.1, 0.3),
                                           ConvexSolid::cylinder(0.1, 0.1), prism(3, 0.1, 0.2)};
  for (const double slope : {0.01, 0.3, 0.8}) {
    const Mesh mesh = grid(4, 0.5, [&](double x, double) { return slope * std::abs(x); });
    const auto triangles = mesh_triangles(mesh.vertices, mesh.triangles);
    const double cosine = 1 / std::sqrt(1 + slope * slope);
    for (std::size_t k = 0; k < solids.size(); ++k) {
      const ConvexSolid& solid = solids[k];
      if (k == 3 && slope > 0.5) continue;  // of which another corner is lower along the normals of steep sides
      // Edge down, apex down, rim down, corner down.
      const std::array<Vector3, 4> turns = {Vector3(0, M_PI / 4, 0), Vector3(M_PI, 0, 0), Vector3(0, 0.7, 0),
                                            Vector3(0.5, 0.6, 0)};
      for (const double depth : {1e-9, 1e-5, 1e-3}) {
        for (const double beside : {0.0, 0.5, -0.9, 1.1}) {  // of what is below both, and at last not
          Pose pose = {Vector3::Zero(), math::exponential(turns[k])};
          const Vector3 lowest = pose.apply(solid.support(pose.rotation.rotate_inverse(-Vector3::UnitZ())));
          pose.position = Vector3(beside * depth * slope, 0.03, -depth) - lowest;
          double left = kInfinity, right = kInfinity;
          for (const Touch& touch : touches(solid, pose, triangles, {}, 0)) {
            double& side = touch.normal.x() < 0 ? right : left;
            side = std::min(side, touch.point.gap);
          }
          const double below_left = -cosine * depth * (1 - beside * slope * slope);
          const double below_right = -cosine * depth * (1 + beside * slope * slope);
          EXPECT_NEAR(std::min(left, right), std::min(below_left, below_right), 1e-12) << slope << " " << k;
          if (beside != 0) continue;  // a thin one may miss the other side
          EXPECT_NEAR(left, below_left, 1e-12) << slope << " " << k << " " << depth;
          EXPECT_NEAR(right, below_right, 1e-12) << slope << " " << k << " " << depth;
        }
      }
    }
  }
}

// Solids that lie on rough ground: no triangle says that they are deeper than they can be.
TEST(MeshTrianglesProperty, RoughGroundIsNoDeeperThanItsHeight) {
  math::Random random(53);
  for (int i = 0; i < 40; ++i) {
    const Mesh mesh = grid(20, 0.05, [&](double, double) { return random.uniform(-0.02, 0.02); });
    const auto triangles = mesh_triangles(mesh.vertices, mesh.triangles);
    for (const ConvexSolid& solid : {ConvexSolid::cylinder(0.3, 0.1), ConvexSolid::cone(0.3, 0.3)}) {
      const double depth = random.uniform(0, 0.01);
      const Pose pose = {Vector3(0, 0, solid.half_length() + 0.02 - depth),
                         math::exponential(Vector3(0, 0, random.uniform(-3, 3)))};
      for (const Touch& touch : touches(solid, pose, triangles, {}, 0)) EXPECT_GE(touch.point.gap, -depth - 1e-12);
    }
  }
}

TEST(MeshTriangles, BordersAreTouchedAndTheBackIsNot) {
  const Mesh mesh = grid(2, 0.5, kFlat);
  const auto triangles = mesh_triangles(mesh.vertices, mesh.triangles);
  const ConvexSolid ball = ConvexSolid::sphere(0.2);
  const Vector3 center(0.5 + 0.12, 0.1, 0.16);
  const auto found = touches(ball, {center, {}}, triangles, {}, 0.01);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LE((found[0].normal - Vector3(0.6, 0, 0.8)).norm(), 1e-12);
  EXPECT_NEAR(found[0].point.gap, 0, 1e-12);
  EXPECT_TRUE(touches(ball, {Vector3(0.1, 0.1, -0.1), {}}, triangles, {}, 1).empty());
  EXPECT_TRUE(touches(ball, {Vector3(0.62, 0.1, -0.16), {}}, triangles, {}, 0.01).empty());
}

// Whatever has come through a landscape is under one triangle of it, which holds all of it, down to the depth.
TEST(MeshTrianglesProperty, WhatCameThroughALandscapeIsHeld) {
  const auto height = [](double x, double y) { return 0.3 * std::sin(2.1 * x) * std::cos(1.7 * y); };
  const Mesh ground = grid(6, 0.5, height);
  const double depth = 0.25;
  const std::vector<ConvexSolid> held = mesh_triangles(ground.vertices, ground.triangles, Vector3(0, 0, -depth));
  const std::vector<ConvexSolid> open = mesh_triangles(ground.vertices, ground.triangles);
  math::Random random(3);
  std::vector<ConvexSolid> solids = sliders();
  solids.push_back(ConvexSolid::sphere(0));  // a point
  for (int i = 0; i < 2000; ++i) {
    const ConvexSolid& solid = solids[i % solids.size()];
    Pose pose{Vector3::Zero(), random_rotation(random)};
    const double x = random.uniform(-1.4, 1.4), y = random.uniform(-1.4, 1.4);
    // The triangle above or below that place, and the height of its plane there.
    int over = -1;
    double surface = 0;
    for (std::size_t t = 0; t < ground.triangles.size(); ++t) {
      const auto corner = [&](int k) { return ground.vertices[ground.triangles[t][k]]; };
      bool is_inside = true;
      for (int k = 0; k < 3; ++k) {
        const Vector3 from = corner(k), along = corner((k + 1) % 3) - from;
        is_inside = is_inside && along.x() * (y - from.y()) - along.y() * (x - from.x()) >= 0;
      }
      if (!is_inside) continue;
      over = static_cast<int>(t);
      const Vector3 normal = math::cross(corner(1) - corner(0), corner(2) - corner(0));
      surface = corner(0).z() - (normal.x() * (x - corner(0).x()) + normal.y() * (y - corner(0).y())) / normal.z();
    }
    ASSERT_GE(over, 0);
    const auto place_at = [&](double below) {
      pose.position = Vector3(x, y, surface - below) - pose.rotation.rotate(solid.middle());
    };
    const double below = random.uniform(0.001, 0.999) * depth;
    place_at(below);
    Patch patch;
    ASSERT_TRUE(find_patch(solid, pose, held[over], Pose{}, 0, patch)) << i;
    const Vector3 normal = held[over].core().faces[0].normal;
    EXPECT_LE((patch.normal - normal).norm(), 1e-14);
    double deepest = 0;
    for (int k = 0; k < patch.count; ++k) deepest = std::min(deepest, patch.points[k].gap);
    const double middle = -below * normal.z();
    const Vector3 lowest = pose.position + pose.rotation.rotate(solid.support(pose.rotation.rotate_inverse(-normal)));
    const double exact = normal.dot(lowest - (held[over].middle() + held[over].core().vertices[0]));
    EXPECT_GE(deepest, exact - 1e-12) << i;  // corners beside the triangle are not among those over it
    EXPECT_LE(deepest, solid.kind() == SolidKind::sphere ? exact + 1e-12 : middle + 1e-12) << i;
    EXPECT_FALSE(find_patch(solid, pose, open[over], Pose{}, 0, patch)) << i;
    place_at(1.001 * depth);
    EXPECT_FALSE(find_patch(solid, pose, held[over], Pose{}, 0, patch)) << i;
    const Bounds all = held[over].bounds(Pose{});
    EXPECT_LE(all.lower.z(), surface - depth);
  }
}

TEST(MeshTriangles, TriangleMayBeEitherSideOfThePair) {
  const Mesh mesh = grid(2, 0.5, kFlat);
  const auto triangles = mesh_triangles(mesh.vertices, mesh.triangles);
  const ConvexSolid box = ConvexSolid::box(Vector3(0.05, 0.04, 0.03));
  const Pose pose = {Vector3(0.15, 0.3, 0.03), {}};
  Patch forward, backward;
  int touched = 0;
  for (const ConvexSolid& triangle : triangles) {
    const bool found = find_patch(box, pose, triangle, {}, 1e-9, forward);
    ASSERT_EQ(found, find_patch(triangle, {}, box, pose, 1e-9, backward));
    if (!found) continue;
    ++touched;
    EXPECT_EQ(forward.normal, -backward.normal);
    EXPECT_FALSE(forward.normal_from_a);
    EXPECT_TRUE(backward.normal_from_a);
    ASSERT_EQ(forward.count, backward.count);
    EXPECT_EQ(forward.count, 4);
    for (int i = 0; i < forward.count; ++i) {
      EXPECT_EQ(forward.points[i].feature_a, backward.points[i].feature_b);
      EXPECT_EQ(forward.points[i].on_a, backward.points[i].on_b);
    }
  }
  EXPECT_EQ(touched, 1);
  EXPECT_FALSE(find_patch(triangles[0], {}, triangles[1], {}, 1, forward));
}

TEST(MeshTrianglesBadInput, SaysWhatIsWrong) {
  const std::vector<Vector3> vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 0, 0}};
  const auto message = [&](const std::vector<std::array<int, 3>>& triangles) -> std::string {
    try {
      mesh_triangles(vertices, triangles);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({{0, 1, 2}, {2, 1, 3}}), "");
  EXPECT_EQ(message({{0, 1, 5}}), "triangle 0 of a mesh names vertex 5; the 5 vertices are counted from 0");
  EXPECT_EQ(message({{0, 1, 2}, {0, 1, 4}}), "triangle 1 of a mesh has no area");
  EXPECT_THAT(message({{0, 1, 2}, {1, 2, 3}}),
              ::testing::StartsWith("triangles 0 and 1 of a mesh both pass from vertex 1"));
}

}  // namespace
}  // namespace ricochet::geometry
