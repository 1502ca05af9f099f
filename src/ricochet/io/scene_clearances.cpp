// The section `clearances`: from points and axes in the world or in bodies to the frames of each clearance joint, and
// to the shapes and contact rules that it is made of (model/assemblies/clearance.hpp).
//
// Points and axes are read as those of joints are, for bodies that stand where the run begins.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "ricochet/contact/gap_rounding.hpp"
#include "ricochet/io/scene_materials.hpp"
#include "ricochet/io/scene_model.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/model/assemblies/clearance_geometry.hpp"
#include "ricochet/model/machine_size.hpp"

namespace ricochet::io {

namespace {

using model::ClearanceType;

class ClearanceReader {
 public:
  ClearanceReader(const BodyIndex& bodies, model::Model& model) : bodies_(bodies), model_(model) {}

  void read(const Entry& entry) {
    for (const model::ContactRule& rule : model_.contacts) {
      if (rule.name != entry.name()) continue;
      entry.refuse(fmt::format("'{}' has the name of a contact rule, and its contacts bear its name: give it another",
                               entry.path()));
    }
    model::Clearance clearance;
    clearance.name = entry.name();
    clearance.type = static_cast<ClearanceType>(entry["type"].choice());
    const std::vector<Entry> sides = entry["between"].entries();
    if (sides[0].text() == sides[1].text()) {
      entry["between"].refuse(
          fmt::format("both sides of '{}' are '{}': a body has no clearance in itself", entry.path(), sides[0].text()));
    }
    clearance.first = body_of(sides[0]);
    clearance.second = body_of(sides[1]);
    clearance.clearance = entry["clearance"].number();
    clearance.law = read_law(entry, {});
    read_sizes(entry, clearance);
    read_points(entry, clearance);
    read_axes(entry, clearance);
    require_inside(entry, clearance);
    try {
      model::add_clearance(std::move(clearance), model_);
    } catch (const std::invalid_argument& error) {
      entry.refuse(error.what());
    }
  }

 private:
  model::BodyId body_of(const Entry& side) {
    if (side.text() == "world") return model::world_body(model_);
    const model::BodyId body{bodies_.at(side.text())};
    if (node_of(body).kind == model::NodeKind::point) {
      side.refuse(
          fmt::format("'{}' is a point mass, which does not rotate and has no room for a clearance: give it an "
                      "inertia",
                      side.text()));
    }
    return body;
  }

  const model::Node& node_of(model::BodyId body) const { return model_.nodes[model_.bodies[body.index].node.index]; }

  void read_sizes(const Entry& entry, model::Clearance& clearance) const {
    if (clearance.type != ClearanceType::translational) clearance.radius = entry["radius"].number();
    if (clearance.type == ClearanceType::spherical) return;
    const bool is_slider = clearance.type == ClearanceType::translational;
    using Keys = std::array<const char*, 2>;
    for (const char* key : is_slider ? Keys{"height", "up"} : Keys{"length", "axial_clearance"}) {
      if (!model_.planar || !entry[key].exists() || !entry[key].is_written()) continue;
      entry[key].refuse(fmt::format("'{}' is for scenes in space; leave it out of a planar scene", entry[key].path()));
    }
    const char* needed = is_slider ? "height" : "length";
    if (!model_.planar && !entry[needed].exists()) {
      entry.refuse(fmt::format("'{}' needs a {}: the scene is not planar", entry.path(), needed));
    }
    if (!is_slider) {
      if (model_.planar) return;
      clearance.half_length = 0.5 * entry["length"].number();
      if (entry["axial_clearance"].exists()) clearance.axial_clearance = entry["axial_clearance"].number();
      return;
    }
    const double width = 0.5 * entry["width"].number();
    clearance.half_size = {0.5 * entry["length"].number(), model_.planar ? width : 0.5 * entry["height"].number(),
                           model_.planar ? 0 : width};
  }

  // A point in the coordinates of a body, and one of the world as a body carries it.
  model::Attachment own_point(model::BodyId body, const Entry& point) const {
    return model::point_of(model_.bodies[body.index], read_in_plane(point, model_.planar));
  }
  model::Attachment carried(model::BodyId body, const Vector3& point) const {
    const model::Node& node = node_of(body);
    return {model_.bodies[body.index].node, node.orientation.rotate_inverse(point - node.position)};
  }

  static void refuse_both(const Entry& entry, const std::string& of_both) {
    if (!entry[of_both].exists()) return;
    for (const char* side : {"_first", "_second"}) {
      if (!entry[of_both + side].exists()) continue;
      entry[of_both + side].refuse(
          fmt::format("'{}' is given in the world and also in a body; one of both is enough", entry[of_both].path()));
    }
  }

