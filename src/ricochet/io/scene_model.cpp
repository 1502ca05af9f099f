#include "ricochet/io/scene_model.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "ricochet/io/scene_materials.hpp"
#include "ricochet/io/scene_surfaces.hpp"
#include "ricochet/io/scene_systems.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/io/scene_velocity_conditions.hpp"

namespace ricochet::io {

namespace {

Vector3 attachment_position(const model::Attachment& attachment, const model::Model& model) {
  if (!attachment.node.valid()) return attachment.offset;
  const model::Node& node = model.nodes[attachment.node.index];
  return node.position + node.orientation.rotate(attachment.offset);
}

// What springs of both kinds have.
template <class Spring>
Spring read_spring_basis(const Entry& entry, const BodyIndex& bodies, const model::Model& model) {
  Spring spring;
  spring.name = entry.name();
  spring.start = read_attachment(entry["start"], bodies, model);
  spring.end = read_attachment(entry["end"], bodies, model);
  if (spring.start.node == spring.end.node) {
    entry.refuse(
        fmt::format("both ends of '{}' are on '{}', so it can do nothing", entry.path(), entry["end"]["body"].text()));
  }
  spring.stiffness = entry["stiffness"].number();
  spring.damping = entry["damping"].number();
  return spring;
}

void read_torsion_spring(const Entry& entry, const BodyIndex& bodies, model::Model& model) {
  auto spring = read_spring_basis<model::TorsionSpring>(entry, bodies, model);
  for (const std::string_view end : {"start", "end"}) {
    const model::NodeId node = end == "start" ? spring.start.node : spring.end.node;
    if (node.valid() && model.nodes[node.index].kind == model::NodeKind::point) {
      entry[end].refuse(fmt::format("'{}' is on '{}', a point mass, which does not rotate", entry[end].path(),
                                    entry[end]["body"].text()));
    }
  }
  spring.axis = read_axis(entry["axis"], model.planar);
  spring.free_angle = entry["free_angle"].number();
  model.torsion_springs.push_back(std::move(spring));
}

void read_spring(const Entry& entry, const BodyIndex& bodies, model::Model& model) {
  auto spring = read_spring_basis<model::Spring>(entry, bodies, model);
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

void read_load(const Entry& entry, const BodyIndex& bodies, model::Model& model) {
  model::Load load;
  load.name = entry.name();
  load.point = read_attachment(entry["on"], bodies, model);
  load.axes = entry["axes"].text() == "body" ? model::LoadAxes::body : model::LoadAxes::world;
  const Entry torque = entry["torque"];
  if (!entry["force"].is_written() && !torque.is_written()) {
    entry.refuse(fmt::format("'{}' has neither a force nor a torque", entry.path()));
  }
  load.force = read_functions(entry["force"], model.planar, 2, 2);
  if (torque.is_written() && model.nodes[load.point.node.index].kind == model::NodeKind::point) {
    torque.refuse(fmt::format("'{}' has no meaning: '{}' is a point mass and does not rotate", torque.path(),
                              entry["on"]["body"].text()));
  }
  load.torque = read_turning_functions(torque, model.planar);
  model.loads.push_back(std::move(load));
}

}  // namespace

model::Model read_model(const Entry& scene, std::vector<std::string>& notices) {
  model::Model model;
  model.planar = scene["planar"].boolean();
  model.gravity = read_in_plane(scene["gravity"], model.planar);
  read_materials(scene, model);
  BodyIndex bodies;
  for (const Entry& entry : scene["bodies"].entries()) {
    bodies.emplace(entry.name(), static_cast<int>(model.bodies.size()));
    read_body(entry, model);
  }
  for (const Entry& entry : scene["surfaces"].entries()) read_surface(entry, bodies, model);
  read_drivers(scene, bodies, model);  // they place bodies
  read_joints(scene, bodies, model);
  read_velocity_conditions(scene, bodies, model);
  model::validate(model);  // assembly asks for masses that exist
  read_assembly(scene, model, notices);
  // After everything that places bodies: a spring without a free length is free where they start.
  for (const Entry& entry : scene["springs"].entries()) {
    const bool torsion = entry["type"].text() == "torsion";
    torsion ? read_torsion_spring(entry, bodies, model) : read_spring(entry, bodies, model);
  }
  read_joint_actions(scene, model);
  for (const Entry& entry : scene["loads"].entries()) read_load(entry, bodies, model);
  read_contacts(scene, model);
  read_systems(scene, model);
  read_clearances(scene, bodies, model);
  return model;
}

}  // namespace ricochet::io
