#include "ricochet/io/result_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "ricochet/model/machine_size.hpp"
#include "ricochet/model/tessellation.hpp"

namespace ricochet::io {
namespace {

// Meshes that are equal, number by number, are kept once.
class MeshShelf {
 public:
  explicit MeshShelf(std::vector<model::TriangleMesh>& meshes) : meshes_(meshes) {}

  int place(const model::TriangleMesh& mesh) {
    Key key;
    for (const Vector3& vertex : mesh.vertices) key.first.insert(key.first.end(), vertex.begin(), vertex.end());
    for (const auto& triangle : mesh.triangles) key.second.insert(key.second.end(), triangle.begin(), triangle.end());
    const auto [entry, is_new] = places_.try_emplace(std::move(key), static_cast<int>(meshes_.size()));
    if (is_new) meshes_.push_back(mesh);
    return entry->second;
  }

 private:
  using Key = std::pair<std::vector<double>, std::vector<int>>;
  std::vector<model::TriangleMesh>& meshes_;
  std::map<Key, int> places_;
};

// How much is drawn of what has no end (m): as much as the machine measures, of a guide or a bearing some three times
// what is in it, or it would hide the rest.
double drawn_length(const model::Model& model, const model::ShapePart& part) {
  for (const model::Clearance& clearance : model.clearances) {
    if (part.channel == 0 || !model::has_channel(model.contacts[clearance.rule.index], part.channel)) continue;
    return 6 * std::max({clearance.half_size.norm(), clearance.half_length, clearance.radius});
  }
  return model::machine_size(model);
}

// The mesh of shapes that their size does not tell.
int mesh_of(const model::Model& model, const model::ShapePart& part, MeshShelf& shelf) {
  const model::Shape& shape = part.shape;
  if (std::holds_alternative<model::PolyhedronShape>(shape)) return shelf.place(model::tessellated(shape));
  if (!model::is_holder(shape)) return -1;
  const double size = drawn_length(model, part);
  if (const auto* sphere = std::get_if<model::HollowSphereShape>(&shape)) {
    return shelf.place(model::drawn_hollow(*sphere));
  }
  if (const auto* cylinder = std::get_if<model::HollowCylinderShape>(&shape)) {
    return shelf.place(model::drawn_hollow(*cylinder, model.planar ? 0.5 : size));
  }
  const auto* face = std::get_if<model::FaceShape>(&shape);
  // Out of the plane as thick as boxes are by default.
  return shelf.place(model::drawn_face(*face, Vector2(size, model.planar ? 0.5 : size)));
}

GeometryAnchor anchor_of(const model::Model& model, const std::vector<int>& body_of_node,
                         const model::Attachment& attachment) {
  if (!attachment.node.valid()) return {-1, attachment.offset};
  const int body = body_of_node[attachment.node.index];
  if (body >= 0) return {body, attachment.offset - model.bodies[body].origin};
  const model::Node& node = model.nodes[attachment.node.index];
  return {-1, node.position + node.orientation.rotate(attachment.offset)};
}

// --- columns of the file ---

void add_to(std::vector<double>& column, const Vector3& vector) {
  column.insert(column.end(), vector.begin(), vector.end());
}

void add_to(std::vector<double>& column, const math::Quaternion& q) {
  column.insert(column.end(), {q.w, q.x, q.y, q.z});
}

Vector3 vector_at(const std::vector<double>& column, std::size_t row) {
  return {column[3 * row], column[3 * row + 1], column[3 * row + 2]};
}

math::Quaternion quaternion_at(const std::vector<double>& column, std::size_t row) {
  return {column[4 * row], column[4 * row + 1], column[4 * row + 2], column[4 * row + 3]};
}

// Columns of one group, all with the same number of rows, and checked to be so.
class GeometryGroup {
 public:
  GeometryGroup(const Hdf5File& file, std::string group, std::size_t rows)
      : file_(file), group_(std::move(group)), rows_(rows) {}

