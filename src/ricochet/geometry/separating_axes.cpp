#include "ricochet/geometry/separating_axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet::geometry {

namespace {

constexpr double kSmallSine = 1e-3;      // of edges: below, their cross product is made again with care
constexpr double kParallelSine = 1e-14;  // below, their face of the difference is narrower than rounding

class AxisSearch {
 public:
  AxisSearch(const Polytope& a, const Polytope& b, const Placement& place, double reach, SeparatingAxis& axis)
      : a_(a),
        b_(b),
        place_(place),
        reach_(reach),
        preference_(kPreference * (a.outer_radius + b.outer_radius)),
        axis_(axis) {}

  bool run() {
    axis_ = {};
    return faces_of_b() && faces_of_a() && edges();
  }

 private:
  static constexpr int kBlock = 256;  // edges of B that are looked at together

  // How far A reaches over the middle of A, along n in axes of B.
  double lowest_of_a(const Vector3& normal) const {
    const Vector3 direction = place_.turn_back(normal);
    return direction.dot(a_.vertices[a_.support(-direction)]);
  }
  double highest_of_b(const Vector3& normal) const { return normal.dot(b_.vertices[b_.support(normal)]); }

  // False: out of reach.
  bool offer(AxisSource source, const Vector3& normal, double separation) {
    if (separation > axis_.separation + preference_) axis_ = {source, normal, separation};
    return separation <= reach_;
  }

  bool faces_of_b() {
    for (const Polytope::Face& face : b_.faces) {
      const Vector3& normal = face.normal;
      const double separation = normal.dot(place_.position) + lowest_of_a(normal) - face.offset;
      if (!offer(AxisSource::face_of_b, normal, separation)) return false;
    }
    return true;
  }

  bool faces_of_a() {
    for (const Polytope::Face& face : a_.faces) {
      const Vector3 normal = -place_.turn(face.normal);
      if (!b_.allows(normal)) continue;
      const double separation = normal.dot(place_.position) - face.offset - highest_of_b(normal);
      if (!offer(AxisSource::face_of_a, normal, separation)) return false;
    }
    return true;
  }

  // The largest n.w over the normals n of an edge, given with w (from the edge to the middle of the other) and along.
  static double furthest_over_arc(const Vector3& left, const Vector3& right, const Vector3& along, const Vector3& w) {
    const double at_ends = std::max(left.dot(w), right.dot(w));
    const Vector3 across = w - along * (along.dot(w) / along.squaredNorm());
    // Inside the arc if it is left of one end and right of the other.
    const bool inside = math::cross(along, across).dot(left) * math::cross(along, across).dot(right) <= 0 &&
                        across.dot(left + right) > 0;
    return inside ? std::max(across.norm(), at_ends) : at_ends;
  }

  bool may_beat(const Polytope::Edge& edge, const Vector3& along, const Vector3& left, const Vector3& right,
                const Vector3& to_other, double inner_radius_of_other) const {
    if (!edge.has_arc) return true;
    return furthest_over_arc(left, right, along, to_other) - inner_radius_of_other >= axis_.separation;
  }

  bool edges() {
    std::array<int, kBlock> chosen{};
    const int count = static_cast<int>(b_.edges.size());
    for (int begin = 0; begin < count; begin += kBlock) {
      int chosen_count = 0;
      for (int e = begin; e < std::min(count, begin + kBlock); ++e) {
        const Polytope::Edge& edge = b_.edges[e];
        const Vector3 along = b_.vertices[edge.head] - b_.vertices[edge.tail];
        const Vector3 to_a = place_.position - b_.vertices[edge.tail];
        if (may_beat(edge, along, edge.left_normal, edge.right_normal, to_a, a_.inner_radius)) {
          chosen[chosen_count++] = e;
        }
      }
      for (int e = 0; e < static_cast<int>(a_.edges.size()); ++e) {
        if (!edges_with(e, std::span<const int>(chosen.data(), chosen_count))) return false;
      }
    }
    return true;
  }

  bool edges_with(int edge_index, std::span<const int> edges_of_b) {
    const Polytope::Edge& edge_a = a_.edges[edge_index];
    const Vector3 tail_a = place_.apply(a_.vertices[edge_a.tail]);
    const Vector3 along_a = place_.turn(a_.vertices[edge_a.head] - a_.vertices[edge_a.tail]);
    // Seen from B, A's normals look towards it.
    const Vector3 left_a = -place_.turn(edge_a.left_normal);
    const Vector3 right_a = -place_.turn(edge_a.right_normal);
    if (!may_beat(edge_a, along_a, left_a, right_a, tail_a, b_.inner_radius)) return true;
    for (const int e : edges_of_b) {
      const Polytope::Edge& edge_b = b_.edges[e];
      const Vector3 along_b = b_.vertices[edge_b.head] - b_.vertices[edge_b.tail];
      if (edge_b.has_arc && !(edge_b.left_normal.dot(along_a) * edge_b.right_normal.dot(along_a) < 0)) continue;
      if (edge_a.has_arc && !(left_a.dot(along_b) * right_a.dot(along_b) < 0)) continue;
      Vector3 normal = math::cross(along_a, along_b);
      // Both arcs must reach the same of the two directions.
      if (edge_b.has_arc) {
        if (normal.dot(edge_b.left_normal + edge_b.right_normal) < 0) normal = -normal;
        if (edge_a.has_arc && !(normal.dot(left_a + right_a) > 0)) continue;
      } else if (normal.dot(edge_a.has_arc ? Vector3(left_a + right_a) : tail_a) < 0) {
        normal = -normal;
      }
      const double sine = normal.norm() / std::sqrt(along_a.squaredNorm() * along_b.squaredNorm());
      if (!(sine > kParallelSine)) continue;
      normal /= normal.norm();
      double separation = normal.dot(tail_a - b_.vertices[edge_b.tail]);
      if (sine < kSmallSine && separation > axis_.separation) {
        const Vector3 along = along_a / along_a.norm();
        normal -= along * along.dot(normal);
        normal /= normal.norm();
        separation = normal.dot(place_.position) + lowest_of_a(normal) - highest_of_b(normal);
      }
      if (!offer(AxisSource::edges, normal, separation)) return false;
    }
    return true;
  }

  const Polytope& a_;
  const Polytope& b_;
  const Placement& place_;
  double reach_;
  double preference_;
  SeparatingAxis& axis_;
};

}  // namespace

bool find_separating_axis(const Polytope& a, const Polytope& b, const Placement& place, double reach,
                          SeparatingAxis& axis) {
  return AxisSearch(a, b, place, reach, axis).run();
}

}  // namespace ricochet::geometry
