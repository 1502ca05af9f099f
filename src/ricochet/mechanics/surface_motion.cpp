#include "ricochet/mechanics/surface_motion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace ricochet::mechanics {

using model::DriverLevel;

namespace {

// Up to the rounding of a velocity that is computed in components.
bool leaves_plane(const Vector3& normal, const Vector3& velocity) {
  return std::abs(normal.dot(velocity)) > 1e-9 * velocity.norm();
}

}  // namespace

SurfaceMotion::SurfaceMotion(const model::Model& model)
    : driver_(model.surfaces.size(), -1), motion_(model.surfaces.size()) {
  for (const model::Surface& surface : model.surfaces) start_.push_back({surface.point, surface.normal});
  for (std::size_t i = 0; i < model.drivers.size(); ++i) {
    const model::Driver& driver = model.drivers[i];
    if (!driver.surface.valid()) continue;
    const int surface = driver.surface.index;
    const Vector3& normal = model.surfaces[surface].normal;
    if (driver_[surface] >= 0) {
      throw std::invalid_argument(fmt::format("the drivers '{}' and '{}' both move the surface '{}'",
                                              model.drivers[driver_[surface]].name, driver.name,
                                              model.surfaces[surface].name));
    }
    driver_[surface] = static_cast<int>(i);
    Motion& motion = motion_[surface];
    if (driver.translation) motion.translation = *driver.translation;
    if (driver.rotation) motion.rotation = *driver.rotation;
    motion.rotation.center = driver.rotation ? driver.rotation->center : model.surfaces[surface].point;
    const std::string& name = model.surfaces[surface].name;
    const bool turns = !motion.rotation.function.is_constant() || motion.rotation.function.value(0) != 0;
    const auto& functions = motion.translation.function;
    const bool changes = motion.translation.level == DriverLevel::velocity &&
                         !(functions[0].is_constant() && functions[1].is_constant() && functions[2].is_constant());
    if (changes && turns) {
      throw std::invalid_argument(
          fmt::format("driver '{}' turns the surface '{}' and moves it with a velocity that changes; prescribe its "
                      "position instead of the velocity",
                      driver.name, name));
    }
    motion.slides = changes;
    for (int power = 0; power < 20 && changes; ++power) {
      if (!leaves_plane(normal, translation_velocity(surface, 1e-3 * std::pow(2.0, power)))) continue;
      throw std::invalid_argument(
          fmt::format("driver '{}' moves the surface '{}' along its normal with a velocity that changes; prescribe its "
                      "position instead of the velocity",
                      driver.name, name));
    }
    const bool tilts = math::cross(motion.rotation.axis, normal).norm() > 1e-12;
    if (tilts && motion.rotation.level == DriverLevel::velocity && !motion.rotation.function.is_constant()) {
      throw std::invalid_argument(
          fmt::format("driver '{}' tilts the surface '{}' with an angular velocity that changes; prescribe its angle "
                      "instead",
                      driver.name, name));
    }
  }
}

Vector3 SurfaceMotion::translation_velocity(int surface, double time) const {
  const model::DrivenTranslation& translation = motion_[surface].translation;
  Vector3 velocity;
  for (int k = 0; k < 3; ++k) velocity[k] = model::driven_rate(translation.level, translation.function[k], time);
  return velocity;
}

// A velocity that is not constant lies in the plane (see the constructor): there the shift does not matter.
Vector3 SurfaceMotion::shift(int surface, double time) const {
  const model::DrivenTranslation& translation = motion_[surface].translation;
  Vector3 shift = Vector3::Zero();
  for (int k = 0; k < 3; ++k) {
    const math::TimeFunction& function = translation.function[k];
    if (translation.level == DriverLevel::position)
      shift[k] = function.value(time) - start_[surface].point[k];
    else if (function.is_constant())
      shift[k] = function.value(0) * time;
  }
  return shift;
}

double SurfaceMotion::angle(int surface, double time) const {
  const model::DrivenRotation& rotation = motion_[surface].rotation;
  if (rotation.level == DriverLevel::position) return rotation.function.value(time) - rotation.function.value(0);
  return rotation.function.is_constant() ? rotation.function.value(0) * time : 0;
}

Vector3 SurfaceMotion::center(int surface, double time) const {
  return motion_[surface].rotation.center + shift(surface, time);
}

PlaneAt SurfaceMotion::plane(int surface, double time) const {
  const PlaneAt& start = start_[surface];
  if (!moves(surface)) return start;
  const Vector3 s = shift(surface, time);
  const double turned = angle(surface, time);
  if (turned == 0) return {start.point + s, start.normal};
  const Vector3& c = motion_[surface].rotation.center;
  const math::Quaternion rotation = math::Quaternion::from_axis_angle(motion_[surface].rotation.axis, turned);
  return {c + s + rotation.rotate(start.point - c), rotation.rotate(start.normal).normalized()};
}

Vector3 SurfaceMotion::velocity(int surface, double time, const Vector3& point) const {
  if (!moves(surface)) return Vector3::Zero();
  const model::DrivenRotation& rotation = motion_[surface].rotation;
  Vector3 velocity = translation_velocity(surface, time);
  if (motion_[surface].slides && leaves_plane(start_[surface].normal, velocity)) {
    throw std::runtime_error(
        fmt::format("at t = {:g} s a driver moves a surface along its normal with a velocity that changes; prescribe "
                    "its position instead of the velocity",
                    time));
  }
  const double turning = model::driven_rate(rotation.level, rotation.function, time);
  if (turning != 0) velocity += math::cross(turning * rotation.axis, point - center(surface, time));
  return velocity;
}

Vector3 SurfaceMotion::angular_velocity(int surface, double time) const {
  if (!moves(surface)) return Vector3::Zero();
  const model::DrivenRotation& rotation = motion_[surface].rotation;
  return model::driven_rate(rotation.level, rotation.function, time) * rotation.axis;
}

}  // namespace ricochet::mechanics
