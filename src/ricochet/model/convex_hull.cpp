#include "ricochet/model/convex_hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "ricochet/model/polyhedron.hpp"

namespace ricochet::model {

namespace {

// A sum of numbers without rounding error: terms that do not overlap, in increasing size (Shewchuk 1997, fig. 6), none
// of them zero. So the last one has the sign of the sum.
class ExactSum {
 public:
  void add(double value) {
    std::size_t count = 0;
    for (const double term : terms_) {
      const double sum = value + term;
      const double shadow = sum - value;  // the part of `term` that arrived in the sum
      const double error = (value - (sum - shadow)) + (term - shadow);
      if (error != 0) terms_[count++] = error;
      value = sum;
    }
    terms_.resize(count);
    if (value != 0) terms_.push_back(value);
  }

  // x y z: the rounding error of a product is a number of its own.
  void add_product(double x, double y, double z) {
    const double product = x * y;
    const double error = std::fma(x, y, -product);
    for (const double factor : {error, product}) {
      const double part = factor * z;
      add(std::fma(factor, z, -part));
      add(part);
    }
  }

  // sign [a b c]
  void add_triple_product(double sign, const Vector3& a, const Vector3& b, const Vector3& c) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      add_product(sign * a[i], b[j], c[k]);
      add_product(-sign * a[i], b[k], c[j]);
    }
  }

  double leading() const { return terms_.empty() ? 0 : terms_.back(); }

 private:
  std::vector<double> terms_;
};

// A triangle of the surface, counter-clockwise seen from outside.
struct Facet {
  std::array<int, 3> vertices = {};
  std::array<int, 3> neighbours = {};   // across the edge from vertex i to vertex i + 1
  Vector3 normal = Vector3::Zero();     // (b - a) x (c - a)
  Vector3 magnitude = Vector3::Zero();  // the same with the absolute values of all products, for the error bound
  std::vector<int> outside;             // points that it sees and that are in no other facet's list
  int farthest = -1;                    // of these
  double height = 0;                    // of the farthest, times |normal|
  bool removed = false;
};

class Quickhull {
 public:
  Quickhull(std::span<const Vector3> points, const std::vector<int>& candidates, const std::array<int, 4>& simplex)
      : points_(points), facet_from_(points.size(), -1) {
    std::array<int, 4> corner = simplex;
    add_facet(corner[0], corner[1], corner[2]);
    if (height(facets_[0], corner[3]) > 0) std::swap(corner[1], corner[2]);
    facets_.clear();
    const auto [a, b, c, d] = corner;
    add_facet(a, b, c), add_facet(a, d, b), add_facet(b, d, c), add_facet(c, d, a);
    facets_[0].neighbours = {1, 2, 3};
    facets_[1].neighbours = {3, 2, 0};
    facets_[2].neighbours = {1, 3, 0};
    facets_[3].neighbours = {2, 1, 0};
    hand_out(candidates, 0);
  }

  PolyhedronShape triangles() {
    for (std::size_t f = 0; f < facets_.size(); ++f) {  // grows while points are added
      if (!facets_[f].removed && facets_[f].farthest >= 0) add_point(static_cast<int>(f));
    }
    PolyhedronShape hull{{points_.begin(), points_.end()}, {}};
    for (const Facet& facet : facets_) {
      if (!facet.removed) hull.faces.emplace_back(facet.vertices.begin(), facet.vertices.end());
    }
    return hull;
  }