  std::vector<std::string> texts(const char* name) const { return checked(name, 1, file_.read_texts(path(name))); }
  std::vector<double> numbers(const char* name, std::size_t width) const {
    std::vector<double> values = checked(name, width, file_.read_doubles(path(name)));
    for (const double value : values) {
      if (!std::isfinite(value)) fail(name, "holds numbers that are not finite");
    }
    return values;
  }
  std::vector<double> times(const char* name) const { return checked(name, 1, file_.read_doubles(path(name))); }
  // Indices from `low` to below `high`.
  std::vector<int> indices(const char* name, std::int64_t low, std::size_t high, std::size_t width = 1) const {
    std::vector<int> result;
    for (const std::int64_t index : checked(name, width, file_.read_integers(path(name)))) {
      if (index < low || index >= static_cast<std::int64_t>(high)) fail(name, "points to what does not exist");
      result.push_back(static_cast<int>(index));
    }
    return result;
  }
  std::vector<GeometryAnchor> anchors(const std::string& side, std::size_t bodies) const {
    const std::vector<int> body = indices((side + "_body").c_str(), -1, bodies);
    const std::vector<double> point = numbers((side + "_point").c_str(), 3);
    std::vector<GeometryAnchor> result;
    for (std::size_t i = 0; i < rows_; ++i) result.push_back({body[i], vector_at(point, i)});
    return result;
  }
  std::size_t rows() const { return rows_; }

 private:
  std::string path(const char* name) const { return fmt::format("{}/{}", group_, name); }
  [[noreturn]] void fail(const char* name, const char* what) const {
    throw FileError(fmt::format("{}: {} {}.", file_.path().string(), path(name), what));
  }
  template <class Values>
  Values checked(const char* name, std::size_t width, Values values) const {
    if (values.size() != width * rows_) {
      throw FileError(fmt::format("{}: {} has {} values where {} are expected.", file_.path().string(), path(name),
                                  values.size(), width * rows_));
    }
    return values;
  }

