#include "ricochet/geometry/mesh_triangles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace ricochet::geometry {

namespace {

struct DirectedEdge {
  int from = 0;
  int to = 0;
  int triangle = 0;
  friend bool operator<(const DirectedEdge& a, const DirectedEdge& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  }
};

Vector3 triangle_normal(std::span<const Vector3> vertices, const std::array<int, 3>& corners, int index) {
  for (const int corner : corners) {
    if (corner >= 0 && corner < static_cast<int>(vertices.size())) continue;
    throw std::invalid_argument(fmt::format("triangle {} of a mesh names vertex {}; the {} vertices are counted from 0",
                                            index, corner, vertices.size()));
  }
  const Vector3 u = vertices[corners[1]] - vertices[corners[0]];
  const Vector3 v = vertices[corners[2]] - vertices[corners[0]];
  const Vector3 area = math::cross(u, v);
  const double longest = std::max({u.squaredNorm(), v.squaredNorm(), (v - u).squaredNorm()});
  if (!(area.norm() > 1e-12 * longest)) {
    throw std::invalid_argument(fmt::format("triangle {} of a mesh has no area", index));
  }
  return area / area.norm();
}

class MeshEdges {
 public:
  explicit MeshEdges(std::span<const std::array<int, 3>> triangles) {
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
      for (int e = 0; e < 3; ++e) edges_.push_back({triangles[t][e], triangles[t][(e + 1) % 3], t});
    }
    std::sort(edges_.begin(), edges_.end());
    for (std::size_t i = 1; i < edges_.size(); ++i) {
      if (edges_[i - 1] < edges_[i]) continue;
      throw std::invalid_argument(
          fmt::format("triangles {} and {} of a mesh both pass from vertex {} to vertex {}: they do not look to the "
                      "same side, or more "
                      "than two meet there",
                      edges_[i - 1].triangle, edges_[i].triangle, edges_[i].from, edges_[i].to));
    }
  }

  // The triangle beyond the edge from one vertex to another, -1 if there is none.
  int beyond(int from, int to) const {
    const auto found = std::lower_bound(edges_.begin(), edges_.end(), DirectedEdge{to, from, 0});
    return found != edges_.end() && found->from == to && found->to == from ? found->triangle : -1;
  }

 private:
  std::vector<DirectedEdge> edges_;
};

}  // namespace

std::vector<ConvexSolid> mesh_triangles(std::span<const Vector3> vertices,
                                        std::span<const std::array<int, 3>> triangles, const Vector3& below) {
  std::vector<Vector3> normals;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    normals.push_back(triangle_normal(vertices, triangles[t], static_cast<int>(t)));
  }
  const MeshEdges edges(triangles);
  std::vector<ConvexSolid> solids;
  solids.reserve(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::array<int, 3>& corners = triangles[t];
    std::array<Vector3, 3> beyond, shadows;
    for (int e = 0; e < 3; ++e) {
      const int from = corners[e];
      const int to = corners[(e + 1) % 3];
      const Vector3 along = (vertices[to] - vertices[from]).normalized();
      const Vector3 outwards = math::cross(along, normals[t]);
      const int neighbor = edges.beyond(from, to);
      shadows[e].setZero();
      if (neighbor < 0) {
        beyond[e] = outwards;
      } else {
        // The neighbour's normal leans outwards at a convex edge.
        const double lean = normals[neighbor].dot(outwards);
        beyond[e] = lean > kFlatSine ? normals[neighbor] : normals[t];
        if (lean < -kFlatSine) shadows[e] = -math::cross(along, normals[neighbor]);
      }
    }
    solids.push_back(ConvexSolid::triangle(vertices[corners[0]], vertices[corners[1]], vertices[corners[2]], beyond,
                                           shadows, below));
  }
  return solids;
}

}  // namespace ricochet::geometry