 private:
  void add_facet(int a, int b, int c) {
    Facet facet;
    facet.vertices = {a, b, c};
    const Vector3 u = points_[b] - points_[a], v = points_[c] - points_[a];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      facet.normal[i] = u[j] * v[k] - u[k] * v[j];
      facet.magnitude[i] = std::abs(u[j] * v[k]) + std::abs(u[k] * v[j]);
    }
    facets_.push_back(std::move(facet));
  }

  // The determinant of the header: its sign is exact, its value good enough to choose among points.
  double height(const Facet& facet, int point) const {
    const Vector3& p = points_[point];
    const Vector3& a = points_[facet.vertices[0]];
    const Vector3 offset = p - a;
    const double value = facet.normal.dot(offset);
    // Shewchuk's bound is (7 + 56 u) u with u = 2^-53; a little more covers another order of summation.
    const double bound = 8.5 * 0x1p-53 * facet.magnitude.dot(offset.cwiseAbs());
    if (std::abs(value) > bound) return value;
    const Vector3& b = points_[facet.vertices[1]];
    const Vector3& c = points_[facet.vertices[2]];
    ExactSum sum;
    sum.add_triple_product(1, b, c, p);
    sum.add_triple_product(-1, a, c, p);
    sum.add_triple_product(1, a, b, p);
    sum.add_triple_product(-1, a, b, c);
    return sum.leading();
  }

  // Gives each point to the first facet, counted from `first_facet`, that sees it.
  void hand_out(std::span<const int> candidates, std::size_t first_facet) {
    for (const int point : candidates) {
      for (std::size_t f = first_facet; f < facets_.size(); ++f) {
        Facet& facet = facets_[f];
        const double value = height(facet, point);
        if (value <= 0) continue;
        facet.outside.push_back(point);
        if (value > facet.height) {
          facet.height = value;
          facet.farthest = point;
        }
        break;
      }
    }
  }

  // Replaces what the farthest point of this facet can see by the cone from that point to the horizon.
  void add_point(int first) {
    const int apex = facets_[first].farthest;
    const int new_begin = static_cast<int>(facets_.size());
    std::vector<int> orphans, visible = {first};
    facets_[first].removed = true;
    struct HorizonEdge {
      int from, to, beyond;
    };
    std::vector<HorizonEdge> horizon;
    for (std::size_t i = 0; i < visible.size(); ++i) {
      const Facet& facet = facets_[visible[i]];
      orphans.insert(orphans.end(), facet.outside.begin(), facet.outside.end());
      for (int side = 0; side < 3; ++side) {
        const int beyond = facet.neighbours[side];
        if (facets_[beyond].removed) continue;
        if (height(facets_[beyond], apex) > 0) {
          facets_[beyond].removed = true;
          visible.push_back(beyond);
        } else {
          horizon.push_back({facet.vertices[side], facet.vertices[(side + 1) % 3], beyond});
        }
      }
    }
    for (const int facet : visible) facets_[facet].outside = {};
    for (const HorizonEdge& edge : horizon) {
      facet_from_[edge.from] = static_cast<int>(facets_.size());
      add_facet(edge.from, edge.to, apex);
    }
    for (std::size_t i = 0; i < horizon.size(); ++i) {
      const auto [from, to, beyond] = horizon[i];
      const int facet = new_begin + static_cast<int>(i), next = facet_from_[to];
      facets_[facet].neighbours[0] = beyond;
      facets_[facet].neighbours[1] = next;
      facets_[next].neighbours[2] = facet;
      for (int side = 0; side < 3; ++side) {
        if (facets_[beyond].vertices[side] == to) facets_[beyond].neighbours[side] = facet;
      }
    }
    std::erase(orphans, apex);
    hand_out(orphans, static_cast<std::size_t>(new_begin));
  }

  std::span<const Vector3> points_;
  std::vector<Facet> facets_;
  std::vector<int> facet_from_;  // by vertex: the newest facet with the horizon edge that begins there
};

// Points that are not close to an earlier one that is kept. Sorted along the longest extent, the close ones are near.
std::vector<int> distinct_points(std::span<const Vector3> points, int axis, double tolerance) {
  const int count = static_cast<int>(points.size());
  std::vector<int> order(points.size()), rank(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return points[i][axis] < points[j][axis]; });
  for (int place = 0; place < count; ++place) rank[order[place]] = place;
  std::vector<bool> kept(points.size(), false);
  std::vector<int> result;
  for (int i = 0; i < count; ++i) {
    bool is_new = true;
    for (const int step : {-1, 1}) {
      for (int place = rank[i] + step; is_new && place >= 0 && place < count; place += step) {
        const Vector3 offset = points[order[place]] - points[i];
        if (std::abs(offset[axis]) > tolerance) break;
        if (kept[order[place]] && offset.norm() <= tolerance) is_new = false;
      }
    }
    if (!is_new) continue;
    kept[i] = true;
    result.push_back(i);
  }
  return result;
}

// Four points far from each other: the ends along the axis, the farthest from their line, the farthest from the plane.
std::array<int, 4> first_simplex(std::span<const Vector3> points, const std::vector<int>& candidates, int axis,
                                 double tolerance) {
  const auto farthest = [&](auto&& measure) {
    return *std::max_element(candidates.begin(), candidates.end(),
                             [&](int i, int j) { return measure(i) < measure(j); });
  };
  const int a = farthest([&](int i) { return -points[i][axis]; });
  const int b = farthest([&](int i) { return points[i][axis]; });
  const Vector3 line = (points[b] - points[a]).normalized();
  const auto off_line = [&](int i) { return math::cross(line, points[i] - points[a]).norm(); };
  const int c = farthest(off_line);
  if (off_line(c) <= tolerance) throw std::invalid_argument("the points of a convex hull must not all lie on a line");
  const Vector3 normal = math::cross(line, points[c] - points[a]).normalized();
  const auto off_plane = [&](int i) { return std::abs(normal.dot(points[i] - points[a])); };
  const int d = farthest(off_plane);
  if (off_plane(d) <= tolerance) throw std::invalid_argument("the points of a convex hull must not all lie in a plane");
  return {a, b, c, d};
}

}  // namespace

PolyhedronShape convex_hull(std::span<const Vector3> points) {
  if (points.size() < 4) {
    throw std::invalid_argument(fmt::format("a convex hull needs at least four points, not {}", points.size()));
  }
  Vector3 lowest = points[0], highest = points[0];
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) throw std::invalid_argument(fmt::format("point {} of a convex hull must be finite", i));
    lowest = lowest.cwiseMin(points[i]);
    highest = highest.cwiseMax(points[i]);
  }
  int axis = 0;
  const double size = (highest - lowest).maxCoeff(&axis);
  if (!(size > 0)) throw std::invalid_argument("the points of a convex hull must not all be the same");
  const double tolerance = kCoplanarTolerance * size;
  const std::vector<int> candidates = distinct_points(points, axis, tolerance);
  const std::array<int, 4> simplex = first_simplex(points, candidates, axis, tolerance);
  return merged_coplanar_faces(Quickhull(points, candidates, simplex).triangles());
}

}  // namespace ricochet::model
