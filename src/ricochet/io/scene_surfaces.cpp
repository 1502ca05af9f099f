#include "ricochet/io/scene_surfaces.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ricochet/io/mesh_file.hpp"
#include "ricochet/io/scene_materials.hpp"

namespace ricochet::io {

namespace {

model::TriangleMesh read_listed_mesh(const Entry& entry) {
  for (const char* key : {"vertices", "triangles"}) {
    if (entry[key].exists()) continue;
    entry.refuse(fmt::format("'{}' has no '{}': give vertices and triangles, or a file", entry.path(), key));
  }
  model::TriangleMesh mesh;
  for (const Entry& vertex : entry["vertices"].entries()) mesh.vertices.push_back(vertex.vector());
  for (const Entry& triangle : entry["triangles"].entries()) {
    const std::vector<Entry> corners = triangle.entries();
    mesh.triangles.push_back({corners[0].integer(), corners[1].integer(), corners[2].integer()});
  }
  return mesh;
}

model::TriangleMesh read_mesh(const Entry& entry) {
  if (!entry["file"].exists()) return read_listed_mesh(entry);
  if (entry["vertices"].exists() || entry["triangles"].exists()) {
    entry.refuse(fmt::format("'{}' has a file and also vertices or triangles; one of both is enough", entry.path()));
  }
  return read_mesh_of_file(entry);
}

model::TriangleMesh read_height_field(const Entry& entry) {
  std::vector<double> heights;
  std::size_t columns = 0;
  for (const Entry& row : entry["heights"].entries()) {
    const std::vector<Entry> numbers = row.entries();
    if (columns == 0) columns = numbers.size();
    if (numbers.size() != columns) {
      row.refuse(fmt::format("'{}' has {} heights, but the first row has {}", row.path(), numbers.size(), columns));
    }
    for (const Entry& number : numbers) heights.push_back(number.number());
  }
  const std::vector<Entry> spacing = entry["spacing"].entries();
  return model::height_field(heights, static_cast<int>(columns), spacing[0].number(), spacing[1].number());
}

}  // namespace

model::TriangleMesh read_mesh_of_file(const Entry& entry) {
  const std::filesystem::path folder =
      std::filesystem::path(entry.place().origin ? *entry.place().origin : "").parent_path();
  const std::filesystem::path path = folder / entry["file"].text();  // an absolute path stays as it is
  try {
    return read_mesh_file(path.string(), entry["scale"].number());
  } catch (const std::invalid_argument& error) {
    entry["file"].refuse(error.what());
  }
}

void read_surface(const Entry& entry, const BodyIndex& bodies, model::Model& model) {
  const std::string name = entry.name();
  if (bodies.contains(name)) {
    entry.refuse(fmt::format("'{}' is the name of a body and of a surface; contacts could not tell them apart", name));
  }
  model::Surface surface;
  surface.name = name;
  surface.material = read_material(entry, model);
  const std::string& type = entry["type"].text();
  if (type == "plane") {
    surface.point = read_in_plane(entry["point"], model.planar);
    surface.normal = read_direction(entry["normal"], model.planar);
  } else {
    if (model.planar) {
      entry.refuse(fmt::format("'{}' is a {}, which a planar scene cannot have; use planes", entry.path(), type));
    }
    model::TriangleMesh mesh = type == "mesh" ? read_mesh(entry) : read_height_field(entry);
    if (type == "mesh" && entry["flipped"].boolean()) mesh = model::flipped(std::move(mesh));
    mesh = model::placed(std::move(mesh), entry["position"].vector(), read_orientation(entry["orientation"], false));
    try {
      model::validate(mesh, fmt::format("'{}'", entry.path()));
    } catch (const std::invalid_argument& error) {
      entry.refuse(error.what());
    }
    surface.mesh = std::make_shared<const model::TriangleMesh>(std::move(mesh));
  }
  model.surfaces.push_back(std::move(surface));
}

}  // namespace ricochet::io
