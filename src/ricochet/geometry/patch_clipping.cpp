#include "ricochet/geometry/patch_clipping.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet::geometry {

namespace {

struct FlatPoint {
  double x, y, height;
};

double turn_of(const FlatPoint& from, const FlatPoint& to, const FlatPoint& point) {
  return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
}

double square_distance(const FlatPoint& a, double x, double y) { return (a.x - x) * (a.x - x) + (a.y - y) * (a.y - y); }

// A polygon in the plane of the overlap.
struct FlatPolygon {
  const SupportPolygon& polygon;
  double winding = 1;                             // 1 if counter-clockwise along the normal, else -1
  double slope_x = 0, slope_y = 0, constant = 0;  // height of its plane: constant + slope_x x + slope_y y
  std::array<FlatPoint, kMaxFaceCorners> corners;
  std::array<FlatPoint, 3> shadows;  // of edges, if the polygon has such

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): only `count` corners are ever set
  FlatPolygon(const SupportPolygon& source, double winding_along_normal, const Overlap& plane)
      : polygon(source), winding(winding_along_normal) {
    for (int i = 0; i < polygon.count; ++i) {
      const Vector3 from_origin = polygon.corners[i] - plane.origin;
      corners[i] = {plane.axis_x.dot(from_origin), plane.axis_y.dot(from_origin), plane.normal.dot(from_origin)};
    }
    if (polygon.count < 3) return;
    for (std::size_t e = 0; polygon.has_shadows && e < shadows.size(); ++e) {
      const Vector3& shadow = polygon.shadows[e];
      shadows[e] = {plane.axis_x.dot(shadow), plane.axis_y.dot(shadow), plane.normal.dot(shadow)};
    }
    const double cosine = plane.normal.dot(polygon.normal);
    slope_x = -plane.axis_x.dot(polygon.normal) / cosine;
    slope_y = -plane.axis_y.dot(polygon.normal) / cosine;
    constant = corners[0].height - slope_x * corners[0].x - slope_y * corners[0].y;
  }

  double height_at(double x, double y) const { return constant + slope_x * x + slope_y * y; }

  // Beyond a hollow edge, and beyond it for the neighbour, too.
  bool is_in_shadow(int edge, const FlatPoint& point) const {
    if (!polygon.has_shadows) return false;
    const FlatPoint& shadow = shadows[edge];
    const FlatPoint& from = corners[edge];
    return shadow.x * (point.x - from.x) + shadow.y * (point.y - from.y) +
               shadow.height * (point.height - from.height) >
           0;
  }

  // Also on the border, up to `slack`, and in shadows.
  bool contains(const FlatPoint& point, double slack) const {
    for (int i = 0; i < polygon.count; ++i) {
      const FlatPoint& from = corners[i];
      const FlatPoint& to = corners[polygon.next(i)];
      const double inside = winding * turn_of(from, to, point);
      const bool is_out = inside < 0 && inside * inside > slack * slack * square_distance(from, to.x, to.y);
      if (is_out && !is_in_shadow(i, point)) return false;
    }
    return true;
  }
};

class OverlapSearch {
 public:
  OverlapSearch(const SupportPolygon& a, const SupportPolygon& b, double reach, const OverlapTolerances& tolerances,
                Overlap& overlap)
      : a_(a, -1, overlap), b_(b, 1, overlap), reach_(reach), tolerances_(tolerances), overlap_(overlap) {}

  void run() {
    if (a_.polygon.count == 2 && b_.polygon.count == 2 && are_parallel()) return overlap_of_parallel_segments();
    if (b_.polygon.count >= 3) vertices_of_a();
    if (a_.polygon.count >= 3) vertices_of_b();
    for (int i = 0; i < a_.polygon.edge_count(); ++i) {
      for (int j = 0; j < b_.polygon.edge_count(); ++j) cross(i, j);
    }
  }

 private:
  bool is_near(const FlatPoint& vertex, double x, double y) const {
    return square_distance(vertex, x, y) <= tolerances_.same_corner * tolerances_.same_corner;
  }

