#include "ricochet/model/tessellation.hpp"

#include <cmath>
#include <numbers>
#include <utility>
#include <variant>

namespace ricochet::model {
namespace {

using Profile = std::vector<Vector2>;  // (r, z), upwards; r = 0 at both ends

void add_triangle(TriangleMesh& mesh, int a, int b, int c) { mesh.triangles.push_back({a, b, c}); }

TriangleMesh revolved(const Profile& profile, int segments) {
  TriangleMesh mesh;
  std::vector<int> ring_start;
  for (const Vector2& point : profile) {
    ring_start.push_back(static_cast<int>(mesh.vertices.size()));
    const int count = point.x() > 0 ? segments : 1;  // the ends are single points
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * std::numbers::pi * i / segments;
      mesh.vertices.emplace_back(point.x() * std::cos(angle), point.x() * std::sin(angle), point.y());
    }
  }
  for (std::size_t ring = 0; ring + 1 < profile.size(); ++ring) {
    const bool low_end = profile[ring].x() <= 0, high_end = profile[ring + 1].x() <= 0;
    for (int i = 0; i < segments; ++i) {
      const int next = (i + 1) % segments;
      const int a = ring_start[ring] + (low_end ? 0 : i), b = ring_start[ring] + (low_end ? 0 : next);
      const int c = ring_start[ring + 1] + (high_end ? 0 : next), d = ring_start[ring + 1] + (high_end ? 0 : i);
      if (!low_end) add_triangle(mesh, a, b, c);
      if (!high_end) add_triangle(mesh, a, c, d);
    }
  }
  return mesh;
}

// Quarter circles around (0, z): from the south pole up to the equator, or from there to the north pole.
void add_arc(Profile& profile, double radius, double z, int from, int to, int steps) {
  for (int i = from; i <= to; ++i) {
    const double latitude = std::numbers::pi / 2 * i / steps;
    const bool pole = i == steps || i == -steps;
    profile.emplace_back(pole ? 0.0 : radius * std::cos(latitude), z + radius * std::sin(latitude));
  }
}

constexpr double kDrawnThickness = 1.0 / 128;  // of a face, per its longer half extent
constexpr double kDrawnRing = 1.0 / 32;        // at the ends of a bore: its width, per radius

struct Tessellation {
  int segments;

  TriangleMesh operator()(const PointShape&) const { return {}; }
  TriangleMesh operator()(const SphereShape& sphere) const {
    Profile profile;
    add_arc(profile, sphere.radius, 0, -segments / 4, segments / 4, segments / 4);
    return revolved(profile, segments);
  }
  TriangleMesh operator()(const CapsuleShape& capsule) const {
    Profile profile;
    add_arc(profile, capsule.radius, -capsule.half_length, -segments / 4, 0, segments / 4);
    // Without a straight part both halves share the equator.
    add_arc(profile, capsule.radius, capsule.half_length, capsule.half_length > 0 ? 0 : 1, segments / 4, segments / 4);
    return revolved(profile, segments);
  }
  TriangleMesh operator()(const CylinderShape& cylinder) const {
    const double r = cylinder.radius, h = cylinder.half_length;
    return revolved({Vector2(0, -h), Vector2(r, -h), Vector2(r, h), Vector2(0, h)}, segments);
  }
  TriangleMesh operator()(const ConeShape& cone) const {
    const double h = cone.height / 2;
    return revolved({Vector2(0, -h), Vector2(cone.radius, -h), Vector2(0, h)}, segments);
  }
  TriangleMesh operator()(const BoxShape& box) const {
    TriangleMesh mesh;
    for (int corner = 0; corner < 8; ++corner) {
      const Vector3 sign((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? 1 : -1);
      mesh.vertices.emplace_back(sign.cwiseProduct(box.half_extents));
    }
    // Faces at low and high x, y, z, as the bits of the corners say.
    for (const auto& [a, b, c, d] : {std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}, std::array{0, 1, 5, 4},
                                     std::array{2, 6, 7, 3}, std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}}) {
      add_triangle(mesh, a, b, c);
      add_triangle(mesh, a, c, d);
    }
    return mesh;
  }
  TriangleMesh operator()(const PolyhedronShape& polyhedron) const {
    TriangleMesh mesh;
    mesh.vertices = polyhedron.vertices;
    for (const std::vector<int>& face : polyhedron.faces) {
      for (const auto& triangle : triangulated(polyhedron.vertices, face)) mesh.triangles.push_back(triangle);
    }
    return mesh;
  }
  TriangleMesh operator()(const FaceShape& face) const { return drawn_face(face, Vector2::Ones()); }
  TriangleMesh operator()(const HollowSphereShape& hollow) const { return drawn_hollow(hollow, segments); }
  TriangleMesh operator()(const HollowCylinderShape& hollow) const { return drawn_hollow(hollow, 1, segments); }
};

