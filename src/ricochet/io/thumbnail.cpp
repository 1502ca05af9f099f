#include "ricochet/io/thumbnail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

#include "ricochet/io/replay_frames.hpp"

namespace ricochet::io {
namespace {

constexpr std::array<unsigned, 8> thumbnail_palette = {0x4f86b5, 0xd08a4f, 0x5b9e7e, 0xa27ab8,
                                                       0xb5a04c, 0xc2706f, 0x6d93a3, 0x8b9a58};  // as viewer/ has them

constexpr std::size_t thumbnail_frames = 120;  // of which the box is taken, and the paths
constexpr std::size_t thumbnail_paths = 12;    // bodies: of more, no paths are drawn

std::string shaded(std::size_t body, double light) {
  const unsigned colour = thumbnail_palette[body % thumbnail_palette.size()];
  const auto channel = [&](unsigned shift) {
    return std::clamp(static_cast<int>(std::lround(light * (colour >> shift & 255u))), 0, 255);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(16), channel(8), channel(0));
}

// From the world to the picture: x to the right, y upwards, z towards the eye.
class ThumbnailEye {
 public:
  ThumbnailEye(const ResultGeometry& geometry, const ReplayBox& box, ThumbnailSize size) : size_(size) {
    const Vector3 falling = geometry.gravity.norm() > 0 ? Vector3(-geometry.gravity.normalized()) : Vector3::UnitZ();
    const Vector3 up = geometry.planar ? Vector3::UnitY() : falling;
    Vector3 front = geometry.planar || std::abs(up.y()) > 0.7 ? Vector3(0, 0, 1) : Vector3(0, -1, 0);
    front = (front - front.dot(up) * up).normalized();
    const Vector3 side = math::cross(up, front);
    const Vector3 towards = geometry.planar ? front : Vector3((front + 0.85 * side + 0.6 * up).normalized());
    axes_.row(0) = math::cross(up, towards).normalized();
    axes_.row(1) = math::cross(towards, Vector3(axes_.row(0)));
    axes_.row(2) = towards;
    center_ = 0.5 * (box.low + box.high);
    const Vector3 half = 0.5 * (box.high - box.low);
    const Vector3 extent = axes_.cwiseAbs() * half;
    const double margin = 0.86;
    scale_ = margin * std::min(0.5 * size.width / std::max(extent.x(), 1e-300),
                               0.5 * size.height / std::max(extent.y(), 1e-300));
  }

  Vector3 seen(const Vector3& place) const {
    const Vector3 turned = scale_ * (axes_ * (place - center_));
    return {0.5 * size_.width + turned.x(), 0.5 * size_.height - turned.y(), turned.z()};
  }
  double pixels(double length) const { return scale_ * length; }
  Vector3 direction(const Vector3& world) const { return axes_ * world; }

 private:
  ThumbnailSize size_;
  Matrix3 axes_;
  Vector3 center_;
  double scale_ = 1;
};

struct PaintedShape {
  double depth = 0;  // larger: nearer
  std::string text;
};

// Light from above, behind the eye.
double brightness(const Vector3& normal) { return 0.62 + 0.45 * std::max(0.0, normal.dot(Vector3(-0.25, 0.65, 0.72))); }

class ThumbnailPainter {
 public:
  explicit ThumbnailPainter(const ThumbnailEye& eye) : eye_(eye) {}

  void triangles(const model::TriangleMesh& mesh, std::size_t body) {
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vector3 edge = mesh.vertices[b] - mesh.vertices[a];
      const Vector3 normal = eye_.direction(math::cross(edge, mesh.vertices[c] - mesh.vertices[a]));
      if (normal.z() <= 0) continue;
      const Vector3 p = eye_.seen(mesh.vertices[a]), q = eye_.seen(mesh.vertices[b]), r = eye_.seen(mesh.vertices[c]);
      const std::string colour = shaded(body, brightness(normal.normalized()));
      add((p.z() + q.z() + r.z()) / 3,
          fmt::format(R"(<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z" fill="{}" stroke="{}"/>)", p.x(), p.y(),
                      q.x(), q.y(), r.x(), r.y(), colour, colour));
    }
  }
  void ball(const Vector3& center, double radius, std::size_t body) {
    const Vector3 place = eye_.seen(center);
    add(place.z(), fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{:.1f}" fill="{}" stroke="{}"/>)", place.x(),
                               place.y(), std::max(eye_.pixels(radius), 2.0), shaded(body, 0.95), shaded(body, 0.7)));
  }
  void line(const Vector3& from, const Vector3& to, double width, const char* colour) {
    const Vector3 p = eye_.seen(from), q = eye_.seen(to);
    add(0.5 * (p.z() + q.z()),
        fmt::format(R"(<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}" stroke="{}" stroke-width="{}" stroke-linecap="round"/>)",
                    p.x(), p.y(), q.x(), q.y(), colour, width));
  }
  // Of the origin of a body; on top of everything.
  void path(const ReplayFrames& run, std::size_t body, std::size_t bodies) {
    std::string points;
    for (std::size_t i = body; i < run.position.size() / 3; i += bodies) {
      const Vector3 place = eye_.seen({run.position[3 * i], run.position[3 * i + 1], run.position[3 * i + 2]});
      if (place.allFinite()) fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", place.x(), place.y());
    }
    paths_ += fmt::format(R"(<polyline points="{}" stroke="{}"/>)", points, shaded(body, 0.6));
  }
  void behind(std::string text) { background_ += std::move(text); }

  std::string text(ThumbnailSize size) {
    std::stable_sort(shapes_.begin(), shapes_.end(),
                     [](const PaintedShape& a, const PaintedShape& b) { return a.depth < b.depth; });
    std::string result =
        fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}">)"
                    R"(<rect width="{0}" height="{1}" fill="#f1f3f1"/>)",
                    size.width, size.height);
    result += background_ + R"(<g stroke-width="0.4" stroke-linejoin="round">)";
    for (const PaintedShape& shape : shapes_) result += shape.text;
    return result + R"(</g><g fill="none" stroke-width="0.8">)" + paths_ + "</g></svg>\n";
  }

 private:
  void add(double depth, std::string text) {
    if (std::isfinite(depth)) shapes_.push_back({depth, std::move(text)});
  }

  const ThumbnailEye& eye_;
  std::vector<PaintedShape> shapes_;
  std::string background_, paths_;
};