  void add(const OverlapCorner& corner) {
    if (!(corner.gap <= reach_)) return;
    for (int i = 0; i < overlap_.count; ++i) {
      OverlapCorner& other = overlap_.corners[i];
      if (other.feature_a != corner.feature_a || other.feature_b != corner.feature_b) continue;
      if (corner.gap < other.gap) other = corner;
      return;
    }
    if (overlap_.count < static_cast<int>(overlap_.corners.size())) overlap_.corners[overlap_.count++] = corner;
  }

  static bool is_inner_vertex(const SupportPolygon& polygon, int corner) {
    const int previous = corner == 0 ? polygon.count - 1 : corner - 1;
    return polygon.is_inner[corner] && polygon.is_inner[previous];
  }

  void vertices_of_a() {
    for (int i = 0; i < a_.polygon.count; ++i) {
      const FlatPoint& point = a_.corners[i];
      if (!b_.contains(point, tolerances_.rounding)) continue;
      const double below = b_.height_at(point.x, point.y);
      add({point.x, point.y, point.height - below, below, a_.polygon.vertices[i], b_.polygon.feature, false});
    }
  }

  void vertices_of_b() {
    for (int j = 0; j < b_.polygon.count; ++j) {
      const FlatPoint& point = b_.corners[j];
      if (is_inner_vertex(b_.polygon, j) || !a_.contains(point, tolerances_.rounding)) continue;
      OverlapCorner corner = {point.x,
                              point.y,
                              a_.height_at(point.x, point.y) - point.height,
                              point.height,
                              a_.polygon.feature,
                              b_.polygon.vertices[j],
                              false};
      for (int i = 0; i < a_.polygon.count; ++i) {
        if (!is_near(a_.corners[i], point.x, point.y)) continue;
        corner.feature_a = a_.polygon.vertices[i];
        corner.feature_b = b_.polygon.feature;
        break;
      }
      add(corner);
    }
  }

  void cross(int i, int j) {
    const int i_next = a_.polygon.next(i);
    const int j_next = b_.polygon.next(j);
    const FlatPoint& from_a = a_.corners[i];
    const FlatPoint& to_a = a_.corners[i_next];
    const FlatPoint& from_b = b_.corners[j];
    const FlatPoint& to_b = b_.corners[j_next];
    const double start_a = turn_of(from_b, to_b, from_a);
    const double end_a = turn_of(from_b, to_b, to_a);
    if (!((start_a < 0 && end_a > 0) || (start_a > 0 && end_a < 0))) return;
    const double start_b = turn_of(from_a, to_a, from_b);
    const double end_b = turn_of(from_a, to_a, to_b);
    if (!((start_b < 0 && end_b > 0) || (start_b > 0 && end_b < 0)) || b_.polygon.is_inner[j]) return;
    const double part_a = start_a / (start_a - end_a);
    const double part_b = start_b / (start_b - end_b);
    const double x = from_a.x + part_a * (to_a.x - from_a.x);
    const double y = from_a.y + part_a * (to_a.y - from_a.y);
    const double above = from_a.height + part_a * (to_a.height - from_a.height);
    const double below = from_b.height + part_b * (to_b.height - from_b.height);
    // The turn of the direction: |u| |v| sine.
    const double sine = (to_a.x - from_a.x) * (to_b.y - from_b.y) - (to_a.y - from_a.y) * (to_b.x - from_b.x);
    const double lengths = square_distance(from_a, to_a.x, to_a.y) * square_distance(from_b, to_b.x, to_b.y);
    OverlapCorner corner = {x,
                            y,
                            above - below,
                            below,
                            a_.polygon.edges[i],
                            b_.polygon.edges[j],
                            sine * sine < kSameCorner * kSameCorner * lengths};
    const bool near_start_a = is_near(from_a, x, y);
    const bool near_start_b = is_near(from_b, x, y);
    if (near_start_a || is_near(to_a, x, y)) {
      corner.feature_a = a_.polygon.vertices[near_start_a ? i : i_next];
      corner.feature_b = b_.polygon.feature;
      corner.is_flat = false;
    } else if (near_start_b || is_near(to_b, x, y)) {
      corner.feature_a = a_.polygon.feature;
      corner.feature_b = b_.polygon.vertices[near_start_b ? j : j_next];
      corner.is_flat = false;
    }
    add(corner);
  }

