#include "ricochet/model/polyhedron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "ricochet/model/mass_properties.hpp"

namespace ricochet::model {

namespace {

using Face = std::vector<int>;
using DirectedEdge = std::pair<int, int>;

struct FacePlane {
  Vector3 point = Vector3::Zero();        // the mean of the vertices
  Vector3 area_vector = Vector3::Zero();  // out of the solid; its length is twice the area
  double longest = 0;                     // the longest edge

  FacePlane(const PolyhedronShape& polyhedron, const Face& face) {
    const Vector3& origin = polyhedron.vertices[face[0]];
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Vector3 from = polyhedron.vertices[face[i]] - origin;
      const Vector3 to = polyhedron.vertices[face[(i + 1) % face.size()]] - origin;
      point += from;
      area_vector += math::cross(from, to);
      longest = std::max(longest, (to - from).norm());
    }
    point = origin + point / static_cast<double>(face.size());
  }

  Vector3 normal() const { return area_vector / area_vector.norm(); }
  bool is_needle(double width) const { return !(area_vector.norm() > width * longest); }
};

[[noreturn]] void refuse_polyhedron(const std::string& sentence) { throw std::invalid_argument(sentence); }

void check_indices(const PolyhedronShape& polyhedron, const std::string& owner) {
  const int count = static_cast<int>(polyhedron.vertices.size());
  std::vector<int> last_face(polyhedron.vertices.size(), -1);
  for (int f = 0; f < static_cast<int>(polyhedron.faces.size()); ++f) {
    const Face& face = polyhedron.faces[f];
    if (face.size() < 3) {
      refuse_polyhedron(fmt::format("face {} of {} has {} vertices; it needs at least three", f, owner, face.size()));
    }
    for (const int vertex : face) {
      if (vertex < 0 || vertex >= count) {
        refuse_polyhedron(fmt::format("face {} of {} names vertex {}, but the {} vertices are counted from 0 to {}", f,
                                      owner, vertex, count, count - 1));
      }
      if (last_face[vertex] == f) refuse_polyhedron(fmt::format("face {} of {} repeats vertex {}", f, owner, vertex));
      last_face[vertex] = f;
    }
  }
  const auto unused = std::find(last_face.begin(), last_face.end(), -1);
  if (unused != last_face.end()) {
    refuse_polyhedron(fmt::format("vertex {} of {} belongs to no face", unused - last_face.begin(), owner));
  }
}

void check_edges(const PolyhedronShape& polyhedron, const std::string& owner) {
  std::map<DirectedEdge, int> face_along;
  for (int f = 0; f < static_cast<int>(polyhedron.faces.size()); ++f) {
    const Face& face = polyhedron.faces[f];
    for (std::size_t i = 0; i < face.size(); ++i) {
      const DirectedEdge edge(face[i], face[(i + 1) % face.size()]);
      const auto [other, is_new] = face_along.emplace(edge, f);
      if (is_new) continue;
      refuse_polyhedron(
          fmt::format("faces {} and {} of {} both pass from vertex {} to vertex {}; two faces that share an edge pass "
                      "along it in opposite directions, if all list their vertices counter-clockwise seen from outside",
                      other->second, f, owner, edge.first, edge.second));
    }
  }
  for (const auto& [edge, face] : face_along) {
    if (face_along.contains({edge.second, edge.first})) continue;
    refuse_polyhedron(
        fmt::format("the surface of {} is not closed: the edge between vertex {} and vertex {} belongs to face {} only",
                    owner, edge.first, edge.second, face));
  }
}

// Returns the area of the surface (m^2).
double check_planes(const PolyhedronShape& polyhedron, double size, const std::string& owner) {
  double area = 0;
  for (std::size_t f = 0; f < polyhedron.faces.size(); ++f) {
    const FacePlane plane(polyhedron, polyhedron.faces[f]);
    // Narrower than this part of its length, a face has no direction that can be trusted.
    if (plane.is_needle(1e-12 * plane.longest)) {
      refuse_polyhedron(fmt::format("face {} of {} has no area: its vertices lie on a line", f, owner));
    }
    area += plane.area_vector.norm() / 2;
    if (polyhedron.faces[f].size() == 3) continue;
    const Vector3 normal = plane.normal();
    for (const int vertex : polyhedron.faces[f]) {
      const double distance = std::abs(normal.dot(polyhedron.vertices[vertex] - plane.point));
      if (distance <= kFlatnessTolerance * size) continue;
      refuse_polyhedron(fmt::format("face {} of {} is not planar: vertex {} lies {:.3g} m off the plane of the face", f,
                                    owner, vertex, distance));
    }
  }
  return area;
}

// Joins faces of a convex polyhedron; see merged_coplanar_faces.
class FaceMerger {
 public:
  explicit FaceMerger(const PolyhedronShape& polyhedron)
      : polyhedron_(polyhedron),
        tolerance_(kCoplanarTolerance * extent(polyhedron.vertices)),
        group_of_(polyhedron.faces.size(), -1),
        kept_(polyhedron.vertices.size(), false) {
    for (int f = 0; f < static_cast<int>(polyhedron.faces.size()); ++f) {
      const Face& face = polyhedron.faces[f];
      planes_.emplace_back(polyhedron, face);
      for (std::size_t i = 0; i < face.size(); ++i) face_along_[{face[i], face[(i + 1) % face.size()]}] = f;
    }
  }

