#include "ricochet/io/scene_model.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace ricochet::io {

namespace {

using BodyIndex = std::unordered_map<std::string, int>;

// In planar scenes only motion in the x-y plane exists.
void require_in_plane(const Entry& vector, bool planar, double z) {
  if (!planar || z == 0) return;
  vector.refuse(fmt::format("in a planar scene the z component of '{}' must be 0, but it is {}", vector.path(), z));
}

Vector3 read_in_plane(const Entry& entry, bool planar) {
  Vector3 vector = entry.vector();
  require_in_plane(entry, planar, vector.z());
  return vector;
}

Vector3 read_direction(const Entry& entry, bool planar) {
  const Vector3 vector = read_in_plane(entry, planar);
  const double largest = vector.cwiseAbs().maxCoeff();
  if (largest == 0) entry.refuse(fmt::format("'{}' must not be zero: it gives a direction", entry.path()));
  return (vector / largest).normalized();  // scaled first, so that no length is too large or too small
}

model::Shape read_shape(const Entry& entry, bool planar) {
  const std::string& type = entry["type"].text();
  if (type == "sphere") return model::SphereShape{entry["radius"].number()};
  if (type == "point") return model::PointShape{};
  Vector3 size = Vector3::Ones();  // the extent out of the plane does not matter
  const std::vector<Entry> edges = entry["size"].entries();
  if (!planar && edges.size() < 3) {
    entry["size"].refuse(fmt::format("'{}' needs three edges: the scene is not planar", entry["size"].path()));
  }
  for (std::size_t i = 0; i < edges.size(); ++i) size[static_cast<int>(i)] = edges[i].number();
  return model::BoxShape{0.5 * size};
}

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

math::Quaternion read_orientation(const Entry& entry, bool planar) {
  const Entry quaternion = entry["quaternion"];
  if (!quaternion.exists()) {
    const Vector3 axis = read_direction(entry["axis"], false);
    const double angle = entry["angle"].number();
    if (planar && angle != 0 && (axis.x() != 0 || axis.y() != 0)) {
      entry["axis"].refuse(fmt::format("in a planar scene '{}' must point along z", entry["axis"].path()));
    }
    return math::Quaternion::from_axis_angle(axis, angle);
  }
  if (entry["axis"].is_written() || entry["angle"].is_written()) {
    entry.refuse(
        fmt::format("'{}' has a quaternion and also an axis or an angle; one of both is enough", entry.path()));
  }
  std::array<double, 4> q{};
  const std::vector<Entry> components = quaternion.entries();
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = components[i].number();
  const math::Quaternion result = math::Quaternion{q[0], q[1], q[2], q[3]};
  if (result.norm() == 0) quaternion.refuse(fmt::format("'{}' must not be zero", quaternion.path()));
  if (planar && (result.x != 0 || result.y != 0)) {
    quaternion.refuse(
        fmt::format("in a planar scene '{}' must be a rotation about z: [w, 0, 0, z]", quaternion.path()));
  }
  return result.normalized();
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

void read_body(const Entry& entry, model::Model& model) {
  model::Body body;
  body.name = entry.name();
  body.node = {static_cast<int>(model.nodes.size())};
  body.mass = entry["mass"].number();
  const model::Shape shape = read_shape(entry["shape"], model.planar);
  body.parts = {{shape}};

  model::Node node;
  node.name = body.name;
  node.position = read_in_plane(entry["position"], model.planar);
  node.velocity = read_in_plane(entry["velocity"], model.planar);
  const Entry inertia = entry["inertia"];
  if (!std::holds_alternative<model::PointShape>(shape)) {
    node.kind = model::NodeKind::frame;
    node.orientation = read_orientation(entry["orientation"], model.planar);
    node.angular_velocity = read_angular_velocity(entry["angular_velocity"], model.planar);
    body.inertia = inertia.exists() ? read_inertia(inertia) : model::solid_inertia(shape, body.mass);
  } else {
    for (const std::string_view key : {"inertia", "orientation", "angular_velocity"}) {
      if (!entry[key].is_written()) continue;
      entry[key].refuse(fmt::format("'{}' has no meaning: in this version a {} does not rotate; leave it out",
                                    entry[key].path(), model::shape_name(shape)));
    }
  }
  read_fixed(entry["fixed"], node);
  model.nodes.push_back(std::move(node));
  model.bodies.push_back(std::move(body));
}

void read_surface(const Entry& entry, const BodyIndex& bodies, model::Model& model) {
  const std::string name = entry.name();
  if (bodies.contains(name)) {
    entry.refuse(fmt::format("'{}' is the name of a body and of a surface; contacts could not tell them apart", name));
  }
  model.surfaces.push_back(
      {name, read_in_plane(entry["point"], model.planar), read_direction(entry["normal"], model.planar)});
}

model::Attachment read_attachment(const Entry& entry, const BodyIndex& bodies, const model::Model& model) {
  model::Attachment attachment;
  attachment.offset = read_in_plane(entry["at"], model.planar);
  const std::string& name = entry["body"].text();
  if (name == "world") return attachment;
  const model::Body& body = model.bodies[bodies.at(name)];
  attachment.node = body.node;
  if (model.nodes[body.node.index].kind == model::NodeKind::point && attachment.offset != Vector3::Zero()) {
    entry["at"].refuse(
        fmt::format("'{}' must be [0, 0, 0]: in this version a {} does not rotate and has no other point",
                    entry["at"].path(), model::shape_name(body)));
  }
  return attachment;
}

Vector3 attachment_position(const model::Attachment& attachment, const model::Model& model) {
  if (!attachment.node.valid()) return attachment.offset;
  const model::Node& node = model.nodes[attachment.node.index];
  return node.position + node.orientation.rotate(attachment.offset);
}

void read_spring(const Entry& entry, const BodyIndex& bodies, model::Model& model) {
  model::Spring spring;
  spring.name = entry.name();
  spring.start = read_attachment(entry["start"], bodies, model);
  spring.end = read_attachment(entry["end"], bodies, model);
  if (spring.start.node == spring.end.node) {
    entry.refuse(
        fmt::format("both ends of '{}' are on '{}', so it can do nothing", entry.path(), entry["end"]["body"].text()));
  }
  spring.stiffness = entry["stiffness"].number();
  spring.damping = entry["damping"].number();
  const Vector3 line = attachment_position(spring.end, model) - attachment_position(spring.start, model);
  if (entry["axis"].exists()) spring.axis = read_direction(entry["axis"], model.planar);
  const Entry free_length = entry["free_length"];
  const double initial = spring.axis ? spring.axis->dot(line) : line.norm();
  spring.free_length = free_length.exists() ? free_length.number() : initial;
  if (!spring.axis && initial == 0 && spring.free_length > 0) {
    entry.refuse(
        fmt::format("the ends of '{}' coincide at the start, so its force has no direction; move one of them or "
                    "give an axis",
                    entry.path()));
  }
  model.springs.push_back(std::move(spring));
}

// A component that a planar scene does not have must be the constant 0.
void require_zero(const Entry& component, const math::TimeFunction& function) {
  if (function.is_constant() && function.value(0) == 0) return;
  component.refuse(fmt::format("in a planar scene '{}' must be 0", component.path()));
}

void read_load(const Entry& entry, const BodyIndex& bodies, model::Model& model) {
  model::Load load;
  load.name = entry.name();
  load.point = read_attachment(entry["on"], bodies, model);
  const Entry torque = entry["torque"];
  if (!entry["force"].is_written() && !torque.is_written()) {
    entry.refuse(fmt::format("'{}' has neither a force nor a torque", entry.path()));
  }
  const std::vector<Entry> force = entry["force"].entries();
  for (std::size_t i = 0; i < 3; ++i) load.force[i] = force[i].time_function();
  if (model.planar) require_zero(force[2], load.force[2]);

  if (torque.is_written() && model.nodes[load.point.node.index].kind == model::NodeKind::point) {
    torque.refuse(fmt::format("'{}' has no meaning: '{}' does not rotate in this version", torque.path(),
                              entry["on"]["body"].text()));
  }
  if (!torque.type().element) {
    if (!model.planar) torque.refuse(fmt::format("'{}' must be a list of 3: the scene is not planar", torque.path()));
    load.torque[2] = torque.time_function();
  } else {
    const std::vector<Entry> components = torque.entries();
    for (std::size_t i = 0; i < 3; ++i) {
      load.torque[i] = components[i].time_function();
      if (model.planar && i < 2) require_zero(components[i], load.torque[i]);
    }
  }
  model.loads.push_back(std::move(load));
}

}  // namespace

model::Model read_model(const Entry& scene) {
  model::Model model;
  model.planar = scene["planar"].boolean();
  model.gravity = read_in_plane(scene["gravity"], model.planar);
  BodyIndex bodies;
  for (const Entry& entry : scene["bodies"].entries()) {
    bodies.emplace(entry.name(), static_cast<int>(model.bodies.size()));
    read_body(entry, model);
  }
  for (const Entry& entry : scene["surfaces"].entries()) read_surface(entry, bodies, model);
  for (const Entry& entry : scene["springs"].entries()) read_spring(entry, bodies, model);
  for (const Entry& entry : scene["loads"].entries()) read_load(entry, bodies, model);
  read_contacts(scene, model);
  return model;
}

}  // namespace ricochet::io
