// Simulations: step, run, look.
#include <fmt/format.h>

#include "bindings/live_simulation.hpp"
#include "ricochet/simulation/ledger.hpp"

namespace ricochet::python {

namespace {

Callback checked_callback(py::object function, long every) {
  if (every < 1) throw std::invalid_argument("`every` must be at least 1 step");
  if (function.is_none()) return {};
  return {std::move(function), every};
}

// Looks at a vector of the state, whose place in memory does not change.
template <class Vector>
auto view_of(Vector mechanics::State::*vector) {
  return [vector](const py::object& self) {
    const Vector& values = self.cast<const LiveSimulation&>().simulation().snapshot().instant.state.*vector;
    return live_view(values.data(), {values.size()}, self);
  };
}

auto body_view(std::vector<double> BodyArrays::*values, py::ssize_t width) {
  return [values, width](const py::object& self) {
    auto& live = self.cast<LiveSimulation&>();
    const std::vector<double>& numbers = live.body_arrays().*values;
    return live_view(numbers.data(), {static_cast<py::ssize_t>(numbers.size()) / width, width}, self);
  };
}

py::dict energies_of(const LiveSimulation& self) {
  py::dict result;
  const auto values = simulation::ledger_values(self.simulation().snapshot().ledger);
  for (std::size_t i = 0; i < values.size(); ++i) {
    result[py::str(simulation::ledger_entries[i].data(), simulation::ledger_entries[i].size())] = values[i];
  }
  return result;
}

py::dict probes_of(const LiveSimulation& self) {
  py::dict result;
  std::vector<double> values;
  const simulation::ProbeSet& probes = self.run_case().probes;
  self.unwrap([&] { probes.evaluate(self.simulation().frame(), values); });
  for (int i = 0; i < probes.size(); ++i) {
    if (!probes.hidden(i)) result[py::str(probes.name(i))] = values[static_cast<std::size_t>(i)];
  }
  return result;
}

py::dict statistics_of(const LiveSimulation& self) {
  const simulation::Statistics& all = self.simulation().statistics();
  py::dict result;
  result["steps"] = all.steps;
  result["contacts_max"] = all.contacts_max;
  result["iterations_sum"] = all.iterations_sum;
  result["iterations_max"] = all.iterations_max;
  result["worst_residual"] = all.worst_residual;
  result["unconverged_steps"] = all.unconverged_steps;
  result["max_penetration"] = all.max_penetration;
  result["max_joint_error"] = all.max_joint_error;
  return result;
}

int node_of(const LiveSimulation& self, const std::string& name) {
  const model::Model& model = self.run_case().model;
  for (const model::Body& body : model.bodies) {
    if (body.name == name) return body.node.index;
  }
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    if (model.nodes[i].name == name) return static_cast<int>(i);
  }
  throw py::key_error(fmt::format("there is no body or system '{}'", name));
}

py::slice coordinates_of(const LiveSimulation& self, const std::string& name) {
  const mechanics::DofMap& map = self.simulation().frame().equations.map();
  const int node = node_of(self, name), start = map.q_start(node);
  return {start, start + map.q_size(node), 1};
}

py::slice velocities_of(const LiveSimulation& self, const std::string& name) {
  const mechanics::DofMap& map = self.simulation().frame().equations.map();
  const int node = node_of(self, name), start = map.v_start(node);
  return {start, start + map.v_size(node), 1};
}

}  // namespace