double turn(const Vector2& a, const Vector2& b, const Vector2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

// Whether p is in the triangle a, b, c (counter-clockwise) or on its edge.
bool covers(const Vector2& a, const Vector2& b, const Vector2& c, const Vector2& p) {
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

// The polygon seen along its normal, so that it is counter-clockwise.
std::vector<Vector2> flattened(std::span<const Vector3> vertices, std::span<const int> corners) {
  Vector3 normal = Vector3::Zero();  // Newell's, see polyhedron.hpp
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector3 from = vertices[corners[i]] - vertices[corners[0]];
    normal += math::cross(from, vertices[corners[(i + 1) % corners.size()]] - vertices[corners[0]]);
  }
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  std::vector<Vector2> points;
  for (const int corner : corners) {
    const double first = vertices[corner][(axis + 1) % 3], second = vertices[corner][(axis + 2) % 3];
    points.push_back(normal[axis] > 0 ? Vector2(first, second) : Vector2(second, first));
  }
  return points;
}

}  // namespace

std::vector<std::array<int, 3>> triangulated(std::span<const Vector3> vertices, std::span<const int> corners) {
  std::vector<std::array<int, 3>> triangles;
  if (corners.size() < 3) return triangles;
  const std::vector<Vector2> points = flattened(vertices, corners);
  std::vector<int> left(corners.size());  // places in `corners`
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i);
  const auto is_ear = [&](std::size_t at) {
    const int before = left[(at + left.size() - 1) % left.size()], here = left[at],
              after = left[(at + 1) % left.size()];
    if (turn(points[before], points[here], points[after]) <= 0) return false;
    for (const int other : left) {
      if (other == before || other == here || other == after) continue;
      if (covers(points[before], points[here], points[after], points[other])) return false;
    }
    return true;
  };
  while (left.size() > 2) {
    std::size_t ear = 0;
    while (ear < left.size() && !is_ear(ear)) ++ear;
    if (ear == left.size()) ear = 0;  // only rounding leaves a polygon without ears; any corner will do
    const std::size_t count = left.size();
    triangles.push_back(
        {corners[left[(ear + count - 1) % count]], corners[left[ear]], corners[left[(ear + 1) % count]]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  return triangles;
}

TriangleMesh drawn_face(const FaceShape& face, const Vector2& unlimited) {
  Vector3 half_extents;
  for (int i = 0; i < 2; ++i) {
    half_extents[i] = std::isfinite(face.half_extents[i]) ? face.half_extents[i] : unlimited[i];
  }
  half_extents.z() = 0.5 * kDrawnThickness * half_extents.head<2>().maxCoeff();
  return placed(tessellated(BoxShape{half_extents}), Vector3(0, 0, -half_extents.z()), {});
}

TriangleMesh drawn_hollow(const HollowSphereShape& hollow, int segments) {
  TriangleMesh mesh = tessellated(SphereShape{hollow.radius}, segments);
  for (auto& [a, b, c] : mesh.triangles) std::swap(b, c);
  return mesh;
}

TriangleMesh drawn_hollow(const HollowCylinderShape& hollow, double unlimited, int segments) {
  const double half_length = std::isfinite(hollow.half_length) ? hollow.half_length : unlimited;
  const double outer = (1 + kDrawnRing) * hollow.radius;
  // Circles from one end to the other, through the inside.
  const std::array<Vector2, 4> profile = {Vector2(outer, -half_length), Vector2(hollow.radius, -half_length),
                                          Vector2(hollow.radius, half_length), Vector2(outer, half_length)};
  TriangleMesh mesh;
  for (const Vector2& point : profile) {
    for (int i = 0; i < segments; ++i) {
      const double angle = 2 * std::numbers::pi * i / segments;
      mesh.vertices.emplace_back(point.x() * std::cos(angle), point.x() * std::sin(angle), point.y());
    }
  }
  for (int circle = 0; circle < 3; ++circle) {
    for (int i = 0; i < segments; ++i) {
      const int next = (i + 1) % segments, low = circle * segments, high = low + segments;
      add_triangle(mesh, low + i, high + next, low + next);
      add_triangle(mesh, low + i, high + i, high + next);
    }
  }
  return mesh;
}

TriangleMesh tessellated(const Shape& shape, int segments) { return std::visit(Tessellation{segments}, shape); }

}  // namespace ricochet::model
