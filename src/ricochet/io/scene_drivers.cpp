// The section `drivers`: prescribed motion of bodies and surfaces.
#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "ricochet/io/scene_model.hpp"
#include "ricochet/io/scene_values.hpp"

namespace ricochet::io {

namespace {

using model::DriverLevel;

// Which of two keys says what is prescribed; neither: nothing is.
bool has_one_of(const Entry& entry, std::string_view position, std::string_view velocity) {
  if (entry[position].exists() && entry[velocity].exists()) {
    entry.refuse(fmt::format("'{}' prescribes '{}' and also '{}'; one follows from the other", entry.path(), position,
                             velocity));
  }
  return entry[position].exists() || entry[velocity].exists();
}

void read_components(const Entry& entry, bool planar, model::DrivenTranslation& translation) {
  constexpr std::string_view kNames = "xyz";
  if (!entry.exists()) return;
  translation.components = {};
  for (const Entry& component : entry.entries()) {
    const std::size_t index = kNames.find(component.text());
    if (planar && index == 2) component.refuse("in a planar scene nothing moves along z");
    translation.components[index] = true;
  }
}

class DriverReader {
 public:
  DriverReader(const Entry& scene, const BodyIndex& bodies, model::Model& model)
      : scene_(scene), bodies_(bodies), model_(model) {}

  void read(const Entry& entry) {
    model::Driver driver;
    driver.name = entry.name();
    read_target(entry, driver);
    const bool translates = has_one_of(entry, "position", "velocity");
    const bool rotates = has_one_of(entry, "angle", "angular_velocity");
    if (!translates && !rotates) {
      entry.refuse(
          fmt::format("'{}' prescribes nothing: give a position, velocity, angle or angular_velocity", entry.path()));
    }
    if (translates) driver.translation = read_translation(entry, driver);
    if (rotates) driver.rotation = read_rotation(entry, driver);
    const Entry components = entry["components"];
    if (components.exists() && (!translates || driver.surface.valid())) {
      components.refuse(fmt::format("'{}' has no meaning here: it chooses the translations of a body that are driven",
                                    components.path()));
    }
    if (driver.node.valid()) {
      require_free(entry, driver);
      require_start(entry, driver);
    }
    model_.drivers.push_back(std::move(driver));
  }

 private:
  void read_target(const Entry& entry, model::Driver& driver) const {
    const bool has_body = entry["body"].exists();
    if (has_body == entry["surface"].exists()) {
      entry.refuse(fmt::format("'{}' must drive either a body or a surface", entry.path()));
    }
    if (has_body) {
      driver.node = model_.bodies[bodies_.at(entry["body"].text())].node;
      return;
    }
    const std::string& name = entry["surface"].text();
    for (std::size_t i = 0; i < model_.surfaces.size(); ++i) {
      if (model_.surfaces[i].name == name) driver.surface = {static_cast<int>(i)};
    }
    for (const model::Driver& other : model_.drivers) {
      if (other.surface == driver.surface && driver.surface.valid()) {
        entry.refuse(
            fmt::format("'{}' and the driver '{}' both move the surface '{}'; one driver may prescribe "
                        "translation and rotation",
                        entry.path(), other.name, name));
      }
    }
  }

  model::DrivenTranslation read_translation(const Entry& entry, const model::Driver& driver) const {
    model::DrivenTranslation translation;
    const bool has_position = entry["position"].exists();
    translation.level = has_position ? DriverLevel::position : DriverLevel::velocity;
    translation.function = read_functions(entry[has_position ? "position" : "velocity"], model_.planar, 2, 2);
    read_components(entry["components"], model_.planar, translation);
    if (driver.node.valid() && !body_of(driver.node).origin.isZero(0)) {
      entry.refuse(fmt::format(
          "'{}' moves a body whose centre of mass is not at its origin, which is not possible; drive its rotation, or "
          "describe the body with its centre of mass at the origin",
          entry.path()));
    }
    if (driver.surface.valid()) require_no_integral(entry["velocity"], driver, translation);
    return translation;
  }

  // See mechanics/surface_motion: the place of a plane follows from a velocity only if that is constant.
  void require_no_integral(const Entry& velocity, const model::Driver& driver,
                           const model::DrivenTranslation& translation) const {
    const model::Surface& surface = model_.surfaces[driver.surface.index];
    for (int i = 0; i < 3 && translation.level == DriverLevel::velocity; ++i) {
      if (surface.normal[i] == 0 || translation.function[i].is_constant()) continue;
      velocity.refuse(
          fmt::format("'{}' moves '{}' along its normal with a velocity that changes in time; prescribe "
                      "its position instead",
                      velocity.path(), surface.name));
    }
  }