  // Nothing, if the groups are not convex polygons.
  std::optional<PolyhedronShape> merged() {
    make_groups();
    if (!trace_outlines()) return {};
    choose_vertices();
    PolyhedronShape result{polyhedron_.vertices, {}};
    for (const Face& outline : outlines_) {
      Face face;
      std::copy_if(outline.begin(), outline.end(), std::back_inserter(face), [&](int v) { return kept_[v]; });
      if (face.size() < 3) return {};
      result.faces.push_back(std::move(face));
    }
    if (!is_convex(result)) return {};
    return result;
  }

 private:
  void make_groups() {
    std::vector<int> seeds(planes_.size());
    std::iota(seeds.begin(), seeds.end(), 0);
    std::stable_sort(seeds.begin(), seeds.end(), [&](int f, int g) {
      return planes_[f].area_vector.squaredNorm() > planes_[g].area_vector.squaredNorm();
    });
    for (const int seed : seeds) {
      if (group_of_[seed] >= 0) continue;
      const Vector3 normal = planes_[seed].normal();
      std::vector<int> pending = {seed};
      group_of_[seed] = groups_;
      while (!pending.empty()) {
        const Face& face = polyhedron_.faces[pending.back()];
        pending.pop_back();
        for (std::size_t i = 0; i < face.size(); ++i) {
          const int other = neighbour(face[i], face[(i + 1) % face.size()]);
          if (group_of_[other] >= 0 || !belongs(other, planes_[seed].point, normal)) continue;
          group_of_[other] = groups_;
          pending.push_back(other);
        }
      }
      ++groups_;
    }
  }

  int neighbour(int from, int to) const { return face_along_.at({to, from}); }

  // The normal of a needle is made of rounding errors, so it is not asked for.
  bool belongs(int face, const Vector3& point, const Vector3& normal) const {
    for (const int vertex : polyhedron_.faces[face]) {
      if (!(std::abs(normal.dot(polyhedron_.vertices[vertex] - point)) <= tolerance_)) return false;
    }
    return planes_[face].is_needle(tolerance_) || normal.dot(planes_[face].area_vector) > 0;
  }

  // The edges between a group and the others must be one loop.
  bool trace_outlines() {
    std::vector<std::map<int, int>> next(groups_);
    for (const auto& [edge, face] : face_along_) {
      const int group = group_of_[face];
      if (group_of_[neighbour(edge.first, edge.second)] == group) continue;
      if (!next[group].emplace(edge).second) return false;
    }
    for (const std::map<int, int>& follower : next) {
      if (follower.empty()) return false;
      Face outline = {follower.begin()->first};
      for (int v = follower.begin()->second; v != outline.front(); v = follower.at(v)) outline.push_back(v);
      if (outline.size() != follower.size()) return false;
      outlines_.push_back(std::move(outline));
    }
    return true;
  }

  // Where three groups meet there is a corner. Between two corners the two groups share a chain of edges; what is left
  // of it is chosen by the method of D. H. Douglas and T. K. Peucker (Cartographica 10, 1973): nothing, if all vertices
  // are close to the straight line, otherwise the farthest one and what is left of both halves.
  void choose_vertices() {
    std::vector<int> groups_at(polyhedron_.vertices.size(), 0);
    for (const Face& outline : outlines_) {
      for (const int vertex : outline) ++groups_at[vertex];
    }
    const auto is_corner = [&](int vertex) { return groups_at[vertex] >= 3; };
    for (std::size_t v = 0; v < kept_.size(); ++v) kept_[v] = groups_at[v] >= 3;
    for (Face loop : outlines_) {
      const auto corner = std::find_if(loop.begin(), loop.end(), is_corner);
      if (corner == loop.end()) continue;  // all of it disappears, and the result is not convex
      std::rotate(loop.begin(), corner, loop.end());
      loop.push_back(loop.front());
      for (auto start = loop.begin(); start + 1 != loop.end();) {
        const auto end = std::find_if(start + 1, loop.end(), is_corner);
        std::vector<int> chain(start, end + 1);
        if (chain.front() > chain.back()) std::reverse(chain.begin(), chain.end());  // the same seen from both groups
        simplify(chain);
        start = end;
      }
    }
  }

  void simplify(std::span<const int> chain) {
    const Vector3& start = polyhedron_.vertices[chain.front()];
    const Vector3 along = polyhedron_.vertices[chain.back()] - start;
    std::size_t farthest = 0;
    double largest = tolerance_ * along.norm();
    for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
      const double distance = math::cross(polyhedron_.vertices[chain[i]] - start, along).norm();
      if (distance <= largest) continue;
      largest = distance;
      farthest = i;
    }
    if (farthest == 0) return;
    kept_[chain[farthest]] = true;
    simplify(chain.first(farthest + 1));
    simplify(chain.subspan(farthest));
  }