  bool are_parallel() const {
    const FlatPoint& a = a_.corners[0];
    const FlatPoint& b = b_.corners[0];
    const double x_a = a_.corners[1].x - a.x, y_a = a_.corners[1].y - a.y;
    const double x_b = b_.corners[1].x - b.x, y_b = b_.corners[1].y - b.y;
    const double sine = x_a * y_b - y_a * x_b;
    return sine * sine <= kParallelSegments * kParallelSegments * (x_a * x_a + y_a * y_a) * (x_b * x_b + y_b * y_b);
  }

  // Where along the segment (0 to 1) a point is that lies beside it by no more than the angle allows; else -1.
  double part_along(const FlatPolygon& segment, const FlatPoint& point) const {
    const double x = segment.corners[1].x - segment.corners[0].x;
    const double y = segment.corners[1].y - segment.corners[0].y;
    const double square = x * x + y * y;
    const double beside = std::abs(turn_of(segment.corners[0], segment.corners[1], point)) / std::sqrt(square);
    const double squares = square_distance(a_.corners[0], a_.corners[1].x, a_.corners[1].y) +
                           square_distance(b_.corners[0], b_.corners[1].x, b_.corners[1].y);
    if (beside > kParallelSegments * std::sqrt(squares) + tolerances_.rounding) return -1;
    return ((point.x - segment.corners[0].x) * x + (point.y - segment.corners[0].y) * y) / square;
  }

  static double height_along(const FlatPolygon& segment, double part) {
    return segment.corners[0].height + part * (segment.corners[1].height - segment.corners[0].height);
  }

  void overlap_of_parallel_segments() {
    for (int i = 0; i < 2; ++i) {
      const FlatPoint& point = a_.corners[i];
      const double part = part_along(b_, point);
      if (!(part >= 0 && part <= 1)) continue;
      const double below = height_along(b_, part);
      add({point.x, point.y, point.height - below, below, a_.polygon.vertices[i], b_.polygon.feature, false});
    }
    for (int j = 0; j < 2; ++j) {
      const FlatPoint& point = b_.corners[j];
      const double part = part_along(a_, point);
      if (!(part >= 0 && part <= 1)) continue;
      OverlapCorner corner = {point.x,
                              point.y,
                              height_along(a_, part) - point.height,
                              point.height,
                              a_.polygon.feature,
                              b_.polygon.vertices[j],
                              false};
      for (int i = 0; i < 2; ++i) {
        if (!is_near(a_.corners[i], point.x, point.y)) continue;
        corner.feature_a = a_.polygon.vertices[i];
        corner.feature_b = b_.polygon.feature;
      }
      add(corner);
    }
  }

  FlatPolygon a_;
  FlatPolygon b_;
  double reach_;
  const OverlapTolerances& tolerances_;
  Overlap& overlap_;
};

Vector3 any_perpendicular(const Vector3& normal) {
  int least = 0;
  normal.cwiseAbs().minCoeff(&least);
  return math::cross(normal, Vector3::Unit(least)).normalized();
}

}  // namespace

void find_overlap(const SupportPolygon& a, const SupportPolygon& b, const Vector3& normal, double reach,
                  const OverlapTolerances& tolerances, Overlap& overlap) {
  overlap.count = 0;
  overlap.normal = normal;
  overlap.origin = a.corners[0];
  const SupportPolygon& carrier = b.count >= 2 || a.count < 2 ? b : a;
  overlap.axis_x = any_perpendicular(normal);
  if (carrier.count >= 2) {
    const Vector3 along = carrier.corners[1] - carrier.corners[0];
    overlap.axis_x = (along - normal * normal.dot(along)).normalized();
  }
  overlap.axis_y = math::cross(normal, overlap.axis_x);
  if (a.count + b.count < 4) return;
  OverlapSearch(a, b, reach, tolerances, overlap).run();
}

}  // namespace ricochet::geometry
