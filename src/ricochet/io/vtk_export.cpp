#include "ricochet/io/vtk_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/io/replay_frames.hpp"
#include "ricochet/io/result_reader.hpp"
#include "ricochet/io/text_output.hpp"
#include "ricochet/io/vtk_file.hpp"
#include "ricochet/model/joint.hpp"

namespace ricochet::io {
namespace {

constexpr std::array<const char*, 3> vtk_series = {"bodies", "contacts", "surfaces"};
constexpr std::size_t vtk_many_bodies = 100;  // round shapes have fewer sides then

// Makes the directory, or empties it if all its files are of an older export.
void prepare_directory(const std::filesystem::path& directory) {
  static const std::regex ours(R"((bodies|contacts|surfaces)(-[0-9]+\.vtp|\.pvd))");
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error || !std::filesystem::is_directory(directory, error)) {
    throw OutputError(
        fmt::format("'{}' cannot be made: {}", directory.string(), error ? error.message() : "a file has this name"));
  }
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (!std::regex_match(entry.path().filename().string(), ours)) {
      throw OutputError(fmt::format("'{}' holds '{}', which is not of an export; choose another directory",
                                    directory.string(), entry.path().filename().string()));
    }
    old.push_back(entry.path());
  }
  if (error) throw OutputError(fmt::format("'{}' cannot be read: {}", directory.string(), error.message()));
  for (const std::filesystem::path& path : old) {
    std::filesystem::remove(path, error);
    if (error) throw OutputError(fmt::format("'{}' cannot be removed: {}", path.string(), error.message()));
  }
}

Vector3 vtk_triple(const std::vector<double>& list, std::size_t i) {
  return {list[3 * i], list[3 * i + 1], list[3 * i + 2]};
}

void add_components(std::vector<double>& list, const Vector3& value) {
  list.insert(list.end(), value.begin(), value.end());
}

// Adds triangles and returns the number of the first new point.
void add_triangles(VtkPolyData& data, const model::TriangleMesh& mesh, std::vector<double>& owners, double owner) {
  const auto first = static_cast<std::int32_t>(data.points.size() / 3);
  for (const Vector3& vertex : mesh.vertices) add_components(data.points, vertex);
  for (const auto& triangle : mesh.triangles) {
    for (const int corner : triangle) data.triangles.push_back(first + corner);
    owners.push_back(owner);
  }
}

// Draws rows of one result.
class VtkScene {
 public:
  VtkScene(const ResultReader& result, const ReplayBox& box)
      : result_(result), geometry_(result.geometry()), driven_(result.driven_surfaces(geometry_.surfaces.size())) {
    center_ = 0.5 * (box.low + box.high);
    reach_ = std::max((box.high - box.low).norm(), 1e-300);
    const int segments = geometry_.bodies.size() > vtk_many_bodies ? 12 : 24;
    for (const GeometryPart& part : geometry_.parts) surfaces_.push_back(part_surface(geometry_, part, segments));
  }

  bool surfaces_move() const { return !driven_.empty(); }

  VtkPolyData bodies(std::size_t row) const {
    const BodyRows rows = result_.body_rows(geometry_.bodies.size(), row, row + 1);
    const double time = result_.time()[row];
    VtkPolyData data;
    std::vector<double> velocity, body;
    for (std::size_t i = 0; i < geometry_.parts.size(); ++i) {
      const auto owner = static_cast<std::size_t>(geometry_.parts[i].body);
      const GeometryBody& described = geometry_.bodies[owner];
      if (!(described.appears <= time && time < described.disappears)) continue;
      const math::Quaternion turn = {rows.quaternion[4 * owner], rows.quaternion[4 * owner + 1],
                                     rows.quaternion[4 * owner + 2], rows.quaternion[4 * owner + 3]};
      const Vector3 v = vtk_triple(rows.velocity, 2 * owner),
                    spin = turn.rotate(vtk_triple(rows.velocity, 2 * owner + 1));
      for (const Vector3& vertex : surfaces_[i].vertices) {
        add_components(velocity, v + math::cross(spin, turn.rotate(vertex)));
      }
      add_triangles(data, model::placed(surfaces_[i], vtk_triple(rows.position, owner), turn), body,
                    static_cast<double>(owner));
    }
    data.point_data.push_back({"velocity", 3, std::move(velocity)});
    data.cell_data.push_back({"body", 1, std::move(body), true});
    for (const GeometryBody& each : geometry_.bodies) data.names.push_back(each.name);
    return data;
  }