  // A closed surface without a hole through it (Euler: V - E + F = 2), every polygon convex, and no vertex, kept or
  // not, outside any plane: within a few tolerances, since the planes have moved by one.
  bool is_convex(const PolyhedronShape& result) const {
    std::map<DirectedEdge, int> count_along;
    for (const Face& face : result.faces) {
      for (std::size_t i = 0; i < face.size(); ++i) ++count_along[{face[i], face[(i + 1) % face.size()]}];
    }
    for (const auto& [edge, count] : count_along) {
      if (count != 1 || !count_along.contains({edge.second, edge.first})) return false;
    }
    const auto vertices = static_cast<std::size_t>(std::count(kept_.begin(), kept_.end(), true));
    if (vertices + result.faces.size() != 2 + count_along.size() / 2) return false;
    return std::all_of(result.faces.begin(), result.faces.end(), [&](const Face& face) {
      return is_original(face) || (turns_left(result, face) && sees_no_vertex(FacePlane(result, face)));
    });
  }

  // A face that was there before is right, also if it is a needle whose plane cannot be computed well.
  bool is_original(const Face& face) const {
    const auto first = face_along_.find({face[0], face[1]});
    if (first == face_along_.end()) return false;
    const Face& before = polyhedron_.faces[first->second];
    return before.size() == face.size() && std::is_permutation(before.begin(), before.end(), face.begin());
  }

  bool turns_left(const PolyhedronShape& result, const Face& face) const {
    const Vector3 normal = FacePlane(result, face).normal();
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Vector3& corner = result.vertices[face[(i + 1) % face.size()]];
      const Vector3 side = corner - result.vertices[face[i]];
      const Vector3 following = result.vertices[face[(i + 2) % face.size()]] - corner;
      if (!(math::cross(normal, side).dot(following) >= -kSlack * tolerance_ * side.norm())) return false;
    }
    return true;
  }

  bool sees_no_vertex(const FacePlane& plane) const {
    const Vector3 normal = plane.normal();
    return std::all_of(polyhedron_.vertices.begin(), polyhedron_.vertices.end(),
                       [&](const Vector3& vertex) { return normal.dot(vertex - plane.point) <= kSlack * tolerance_; });
  }

  static constexpr double kSlack = 4;  // tolerances

  const PolyhedronShape& polyhedron_;
  double tolerance_;  // m
  std::vector<FacePlane> planes_;
  std::map<DirectedEdge, int> face_along_;  // the face that passes along an edge in this direction
  int groups_ = 0;
  std::vector<int> group_of_;   // by face
  std::vector<Face> outlines_;  // by group
  std::vector<bool> kept_;      // by vertex
};

// Leaves out vertices of no face, and puts faces and their vertices in order.
PolyhedronShape tidied(const PolyhedronShape& polyhedron) {
  std::vector<int> index(polyhedron.vertices.size(), -1);
  for (const Face& face : polyhedron.faces) {
    for (const int vertex : face) index[vertex] = 0;
  }
  PolyhedronShape result;
  for (std::size_t v = 0; v < index.size(); ++v) {
    if (index[v] < 0) continue;
    index[v] = static_cast<int>(result.vertices.size());
    result.vertices.push_back(polyhedron.vertices[v]);
  }
  for (Face face : polyhedron.faces) {
    for (int& vertex : face) vertex = index[vertex];
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    result.faces.push_back(std::move(face));
  }
  std::sort(result.faces.begin(), result.faces.end());
  return result;
}

}  // namespace

double extent(std::span<const Vector3> points) {
  if (points.empty()) return 0;
  Vector3 lowest = points[0], highest = points[0];
  for (const Vector3& point : points) {
    lowest = lowest.cwiseMin(point);
    highest = highest.cwiseMax(point);
  }
  return (highest - lowest).maxCoeff();
}

void check_closed(const PolyhedronShape& polyhedron, const std::string& owner) {
  for (std::size_t v = 0; v < polyhedron.vertices.size(); ++v) {
    if (!polyhedron.vertices[v].allFinite()) {
      refuse_polyhedron(fmt::format("vertex {} of {} must be finite", v, owner));
    }
  }
  if (polyhedron.faces.empty()) refuse_polyhedron(fmt::format("the polyhedron of {} has no faces", owner));
  check_indices(polyhedron, owner);
  check_edges(polyhedron, owner);
  const double size = extent(polyhedron.vertices);
  const double area = check_planes(polyhedron, size, owner);
  const double content = volume(polyhedron);
  // V is the area times a mean thickness; thinner than this part of the extent, it consists of rounding errors.
  if (std::abs(content) <= 1e-12 * area * size) {
    refuse_polyhedron(fmt::format("the polyhedron of {} encloses no volume: it is flat", owner));
  }
  if (content < 0) {
    refuse_polyhedron(
        fmt::format("the volume of {} is negative: its faces seem to be turned inside out; list the vertices of each "
                    "face counter-clockwise seen from outside",
                    owner));
  }
}

PolyhedronShape merged_coplanar_faces(const PolyhedronShape& convex) {
  return tidied(FaceMerger(convex).merged().value_or(convex));
}

}  // namespace ricochet::model