// Planes that face the eye or, in planar scenes, the ground below lines; both much larger than the picture.
void paint_surfaces(ThumbnailPainter& painter, const ThumbnailEye& eye, const ResultGeometry& geometry,
                    const ReplayBox& box) {
  const Vector3 center = 0.5 * (box.low + box.high);
  const double reach = 4 * (box.high - box.low).norm();
  for (const GeometrySurface& surface : geometry.surfaces) {
    if (surface.mesh >= 0) continue;
    const Vector3 middle = center - (center - surface.point).dot(surface.normal) * surface.normal;
    const Matrix3 axes = model::axes_along(surface.normal).matrix();
    Vector3 along = axes.col(0), across = axes.col(1);
    if (geometry.planar) {
      along = Vector3(surface.normal.y(), -surface.normal.x(), 0);
      across = -surface.normal;
    } else if (eye.direction(surface.normal).z() <= 0 || surface.normal.dot(-geometry.gravity) <= 0) {
      continue;  // a wall would hide what is in the container
    }
    std::string points;
    for (const auto& [x, y] : {std::pair{-1, -1}, std::pair{1, -1}, std::pair{1, 1}, std::pair{-1, 1}}) {
      const double depth = geometry.planar && y < 0 ? 0.0 : reach * y;
      const Vector3 corner = eye.seen(middle + reach * x * along + depth * across);
      fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", corner.x(), corner.y());
    }
    painter.behind(fmt::format(R"(<polygon points="{}" fill="#dde1df" stroke="#9aa4a1"/>)", points));
  }
}

}  // namespace

std::string thumbnail_svg(const ResultReader& result, std::size_t row, ThumbnailSize size) {
  if (!result.has_geometry()) throw FileError("the result has no geometry to draw.");
  const ResultGeometry geometry = result.geometry();
  const std::size_t bodies = geometry.bodies.size();
  const ReplayFrames run = read_replay_frames(result, bodies, result.driven_surfaces(geometry.surfaces.size()).size(),
                                              chosen_rows(result.rows(), std::min(result.rows(), thumbnail_frames)));
  const BodyRows rows = result.body_rows(bodies, row, row + 1);
  const ReplayBox box = replay_box(geometry, run);
  const ThumbnailEye eye(geometry, box, size);
  ThumbnailPainter painter(eye);
  paint_surfaces(painter, eye, geometry, box);

  const auto rotation = [&](int body) {
    const auto* q = rows.quaternion.data() + 4 * static_cast<std::ptrdiff_t>(body);
    return math::Quaternion{q[0], q[1], q[2], q[3]};
  };
  const auto origin = [&](int body) {
    const auto* p = rows.position.data() + 3 * static_cast<std::ptrdiff_t>(body);
    return Vector3(p[0], p[1], p[2]);
  };
  const auto is_there = [&](int body) {
    const double time = result.time()[row];
    return body < 0 || (geometry.bodies[body].appears <= time && time < geometry.bodies[body].disappears);
  };
  const auto place = [&](const GeometryAnchor& anchor) {
    return anchor.body < 0 ? anchor.point : Vector3(origin(anchor.body) + rotation(anchor.body).rotate(anchor.point));
  };
  for (const GeometrySurface& surface : geometry.surfaces) {
    if (surface.mesh >= 0) painter.triangles(geometry.meshes[surface.mesh], 6);
  }
  std::vector<bool> drawn(bodies, false);
  for (const GeometryPart& part : geometry.parts) {
    drawn[part.body] = true;
    if (!is_there(part.body)) continue;
    const auto body = static_cast<std::size_t>(part.body);
    if (part.shape == "sphere" || part.shape == "point") {
      painter.ball(origin(part.body) + rotation(part.body).rotate(part.position), part.size.x(), body);
    } else {
      const model::TriangleMesh mesh = part_surface(geometry, part, bodies > 100 ? 8 : 24);
      painter.triangles(model::placed(mesh, origin(part.body), rotation(part.body)), body);
    }
  }
  for (std::size_t body = 0; body < bodies; ++body) {
    const int index = static_cast<int>(body);
    if (!drawn[body] && is_there(index)) painter.ball(origin(index), 0, body);
  }
  for (const GeometryJoint& joint : geometry.joints) {
    for (const GeometryAnchor& end : {joint.first, joint.second}) {
      if (end.body >= 0 && is_there(end.body)) painter.line(origin(end.body), place(end), 3, "#8a9499");
    }
    painter.ball(place(joint.first), 0, 6);
  }
  for (const GeometrySpring& spring : geometry.springs) {
    if (is_there(spring.start.body) && is_there(spring.end.body)) {
      painter.line(place(spring.start), place(spring.end), 1.5, "#7a8f5a");
    }
  }
  for (std::size_t body = 0; body < bodies && bodies <= thumbnail_paths; ++body) painter.path(run, body, bodies);
  return painter.text(size);
}

}  // namespace ricochet::io