void bind_simulation(py::module_& module) {
  using namespace py::literals;
  register_contact_layout();
  py::class_<LiveSimulation>(module, "Simulation", "A case in motion; case.simulation() makes it.")
      .def("step", &LiveSimulation::step, "count"_a = 1, "Makes steps; gives their number.")
      .def(
          "run",
          [](const py::object& self, std::optional<double> until, py::object callback, long every) {
            return self.cast<LiveSimulation&>().run(self, until, checked_callback(std::move(callback), every));
          },
          "until"_a = py::none(), "callback"_a = py::none(), py::kw_only(), "every"_a = 1,
          "Runs until a time (s), or to the end of the case. callback(simulation) is called after every so many steps; "
          "if its answer is false, but not None, the run stops. Gives the number of steps made.")
      .def(
          "record",
          [](const py::object& self, std::optional<double> until, long every, py::object callback) {
            return self.cast<LiveSimulation&>().record(self, until, every,
                                                       checked_callback(std::move(callback), every));
          },
          "until"_a = py::none(), py::kw_only(), "every"_a = 1, "callback"_a = py::none(),
          "Like run, and keeps a row every so many steps. Gives a Result.")
      .def("set_state", &LiveSimulation::set_state, py::kw_only(), "q"_a = py::none(), "v"_a = py::none(),
           "Puts the machine into another state at the same time. The energy ledger starts anew.")
      .def("snapshot", &LiveSimulation::snapshot, "All that the run must remember, as bytes.")
      .def("restore", &LiveSimulation::restore, "snapshot"_a, "Goes back to a snapshot, to the last bit.")
      .def("value", &LiveSimulation::value, "expression"_a,
           "A probe expression now, such as 'joint.shaft.coordinate/deg'.")
      .def("coordinates_of", &coordinates_of, "name"_a, "Where in q a body is (x y z, then w x y z), or a system.")
      .def("velocities_of", &velocities_of, "name"_a,
           "Where in v a body is (world velocity, body angular velocity), or a system.")
      .def_property_readonly(
          "time", [](const LiveSimulation& self) { return self.simulation().snapshot().instant.state.time; }, "s")
      .def_property_readonly(
          "steps", [](const LiveSimulation& self) { return self.simulation().snapshot().step_index; },
          "Steps made since t = 0.")
      .def_property_readonly("q", view_of(&mechanics::State::q), "Coordinates, a live view.")
      .def_property_readonly("v", view_of(&mechanics::State::v), "Velocities, a live view.")
      .def_property_readonly("a", view_of(&mechanics::State::a), "Mean accelerations of the last step, a live view.")
      .def_property_readonly("positions", body_view(&BodyArrays::position, 3), "Of body origins, m: [body, 3], live.")
      .def_property_readonly("quaternions", body_view(&BodyArrays::quaternion, 4), "w x y z: [body, 4], live.")
      .def_property_readonly("velocities", body_view(&BodyArrays::velocity, 6),
                             "m/s in the world, then rad/s in the body: [body, 6], live.")
      .def_property_readonly("contacts", &LiveSimulation::contacts,
                             "Active contacts of the last step, a structured array of its own.")
      .def_property_readonly(
          "contact_names", [](const LiveSimulation& self) { return self.contact_names().names(); },
          "By contacts['identity'], for the contacts that were looked at so far.")
      .def_property_readonly("bodies",
                             [](const LiveSimulation& self) {
                               std::vector<std::string> names;
                               for (const model::Body& body : self.run_case().model.bodies) names.push_back(body.name);
                               return names;
                             })
      .def_property_readonly("systems",
                             [](const LiveSimulation& self) {
                               std::vector<std::string> names;
                               for (const model::System& system : self.run_case().model.systems) {
                                 names.push_back(system.name);
                               }
                               return names;
                             })
      .def_property_readonly("energies", &energies_of, "The ledger in J, by name.")
      .def_property_readonly("probes", &probes_of, "Probes of the case now, by name.")
      .def_property_readonly("statistics", &statistics_of, "Sums and extremes over all steps.")
      .def_property_readonly(
          "state_hash", [](const LiveSimulation& self) { return simulation::state_hash(self.simulation().snapshot()); })
      .def("__repr__", [](const LiveSimulation& self) {
        return fmt::format("<ricochet.Simulation of '{}' at t = {:.9g} s>", self.run_case().id,
                           self.simulation().snapshot().instant.state.time);
      });
  module.attr("Case").attr("simulation") = py::cpp_function(
      [](const LoadedCase& self, const py::iterable& forces, const py::iterable& systems, const py::dict& probes,
         int threads, bool accept_unconverged) {
        return std::make_unique<LiveSimulation>(self, Additions{forces, systems, probes, threads, accept_unconverged});
      },
      py::name("simulation"), py::is_method(module.attr("Case")), py::kw_only(), "forces"_a = py::tuple(),
      "systems"_a = py::tuple(), "probes"_a = py::dict(), "threads"_a = 1, "accept_unconverged"_a = false,
      "A simulation at t = 0, with user-defined forces and systems; `probes` are further ones, expressions by name. "
      "The "
      "number of threads does not change results.");
}

}  // namespace ricochet::python
