#include "ricochet/model/triangle_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace ricochet::model {

namespace {

// Of the extent of a triangle: a height below it is no area.
constexpr double kSliver = 1e-12;

bool has_area(const Vector3& a, const Vector3& b, const Vector3& c) {
  const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return math::cross(b - a, c - a).norm() > kSliver * longest;
}

}  // namespace

void validate(const TriangleMesh& mesh, const std::string& owner) {
  const auto refuse = [&](const std::string& sentence) { throw std::invalid_argument(sentence + " of " + owner); };
  if (mesh.triangles.empty()) throw std::invalid_argument(owner + " has no triangles");
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!mesh.vertices[i].allFinite()) refuse(fmt::format("a coordinate is not finite: vertex {}", i));
  }
  std::set<std::pair<int, int>> edges;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const std::array<int, 3>& corners = mesh.triangles[i];
    for (const int corner : corners) {
      if (corner >= 0 && corner < static_cast<int>(mesh.vertices.size())) continue;
      refuse(fmt::format("there is no vertex {}, which is a corner of triangle {}", corner, i));
    }
    if (!has_area(mesh.vertices[corners[0]], mesh.vertices[corners[1]], mesh.vertices[corners[2]])) {
      refuse(fmt::format("there is no area in triangle {}", i));
    }
    for (int k = 0; k < 3; ++k) {
      if (edges.emplace(corners[k], corners[(k + 1) % 3]).second) continue;
      refuse(
          fmt::format("two triangles pass along the edge from vertex {} to vertex {} in the same direction, one of "
                      "them triangle {}",
                      corners[k], corners[(k + 1) % 3], i));
    }
  }
}

TriangleMesh height_field(std::span<const double> heights, int columns, double spacing_x, double spacing_y) {
  const auto count = static_cast<int>(heights.size());
  if (columns < 2 || count % columns != 0 || count / columns < 2) {
    throw std::invalid_argument(
        "a height field needs at least two rows, all with the same number of heights, at least two");
  }
  if (!(spacing_x > 0) || !(spacing_y > 0))
    throw std::invalid_argument("the spacing of a height field must be positive");
  TriangleMesh mesh;
  mesh.below.z() = -0.5 * std::min(spacing_x, spacing_y);
  for (int i = 0; i < count; ++i) {
    const int row = i / columns;
    mesh.vertices.emplace_back(spacing_x * (i % columns), spacing_y * row, heights[i]);
  }
  for (int row = 0; row + 1 < count / columns; ++row) {
    for (int column = 0; column + 1 < columns; ++column) {
      const int low = row * columns + column, high = low + columns;
      mesh.triangles.push_back({low, low + 1, high + 1});
      mesh.triangles.push_back({low, high + 1, high});
    }
  }
  return mesh;
}

TriangleMesh placed(TriangleMesh mesh, const Vector3& position, const math::Quaternion& orientation) {
  for (Vector3& vertex : mesh.vertices) vertex = position + orientation.rotate(vertex);
  mesh.below = orientation.rotate(mesh.below);
  return mesh;
}

TriangleMesh flipped(TriangleMesh mesh) {
  for (std::array<int, 3>& corners : mesh.triangles) std::swap(corners[1], corners[2]);
  mesh.below = -mesh.below;
  return mesh;
}

TriangleMesh with_joined_vertices(const TriangleMesh& mesh) {
  TriangleMesh joined;
  std::map<std::array<double, 3>, int> places;
  std::vector<int> number;
  for (const Vector3& vertex : mesh.vertices) {
    const auto [found, is_new] =
        places.emplace(std::array{vertex.x(), vertex.y(), vertex.z()}, static_cast<int>(joined.vertices.size()));
    if (is_new) joined.vertices.push_back(vertex);
    number.push_back(found->second);
  }
  for (const std::array<int, 3>& corners : mesh.triangles) {
    const std::array<int, 3> now = {number[corners[0]], number[corners[1]], number[corners[2]]};
    if (now[0] != now[1] && now[1] != now[2] && now[2] != now[0]) joined.triangles.push_back(now);
  }
  return joined;
}

}  // namespace ricochet::model
