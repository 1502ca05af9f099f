// A convex solid of a planar scene: a convex polygon in the plane z = 0, or a point or a segment, with a rounding
// radius around it, made once and never changed. Lengths in m.
//
//   disc      a point with a radius
//   capsule   a segment with a radius
//   box       corners numbered by the signs of x and y (bits 0, 1), as in contacts with a plane
//   polygon   the hull of points; its corners keep the numbers of the points
//
// Features: corners by their numbers, then edges. Names: `disc`; `end0`, `end1`, `side`; `corner0`-`corner3` or
// `vertex0`.., `edge0`.. An edge is numbered by its place in the order of corners counter-clockwise from the lowest
// number.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ricochet/geometry/convex_solid.hpp"
#include "ricochet/geometry/pose.hpp"
#include "ricochet/math/types.hpp"

namespace ricochet::geometry {

enum class OutlineKind { disc, capsule, box, polygon };

class ConvexOutline {
 public:
  // Makers. They throw std::invalid_argument with a sentence when there is no such outline.
  static ConvexOutline disc(double radius, const Vector2& center = Vector2::Zero());  // radius 0: a point
  static ConvexOutline capsule(double radius, const Vector2& end0, const Vector2& end1);
  static ConvexOutline box(const Vector2& half_extents);
  static ConvexOutline hull(std::span<const Vector2> points);

  OutlineKind kind() const { return kind_; }
  double radius() const { return radius_; }          // of the rounding
  const Vector2& middle() const { return middle_; }  // in its own axes; corners are relative to it
  double bounding_radius() const { return bounding_radius_; }
  Bounds bounds(const Pose& pose) const;  // tight; z from 0 to 0

  // Corners counter-clockwise; a segment has two, a point one.
  int count() const { return static_cast<int>(corners_.size()); }
  const Vector2& corner(int index) const { return corners_[index]; }
  int corner_feature(int index) const { return features_[index]; }
  int edge_feature(int index) const;  // of the edge from this corner to the next

  std::string feature_name(int feature) const;

 private:
  ConvexOutline(OutlineKind kind, double radius, std::span<const Vector2> corners, std::vector<int> features);

  OutlineKind kind_;
  double radius_;
  Vector2 middle_ = Vector2::Zero();
  std::vector<Vector2> corners_;
  std::vector<int> features_;
  int first_edge_ = 0;  // one more than the highest number of a corner
  double bounding_radius_ = 0;
};

}  // namespace ricochet::geometry
