#include "ricochet/geometry/planar_patch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ricochet/geometry/patch_clipping.hpp"
#include "ricochet/geometry/separating_axes.hpp"
#include "ricochet/geometry/support_polygon.hpp"

namespace ricochet::geometry {

namespace {

// The rotation about z of a pose in the plane.
Matrix2 planar_rotation(const math::Quaternion& q) {
  const double cosine = q.w * q.w - q.z * q.z;
  const double sine = 2 * q.w * q.z;
  Matrix2 rotation;
  rotation << cosine, -sine, sine, cosine;
  return rotation;
}

// An outline in the axes of B, from its middle, without its radius.
struct PlacedOutline {
  const ConvexOutline& outline;
  int count = 0;
  std::array<Vector2, kMaxFaceCorners> corners;

  PlacedOutline(const ConvexOutline& source, const Matrix2& rotation, const Vector2& position)
      : outline(source), count(source.count()) {
    for (int i = 0; i < count; ++i) corners[i] = position + rotation * source.corner(i);
  }

  int edge_count() const { return count == 1 ? 0 : count; }  // of a segment: once each way
  int next(int corner) const { return corner + 1 == count ? 0 : corner + 1; }
  int previous(int corner) const { return corner == 0 ? count - 1 : corner - 1; }
  Vector2 normal(int edge) const {
    const Vector2 along = corners[next(edge)] - corners[edge];
    return Vector2(along.y(), -along.x()) / along.norm();
  }
  int support(const Vector2& direction) const {
    int best = 0;
    for (int i = 1; i < count; ++i) {
      if (direction.dot(corners[i]) > direction.dot(corners[best])) best = i;
    }
    return best;
  }
};

// What of an outline is outermost in a direction: an edge, or a corner (from = to).
struct OutermostEdge {
  int from = 0;
  int to = 0;
  int feature = 0;
  bool is_edge() const { return from != to; }
};

OutermostEdge outermost(const PlacedOutline& placed, const Vector2& direction) {
  const int corner = placed.support(direction);
  OutermostEdge result = {corner, corner, placed.outline.corner_feature(corner)};
  if (placed.count == 1) return result;
  double best = std::sqrt(1 - kSupportSine * kSupportSine);
  for (const int edge : {placed.previous(corner), corner}) {
    const double cosine = placed.normal(edge).dot(direction);
    if (!(cosine > best)) continue;
    best = cosine;
    result = {edge, placed.next(edge), placed.outline.edge_feature(edge)};
  }
  return result;
}

class PlanarSearch {
 public:
  PlanarSearch(const ConvexOutline& a, const ConvexOutline& b, const Matrix2& rotation, const Vector2& position,
               double reach)
      : a_(a, rotation, position),
        b_(b, Matrix2::Identity(), Vector2::Zero()),
        radii_(a.radius() + b.radius()),
        reach_(reach + radii_),
        rounding_(kPreference * (position.norm() + a.bounding_radius() + b.bounding_radius())),
        same_corner_(kSameCorner * std::min(a.bounding_radius(), b.bounding_radius())) {}

  bool run() {
    const bool has_axis = find_edge_axis();
    if (has_axis && separation_ > reach_) return false;
    if (has_axis) find_points();
    if (!has_axis || (separation_ > 0 && !reaches(separation_))) {
      find_closest_corner();
      if (separation_ > reach_) return false;
      find_points();
    }
    if (!reaches(separation_ + 4 * rounding_)) add_outermost_corners();
    return count_ > 0;
  }

