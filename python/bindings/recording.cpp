#include "bindings/recording.hpp"

#include "ricochet/mechanics/material_point.hpp"

namespace ricochet::python {

void BodyArrays::clear() {
  position.clear();
  quaternion.clear();
  velocity.clear();
}

void BodyArrays::append(const simulation::Frame& frame) {
  const mechanics::DofMap& map = frame.equations.map();
  for (const model::Body& body : frame.model.bodies) {
    const mechanics::MaterialPoint origin(model::point_of(body, Vector3::Zero()));
    const int node = body.node.index;
    const Vector3 x = origin.position(map, frame.state), v = origin.velocity(map, frame.state);
    const math::Quaternion q = mechanics::orientation(map, frame.state, node);
    Vector3 turn = Vector3::Zero();
    if (map.is_frame(node)) turn = frame.state.v.segment<3>(map.v_start(node) + 3);
    position.insert(position.end(), x.begin(), x.end());
    quaternion.insert(quaternion.end(), {q.w, q.x, q.y, q.z});
    velocity.insert(velocity.end(), v.begin(), v.end());
    velocity.insert(velocity.end(), turn.begin(), turn.end());
  }
}

Recording::Recording(const study::Case& run_case) : case_(run_case) {
  for (int i = 0; i < run_case.probes.size(); ++i) {
    if (!run_case.probes.hidden(i)) visible_.push_back(i);
  }
}

void Recording::add_row(const simulation::Frame& frame) {
  simulation::Frame row = frame;
  row.contacts = tally_.records();
  time_.push_back(row.state.time);
  case_.probes.evaluate(row, visible_, values_);
  probes_.insert(probes_.end(), values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(visible_.size()));
  const auto energies = simulation::ledger_values(row.ledger);
  energies_.insert(energies_.end(), energies.begin(), energies.end());
  bodies_.append(row);
  append_contacts(row.contact_set, row.state.time, row.contacts, contact_names_, contacts_);
  tally_.clear();
}

py::object Recording::result() const {
  const auto rows = static_cast<py::ssize_t>(time_.size());
  const auto bodies = static_cast<py::ssize_t>(case_.model.bodies.size());
  py::list probe_names, energy_names, body_names, surface_names;
  for (const int probe : visible_) probe_names.append(case_.probes.name(probe));
  for (const std::string_view name : simulation::ledger_entries) energy_names.append(std::string(name));
  for (const model::Body& body : case_.model.bodies) body_names.append(body.name);
  for (const model::Surface& surface : case_.model.surfaces) surface_names.append(surface.name);
  py::dict columns;
  columns["time"] = new_array(time_, {rows});
  columns["probe_names"] = probe_names;
  columns["probe_values"] = new_array(probes_, {rows, static_cast<py::ssize_t>(visible_.size())});
  columns["energy_names"] = energy_names;
  columns["energy_values"] = new_array(energies_, {rows, static_cast<py::ssize_t>(simulation::ledger_entries.size())});
  columns["bodies"] = body_names;
  columns["surfaces"] = surface_names;
  columns["positions"] = new_array(bodies_.position, {rows, bodies, 3});
  columns["quaternions"] = new_array(bodies_.quaternion, {rows, bodies, 4});
  columns["velocities"] = new_array(bodies_.velocity, {rows, bodies, 6});
  columns["contacts"] = contact_array(contacts_);
  columns["contact_names"] = contact_names_.names();
  py::list rules;
  for (const model::ContactRule& rule : case_.model.contacts) rules.append(rule.name);
  columns["contact_rules"] = rules;
  return py::module_::import("ricochet.results").attr("Result")(**columns);
}

}  // namespace ricochet::python