  VtkPolyData surfaces(std::size_t row) const {
    const DrivenRows moved = result_.driven_rows(driven_.size(), row, row + 1);
    VtkPolyData data;
    std::vector<double> owners;
    for (std::size_t i = 0; i < geometry_.surfaces.size(); ++i) {
      const GeometrySurface& surface = geometry_.surfaces[i];
      data.names.push_back(surface.name);
      const auto driver =
          static_cast<std::size_t>(std::find(driven_.begin(), driven_.end(), static_cast<int>(i)) - driven_.begin());
      const bool moves = driver < driven_.size();
      const model::TriangleMesh mesh = surface.mesh >= 0
                                           ? geometry_.meshes[surface.mesh]
                                           : square(moves ? vtk_triple(moved.point, driver) : surface.point,
                                                    moves ? vtk_triple(moved.normal, driver) : surface.normal);
      add_triangles(data, mesh, owners, static_cast<double>(i));
    }
    data.cell_data.push_back({"surface", 1, std::move(owners), true});
    return data;
  }

 private:
  // The part of a plane that is nearest to the middle of the scene.
  model::TriangleMesh square(const Vector3& point, const Vector3& normal) const {
    const Matrix3 axes = model::axes_along(normal).matrix();
    const Vector3 middle = center_ - (center_ - point).dot(normal) * normal;
    model::TriangleMesh mesh;
    for (const auto& [x, y] : {std::pair{-1, -1}, std::pair{1, -1}, std::pair{1, 1}, std::pair{-1, 1}}) {
      mesh.vertices.push_back(middle + reach_ * (x * axes.col(0) + y * axes.col(1)));
    }
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
  }

  const ResultReader& result_;
  ResultGeometry geometry_;
  std::vector<int> driven_;
  std::vector<model::TriangleMesh> surfaces_;  // of the parts, in the axes of their bodies
  Vector3 center_;
  double reach_ = 1;
};

VtkPolyData contact_points(const std::vector<ReplayContact>& contacts) {
  VtkPolyData data;
  VtkArray impulse = {"impulse", 3, {}}, normal = {"normal", 3, {}}, gap = {"gap", 1, {}};
  VtkArray status = {"status", 1, {}, true}, body_a = {"body_a", 1, {}, true}, body_b = {"body_b", 1, {}, true};
  for (const ReplayContact& contact : contacts) {
    add_components(data.points, contact.point);
    add_components(impulse.values, contact.impulse);
    add_components(normal.values, contact.normal);
    gap.values.push_back(contact.gap);
    status.values.push_back(static_cast<double>(contact.status));
    body_a.values.push_back(static_cast<double>(contact.body_a));
    body_b.values.push_back(static_cast<double>(contact.body_b));
  }
  data.point_data = {impulse, normal, gap, status, body_a, body_b};
  return data;
}

}  // namespace

VtkExport export_vtk(const std::filesystem::path& result_directory, const std::filesystem::path& directory,
                     std::size_t frames) {
  const std::filesystem::path path = result_directory / "result.h5";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw FileError(
        fmt::format("{}: there is no such file; an export is made from a result directory.", path.string()));
  }
  const ResultReader result(path);
  if (!result.has_geometry()) {
    throw FileError(
        fmt::format("{}: the result has no geometry; run the scene again with this version.", path.string()));
  }
  const std::size_t count = frames == 0 ? result.rows() : std::min(frames, result.rows());
  const std::vector<std::size_t> rows = chosen_rows(result.rows(), count);
  const ResultGeometry geometry = result.geometry();
  const std::vector<std::size_t> looked_at = chosen_rows(result.rows(), std::min<std::size_t>(count, 50));
  const ReplayBox box =
      replay_box(geometry, read_replay_frames(result, geometry.bodies.size(),
                                              result.driven_surfaces(geometry.surfaces.size()).size(), looked_at));
  const VtkScene scene(result, box);
  prepare_directory(directory);

  std::array<std::vector<VtkEntry>, vtk_series.size()> lists;
  const auto write = [&](std::size_t series, std::size_t frame, const VtkPolyData& data) {
    std::string name = fmt::format("{}-{:06}.vtp", vtk_series[series], frame);
    write_text_file(directory / name, vtk_text(data));
    lists[series].push_back({result.time()[rows[frame]], std::move(name)});
  };
  const std::vector<std::vector<ReplayContact>> contacts = read_replay_contacts(result, rows, SIZE_MAX);
  for (std::size_t frame = 0; frame < count; ++frame) {
    write(0, frame, scene.bodies(rows[frame]));
    write(1, frame, contact_points(contacts[frame]));
    if (frame == 0 || scene.surfaces_move()) write(2, frame, scene.surfaces(rows[frame]));
  }
  for (std::size_t series = 0; series < lists.size(); ++series) {
    write_text_file(directory / fmt::format("{}.pvd", vtk_series[series]), vtk_collection_text(lists[series]));
  }
  return {count, result.rows()};
}

}  // namespace ricochet::io