  void write(const Pose& pose_of_b, const Matrix2& rotation_of_b, Patch& patch) const {
    const auto lift = [](const Vector2& v) { return Vector3(v.x(), v.y(), 0); };
    patch.normal = lift(rotation_of_b * normal_);
    patch.normal_from_a = normal_from_a_;
    patch.count = count_;
    for (int i = 0; i < count_; ++i) {
      const Vector2 on_b = points_[i].on_b + b_.outline.radius() * normal_ + b_.outline.middle();
      PatchPoint& point = patch.points[i];
      point.feature_a = points_[i].feature_a;
      point.feature_b = points_[i].feature_b;
      point.gap = points_[i].gap - radii_;
      point.on_b = pose_of_b.position + lift(rotation_of_b * on_b);
      point.on_a = point.on_b + point.gap * patch.normal;
    }
    std::sort(patch.points.begin(), patch.points.begin() + count_, [](const PatchPoint& p, const PatchPoint& q) {
      return std::pair(p.feature_a, p.feature_b) < std::pair(q.feature_a, q.feature_b);
    });
  }

 private:
  struct Point {
    Vector2 on_b = Vector2::Zero();
    double gap = 0;
    int feature_a = 0, feature_b = 0;
  };

  bool find_edge_axis() {
    separation_ = -std::numeric_limits<double>::infinity();
    bool found = false;
    const auto offer = [&](const Vector2& normal, bool from_a) {
      const double separation =
          normal.dot(a_.corners[a_.support(-normal)]) - normal.dot(b_.corners[b_.support(normal)]);
      if (found && !(separation > separation_ + rounding_)) return;
      found = true;
      separation_ = separation;
      normal_ = normal;
      normal_from_a_ = from_a;
    };
    for (int e = 0; e < b_.edge_count(); ++e) offer(b_.normal(e), false);
    for (int e = 0; e < a_.edge_count(); ++e) offer(-a_.normal(e), true);
    return found;
  }

  void add(const Vector2& on_b, double gap, int feature_a, int feature_b) {
    if (!(gap <= reach_)) return;
    for (int i = 0; i < count_; ++i) {
      if (points_[i].feature_a != feature_a || points_[i].feature_b != feature_b) continue;
      if (gap < points_[i].gap) points_[i] = {on_b, gap, feature_a, feature_b};
      return;
    }
    if (count_ < static_cast<int>(points_.size())) points_[count_++] = {on_b, gap, feature_a, feature_b};
  }

  bool reaches(double separation) const {
    return std::any_of(points_.begin(), points_.begin() + count_,
                       [&](const Point& point) { return point.gap <= separation + rounding_; });
  }

  // Adds a corner of one outline that is above the edge, or the corner, of the other.
  void add_corner(bool of_a, int corner, const OutermostEdge& other) {
    const PlacedOutline& own = of_a ? a_ : b_;
    const PlacedOutline& over = of_a ? b_ : a_;
    const Vector2 tangent(-normal_.y(), normal_.x());
    const Vector2& point = own.corners[corner];
    const Vector2& from = over.corners[other.from];
    const Vector2& to = over.corners[other.to];
    const double length = tangent.dot(to - from);
    const double place = tangent.dot(point - from);
    const double ahead = length > 0 ? place : -place;
    if (ahead < -rounding_ || ahead > std::abs(length) + rounding_) return;
    const double part = other.is_edge() ? place / length : 0;
    const double height = normal_.dot(from - point) + part * normal_.dot(to - from);  // of the other over the corner
    const int own_feature = own.outline.corner_feature(corner);
    if (of_a) return add(point + height * normal_, -height, own_feature, other.feature);
    // The name of a corner of A that is at the same place comes first.
    for (const int end : {other.from, other.to}) {
      if (std::abs(tangent.dot(over.corners[end] - point)) > same_corner_) continue;
      return add(point, height, over.outline.corner_feature(end), edge_or_corner_of_b_.feature);
    }
    add(point, height, other.feature, own_feature);
  }

  void find_points() {
    count_ = 0;
    const OutermostEdge on_a = outermost(a_, -normal_);
    edge_or_corner_of_b_ = outermost(b_, normal_);
    if (!on_a.is_edge() && !edge_or_corner_of_b_.is_edge()) return;
    for (const int corner : {on_a.from, on_a.to}) {
      if (edge_or_corner_of_b_.is_edge()) add_corner(true, corner, edge_or_corner_of_b_);
    }
    for (const int corner : {edge_or_corner_of_b_.from, edge_or_corner_of_b_.to}) {
      if (on_a.is_edge()) add_corner(false, corner, on_a);
    }
  }

