#include "ricochet/io/scene_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ricochet/contact/form_part.hpp"
#include "ricochet/io/scene_materials.hpp"
#include "ricochet/io/scene_surfaces.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/model/convex_hull.hpp"
#include "ricochet/model/polyhedron.hpp"

namespace ricochet::io {

namespace {

model::BoxShape read_box(const Entry& entry, bool planar) {
  Vector3 size = Vector3::Ones();  // the extent out of the plane does not matter
  const std::vector<Entry> edges = entry["size"].entries();
  if (!planar && edges.size() < 3) {
    entry["size"].refuse(fmt::format("'{}' needs three edges: the scene is not planar", entry["size"].path()));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) size[static_cast<int>(i)] = edges[i].number();
  return {0.5 * size};
}

model::PolyhedronShape read_polyhedron(const Entry& entry) {
  model::PolyhedronShape polyhedron;
  if (entry["file"].exists() == entry["vertices"].exists()) {
    entry.refuse(fmt::format("'{}' needs either vertices or a file", entry.path()));
  }
  if (entry["file"].exists() && entry["faces"].exists()) {
    entry["faces"].refuse(
        fmt::format("'{}' has a file, of which the convex hull is taken; leave the faces out", entry.path()));
  }
  if (entry["file"].exists()) {
    polyhedron.vertices = read_mesh_of_file(entry).vertices;
  } else {
    for (const Entry& vertex : entry["vertices"].entries()) polyhedron.vertices.push_back(vertex.vector());
  }
  try {
    if (!entry["faces"].exists()) return model::convex_hull(polyhedron.vertices);
    for (const Entry& face : entry["faces"].entries()) {
      std::vector<int>& indices = polyhedron.faces.emplace_back();
      for (const Entry& index : face.entries()) indices.push_back(index.integer());
    }
    model::check_closed(polyhedron, fmt::format("'{}'", entry.path()));
  } catch (const std::invalid_argument& error) {
    entry.refuse(error.what());
  }
  return polyhedron;
}

// Cylinders, capsules and cones are made along z and turned to the axis that is asked for.
math::Quaternion read_shape_axis(const Entry& entry) {
  const double quarter = std::acos(0.0);
  const std::string& axis = entry["axis"].text();
  if (axis == "x") return math::Quaternion::from_axis_angle(Vector3::UnitY(), quarter);
  if (axis == "y") return math::Quaternion::from_axis_angle(Vector3::UnitX(), -quarter);
  return {};
}

void require_disc(const Entry& entry, const char* instead, const char* looks = "disc") {
  if (entry["axis"].text() == "z") return;
  entry["axis"].refuse(fmt::format(
      "in a planar scene the axis of '{}' must be z: it looks like a {}; use {} for one that lies in the plane",
      entry.path(), looks, instead));
}

// Its normal is z in its own axes; in the plane these are turned so that it becomes y.
model::ShapePart read_face(const Entry& entry, bool planar) {
  model::FaceShape face;
  const Entry wrong = entry[planar ? "size" : "length"];
  if (wrong.exists()) {
    wrong.refuse(
        planar
            ? fmt::format("'{}' is for scenes in space: in a planar scene a face is a line and has a 'length'",
                          wrong.path())
            : fmt::format("'{}' is for planar scenes: in space a face is a rectangle and has a 'size'", wrong.path()));
  }
  if (planar) {
    if (entry["length"].exists()) face.half_extents.x() = 0.5 * entry["length"].number();
    return {face, Vector3::Zero(), {std::sqrt(0.5), -std::sqrt(0.5), 0, 0}};
  }
  if (entry["size"].exists()) {
    const std::vector<Entry> edges = entry["size"].entries();
    face.half_extents = 0.5 * Vector2(edges[0].number(), edges[1].number());
  }
  return {face};
}

// Faces and what is hollow: they hold others and have no mass of their own.
bool is_holder(const Entry& shape) {
  const std::string& type = shape["type"].text();
  return type == "face" || type == "hollow-sphere" || type == "hollow-cylinder";
}

model::ShapePart read_shape(const Entry& entry, bool planar) {
  model::ShapePart part;
  const std::string& type = entry["type"].text();
  if (type == "face") return read_face(entry, planar);
  if (type == "hollow-sphere") part.shape = model::HollowSphereShape{entry["radius"].number()};
  if (type == "hollow-cylinder") {
    model::HollowCylinderShape hollow{entry["radius"].number()};
    if (entry["length"].exists()) hollow.half_length = 0.5 * entry["length"].number();
    part.shape = hollow;
    part.orientation = read_shape_axis(entry);
    if (planar) require_disc(entry, "faces", "circle");
  }
  if (type == "sphere") part.shape = model::SphereShape{entry["radius"].number()};
  if (type == "box") part.shape = read_box(entry, planar);
  if (type == "polyhedron") part.shape = read_polyhedron(entry);
  if (type == "cylinder" || type == "capsule") {
    const double radius = entry["radius"].number();
    const Entry length = entry["length"];
    if (!planar && !length.exists()) {
      entry.refuse(fmt::format("'{}' needs a length: the scene is not planar", entry.path()));
    }
    const double half_length = length.exists() ? 0.5 * length.number() : 0.5;
    if (type == "cylinder") part.shape = model::CylinderShape{radius, half_length};
    if (type == "capsule") part.shape = model::CapsuleShape{radius, half_length};
    part.orientation = read_shape_axis(entry);
    if (planar && type == "cylinder") require_disc(entry, "a box");
  }
  if (type == "cone") {
    part.shape = model::ConeShape{entry["radius"].number(), entry["height"].number()};
    part.orientation = read_shape_axis(entry);
    if (planar) require_disc(entry, "a polyhedron");
  }
  return part;
}

void refuse_both(const Entry& entry) {
  if (entry["mass"].exists() && entry["density"].exists()) {
    entry.refuse(fmt::format("'{}' has a mass and a density; one of both is enough", entry.path()));
  }
}

// A body that consists of faces or hollows has nothing from which mass and inertia could follow.
void require_own_mass(const Entry& body, const Entry& shape) {
  if (body["mass"].exists() && body["inertia"].exists()) return;
  const bool is_face = shape["type"].text() == "face";
  body.refuse(fmt::format("'{}' is made of {}, which have no mass of their own: give it a 'mass' and an 'inertia'",
                          body.path(), is_face ? "faces" : "hollow shapes"));
}

// The mass that a body or a part says itself; `fallback` is the density that it would have otherwise (0: none).
model::MassProperties read_mass(const Entry& entry, const model::Shape& shape, double fallback) {
  if (entry["mass"].exists()) return model::with_mass(shape, entry["mass"].number());
  const double density = entry["density"].exists() ? entry["density"].number() : fallback;
  if (density > 0 && model::volume(shape) == 0) {
    entry.refuse(fmt::format("'{}' is a point, which has no volume: give it a mass, not a density", entry.path()));
  }
  return model::solid(shape, density);
}

// " (its material 'steel' has no density)" for things that have a material: that may be where it is missed.
std::string about_material(const model::Model& model, model::MaterialId material) {
  if (!material.valid()) return "";
  return fmt::format(" (its material '{}' has no density)", model.materials[material.index].name);
}

// A body of several parts. Each may have a mass or a density of its own or of its material; otherwise that of the body
// holds. A mass of the body is spread evenly over the volume of all parts, whatever they are made of. If the body has
// mass, centre of mass and inertia of its own, the parts only say where it touches.
BodyShape read_parts(const Entry& body, const model::Model& model) {
  const bool planar = model.planar;
  const model::MaterialId body_material = read_material(body, model);
  BodyShape result;
  std::vector<model::MassProperties> masses;
  const bool whole_mass = body["mass"].exists();
  const std::vector<Entry> entries = body["parts"].entries();
  const bool only_holders = !entries.empty() && std::all_of(entries.begin(), entries.end(), [](const Entry& entry) {
    return is_holder(entry["shape"]);
  });
  if (only_holders) require_own_mass(body, entries.front()["shape"]);
  const bool only_touch = only_holders || (whole_mass && body["inertia"].exists() && body["center_of_mass"].exists());
  const double body_density = body["density"].exists() ? body["density"].number()
                              : whole_mass             ? 1.0
                                                       : density_of(model, body_material);
  for (const Entry& entry : entries) {
    refuse_both(entry);
    const bool part_is_holder = is_holder(entry["shape"]);
    if (part_is_holder && (entry["mass"].exists() || entry["density"].exists())) {
      entry.refuse(fmt::format("'{}' is a {}, which has no mass of its own: give it to the body or to other parts",
                               entry.path(), entry["shape"]["type"].text()));
    }
    if (whole_mass && (entry["mass"].exists() || entry["density"].exists())) {
      entry.refuse(
          fmt::format("'{}' has a mass of its own, and so has the whole body; one of both is enough", entry.path()));
    }
    const model::MaterialId own_material = read_material(entry, model);
    const model::MaterialId material = own_material.valid() ? own_material : body_material;
    const double own_density = whole_mass ? 0.0 : density_of(model, own_material);
    const double density = own_density > 0 ? own_density : body_density;
    if (density == 0 && !part_is_holder && !entry["mass"].exists() && !entry["density"].exists()) {
      entry.refuse(fmt::format("'{}' has no mass: give it a mass or a density, or give one to the whole body{}",
                               entry.path(), about_material(model, material)));
    }
    const model::ShapePart shape = read_shape(entry["shape"], planar);
    model::ShapePart part = shape;
    const math::Quaternion turn = read_orientation(entry["orientation"], planar);
    part.orientation = (turn * shape.orientation).normalized();
    part.position = read_in_plane(entry["position"], planar);
    part.name = entry.name();
    part.material = material;
    if (!only_touch && !part_is_holder) {
      masses.push_back(model::placed(read_mass(entry, part.shape, density), part.position, part.orientation));
    }
    result.parts.push_back(std::move(part));
  }
  if (result.parts.empty()) body["parts"].refuse(fmt::format("'{}' is empty", body["parts"].path()));
  if (only_touch) {
    result.mass.mass = body["mass"].number();
    return result;
  }
  result.mass = model::combined(masses);
  if (whole_mass) {
    const double factor = body["mass"].number() / result.mass.mass;
    result.mass.mass *= factor;
    result.mass.inertia *= factor;
  }
  return result;
}

}  // namespace

BodyShape read_body_shape(const Entry& body, const model::Model& model) {
  refuse_both(body);
  BodyShape result;
  if (body["parts"].exists()) {
    if (body["shape"].is_written()) {
      body.refuse(fmt::format("'{}' has a shape and also parts; one of both is enough", body.path()));
    }
    result = read_parts(body, model);
  } else {
    const model::MaterialId material = read_material(body, model);
    const double density = density_of(model, material);
    if (is_holder(body["shape"])) require_own_mass(body, body["shape"]);
    if (density == 0 && !body["mass"].exists() && !body["density"].exists()) {
      body.refuse(fmt::format("'{}' has no mass: give it a 'mass' or a 'density'{}", body.path(),
                              about_material(model, material)));
    }
    result.parts = {read_shape(body["shape"], model.planar)};
    model::ShapePart& part = result.parts.front();
    part.material = material;
    result.mass = model::placed(read_mass(body, part.shape, density), part.position, part.orientation);
  }
  if (model.planar) result.mass.center.z() = 0;  // out of the plane it does not matter
  return result;
}

double read_body_radius(const Entry& body, bool planar) {
  const auto radius_of = [planar](const Entry& shape, const Vector3& position) {
    model::ShapePart part = read_shape(shape, planar);
    part.position = position;
    const contact::FormPart form = contact::make_form_part(part, planar);
    if (!std::isfinite(form.radius)) {
      shape.refuse(fmt::format("'{}' has no limits, so the bodies cannot be kept apart: limit it", shape.path()));
    }
    return form.middle.norm() + form.radius;
  };
  if (!body["parts"].exists()) return radius_of(body["shape"], Vector3::Zero());
  double radius = 0;
  for (const Entry& part : body["parts"].entries()) {
    const Vector3 position = read_in_plane(part["position"], planar);
    radius = std::max(radius, position.norm() + radius_of(part["shape"], Vector3::Zero()));
  }
  return radius;
}

}  // namespace ricochet::io
