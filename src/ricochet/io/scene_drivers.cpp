// The section `drivers`: prescribed motion of bodies and surfaces.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "ricochet/io/scene_model.hpp"
#include "ricochet/io/scene_values.hpp"
#include "ricochet/mechanics/surface_motion.hpp"

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
      : scene_(scene), body_entries_(scene["bodies"].entries()), bodies_(bodies), model_(model) {}

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
    refuse_idle_keys(entry, driver);
    if (driver.node.valid()) {
      require_free(entry, driver);
      start_body(entry, driver);
    } else {
      start_surface(entry, driver);
    }
    model_.drivers.push_back(std::move(driver));
    if (model_.drivers.back().surface.valid()) require_place(entry);
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
    if (driver.surface.valid() && model_.surfaces[driver.surface.index].mesh) {
      entry["surface"].refuse(
          fmt::format("'{}' moves '{}', which is a mesh or a height field and stays where it is; drive a plane, or a "
                      "body with this shape",
                      entry.path(), name));
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
    if (driver.node.valid() && !model_.bodies[bodies_.at(entry["body"].text())].origin.isZero(0)) {
      entry.refuse(fmt::format(
          "'{}' moves a body whose centre of mass is not at its origin, which is not possible; drive its rotation, or "
          "describe the body with its centre of mass at the origin",
          entry.path()));
    }
    return translation;
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

  static void refuse_idle_keys(const Entry& entry, const model::Driver& driver) {
    const auto refuse = [&](std::string_view key, std::string_view what) {
      if (!entry[key].is_written()) return;
      entry[key].refuse(fmt::format("'{}' has no meaning here: it {}", entry[key].path(), what));
    };
    if (!driver.translation || driver.surface.valid()) {
      refuse("components", "chooses the translations of a body that are driven");
    }
    if (driver.rotation) return;
    for (const std::string_view key : {"axis", "center", "tilts_freely"}) refuse(key, "belongs to a driven rotation");
  }

  // Two numbers that are meant to be the same, computed in different ways.
  static bool agree(double a, double b) { return std::abs(a - b) <= 1e-9 * (std::abs(a) + std::abs(b)) + 1e-15; }

  // What is driven starts where its driver says. If the scene says another place, one of both is a mistake.
  static void place(const Entry& entry, const Entry& given, const model::DrivenTranslation& translation,
                    Vector3& position) {
    if (translation.level != DriverLevel::position) return;
    for (int i = 0; i < 3; ++i) {
      if (!translation.components[i]) continue;
      const double start = translation.function[i].value(0);
      if (given.is_written() && !agree(start, position[i])) {
        entry["position"].refuse(fmt::format("'{}' starts at {} = {}, but '{}' has {}; leave one out",
                                             entry["position"].path(), "xyz"[i], start, given.path(), position[i]));
      }
      position[i] = start;
    }
  }

  void start_body(const Entry& entry, const model::Driver& driver) {
    const std::string& name = entry["body"].text();
    model::Node& node = model_.nodes[driver.node.index];
    if (driver.translation) {
      place(entry, body_entries_[bodies_.at(name)]["position"], *driver.translation, node.position);
    }
    const Vector3& origin = model_.bodies[bodies_.at(name)].origin;
    if (!driver.rotation || origin.isZero(0)) return;
    // The scene gives the velocity of the origin; the node is the centre of mass, which turns about it from the start.
    const model::DrivenRotation& rotation = *driver.rotation;
    const double rate = model::driven_rate(rotation.level, rotation.function, 0);
    node.velocity += node.orientation.rotate(math::cross(rate * rotation.axis, -origin));
  }

  void start_surface(const Entry& entry, const model::Driver& driver) {
    if (!driver.translation) return;
    model::Surface& surface = model_.surfaces[driver.surface.index];
    const Entry given = scene_["surfaces"].entries()[driver.surface.index]["point"];
    place(entry, given, *driver.translation, surface.point);
  }

  // The place of a plane must follow from what is prescribed: see mechanics/surface_motion.
  void require_place(const Entry& entry) const {
    try {
      const mechanics::SurfaceMotion motion(model_);
    } catch (const std::invalid_argument& error) {
      entry.refuse(error.what());
    }
  }

  const Entry& scene_;
  std::vector<Entry> body_entries_;
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