  // The closest points of outlines that are apart: a corner of one is among them.
  void find_closest_corner() {
    double least = std::numeric_limits<double>::infinity();
    Vector2 between = Vector2::Zero();  // from B to A
    const auto offer = [&](const Vector2& on_a, const Vector2& on_b) {
      const double square = (on_a - on_b).squaredNorm();
      if (!(square < least)) return;
      least = square;
      between = on_a - on_b;
      closest_on_b_ = on_b;
    };
    const auto nearest = [](const PlacedOutline& placed, int edge, const Vector2& point) -> Vector2 {
      const Vector2& from = placed.corners[edge];
      const Vector2 along = placed.corners[placed.next(edge)] - from;
      const double square = along.squaredNorm();
      return from + (square > 0 ? std::clamp(along.dot(point - from) / square, 0.0, 1.0) : 0.0) * along;
    };
    for (int i = 0; i < a_.count; ++i) {
      for (int j = 0; j < b_.count; ++j) {
        offer(a_.corners[i], nearest(b_, j, a_.corners[i]));
        offer(nearest(a_, i, b_.corners[j]), b_.corners[j]);
      }
    }
    const double distance = std::sqrt(least);
    if (distance > 0) {
      normal_ = between / distance;
      separation_ = distance;
    } else if (normal_ == Vector2::Zero()) {  // two points at one place: any direction
      normal_ = Vector2::UnitY();
      separation_ = 0;
    }
    normal_from_a_ = false;
  }

  // Two corners that look at each other, or what rounding left without a point.
  void add_outermost_corners() {
    const int corner_a = a_.support(-normal_);
    const int corner_b = b_.support(normal_);
    const Vector2 on_b = separation_ > 0 ? closest_on_b_ : b_.corners[corner_b];
    add(on_b, separation_, a_.outline.corner_feature(corner_a), b_.outline.corner_feature(corner_b));
  }

  PlacedOutline a_;
  PlacedOutline b_;
  double radii_;
  double reach_;  // of the outlines without their radii
  double rounding_;
  double same_corner_;
  Vector2 normal_ = Vector2::Zero();
  double separation_ = 0;
  bool normal_from_a_ = false;
  Vector2 closest_on_b_ = Vector2::Zero();
  OutermostEdge edge_or_corner_of_b_;
  std::array<Point, 5> points_;
  int count_ = 0;
};

}  // namespace

bool find_planar_patch(const ConvexOutline& a, const Pose& pose_of_a, const ConvexOutline& b, const Pose& pose_of_b,
                       double reach, Patch& patch) {
  patch.count = 0;
  const Matrix2 rotation_of_a = planar_rotation(pose_of_a.rotation);
  const Matrix2 rotation_of_b = planar_rotation(pose_of_b.rotation);
  const Vector2 between = (pose_of_a.position - pose_of_b.position).head<2>() + rotation_of_a * a.middle();
  const Vector2 position = rotation_of_b.transpose() * between - b.middle();
  const double within = reach + a.bounding_radius() + b.bounding_radius();
  if (within < 0 || position.squaredNorm() > within * within) return false;
  PlanarSearch search(a, b, rotation_of_b.transpose() * rotation_of_a, position, reach);
  if (!search.run()) return false;
  search.write(pose_of_b, rotation_of_b, patch);
  return true;
}

double planar_distance(const ConvexOutline& a, const Pose& pose_of_a, const ConvexOutline& b, const Pose& pose_of_b) {
  Patch patch;
  double least = std::numeric_limits<double>::infinity();
  if (!find_planar_patch(a, pose_of_a, b, pose_of_b, least, patch)) return least;
  for (int i = 0; i < patch.count; ++i) least = std::min(least, patch.points[i].gap);
  return least;
}

}  // namespace ricochet::geometry
