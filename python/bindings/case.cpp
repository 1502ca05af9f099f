// Scenes and cases: load, change parameters, ask what is in them.
#include "bindings/case.hpp"

#include <fmt/format.h>

#include "ricochet/io/scene_choice.hpp"
#include "ricochet/io/scene_notices.hpp"
#include "ricochet/io/shipped_scenes.hpp"

namespace ricochet::python {

namespace {

// A scalar as the command line writes it after --set PATH=.
std::string scalar_text(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::hasattr(value, "item")) return scalar_text(value.attr("item")());  // numbers and truth values of NumPy
  if (PyIndex_Check(value.ptr()) != 0) return py::str(py::int_(py::reinterpret_borrow<py::object>(value)));
  return py::repr(py::float_(py::reinterpret_borrow<py::object>(value)));
}

void add_overrides(const std::string& path, const py::handle& value, std::vector<std::string>& overrides) {
  const bool is_text = py::isinstance<py::str>(value);
  const bool is_array = py::isinstance<py::array>(value) && py::reinterpret_borrow<py::array>(value).ndim() > 0;
  if (!is_text && (is_array || py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))) {
    int index = 0;
    for (const py::handle item : value) add_overrides(fmt::format("{}.{}", path, index++), item, overrides);
    return;
  }
  overrides.push_back(fmt::format("{}={}", path, scalar_text(value)));
}

std::vector<std::string> overrides_of(const py::dict& parameters, const py::dict& set) {
  std::vector<std::string> overrides;
  for (const auto& [name, value] : parameters) {
    add_overrides("parameters." + name.cast<std::string>(), value, overrides);
  }
  for (const auto& [path, value] : set) add_overrides(path.cast<std::string>(), value, overrides);
  return overrides;
}

std::shared_ptr<LoadedCase> load(const py::object& scene, const std::string& variant, const py::dict& parameters,
                                 const py::dict& set) {
  const auto name = py::module_::import("os").attr("fspath")(scene).cast<std::string>();
  const std::vector<std::string> overrides = overrides_of(parameters, set);
  const io::SceneChoice choice = io::choose_scene(name, variant);
  return std::make_shared<LoadedCase>(
      LoadedCase{io::read_scene(choice.path, overrides, choice.variant), choice.path, choice.variant});
}

std::shared_ptr<LoadedCase> read_text(const std::string& text, const std::string& origin, const std::string& variant,
                                      const py::dict& parameters, const py::dict& set) {
  return std::make_shared<LoadedCase>(
      LoadedCase{io::read_scene_text(text, origin, overrides_of(parameters, set), variant), origin, variant});
}

std::shared_ptr<LoadedCase> changed(const LoadedCase& from, const py::dict& parameters, const py::dict& set) {
  std::vector<std::string> overrides = from.run_case().overrides;
  const std::vector<std::string> more = overrides_of(parameters, set);
  overrides.insert(overrides.end(), more.begin(), more.end());
  return std::make_shared<LoadedCase>(
      LoadedCase{io::read_scene_text(from.run_case().source_text, from.origin, overrides, from.variant), from.origin,
                 from.variant});
}

template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> names;
  names.reserve(elements.size());
  for (const auto& element : elements) names.push_back(element.name);
  return names;
}

// A property that lists the names of one kind of element.
template <class Elements>
auto names_in(Elements model::Model::*elements) {
  return [elements](const LoadedCase& self) { return names_of(self.run_case().model.*elements); };
}

std::vector<std::string> spring_names(const LoadedCase& self) {
  std::vector<std::string> names = names_of(self.run_case().model.springs);
  for (const model::TorsionSpring& spring : self.run_case().model.torsion_springs) names.push_back(spring.name);
  return names;
}

std::vector<std::string> probe_names(const LoadedCase& self) {
  std::vector<std::string> names;
  const simulation::ProbeSet& probes = self.run_case().probes;
  for (int i = 0; i < probes.size(); ++i) {
    if (!probes.hidden(i)) names.push_back(probes.name(i));
  }
  return names;
}