  const Hdf5File& file_;
  std::string group_;
  std::size_t rows_;
};

void write_anchors(Hdf5File& file, const std::string& group, const std::string& side,
                   const std::vector<GeometryAnchor>& anchors) {
  std::vector<std::int64_t> bodies;
  std::vector<double> points;
  for (const GeometryAnchor& anchor : anchors) {
    bodies.push_back(anchor.body);
    add_to(points, anchor.point);
  }
  file.write(fmt::format("{}/{}_body", group, side), bodies);
  file.write(fmt::format("{}/{}_point", group, side), points, {static_cast<std::int64_t>(anchors.size()), 3});
}

void write_meshes(Hdf5File& file, const std::vector<model::TriangleMesh>& meshes) {
  std::vector<std::int64_t> vertex_start = {0}, triangle_start = {0}, triangles;
  std::vector<double> vertices;
  for (const model::TriangleMesh& mesh : meshes) {
    for (const Vector3& vertex : mesh.vertices) add_to(vertices, vertex);
    for (const auto& triangle : mesh.triangles) triangles.insert(triangles.end(), triangle.begin(), triangle.end());
    vertex_start.push_back(static_cast<std::int64_t>(vertices.size()) / 3);
    triangle_start.push_back(static_cast<std::int64_t>(triangles.size()) / 3);
  }
  file.write("/geometry/meshes/vertex_start", vertex_start);
  file.write("/geometry/meshes/vertices", vertices, {vertex_start.back(), 3});
  file.write("/geometry/meshes/triangle_start", triangle_start);
  file.write("/geometry/meshes/triangles", triangles, {triangle_start.back(), 3});
}

std::vector<model::TriangleMesh> read_meshes(const Hdf5File& file) {
  const auto starts = [&](const char* name, std::size_t count) {
    std::vector<std::int64_t> values = file.read_integers(name);
    if (values.empty() || values.front() != 0 || !std::is_sorted(values.begin(), values.end()) ||
        values.back() != static_cast<std::int64_t>(count)) {
      throw FileError(fmt::format("{}: {} does not divide the meshes.", file.path().string(), name));
    }
    return values;
  };
  const std::size_t vertex_count = file.read_doubles("/geometry/meshes/vertices").size() / 3;
  const std::size_t triangle_count = file.read_integers("/geometry/meshes/triangles").size() / 3;
  const std::vector<std::int64_t> vertex_start = starts("/geometry/meshes/vertex_start", vertex_count);
  const std::vector<std::int64_t> triangle_start = starts("/geometry/meshes/triangle_start", triangle_count);
  if (vertex_start.size() != triangle_start.size()) {
    throw FileError(fmt::format("{}: vertices and triangles of /geometry/meshes do not fit.", file.path().string()));
  }
  const std::vector<double> vertices = GeometryGroup(file, "/geometry/meshes", vertex_count).numbers("vertices", 3);
  const std::vector<int> triangles =
      GeometryGroup(file, "/geometry/meshes", triangle_count).indices("triangles", 0, vertex_count, 3);
  std::vector<model::TriangleMesh> meshes(vertex_start.size() - 1);
  for (std::size_t k = 0; k < meshes.size(); ++k) {
    for (std::int64_t i = vertex_start[k]; i < vertex_start[k + 1]; ++i) {
      meshes[k].vertices.push_back(vector_at(vertices, static_cast<std::size_t>(i)));
    }
    for (std::int64_t i = triangle_start[k]; i < triangle_start[k + 1]; ++i) {
      const std::array<int, 3> triangle = {triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]};
      for (const int corner : triangle) {
        if (corner >= vertex_start[k + 1] - vertex_start[k]) {
          throw FileError(
              fmt::format("{}: /geometry/meshes/triangles points to what does not exist.", file.path().string()));
        }
      }
      meshes[k].triangles.push_back(triangle);
    }
  }
  return meshes;
}

// The shape of which `shape_size` is the size, if the name is one of those.
model::Shape shape_from(const std::string& name, const Vector3& size) {
  if (name == "sphere") return model::SphereShape{size.x()};
  if (name == "box") return model::BoxShape{size};
  if (name == "cylinder") return model::CylinderShape{size.x(), size.y()};
  if (name == "capsule") return model::CapsuleShape{size.x(), size.y()};
  if (name == "cone") return model::ConeShape{size.x(), size.y()};
  return model::PointShape{};
}

}  // namespace

Vector3 shape_size(const model::Shape& shape) {
  if (const auto* sphere = std::get_if<model::SphereShape>(&shape)) return {sphere->radius, 0, 0};
  if (const auto* box = std::get_if<model::BoxShape>(&shape)) return box->half_extents;
  if (const auto* cylinder = std::get_if<model::CylinderShape>(&shape))
    return {cylinder->radius, cylinder->half_length, 0};
  if (const auto* capsule = std::get_if<model::CapsuleShape>(&shape)) return {capsule->radius, capsule->half_length, 0};
  if (const auto* cone = std::get_if<model::ConeShape>(&shape)) return {cone->radius, cone->height, 0};
  return Vector3::Zero();
}

