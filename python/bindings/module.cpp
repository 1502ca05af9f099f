#include "bindings/bindings.hpp"
#include "ricochet/io/version.hpp"

PYBIND11_MODULE(_ricochet, module) {
  using namespace ricochet::python;
  module.doc() = "The compiled part of ricochet: scenes, simulations, contact problems and results.";
  module.attr("__version__") = std::string(ricochet::io::version());
  bind_errors(module);
  bind_forces(module);
  bind_systems(module);
  bind_case(module);
  bind_simulation(module);
  bind_run(module);
  bind_problem(module);
  bind_result(module);
}
