#include "ricochet/geometry/polytope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "ricochet/math/rotation.hpp"

namespace ricochet::geometry {

namespace {

constexpr double kConvexityTolerance = 1e-8;  // of the extent

void set_vertices(Polytope& polytope, std::span<const Vector3> vertices) {
  // Relative to the first vertex the mean does not round differently far from the origin.
  Vector3 sum = Vector3::Zero();
  for (const Vector3& vertex : vertices) sum += vertex - vertices[0];
  polytope.middle = vertices[0] + sum / static_cast<double>(vertices.size());
  for (const Vector3& vertex : vertices) {
    polytope.vertices.emplace_back(vertex - polytope.middle);
    polytope.outer_radius = std::max(polytope.outer_radius, polytope.vertices.back().norm());
  }
}

// Lists the faces and edges around every vertex.
void connect(Polytope& polytope) {
  const int count = static_cast<int>(polytope.vertices.size());
  for (int v = 0; v < count; ++v) {
    polytope.first_face_of_vertex.push_back(static_cast<int>(polytope.faces_of_vertex.size()));
    for (int f = 0; f < static_cast<int>(polytope.faces.size()); ++f) {
      const auto begin = polytope.corner_vertices.begin() + polytope.faces[f].first;
      if (std::find(begin, begin + polytope.faces[f].count, v) != begin + polytope.faces[f].count) {
        polytope.faces_of_vertex.push_back(f);
      }
    }
    polytope.first_edge_of_vertex.push_back(static_cast<int>(polytope.edges_of_vertex.size()));
    for (int e = 0; e < static_cast<int>(polytope.edges.size()); ++e) {
      if (polytope.edges[e].tail == v || polytope.edges[e].head == v) polytope.edges_of_vertex.push_back(e);
    }
  }
  polytope.first_face_of_vertex.push_back(static_cast<int>(polytope.faces_of_vertex.size()));
  polytope.first_edge_of_vertex.push_back(static_cast<int>(polytope.edges_of_vertex.size()));
}

// Newell's area vector: also of a polygon that is not exactly flat.
Vector3 face_normal(const Polytope& polytope, std::span<const int> face) {
  const Vector3& origin = polytope.vertices[face[0]];
  Vector3 area = Vector3::Zero();
  for (std::size_t i = 1; i + 1 < face.size(); ++i) {
    area += math::cross(polytope.vertices[face[i]] - origin, polytope.vertices[face[i + 1]] - origin);
  }
  return area / area.norm();
}

void append_face(Polytope& polytope, std::span<const int> corners) {
  Polytope::Face face;
  face.first = static_cast<int>(polytope.corner_vertices.size());
  face.count = static_cast<int>(corners.size());
  face.normal = face_normal(polytope, corners);
  face.offset = face.normal.dot(polytope.vertices[corners[0]]);
  for (const int corner : corners) {
    face.offset = std::max(face.offset, face.normal.dot(polytope.vertices[corner]));
    polytope.corner_vertices.push_back(corner);
  }
  polytope.faces.push_back(face);
}

void check_face(std::span<const int> face, int index, int vertex_count) {
  if (face.size() < 3 || face.size() > kMaxFaceCorners) {
    throw std::invalid_argument(fmt::format("face {} of a convex solid has {} corners; it may have 3 to {}", index,
                                            face.size(), kMaxFaceCorners));
  }
  for (const int vertex : face) {
    if (vertex < 0 || vertex >= vertex_count) {
      throw std::invalid_argument(
          fmt::format("face {} of a convex solid names vertex {} of {}", index, vertex, vertex_count));
    }
  }
}

void check_convex(const Polytope& polytope) {
  for (std::size_t f = 0; f < polytope.faces.size(); ++f) {
    const Polytope::Face& face = polytope.faces[f];
    if (!(face.offset > 0)) throw std::invalid_argument(fmt::format("face {} of a convex solid looks inwards", f));
    for (std::size_t v = 0; v < polytope.vertices.size(); ++v) {
      const double outside = face.normal.dot(polytope.vertices[v]) - face.offset;
      if (outside <= kConvexityTolerance * polytope.outer_radius) continue;
      throw std::invalid_argument(fmt::format(
          "the solid is not convex: vertex {} lies {:.3g} m outside face {}; give it as convex parts", v, outside, f));
    }
  }
}

}  // namespace

int Polytope::support(const Vector3& direction) const {
  int best = 0;
  double furthest = vertices[0].dot(direction);
  for (int v = 1; v < static_cast<int>(vertices.size()); ++v) {
    const double reached = vertices[v].dot(direction);
    if (reached > furthest) {
      furthest = reached;
      best = v;
    }
  }
  return best;
}

bool Polytope::allows(const Vector3& normal) const {
  constexpr double slack = 1e-12;  // rounding of a unit normal
  return std::all_of(barriers.begin(), barriers.end(),
                     [&](const Vector3& barrier) { return normal.dot(barrier) <= slack; });
}

Polytope point_polytope() {
  Polytope polytope;
  polytope.vertices = {Vector3::Zero()};
  connect(polytope);
  return polytope;
}

Polytope segment_polytope(const Vector3& tail, const Vector3& head) {
  Polytope polytope;
  set_vertices(polytope, std::array{tail, head});
  polytope.edges.push_back({0, 1});
  connect(polytope);
  return polytope;
}

Polytope closed_polytope(std::span<const Vector3> vertices, std::span<const std::vector<int>> faces) {
  if (vertices.size() < 4 || faces.size() < 4)
    throw std::invalid_argument("a convex solid needs four vertices and faces");
  Polytope polytope;
  set_vertices(polytope, vertices);
  std::map<std::pair<int, int>, int> edge_between;  // lower vertex, higher vertex
  std::vector<int> visits;
  for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
    check_face(faces[f], f, static_cast<int>(vertices.size()));
    append_face(polytope, faces[f]);
    for (std::size_t i = 0; i < faces[f].size(); ++i) {
      const int from = faces[f][i];
      const int to = faces[f][(i + 1) % faces[f].size()];
      const auto [place, is_new] = edge_between.emplace(std::minmax(from, to), static_cast<int>(polytope.edges.size()));
      if (is_new) {
        polytope.edges.push_back({from, to});
        visits.push_back(0);
      }
      Polytope::Edge& edge = polytope.edges[place->second];
      polytope.corner_edges.push_back(place->second);
      (is_new ? edge.left_normal : edge.right_normal) = polytope.faces[f].normal;
      edge.has_arc = true;
      if (++visits[place->second] > 2 || (!is_new && edge.tail == from)) {
        throw std::invalid_argument(fmt::format(
            "the edge between vertices {} and {} of a convex solid does not have two faces that pass along it "
            "in opposite directions",
            from, to));
      }
    }
  }
  const auto open = std::find(visits.begin(), visits.end(), 1);
  if (open != visits.end()) {
    const Polytope::Edge& edge = polytope.edges[open - visits.begin()];
    throw std::invalid_argument(
        fmt::format("the surface of a convex solid is not closed: the edge between vertices {} and {} has one face",
                    edge.tail, edge.head));
  }
  check_convex(polytope);
  polytope.inner_radius = polytope.faces[0].offset;
  for (const Polytope::Face& face : polytope.faces) {
    polytope.inner_radius = std::min(polytope.inner_radius, face.offset);
  }
  connect(polytope);
  return polytope;
}

Polytope triangle_polytope(const Vector3& a, const Vector3& b, const Vector3& c,
                           std::span<const Vector3, 3> neighbor_normals, std::span<const Vector3, 3> shadows) {
  Polytope polytope;
  set_vertices(polytope, std::array{a, b, c});
  append_face(polytope, std::array{0, 1, 2});
  const Vector3 normal = polytope.faces[0].normal;
  if (!normal.allFinite()) throw std::invalid_argument("a triangle of a surface has no area");
  for (int e = 0; e < 3; ++e) {
    const Vector3 along = (polytope.vertices[(e + 1) % 3] - polytope.vertices[e]).normalized();
    // Leaves the triangle, square to the last normal that is allowed: in the plane where that is the own normal.
    const Vector3& last = neighbor_normals[e];
    polytope.edges.push_back({e, (e + 1) % 3, true, normal, last});
    polytope.corner_edges.push_back(e);
    polytope.barriers.push_back(math::cross(along, last));
  }
  polytope.shadows.assign(shadows.begin(), shadows.end());
  connect(polytope);
  return polytope;
}

}  // namespace ricochet::geometry
