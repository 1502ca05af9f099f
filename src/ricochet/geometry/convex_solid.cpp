#include "ricochet/geometry/convex_solid.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ricochet::geometry {

namespace {

void require_length(double length, double least, const char* what) {
  if (std::isfinite(length) && length >= least && (length > 0 || least == 0)) return;
  throw std::invalid_argument(
      fmt::format("the {} is {} m; it must be finite and {}", what, length, least == 0 ? "not negative" : "positive"));
}

void require_positive(double length, const char* what) {
  require_length(length, std::numeric_limits<double>::denorm_min(), what);
}

Polytope box_polytope(const Vector3& half_extents) {
  std::array<Vector3, 8> corners;
  for (int i = 0; i < 8; ++i) {
    const Vector3 signs((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
    corners[i] = signs.cwiseProduct(half_extents);
  }
  const std::array<std::vector<int>, 6> faces = {{{0, 4, 6, 2},
                                                  {1, 3, 7, 5},
                                                  {0, 1, 5, 4},  //
                                                  {2, 6, 7, 3},
                                                  {0, 2, 3, 1},
                                                  {4, 5, 7, 6}}};
  Polytope polytope = closed_polytope(corners, faces);
  // Exactly what they are, without the rounding of a mean and a root.
  polytope.middle.setZero();
  for (int i = 0; i < 8; ++i) polytope.vertices[i] = corners[i];
  for (int f = 0; f < 6; ++f) {
    polytope.faces[f].normal = (f % 2 == 0 ? -1.0 : 1.0) * Vector3::Unit(f / 2);
    polytope.faces[f].offset = half_extents[f / 2];
    for (int i = 0; i < 4; ++i) {
      Polytope::Edge& edge = polytope.edges[polytope.corner_edges[polytope.faces[f].first + i]];
      const bool is_left = edge.tail == polytope.corner_vertices[polytope.faces[f].first + i];
      (is_left ? edge.left_normal : edge.right_normal) = polytope.faces[f].normal;
    }
  }
  polytope.inner_radius = half_extents.minCoeff();
  return polytope;
}

// The point of a circle about z in a direction; a fixed one if the direction is along z.
Vector3 rim_point(double radius, double height, const Vector3& direction) {
  const double across = std::sqrt(direction.x() * direction.x() + direction.y() * direction.y());
  if (!(across > 0)) return {radius, 0, height};
  return {radius * (direction.x() / across), radius * (direction.y() / across), height};
}

Vector3 cone_support(double radius, double half_height, const Vector3& direction) {
  const double across = std::sqrt(direction.x() * direction.x() + direction.y() * direction.y());
  // apex: direction.z half_height, rim: radius across - direction.z half_height
  if (2 * half_height * direction.z() >= radius * across) return {0, 0, half_height};
  return rim_point(radius, -half_height, direction);
}

std::string rim_name(int feature, int rims) {
  const int points = 6 * rims;
  if (feature < points) {
    return feature % 6 == 0 ? fmt::format("rim{}.low", feature / 6)
                            : fmt::format("rim{}.leg{}", feature / 6, feature % 6);
  }
  if (rims == 1 && feature == points) return "apex";
  const int arc = feature - points - (rims == 1 ? 1 : 0);
  if (arc < points) return fmt::format("rim{}.arc{}", arc / 6, arc % 6);
  if (arc == points) return "side";
  return fmt::format("end{}", arc - points - 1);
}

}  // namespace

ConvexSolid::ConvexSolid(SolidKind kind, double radius, Polytope core)
    : kind_(kind), radius_(radius), core_(std::move(core)), bounding_radius_(core_.outer_radius + radius) {}

ConvexSolid ConvexSolid::sphere(double radius) {
  require_length(radius, 0, "radius of a sphere");
  return {SolidKind::sphere, radius, point_polytope()};
}

ConvexSolid ConvexSolid::capsule(double radius, double half_length) {
  require_length(radius, 0, "radius of a capsule");
  require_length(half_length, 0, "half length of a capsule");
  if (half_length == 0) return sphere(radius);
  ConvexSolid solid(SolidKind::capsule, radius,
                    segment_polytope(Vector3(0, 0, -half_length), Vector3(0, 0, half_length)));
  return solid;
}

ConvexSolid ConvexSolid::box(const Vector3& half_extents) {
  for (int i = 0; i < 3; ++i) require_positive(half_extents[i], "half extent of a box");
  ConvexSolid solid(SolidKind::box, 0, box_polytope(half_extents));
  solid.half_extents_ = half_extents;
  return solid;
}

ConvexSolid ConvexSolid::cylinder(double radius, double half_length) {
  require_positive(radius, "radius of a cylinder");
  require_positive(half_length, "half length of a cylinder");
  ConvexSolid solid(SolidKind::cylinder, 0, {});
  solid.half_extents_ = {radius, radius, half_length};
  solid.bounding_radius_ = std::sqrt(radius * radius + half_length * half_length);
  return solid;
}

ConvexSolid ConvexSolid::cone(double radius, double height) {
  require_positive(radius, "radius of a cone");
  require_positive(height, "height of a cone");
  ConvexSolid solid(SolidKind::cone, 0, {});
  solid.half_extents_ = {radius, radius, height / 2};
  solid.bounding_radius_ = std::sqrt(radius * radius + height * height / 4);
  return solid;
}

ConvexSolid ConvexSolid::polyhedron(std::span<const Vector3> vertices, std::span<const std::vector<int>> faces) {
  return {SolidKind::polyhedron, 0, closed_polytope(vertices, faces)};
}

ConvexSolid ConvexSolid::triangle(const Vector3& a, const Vector3& b, const Vector3& c,
                                  std::span<const Vector3, 3> neighbor_normals, std::span<const Vector3, 3> shadows,
                                  const Vector3& below) {
  ConvexSolid solid(SolidKind::triangle, 0, triangle_polytope(a, b, c, neighbor_normals, shadows));
  solid.below_ = below;
  solid.bounding_radius_ += below.norm();
  return solid;
}

Vector3 ConvexSolid::core_support(const Vector3& direction) const {
  switch (kind_) {
    case SolidKind::sphere:
      return Vector3::Zero();
    case SolidKind::box:
      return {std::copysign(half_extents_.x(), direction.x()), std::copysign(half_extents_.y(), direction.y()),
              std::copysign(half_extents_.z(), direction.z())};
    case SolidKind::cylinder:
      return rim_point(rim_radius(), std::copysign(half_length(), direction.z()), direction);
    case SolidKind::cone:
      return cone_support(rim_radius(), half_length(), direction);
    default:
      return core_.vertices[core_.support(direction)];
  }
}

Vector3 ConvexSolid::support(const Vector3& direction) const {
  const Vector3 point = middle() + core_support(direction);
  return radius_ > 0 ? Vector3(point + direction * (radius_ / direction.norm())) : point;
}

Bounds ConvexSolid::bounds(const Pose& pose) const {
  const Matrix3 rotation = pose.rotation.matrix();
  const Vector3 center = pose.position + rotation * middle();
  const Vector3 rounding = Vector3::Constant(radius_);
  if (kind_ == SolidKind::sphere) return {center - rounding, center + rounding};
  if (kind_ == SolidKind::box) {
    const Vector3 extents = rotation.cwiseAbs() * half_extents_;
    return {center - extents, center + extents};
  }
  Bounds bounds;
  for (int i = 0; i < 3; ++i) {
    const Vector3 direction = rotation.row(i).transpose();
    bounds.lower[i] = center[i] + direction.dot(core_support(-direction)) - radius_;
    bounds.upper[i] = center[i] + direction.dot(core_support(direction)) + radius_;
  }
  const Vector3 below = rotation * below_;
  bounds.lower += below.cwiseMin(0);
  bounds.upper += below.cwiseMax(0);
  return bounds;
}

std::string ConvexSolid::feature_name(int feature) const {
  if (kind_ == SolidKind::sphere) return "sphere";
  if (kind_ == SolidKind::capsule) return feature < 2 ? fmt::format("end{}", feature) : "side";
  if (is_curved()) return rim_name(feature, kind_ == SolidKind::cylinder ? 2 : 1);
  const int vertices = static_cast<int>(core_.vertices.size());
  const int edges = static_cast<int>(core_.edges.size());
  if (feature < vertices) return fmt::format("{}{}", kind_ == SolidKind::box ? "corner" : "vertex", feature);
  if (feature < vertices + edges) return fmt::format("edge{}", feature - vertices);
  return fmt::format("face{}", feature - vertices - edges);
}

}  // namespace ricochet::geometry
