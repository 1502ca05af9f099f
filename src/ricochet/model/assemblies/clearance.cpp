#include "ricochet/model/assemblies/clearance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ricochet/model/assemblies/clearance_geometry.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::model {

namespace {

void require_length(double length, const char* what, const Clearance& clearance) {
  if (std::isfinite(length) && length > 0) return;
  throw std::invalid_argument(fmt::format("the {} of clearance '{}' must be positive", what, clearance.name));
}

void require_sound(const Clearance& clearance, const Model& model) {
  const int bodies = static_cast<int>(model.bodies.size());
  for (const BodyId body : {clearance.first, clearance.second}) {
    if (body.valid() && body.index < bodies && model.nodes[model.bodies[body.index].node.index].kind == NodeKind::frame)
      continue;
    throw std::invalid_argument(fmt::format("clearance '{}' needs two bodies that rotate", clearance.name));
  }
  if (model.bodies[clearance.first.index].node == model.bodies[clearance.second.index].node) {
    throw std::invalid_argument(fmt::format("both sides of clearance '{}' are the same body", clearance.name));
  }
  require_length(clearance.clearance, "clearance", clearance);
  if (clearance.type == ClearanceType::translational) {
    require_length(clearance.half_size.x(), "length", clearance);
    require_length(clearance.half_size.y(), model.planar ? "width" : "height", clearance);
    if (!model.planar) require_length(clearance.half_size.z(), "width", clearance);
    return;
  }
  require_length(clearance.radius, "radius", clearance);
  if (!(clearance.radius > clearance.clearance)) {
    throw std::invalid_argument(
        fmt::format("the radius of clearance '{}' is {:g} m and its clearance {:g} m: nothing is left of what is in it",
                    clearance.name, clearance.radius, clearance.clearance));
  }
  if (clearance.type != ClearanceType::revolute || model.planar) return;
  require_length(clearance.half_length, "length", clearance);
  if (std::isfinite(clearance.axial_clearance)) require_length(clearance.axial_clearance, "axial clearance", clearance);
}

// A shape placed in one of the frames, as a part of the body that carries it.
ShapePart part_in(const JointFrame& frame, Shape shape, const Vector3& place, const math::Quaternion& orientation,
                  std::string name, int channel) {
  ShapePart part;
  part.shape = std::move(shape);
  part.position = frame.attachment.offset + frame.axes.rotate(place);
  part.orientation = (frame.axes * orientation).normalized();
  part.name = std::move(name);
  part.channel = channel;
  return part;
}

// Unbounded, at so far (m) from the origin of the second frame along one of its axes, and looking back.
ShapePart wall(const Clearance& clearance, int axis, double sign, double distance, std::string name, int channel) {
  Vector3 inwards = Vector3::Zero();
  inwards[axis] = -sign;
  // The normal of a face is its z. Its x goes along the guide where it can: in the plane that is the line.
  const Vector3 x = axis == 0 ? Vector3::UnitY() : Vector3::UnitX();
  Matrix3 axes;
  axes << x, math::cross(inwards, x), inwards;
  return part_in(clearance.second_frame, FaceShape{}, -distance * inwards, math::Quaternion::from_matrix(axes),
                 std::move(name), channel);
}

// In the plane the line of a face is turned so that its normal is z x X: see contact/ball_face.hpp.
ShapePart line(const Clearance& clearance, double sign, double distance, std::string name, int channel) {
  Matrix3 axes;
  axes << Vector3(-sign, 0, 0), -Vector3::UnitZ(), Vector3(0, -sign, 0);
  return part_in(clearance.second_frame, FaceShape{}, {0, sign * distance, 0}, math::Quaternion::from_matrix(axes),
                 std::move(name), channel);
}

void add_guide(const Clearance& clearance, bool planar, int channel, std::vector<ShapePart>& parts) {
  constexpr std::array<std::array<const char*, 2>, 2> names = {{{"upper", "lower"}, {"right", "left"}}};
  for (int axis = 1; axis < (planar ? 2 : 3); ++axis) {
    for (const double sign : {1.0, -1.0}) {
      const double distance = clearance.half_size[axis] + clearance.clearance;
      const char* name = names[axis - 1][sign > 0 ? 0 : 1];
      parts.push_back(planar ? line(clearance, sign, distance, name, channel)
                             : wall(clearance, axis, sign, distance, name, channel));
    }
  }
}

}  // namespace

void add_clearance(Clearance clearance, Model& model) {
  require_sound(clearance, model);
  const bool has_ends =
      clearance.type == ClearanceType::revolute && !model.planar && std::isfinite(clearance.axial_clearance);
  int channel = 0;
  for (const ContactRule& rule : model.contacts) channel = std::max(channel, rule.last_channel);
  ++channel;  // and for the ends of a pin, which meet faces, one more: rims must not
  const int end_channel = channel + 1;

  std::vector<ShapePart>& first = model.bodies[clearance.first.index].parts;
  std::vector<ShapePart>& second = model.bodies[clearance.second.index].parts;
  const bool is_slider = clearance.type == ClearanceType::translational;
  for (const ClearanceElement& element : elements_of(clearance, model.planar)) {
    const bool is_end = !is_slider && element.side.z() != 0;
    Shape shape = PointShape{};
    if (!is_slider && !is_end) shape = SphereShape{clearance.radius - clearance.clearance};
    first.push_back(
        part_in(clearance.first_frame, shape, element.place, {}, element.name, is_end ? end_channel : channel));
  }
  if (is_slider) {
    add_guide(clearance, model.planar, channel, second);
  } else if (clearance.type == ClearanceType::spherical) {
    second.push_back(
        part_in(clearance.second_frame, HollowSphereShape{clearance.radius}, Vector3::Zero(), {}, "socket", channel));
  } else {
    second.push_back(part_in(clearance.second_frame, HollowCylinderShape{clearance.radius}, Vector3::Zero(), {},
                             "bearing", channel));
  }
  if (has_ends) {
    for (const double sign : {-1.0, 1.0}) {
      second.push_back(wall(clearance, 2, sign, clearance.half_length + clearance.axial_clearance,
                            sign < 0 ? "thrust1" : "thrust2", end_channel));
    }
  }

  ContactRule rule;
  rule.name = clearance.name;
  rule.first = {{clearance.first, {}}};
  rule.second = {{clearance.second, {}}};
  rule.law = clearance.law;
  rule.first_channel = channel;
  rule.last_channel = has_ends ? end_channel : channel;
  clearance.rule = {static_cast<int>(model.contacts.size())};
  model.contacts.push_back(std::move(rule));
  model.clearances.push_back(std::move(clearance));
}

BodyId world_body(Model& model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].name == "world") return {static_cast<int>(i)};
  }
  Node node;
  node.name = "world";
  node.kind = NodeKind::frame;
  node.fixed.fill(true);
  Body body;
  body.name = node.name;
  body.node = {static_cast<int>(model.nodes.size())};
  model.nodes.push_back(std::move(node));
  model.bodies.push_back(std::move(body));
  return {static_cast<int>(model.bodies.size()) - 1};
}

}  // namespace ricochet::model