ResultGeometry geometry_of(const model::Model& model) {
  ResultGeometry result;
  result.planar = model.planar;
  result.gravity = model.gravity;
  MeshShelf shelf(result.meshes);
  std::vector<int> body_of_node(model.nodes.size(), -1);
  for (const model::Body& body : model.bodies) {
    const int index = static_cast<int>(result.bodies.size());
    if (body_of_node[body.node.index] < 0) body_of_node[body.node.index] = index;
    result.bodies.push_back({body.name, body.appears, body.disappears});
    for (const model::ShapePart& part : body.parts) {
      // Corners of sliders, ends of pins: a dot would only hide them.
      if (part.channel != 0 && std::holds_alternative<model::PointShape>(part.shape)) continue;
      result.parts.push_back({index, part.name, std::string(model::shape_name(part.shape)), shape_size(part.shape),
                              part.position - body.origin, part.orientation, mesh_of(model, part, shelf)});
    }
  }
  for (const model::Surface& surface : model.surfaces) {
    result.surfaces.push_back(
        {surface.name, surface.point, surface.normal, surface.mesh ? shelf.place(*surface.mesh) : -1});
  }
  for (const model::Spring& spring : model.springs) {
    result.springs.push_back(
        {spring.name, anchor_of(model, body_of_node, spring.start), anchor_of(model, body_of_node, spring.end)});
  }
  for (const model::Joint& joint : model.joints) {
    if (model::acts_on_coordinates(joint.type)) continue;  // these have no place
    result.joints.push_back(
        {joint.name, model::name_of(joint.type), anchor_of(model, body_of_node, joint.first.attachment),
         anchor_of(model, body_of_node, joint.second.attachment), joint.first.axes, joint.second.axes});
  }
  return result;
}

model::TriangleMesh part_surface(const ResultGeometry& geometry, const GeometryPart& part, int segments) {
  const int fineness = segments > 0 ? segments : model::kDrawnSegments;
  const model::TriangleMesh own =
      part.mesh >= 0 ? geometry.meshes[part.mesh] : model::tessellated(shape_from(part.shape, part.size), fineness);
  return model::placed(own, part.position, part.orientation);
}

void write_geometry(Hdf5File& file, const ResultGeometry& geometry) {
  file.write_number("/geometry/planar", geometry.planar ? 1 : 0);
  file.write("/geometry/gravity", std::span<const double>(geometry.gravity.data(), 3));
  write_meshes(file, geometry.meshes);

  std::vector<double> appears, disappears;
  for (const GeometryBody& body : geometry.bodies) {
    appears.push_back(body.appears);
    disappears.push_back(body.disappears);
  }
  file.write("/bodies/appears", appears);
  file.write("/bodies/disappears", disappears);

  std::vector<std::int64_t> bodies, meshes;
  std::vector<std::string> names, shapes;
  std::vector<double> sizes, positions, quaternions;
  for (const GeometryPart& part : geometry.parts) {
    bodies.push_back(part.body);
    meshes.push_back(part.mesh);
    names.push_back(part.name);
    shapes.push_back(part.shape);
    add_to(sizes, part.size);
    add_to(positions, part.position);
    add_to(quaternions, part.orientation);
  }
  const auto count = static_cast<std::int64_t>(geometry.parts.size());
  file.write("/geometry/parts/body", bodies);
  file.write("/geometry/parts/name", names);
  file.write("/geometry/parts/shape", shapes);
  file.write("/geometry/parts/size", sizes, {count, 3});
  file.write("/geometry/parts/position", positions, {count, 3});
  file.write("/geometry/parts/quaternion", quaternions, {count, 4});
  file.write("/geometry/parts/mesh", meshes);

  meshes.clear();
  for (const GeometrySurface& surface : geometry.surfaces) meshes.push_back(surface.mesh);
  file.write("/surfaces/mesh", meshes);

  names.clear();
  std::vector<GeometryAnchor> first, second;
  for (const GeometrySpring& spring : geometry.springs) {
    names.push_back(spring.name);
    first.push_back(spring.start);
    second.push_back(spring.end);
  }
  file.write("/geometry/springs/names", names);
  write_anchors(file, "/geometry/springs", "start", first);
  write_anchors(file, "/geometry/springs", "end", second);

  names.clear();
  first.clear();
  second.clear();
  std::vector<std::string> types;
  std::vector<double> first_axes, second_axes;
  for (const GeometryJoint& joint : geometry.joints) {
    names.push_back(joint.name);
    types.push_back(joint.type);
    first.push_back(joint.first);
    second.push_back(joint.second);
    add_to(first_axes, joint.first_axes);
    add_to(second_axes, joint.second_axes);
  }
  const auto joints = static_cast<std::int64_t>(geometry.joints.size());
  file.write("/geometry/joints/names", names);
  file.write("/geometry/joints/types", types);
  write_anchors(file, "/geometry/joints", "first", first);
  write_anchors(file, "/geometry/joints", "second", second);
  file.write("/geometry/joints/first_axes", first_axes, {joints, 4});
  file.write("/geometry/joints/second_axes", second_axes, {joints, 4});
}