  void read_points(const Entry& entry, model::Clearance& clearance) const {
    refuse_both(entry, "at");
    model::Attachment& first = clearance.first_frame.attachment;
    model::Attachment& second = clearance.second_frame.attachment;
    if (entry["at"].exists()) {
      const Vector3 point = read_in_plane(entry["at"], model_.planar);
      first = carried(clearance.first, point);
      second = carried(clearance.second, point);
      return;
    }
    const Entry at_first = entry["at_first"], at_second = entry["at_second"];
    if (at_second.exists()) second = own_point(clearance.second, at_second);
    if (at_first.exists()) {
      first = own_point(clearance.first, at_first);
    } else if (at_second.exists()) {
      first = carried(clearance.first, model::placed(model_, second));
    } else {
      first = model::point_of(model_.bodies[clearance.first.index], Vector3::Zero());
    }
    if (!at_second.exists()) second = carried(clearance.second, model::placed(model_, first));
  }

  void read_axes(const Entry& entry, model::Clearance& clearance) const {
    if (clearance.type == ClearanceType::spherical) {
      set_axes({}, {}, clearance);
      return;
    }
    refuse_both(entry, "axis");
    const bool is_slider = clearance.type == ClearanceType::translational;
    Vector3 first = is_slider ? Vector3::UnitX() : Vector3::UnitZ();
    const auto read_one = [&](const Entry& axis) {
      return is_slider ? read_direction(axis, model_.planar) : read_axis(axis, model_.planar);
    };
    if (entry["axis"].exists()) first = read_one(entry["axis"]);
    Vector3 second = first;
    const Entry of_first = entry["axis_first"], of_second = entry["axis_second"];
    if (of_first.exists()) first = node_of(clearance.first).orientation.rotate(read_one(of_first));
    if (of_second.exists()) second = node_of(clearance.second).orientation.rotate(read_one(of_second));
    if (of_second.exists() && !of_first.exists()) first = second;
    if (of_first.exists() && !of_second.exists()) second = first;
    const math::Quaternion axes = is_slider ? guide_axes(entry, second) : pin_axes(second);
    set_axes(turned_to(second, first) * axes, axes, clearance);
  }

  // From axes in the world at the start to those in bodies.
  void set_axes(const math::Quaternion& first, const math::Quaternion& second, model::Clearance& clearance) const {
    clearance.first_frame.axes = (node_of(clearance.first).orientation.conjugate() * first).normalized();
    clearance.second_frame.axes = (node_of(clearance.second).orientation.conjugate() * second).normalized();
  }

  // x along the axis, y up.
  math::Quaternion guide_axes(const Entry& entry, const Vector3& axis) const {
    const Vector3 given = model_.planar ? math::cross(Vector3::UnitZ(), axis) : read_direction(entry["up"], false);
    const Vector3 across = given - given.dot(axis) * axis;
    // The direction would be rounding only.
    if (across.norm() < 1e-12) {
      entry["up"].refuse(
          fmt::format("'{}' points along the axis of the guide: give a direction across it", entry["up"].path()));
    }
    Matrix3 axes;
    axes << axis, across.normalized(), math::cross(axis, across.normalized());
    return math::Quaternion::from_matrix(axes);
  }

  // z along the axis, x and y as near to those of the world as may be.
  static math::Quaternion pin_axes(const Vector3& axis) { return turned_to(Vector3::UnitZ(), axis); }

  // The smallest rotation that turns one unit vector to another.
  static math::Quaternion turned_to(const Vector3& from, const Vector3& to) {
    const Vector3 normal = math::cross(from, to);
    const double sine = normal.norm(), angle = std::atan2(sine, from.dot(to));
    if (sine > 0) return math::exponential(angle / sine * normal);
    if (angle == 0) return {};
    const Vector3 helper = std::abs(from.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY();
    return math::Quaternion::from_axis_angle(math::cross(from, helper).normalized(), angle);
  }

  void require_inside(const Entry& entry, const model::Clearance& clearance) const {
    const model::Node &first = node_of(clearance.first), &second = node_of(clearance.second);
    const model::ClearancePose pose =
        model::seen_from_second(clearance, first.position, first.orientation, second.position, second.orientation);
    const double lengths = clearance.first_frame.attachment.offset.norm() + clearance.half_length +
                           clearance.second_frame.attachment.offset.norm() + clearance.half_size.norm();
    for (const model::ClearanceElement& element : model::elements_of(clearance, model_.planar)) {
      const double gap = model::gap_of(clearance, element, pose);
      if (gap >= -contact::gap_rounding(first.position, second.position, lengths)) continue;
      entry.refuse(
          fmt::format("'{}' starts outside of its clearance: {} is {:.6g} m too far out (the clearance is {:g} m, and "
                      "the middles are {:.6g} m apart); move one of the bodies or points",
                      entry.path(), element.name, -gap, clearance.clearance, pose.path.norm()));
    }
  }

  const BodyIndex& bodies_;
  model::Model& model_;
};

}  // namespace

void read_clearances(const Entry& scene, const BodyIndex& bodies, model::Model& model) {
  ClearanceReader reader(bodies, model);
  for (const Entry& entry : scene["clearances"].entries()) reader.read(entry);
}

}  // namespace ricochet::io