  model::DrivenRotation read_rotation(const Entry& entry, const model::Driver& driver) const {
    model::DrivenRotation rotation;
    const bool has_angle = entry["angle"].exists();
    rotation.level = has_angle ? DriverLevel::position : DriverLevel::velocity;
    const Entry function = entry[has_angle ? "angle" : "angular_velocity"];
    rotation.function = function.time_function();
    rotation.axis = read_axis(entry["axis"], model_.planar);
    rotation.only_about_axis = entry["tilts_freely"].boolean();
    if (driver.surface.valid()) {
      rotation.center = entry["center"].exists() ? read_in_plane(entry["center"], model_.planar)
                                                 : model_.surfaces[driver.surface.index].point;
      const Vector3& normal = model_.surfaces[driver.surface.index].normal;
      const bool tilts = math::cross(rotation.axis, normal).norm() > 1e-12;
      if (tilts && !has_angle && !rotation.function.is_constant()) {
        function.refuse(
            fmt::format("'{}' tilts the surface with an angular velocity that changes in time; prescribe "
                        "its angle instead",
                        function.path()));
      }
    } else {
      if (entry["center"].exists()) {
        entry["center"].refuse(
            fmt::format("'{}' has no meaning: a body turns about its own node", entry["center"].path()));
      }
      if (model_.nodes[driver.node.index].kind == model::NodeKind::point) {
        function.refuse(fmt::format("'{}' has no meaning: '{}' is a point mass and does not rotate", function.path(),
                                    entry["body"].text()));
      }
    }
    if (rotation.only_about_axis) require_body_axis(entry, driver, rotation);
    return rotation;
  }

  void require_body_axis(const Entry& entry, const model::Driver& driver, const model::DrivenRotation& rotation) const {
    const bool fits = driver.node.valid() && rotation.level == DriverLevel::velocity &&
                      rotation.axis.cwiseAbs().maxCoeff() == 1 && !model_.planar;
    if (fits) return;
    entry["tilts_freely"].refuse(
        fmt::format("'{}' needs the angular_velocity of a body in space about its own x, y or z axis",
                    entry["tilts_freely"].path()));
  }

  const model::Body& body_of(model::NodeId node) const {
    for (const model::Body& body : model_.bodies) {
      if (body.node == node) return body;
    }
    return model_.bodies.front();
  }

  // What is driven must not be fixed, nor driven by somebody else, nor have been given another velocity.
  void require_free(const Entry& entry, const model::Driver& driver) {
    constexpr std::array<std::string_view, 6> kNames = {"x", "y", "z", "rx", "ry", "rz"};
    const model::Node& node = model_.nodes[driver.node.index];
    driven_.resize(model_.nodes.size());
    for (int i = 0; i < 6; ++i) {
      if (!model::drives(driver, i)) continue;
      if (model_.planar && i >= 2 && i <= 4) continue;
      if (node.fixed[i] || driven_[driver.node.index][i]) {
        entry.refuse(fmt::format("'{}' drives '{}' of '{}', which {} already", entry.path(), kNames[i], node.name,
                                 node.fixed[i] ? "is fixed" : "another driver moves"));
      }
      driven_[driver.node.index][i] = true;
      const double given = i < 3 ? node.velocity[i] : node.angular_velocity[i - 3];
      if (given != 0) {
        entry.refuse(fmt::format("'{}' drives '{}' of '{}', which also has an initial velocity there; leave it out",
                                 entry.path(), kNames[i], node.name));
      }
    }
  }

  // A driven body starts where its driver says. If the scene says another place, one of both is a mistake.
  void require_start(const Entry& entry, const model::Driver& driver) const {
    if (!driver.translation || driver.translation->level != DriverLevel::position) return;
    const model::Node& node = model_.nodes[driver.node.index];
    for (const Entry& body : scene_["bodies"].entries()) {
      if (body.name() != node.name || !body["position"].is_written()) continue;
      for (int i = 0; i < 3; ++i) {
        const double start = driver.translation->function[i].value(0);
        if (!driver.translation->components[i] || std::abs(start - node.position[i]) <= 1e-9 * std::abs(start))
          continue;
        entry["position"].refuse(fmt::format("'{}' starts at {} = {}, but 'bodies.{}.position' has {}; leave one out",
                                             entry["position"].path(), "xyz"[i], start, node.name, node.position[i]));
      }
    }
  }

  const Entry& scene_;
  const BodyIndex& bodies_;
  model::Model& model_;
  std::vector<std::array<bool, 6>> driven_;
};

}  // namespace

void read_drivers(const Entry& scene, const BodyIndex& bodies, model::Model& model) {
  DriverReader reader(scene, bodies, model);
  for (const Entry& entry : scene["drivers"].entries()) reader.read(entry);
}

}  // namespace ricochet::io
