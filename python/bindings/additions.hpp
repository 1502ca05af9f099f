// What Python adds to the case of a scene when it makes a simulation of it, or runs it into files.
#pragma once

#include <memory>
#include <string>

#include "bindings/case.hpp"
#include "bindings/python_law.hpp"

namespace ricochet::python {

struct Additions {
  py::iterable forces;   // Force, JointForce
  py::iterable systems;  // SystemStart
  py::dict probes;       // expressions by name: a scene cannot speak of systems that only Python knows
  int threads = 1;
  bool accept_unconverged = false;
};

// Throws std::invalid_argument or py::type_error with a sentence about what does not fit.
study::Case with_additions(const LoadedCase& loaded, const Additions& additions,
                           const std::shared_ptr<PendingError>& pending);

// A probe expression with the parameters of the case. Throws std::invalid_argument.
math::Expression probe_expression(const study::Case& run_case, const std::string& text);

}  // namespace ricochet::python
