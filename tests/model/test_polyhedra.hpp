// Polyhedra for the tests, with faces counter-clockwise seen from outside.
#pragma once

#include <algorithm>
#include <vector>

#include "ricochet/model/shape.hpp"

namespace ricochet::test {

// Corners at the origin and at the given lengths on the three axes.
inline model::PolyhedronShape corner_tetrahedron(double a, double b, double c) {
  return {{Vector3(0, 0, 0), Vector3(a, 0, 0), Vector3(0, b, 0), Vector3(0, 0, c)},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

// The solid between z = bottom and z = top over a simple polygon, counter-clockwise seen from above.
inline model::PolyhedronShape prism(const std::vector<Vector2>& base, double bottom, double top) {
  model::PolyhedronShape result;
  const int count = static_cast<int>(base.size());
  std::vector<int> floor, ceiling;
  for (int i = 0; i < count; ++i) {
    result.vertices.emplace_back(base[i].x(), base[i].y(), bottom);
    floor.insert(floor.begin(), i);
    ceiling.push_back(count + i);
  }
  for (const Vector2& corner : base) result.vertices.emplace_back(corner.x(), corner.y(), top);
  result.faces = {floor, ceiling};
  for (int i = 0; i < count; ++i) {
    const int next = (i + 1) % count;
    result.faces.push_back({i, next, count + next, count + i});
  }
  return result;
}

inline model::PolyhedronShape box_polyhedron(const Vector3& half) {
  const double x = half.x(), y = half.y();
  return prism({Vector2(-x, -y), Vector2(x, -y), Vector2(x, y), Vector2(-x, y)}, -half.z(), half.z());
}

// |x| + |y| + |z| <= radius
inline model::PolyhedronShape octahedron(double radius) {
  return {{radius * Vector3::UnitX(), -radius * Vector3::UnitX(), radius * Vector3::UnitY(), -radius * Vector3::UnitY(),
           radius * Vector3::UnitZ(), -radius * Vector3::UnitZ()},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

// Two boxes, [0, 3] x [0, 1] x [0, 1] and [0, 1] x [1, 4] x [0, 1], in one piece.
inline model::PolyhedronShape l_shape() {
  return prism({Vector2(3, 0), Vector2(3, 1), Vector2(1, 1), Vector2(1, 4), Vector2(0, 4), Vector2(0, 0)}, 0, 1);
}

inline model::PolyhedronShape transformed(model::PolyhedronShape polyhedron, double scale, const Vector3& position,
                                          const math::Quaternion& orientation = {}) {
  for (Vector3& vertex : polyhedron.vertices) vertex = position + orientation.rotate(scale * vertex);
  return polyhedron;
}

}  // namespace ricochet::test
