// Random solids and places, and distances of polyhedra by trying every feature against every feature.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ricochet/geometry/convex_solid.hpp"
#include "ricochet/geometry/patch.hpp"
#include "ricochet/math/random.hpp"

namespace ricochet::geometry::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline Vector3 random_vector(math::Random& random, double size = 1) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

inline Vector3 random_unit(math::Random& random) {
  return Vector3(random.normal(), random.normal(), random.normal()).normalized();
}

inline math::Quaternion random_rotation(math::Random& random) {
  return math::Quaternion{random.normal(), random.normal(), random.normal(), random.normal()}.normalized();
}

struct Points {
  std::vector<Vector3> vertices;
  std::vector<std::vector<int>> faces;
};

// The hull of points in general position by trying every triangle.
inline Points hull_of(const std::vector<Vector3>& points) {
  Points hull;
  std::vector<int> place(points.size(), -1);
  const int count = static_cast<int>(points.size());
  std::vector<std::vector<int>> faces;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      for (int k = j + 1; k < count; ++k) {
        const Vector3 normal = math::cross(points[j] - points[i], points[k] - points[i]);
        int above = 0, below = 0;
        for (int p = 0; p < count; ++p) {
          if (p == i || p == j || p == k) continue;
          (normal.dot(points[p] - points[i]) > 0 ? above : below) += 1;
        }
        if (above == 0) faces.push_back({i, j, k});
        if (below == 0) faces.push_back({i, k, j});
      }
    }
  }
  for (auto& face : faces) {
    for (int& corner : face) {
      if (place[corner] < 0) {
        place[corner] = static_cast<int>(hull.vertices.size());
        hull.vertices.push_back(points[corner]);
      }
      corner = place[corner];
    }
  }
  hull.faces = faces;
  return hull;
}

inline ConvexSolid random_hull(math::Random& random, int points, double size = 1) {
  std::vector<Vector3> cloud;
  const Vector3 stretch(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1));
  const Vector3 offset = random_vector(random);
  for (int i = 0; i < points; ++i) {
    cloud.push_back(size * (offset + random_unit(random).cwiseProduct(stretch) * random.uniform(0.7, 1)));
  }
  const Points hull = hull_of(cloud);
  return ConvexSolid::polyhedron(hull.vertices, hull.faces);
}

// A regular prism along z: its ends are faces with many corners.
inline ConvexSolid prism(int sides, double radius, double half_length) {
  Points prism;
  std::vector<int> bottom, top;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * M_PI * i / sides;
    for (const double z : {-half_length, half_length}) {
      prism.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
    bottom.insert(bottom.begin(), 2 * i);
    top.push_back(2 * i + 1);
    const int next = (i + 1) % sides;
    prism.faces.push_back({2 * i, 2 * next, 2 * next + 1, 2 * i + 1});
  }
  prism.faces.push_back(bottom);
  prism.faces.push_back(top);
  return ConvexSolid::polyhedron(prism.vertices, prism.faces);
}

// The features of a polytope in common axes.
struct PlacedFeatures {
  std::vector<Vector3> vertices, normals;
  std::vector<std::pair<Vector3, Vector3>> edges;
  std::vector<std::vector<Vector3>> faces;

  PlacedFeatures(const ConvexSolid& solid, const Pose& pose) {
    const Polytope& core = solid.core();
    for (const Vector3& vertex : core.vertices) vertices.push_back(pose.apply(core.middle + vertex));
    for (const auto& edge : core.edges) edges.emplace_back(vertices[edge.tail], vertices[edge.head]);
    for (const auto& face : core.faces) {
      normals.push_back(pose.rotation.rotate(face.normal));
      faces.emplace_back();
      for (int i = 0; i < face.count; ++i) faces.back().push_back(vertices[core.corner_vertices[face.first + i]]);
    }
  }

  double height(const Vector3& direction) const {
    double highest = -kInfinity;
    for (const Vector3& vertex : vertices) highest = std::max(highest, direction.dot(vertex));
    return highest;
  }

  // How far outside (largest over the faces): 0 on the surface, negative inside.
  double outside(const Vector3& point) const {
    double most = -kInfinity;
    for (std::size_t f = 0; f < faces.size(); ++f) most = std::max(most, normals[f].dot(point - faces[f][0]));
    return most;
  }
};

inline double point_segment(const Vector3& p, const Vector3& a, const Vector3& b) {
  const double part = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (a + part * (b - a) - p).norm();
}