ResultGeometry read_geometry(const Hdf5File& file) {
  ResultGeometry result;
  result.planar = file.read_integer("/geometry/planar") != 0;
  result.gravity = vector_at(GeometryGroup(file, "/geometry", 1).numbers("gravity", 3), 0);
  result.meshes = read_meshes(file);
  const std::size_t mesh_count = result.meshes.size();

  const GeometryGroup bodies(file, "/bodies", file.read_texts("/bodies/names").size());
  const std::vector<std::string> body_names = bodies.texts("names");
  const std::vector<double> appears = bodies.times("appears"), disappears = bodies.times("disappears");
  for (std::size_t i = 0; i < bodies.rows(); ++i) result.bodies.push_back({body_names[i], appears[i], disappears[i]});

  const GeometryGroup parts(file, "/geometry/parts", file.read_integers("/geometry/parts/body").size());
  const std::vector<int> body = parts.indices("body", 0, bodies.rows()), mesh = parts.indices("mesh", -1, mesh_count);
  const std::vector<std::string> names = parts.texts("name"), shapes = parts.texts("shape");
  const std::vector<double> size = parts.numbers("size", 3), position = parts.numbers("position", 3);
  const std::vector<double> quaternion = parts.numbers("quaternion", 4);
  for (std::size_t i = 0; i < parts.rows(); ++i) {
    result.parts.push_back({body[i], names[i], shapes[i], vector_at(size, i), vector_at(position, i),
                            quaternion_at(quaternion, i), mesh[i]});
  }

  const GeometryGroup surfaces(file, "/surfaces", file.read_texts("/surfaces/names").size());
  const std::vector<std::string> surface_names = surfaces.texts("names");
  const std::vector<double> point = surfaces.numbers("point", 3), normal = surfaces.numbers("normal", 3);
  const std::vector<int> surface_mesh = surfaces.indices("mesh", -1, mesh_count);
  for (std::size_t i = 0; i < surfaces.rows(); ++i) {
    result.surfaces.push_back({surface_names[i], vector_at(point, i), vector_at(normal, i), surface_mesh[i]});
  }

  const GeometryGroup springs(file, "/geometry/springs", file.read_texts("/geometry/springs/names").size());
  const std::vector<std::string> spring_names = springs.texts("names");
  const std::vector<GeometryAnchor> start = springs.anchors("start", bodies.rows());
  const std::vector<GeometryAnchor> end = springs.anchors("end", bodies.rows());
  for (std::size_t i = 0; i < springs.rows(); ++i) result.springs.push_back({spring_names[i], start[i], end[i]});

  const GeometryGroup joints(file, "/geometry/joints", file.read_texts("/geometry/joints/names").size());
  const std::vector<std::string> joint_names = joints.texts("names"), types = joints.texts("types");
  const std::vector<GeometryAnchor> first = joints.anchors("first", bodies.rows());
  const std::vector<GeometryAnchor> second = joints.anchors("second", bodies.rows());
  const std::vector<double> first_axes = joints.numbers("first_axes", 4),
                            second_axes = joints.numbers("second_axes", 4);
  for (std::size_t i = 0; i < joints.rows(); ++i) {
    result.joints.push_back(
        {joint_names[i], types[i], first[i], second[i], quaternion_at(first_axes, i), quaternion_at(second_axes, i)});
  }
  return result;
}

}  // namespace ricochet::io