py::dict parameters_of(const LoadedCase& self) {
  py::dict result;
  for (const auto& [name, value] : self.run_case().parameters) result[py::str(name)] = value;
  return result;
}

py::tuple gravity_of(const LoadedCase& self) {
  const Vector3& gravity = self.run_case().model.gravity;
  return py::make_tuple(gravity.x(), gravity.y(), gravity.z());
}

}  // namespace

void bind_case(py::module_& module) {
  using namespace py::literals;
  py::class_<LoadedCase, std::shared_ptr<LoadedCase>>(
      module, "Case", "A machine, how it is run, what is watched and which facts must come out. It does not change.")
      .def("changed", &changed, py::kw_only(), "parameters"_a = py::dict(), "set"_a = py::dict(),
           "The same scene read again with other parameters, or other values at paths (as --set PATH=VALUE).")
      .def_property_readonly("id", [](const LoadedCase& self) { return self.run_case().id; })
      .def_property_readonly("name", [](const LoadedCase& self) { return self.run_case().name; })
      .def_property_readonly("description", [](const LoadedCase& self) { return self.run_case().description; })
      .def_property_readonly(
          "source", [](const LoadedCase& self) { return self.run_case().source_text; },
          "The text of the scene, without overrides.")
      .def_property_readonly(
          "overrides", [](const LoadedCase& self) { return self.run_case().overrides; },
          "PATH=VALUE, in the order in which they were applied.")
      .def_property_readonly(
          "notices", [](const LoadedCase& self) { return io::notices_of(self.scene); },
          "Sentences about what is allowed but perhaps not meant.")
      .def_property_readonly("parameters", &parameters_of, "Their values, by name.")
      .def_property_readonly("planar", [](const LoadedCase& self) { return self.run_case().model.planar; })
      .def_property_readonly("gravity", &gravity_of, "m/s^2")
      .def_property_readonly(
          "end", [](const LoadedCase& self) { return self.run_case().settings.end; }, "s")
      .def_property_readonly(
          "step", [](const LoadedCase& self) { return self.run_case().settings.step; }, "s")
      .def_property_readonly("bodies", names_in(&model::Model::bodies), "Names, in the order of all arrays.")
      .def_property_readonly("systems", names_in(&model::Model::systems), "Names of those that the scene has.")
      .def_property_readonly("surfaces", names_in(&model::Model::surfaces), "Names.")
      .def_property_readonly("joints", names_in(&model::Model::joints), "Names.")
      .def_property_readonly("springs", &spring_names, "Names.")
      .def_property_readonly("loads", names_in(&model::Model::loads), "Names.")
      .def_property_readonly("drivers", names_in(&model::Model::drivers), "Names.")
      .def_property_readonly("contacts", names_in(&model::Model::contacts), "Names of the contact rules.")
      .def_property_readonly("probes", &probe_names, "Names.")
      .def_property_readonly(
          "facts", [](const LoadedCase& self) { return names_of(self.run_case().facts); },
          "Names of what must come out of a run.")
      .def("__repr__", [](const LoadedCase& self) {
        return fmt::format("<ricochet.Case '{}': {} bodies>", self.run_case().id, self.run_case().model.bodies.size());
      });
  module.def(
      "load", &load, "scene"_a, "variant"_a = "", py::kw_only(), "parameters"_a = py::dict(), "set"_a = py::dict(),
      "Reads a scene: a file, the id of a shipped scene, or ID/VARIANT. `parameters` gives parameters other values, "
      "`set` any scalar by its path, as --set PATH=VALUE does.");
  module.def("read_scene_text", &read_text, "text"_a, "origin"_a = "scene", "variant"_a = "", py::kw_only(),
             "parameters"_a = py::dict(), "set"_a = py::dict(),
             "Reads a scene from a text; `origin` names it in messages.");
  module.def("scenes", &io::shipped_scenes, "The ids of the scenes that come with the program.");
}

}  // namespace ricochet::python