// In long double: edges may be parallel but for a very small angle.
inline double segment_segment(const Vector3& from_a, const Vector3& to_a, const Vector3& from_b, const Vector3& to_b) {
  using Long = Eigen::Matrix<long double, 3, 1>;
  const auto cross = [](const Long& x, const Long& y) {
    return Long(x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]);
  };
  const double least = std::min({point_segment(from_a, from_b, to_b), point_segment(to_a, from_b, to_b),
                                 point_segment(from_b, from_a, to_a), point_segment(to_b, from_a, to_a)});
  const Long u = (to_a - from_a).cast<long double>();
  const Long v = (to_b - from_b).cast<long double>();
  const Long between = (from_b - from_a).cast<long double>();
  const Long normal = cross(u, v);
  const long double square = normal.squaredNorm();
  if (!(square > 1e-30L * u.squaredNorm() * v.squaredNorm())) return least;
  // from_a + s u + h normal = from_b + t v; t once more from s, so that both are at the same place along the edges
  const long double s = cross(between, v).dot(normal) / square;
  const long double t = (s * u - between).dot(v) / v.squaredNorm();
  if (!(s > 0 && s < 1 && t > 0 && t < 1)) return least;
  return std::min(least, static_cast<double>((s * u - between - t * v).norm()));
}

inline double point_face(const Vector3& p, const std::vector<Vector3>& face, const Vector3& normal) {
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vector3& from = face[i];
    const Vector3& to = face[(i + 1) % face.size()];
    if (math::cross(to - from, p - from).dot(normal) < 0) return kInfinity;
  }
  return std::abs(normal.dot(p - face[0]));
}

// The distance of two polyhedra, or minus the smallest translation that parts them.
inline double brute_force_distance(const PlacedFeatures& a, const PlacedFeatures& b) {
  double best = -kInfinity;
  const auto try_axis = [&](const Vector3& n) { best = std::max(best, -a.height(-n) - b.height(n)); };
  for (const Vector3& normal : b.normals) try_axis(normal);
  for (const Vector3& normal : a.normals) try_axis(-normal);
  for (const auto& [p, q] : a.edges) {
    for (const auto& [r, s] : b.edges) {
      // Of nearly parallel edges the cross product is rounded much; twice more, and it is square to both.
      Vector3 normal = math::cross(q - p, s - r);
      if (!(normal.norm() > 1e-12 * (q - p).norm() * (s - r).norm())) continue;
      for (int k = 0; k < 2; ++k) {
        normal.normalize();
        normal -= (q - p) * (normal.dot(q - p) / (q - p).squaredNorm());
      }
      try_axis(normal.normalized());
      try_axis(-normal.normalized());
    }
  }
  if (best <= 0) return best;
  double least = kInfinity;
  for (const Vector3& vertex : a.vertices) {
    for (std::size_t f = 0; f < b.faces.size(); ++f)
      least = std::min(least, point_face(vertex, b.faces[f], b.normals[f]));
  }
  for (const Vector3& vertex : b.vertices) {
    for (std::size_t f = 0; f < a.faces.size(); ++f)
      least = std::min(least, point_face(vertex, a.faces[f], a.normals[f]));
  }
  for (const auto& [p, q] : a.edges) {
    for (const auto& [r, s] : b.edges) least = std::min(least, segment_segment(p, q, r, s));
  }
  return least;
}

inline double smallest_gap(const Patch& patch) {
  double least = kInfinity;
  for (int i = 0; i < patch.count; ++i) least = std::min(least, patch.points[i].gap);
  return least;
}

// The names of the points: `corner0|face5`.
inline std::vector<std::string> names(const ConvexSolid& a, const ConvexSolid& b, const Patch& patch) {
  std::vector<std::string> result;
  for (int i = 0; i < patch.count; ++i) {
    result.push_back(a.feature_name(patch.points[i].feature_a) + "|" + b.feature_name(patch.points[i].feature_b));
  }
  return result;
}

// What is true of every patch, whatever the solids: unit normal, points one above the other, names sorted and
// different.
inline void expect_well_formed(const Patch& patch, double reach, double size) {
  EXPECT_NEAR(patch.normal.norm(), 1, 1e-14);
  for (int i = 0; i < patch.count; ++i) {
    const PatchPoint& point = patch.points[i];
    EXPECT_LE((point.on_a - point.on_b - point.gap * patch.normal).norm(), 1e-14 * size);
    EXPECT_LE(point.gap, reach);
    if (i == 0) continue;
    const PatchPoint& before = patch.points[i - 1];
    EXPECT_LT(std::pair(before.feature_a, before.feature_b), std::pair(point.feature_a, point.feature_b));
  }
}

}  // namespace ricochet::geometry::testing
