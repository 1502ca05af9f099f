#include "ricochet/mechanics/driven_motion.hpp"

namespace ricochet::mechanics {

using model::DriverLevel;

DrivenMotion::DrivenMotion(const model::Model& model, const DofMap& map)
    : drivers_(static_cast<int>(model.drivers.size())) {
  for (std::size_t i = 0; i < model.drivers.size(); ++i) {
    const model::Driver& driver = model.drivers[i];
    if (!driver.node.valid()) continue;
    const int node = driver.node.index;
    const auto add = [&](int component, double factor, DriverLevel level, const math::TimeFunction& function) {
      const int index = map.v_start(node) + component;
      if (!map.is_driven(index)) return;  // out of the plane of a planar machine
      const bool placed = level == DriverLevel::position && component < 3;
      components_.push_back(
          {static_cast<int>(i), index, factor, level, function, node, placed ? map.q_start(node) + component : -1});
    };
    if (driver.translation) {
      for (int k = 0; k < 3; ++k) {
        if (driver.translation->components[k]) add(k, 1, driver.translation->level, driver.translation->function[k]);
      }
    }
    if (driver.rotation) {
      const model::DrivenRotation& rotation = *driver.rotation;
      for (int k = 0; k < 3; ++k) {
        if (rotation.only_about_axis && rotation.axis[k] == 0) continue;
        add(3 + k, rotation.axis[k], rotation.level, rotation.function);
      }
    }
  }
}

void DrivenMotion::set_velocity(double time, VectorX& v) const {
  for (const Component& component : components_) {
    v[component.index] = component.factor * model::driven_rate(component.level, component.function, time);
  }
}

void DrivenMotion::set_mean_velocity(const State& begin, double h, VectorX& v) const {
  const double from = begin.time;
  const double to = begin.time + h;
  for (const Component& component : components_) {
    const math::TimeFunction& function = component.function;
    double mean = 0;
    if (component.coordinate >= 0) {
      mean = (function.value(to) - begin.q[component.coordinate]) / h;
    } else if (component.level == DriverLevel::position) {
      mean = (function.value(to) - function.value(from)) / h;
    } else {
      mean = (function.value(from) + 4 * function.value(from + 0.5 * h) + function.value(to)) / 6;
    }
    v[component.index] = component.factor * mean;
  }
}

void DrivenMotion::set_start(State& state) const {
  set_velocity(state.time, state.v);
  for (const Component& component : components_) {
    if (component.coordinate >= 0) state.q[component.coordinate] = component.function.value(state.time);
  }
}

}  // namespace ricochet::mechanics
