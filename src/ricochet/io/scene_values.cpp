#include "ricochet/io/scene_values.hpp"

#include <fmt/format.h>

#include <vector>

namespace ricochet::io {

namespace {

// A component that a planar scene does not have must be the constant 0.
void require_zero(const Entry& component, const math::TimeFunction& function) {
  if (function.is_constant() && function.value(0) == 0) return;
  component.refuse(fmt::format("in a planar scene '{}' must be 0", component.path()));
}

}  // namespace

Vector3 read_in_plane(const Entry& entry, bool planar) {
  Vector3 vector = entry.vector();
  if (planar && vector.z() != 0) {
    entry.refuse(
        fmt::format("in a planar scene the z component of '{}' must be 0, but it is {}", entry.path(), vector.z()));
  }
  return vector;
}

Vector3 read_direction(const Entry& entry, bool planar) {
  const Vector3 vector = read_in_plane(entry, planar);
  const double largest = vector.cwiseAbs().maxCoeff();
  if (largest == 0) entry.refuse(fmt::format("'{}' must not be zero: it gives a direction", entry.path()));
  return (vector / largest).normalized();  // scaled first, so that no length is too large or too small
}

Vector3 read_axis(const Entry& entry, bool planar) {
  const Vector3 axis = read_direction(entry, false);
  if (planar && (axis.x() != 0 || axis.y() != 0)) {
    entry.refuse(fmt::format("in a planar scene '{}' must point along z", entry.path()));
  }
  return axis;
}

math::Quaternion read_orientation(const Entry& entry, bool planar) {
  const Entry quaternion = entry["quaternion"];
  if (!quaternion.exists()) {
    const double angle = entry["angle"].number();
    return math::Quaternion::from_axis_angle(read_axis(entry["axis"], planar && angle != 0), angle);
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

std::array<math::TimeFunction, 3> read_functions(const Entry& entry, bool planar, int first_zero, int last_zero) {
  std::array<math::TimeFunction, 3> functions;
  const std::vector<Entry> components = entry.entries();
  for (int i = 0; i < 3; ++i) {
    functions[i] = components[i].time_function();
    if (planar && i >= first_zero && i <= last_zero) require_zero(components[i], functions[i]);
  }
  return functions;
}

std::array<math::TimeFunction, 3> read_turning_functions(const Entry& entry, bool planar) {
  if (entry.type().element) return read_functions(entry, planar, 0, 1);
  if (!planar) entry.refuse(fmt::format("'{}' must be a list of 3: the scene is not planar", entry.path()));
  return {{{}, {}, entry.time_function()}};
}

model::Attachment read_attachment(const Entry& entry, const BodyIndex& bodies, const model::Model& model) {
  const Vector3 point = read_in_plane(entry["at"], model.planar);
  const std::string& name = entry["body"].text();
  if (name == "world") return {{}, point};
  const model::Body& body = model.bodies[bodies.at(name)];
  if (model.nodes[body.node.index].kind == model::NodeKind::point && point != Vector3::Zero()) {
    entry["at"].refuse(
        fmt::format("'{}' must be [0, 0, 0]: '{}' is a point mass and has no other point", entry["at"].path(), name));
  }
  return model::point_of(body, point);
}

}  // namespace ricochet::io
