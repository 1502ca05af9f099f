// The section `bodies`: nodes with their initial motion, and the bodies on them.
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "ricochet/io/scene_model.hpp"
#include "ricochet/io/scene_shapes.hpp"
#include "ricochet/io/scene_values.hpp"

namespace ricochet::io {

namespace {

Matrix3 read_inertia(const Entry& entry) {
  if (!entry.type().element) return entry.number() * Matrix3::Identity();
  const std::vector<Entry> rows = entry.entries();
  Matrix3 inertia = Matrix3::Zero();
  for (int i = 0; i < 3; ++i) {
    if (rows[i].type().element) {
      inertia.row(i) = rows[i].vector().transpose();
    } else {
      inertia(i, i) = rows[i].number();
    }
  }
  if (inertia != inertia.transpose()) entry.refuse(fmt::format("the tensor '{}' is not symmetric", entry.path()));
  return inertia;
}

Vector3 read_angular_velocity(const Entry& entry, bool planar) {
  if (!entry.type().element) {
    if (!planar) entry.refuse(fmt::format("'{}' must be a list of 3 numbers: the scene is not planar", entry.path()));
    return {0, 0, entry.number()};
  }
  Vector3 vector = entry.vector();
  if (planar && (vector.x() != 0 || vector.y() != 0)) {
    entry.refuse(fmt::format("in a planar scene the x and y components of '{}' must be 0", entry.path()));
  }
  return vector;
}

void read_fixed(const Entry& entry, model::Node& node) {
  constexpr std::array<std::string_view, 6> kComponents = {"x", "y", "z", "rx", "ry", "rz"};
  for (const Entry& component : entry.entries()) {
    for (std::size_t i = 0; i < kComponents.size(); ++i) {
      if (component.text() != kComponents[i]) continue;
      if (i >= 3 && node.kind == model::NodeKind::point) {
        component.refuse(fmt::format("'{}' does not rotate, so '{}' cannot be fixed", node.name, component.text()));
      }
      if (node.fixed[i]) component.refuse(fmt::format("'{}' is fixed twice", component.text()));
      node.fixed[i] = true;
      const double rate = i < 3 ? node.velocity[static_cast<int>(i)] : node.angular_velocity[static_cast<int>(i) - 3];
      if (rate != 0) {
        component.refuse(fmt::format("'{}' is fixed at '{}', but its initial velocity there is {}", node.name,
                                     component.text(), rate));
      }
    }
  }
}

// The node goes to the centre of mass, or stays at the origin if the translation is fixed: see model::Body.
void place_node(const Entry& entry, const Vector3& center, bool planar, model::Node& node, model::Body& body) {
  if (center.isZero(0)) return;
  const int fixed =
      static_cast<int>(node.fixed[0]) + static_cast<int>(node.fixed[1]) + static_cast<int>(!planar && node.fixed[2]);
  if (fixed == (planar ? 2 : 3)) {
    body.center = center;
    return;
  }
  if (fixed > 0) {
    entry["fixed"].refuse(
        fmt::format("'{}' fixes some translations of a body whose centre of mass is not at its origin; fix all of them "
                    "(the body then turns about its origin) or none",
                    entry["fixed"].path()));
  }
  body.origin = -center;
  for (model::ShapePart& part : body.parts) part.position -= center;
  const Vector3 arm = node.orientation.rotate(center);
  node.position += arm;
  node.velocity += math::cross(node.orientation.rotate(node.angular_velocity), arm);
}

}  // namespace

void read_body(const Entry& entry, model::Model& model) {
  BodyShape shape = read_body_shape(entry, model);
  const Entry inertia = entry["inertia"];
  const Entry given_center = entry["center_of_mass"];
  if (given_center.exists() && !inertia.exists()) {
    given_center.refuse(fmt::format(
        "'{}' moves the centre of mass, so the inertia is not that of the homogeneous solid: give the 'inertia' too",
        given_center.path()));
  }
  const bool is_point = shape.parts.size() == 1 && std::holds_alternative<model::PointShape>(shape.parts[0].shape);
  const Vector3 center = given_center.exists() ? read_in_plane(given_center, model.planar) : shape.mass.center;

  model::Body body;
  body.name = entry.name();
  body.node = {static_cast<int>(model.nodes.size())};
  body.mass = shape.mass.mass;
  body.inertia = inertia.exists() ? read_inertia(inertia) : shape.mass.inertia;
  body.parts = std::move(shape.parts);

  model::Node node;
  node.name = body.name;
  node.position = read_in_plane(entry["position"], model.planar);
  node.velocity = read_in_plane(entry["velocity"], model.planar);
  if (is_point && !inertia.exists() && !center.isZero(0)) {
    entry.refuse(fmt::format("'{}' is a single point beside its origin: put the body there, or give it an inertia",
                             entry.path()));
  }
  // A point is a mass without rotation, unless it is said to have an inertia.
  if (!is_point || inertia.exists()) {
    node.kind = model::NodeKind::frame;
    node.orientation = read_orientation(entry["orientation"], model.planar);
    node.angular_velocity = read_angular_velocity(entry["angular_velocity"], model.planar);
  } else {
    for (const std::string_view key : {"orientation", "angular_velocity"}) {
      if (!entry[key].is_written()) continue;
      entry[key].refuse(fmt::format("'{}' has no meaning: a point mass does not rotate; give it a shape or an inertia",
                                    entry[key].path()));
    }
  }
  body.appears = entry["appears"].number();
  if (const Entry disappears = entry["disappears"]; disappears.exists()) {
    body.disappears = disappears.number();
    if (!(body.disappears > body.appears)) {
      disappears.refuse(fmt::format("'{}' is {} s, but the body appears at {} s only", disappears.path(),
                                    body.disappears, body.appears));
    }
  }
  read_fixed(entry["fixed"], node);
  place_node(entry, center, model.planar, node, body);
  model.nodes.push_back(std::move(node));
  model.bodies.push_back(std::move(body));
}

}  // namespace ricochet::io
