#include "bindings/additions.hpp"

#include <fmt/format.h>

#include "bindings/forces.hpp"
#include "bindings/systems.hpp"

namespace ricochet::python {

study::Case with_additions(const LoadedCase& loaded, const Additions& additions,
                           const std::shared_ptr<PendingError>& pending) {
  study::Case result = loaded.run_case();
  add_forces(additions.forces, pending, result.model);
  add_systems(additions.systems, pending, result.model);
  for (const auto& [name, text] : additions.probes) {
    result.probes.add(result.model, py::str(name), probe_expression(result, py::str(text)));
  }
  result.settings.threads = checked_threads(additions.threads);
  result.settings.accept_unconverged = additions.accept_unconverged;
  return result;
}

math::Expression probe_expression(const study::Case& run_case, const std::string& text) {
  const auto parameter = [&](std::string_view name) -> std::optional<double> {
    for (const auto& [known, number] : run_case.parameters) {
      if (known == name) return number;
    }
    return {};
  };
  std::string why;
  const auto is_name = [&](std::string_view name) {
    return parameter(name).has_value() || simulation::parse_probe_source(run_case.model, name, &why).has_value();
  };
  try {
    return math::Expression::parse(text, is_name).bind(parameter);
  } catch (const math::ExpressionError& error) {
    throw std::invalid_argument(
        fmt::format("'{}': {}", text, error.unknown_name().empty() || why.empty() ? error.what() : why));
  }
}

}  // namespace ricochet::python
