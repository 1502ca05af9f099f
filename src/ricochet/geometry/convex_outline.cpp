#include "ricochet/geometry/convex_outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ricochet/geometry/polytope.hpp"

namespace ricochet::geometry {

namespace {

constexpr double kStraightSine = 1e-10;  // corners at which an outline turns less are dropped

void require_radius(double radius) {
  if (std::isfinite(radius) && radius >= 0) return;
  throw std::invalid_argument(
      fmt::format("the radius of an outline is {} m; it must be finite and not negative", radius));
}

double turn_at(const Vector2& from, const Vector2& at, const Vector2& to) {
  const Vector2 u = at - from;
  const Vector2 v = to - at;
  return (u.x() * v.y() - u.y() * v.x()) / std::sqrt(u.squaredNorm() * v.squaredNorm());
}

// A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information Processing Letters 9
// (1979).
std::vector<int> hull_indices(std::span<const Vector2> points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) { return std::tuple(points[i].x(), points[i].y(), i); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  order.erase(std::unique(order.begin(), order.end(), [&](int a, int b) { return points[a] == points[b]; }),
              order.end());
  std::vector<int> hull;
  for (int pass = 0; pass < 2; ++pass) {  // the lower, then the upper chain
    const std::size_t begin = hull.size();
    for (const int next : order) {
      while (hull.size() >= begin + 2 &&
             !(turn_at(points[hull[hull.size() - 2]], points[hull.back()], points[next]) > kStraightSine)) {
        hull.pop_back();
      }
      hull.push_back(next);
    }
    hull.pop_back();  // begins the other chain
    std::reverse(order.begin(), order.end());
  }
  std::rotate(hull.begin(), std::min_element(hull.begin(), hull.end()), hull.end());
  return hull;
}

}  // namespace

ConvexOutline::ConvexOutline(OutlineKind kind, double radius, std::span<const Vector2> corners,
                             std::vector<int> features)
    : kind_(kind), radius_(radius), features_(std::move(features)) {
  Vector2 sum = Vector2::Zero();
  for (const Vector2& corner : corners) sum += corner - corners[0];
  middle_ = corners[0] + sum / static_cast<double>(corners.size());
  double furthest = 0;
  for (const Vector2& corner : corners) {
    corners_.emplace_back(corner - middle_);
    furthest = std::max(furthest, corners_.back().norm());
  }
  bounding_radius_ = furthest + radius;
  first_edge_ = *std::max_element(features_.begin(), features_.end()) + 1;
}

ConvexOutline ConvexOutline::disc(double radius, const Vector2& center) {
  require_radius(radius);
  return {OutlineKind::disc, radius, std::array{center}, {0}};
}

ConvexOutline ConvexOutline::capsule(double radius, const Vector2& end0, const Vector2& end1) {
  require_radius(radius);
  if (end0 == end1) return disc(radius, end0);
  return {OutlineKind::capsule, radius, std::array{end0, end1}, {0, 1}};
}

ConvexOutline ConvexOutline::box(const Vector2& half_extents) {
  const double x = half_extents.x();
  const double y = half_extents.y();
  if (!(std::isfinite(x) && std::isfinite(y) && x > 0 && y > 0)) {
    throw std::invalid_argument(fmt::format("the half extents of a box are {} and {} m; they must be positive", x, y));
  }
  const std::array<Vector2, 4> corners = {Vector2(-x, -y), Vector2(x, -y), Vector2(x, y), Vector2(-x, y)};
  return {OutlineKind::box, 0, corners, {0, 1, 3, 2}};
}

ConvexOutline ConvexOutline::hull(std::span<const Vector2> points) {
  std::vector<Vector2> corners;
  std::vector<int> features;
  if (points.size() >= 3) features = hull_indices(points);
  if (features.size() < 3 || features.size() > kMaxFaceCorners) {
    throw std::invalid_argument(fmt::format("an outline of {} points has {} corners; it may have 3 to {}",
                                            points.size(), features.size(), kMaxFaceCorners));
  }
  corners.reserve(features.size());
  for (const int feature : features) corners.push_back(points[feature]);
  return {OutlineKind::polygon, 0, corners, features};
}

Bounds ConvexOutline::bounds(const Pose& pose) const {
  const auto place = [&](int index) {
    const Vector2 corner = middle_ + corners_[index];
    return pose.apply(Vector3(corner.x(), corner.y(), 0));
  };
  Bounds bounds = {place(0), place(0)};
  for (int i = 1; i < count(); ++i) {
    bounds.lower = bounds.lower.cwiseMin(place(i));
    bounds.upper = bounds.upper.cwiseMax(place(i));
  }
  const Vector3 rounding(radius_, radius_, 0);
  return {bounds.lower - rounding, bounds.upper + rounding};
}

int ConvexOutline::edge_feature(int index) const { return first_edge_ + (count() == 2 ? 0 : index); }

std::string ConvexOutline::feature_name(int feature) const {
  const bool is_corner = feature < first_edge_;
  switch (kind_) {
    case OutlineKind::disc:
      return "disc";
    case OutlineKind::capsule:
      return is_corner ? fmt::format("end{}", feature) : "side";
    default:
      if (!is_corner) return fmt::format("edge{}", feature - first_edge_);
      return fmt::format("{}{}", kind_ == OutlineKind::box ? "corner" : "vertex", feature);
  }
}

}  // namespace ricochet::geometry
