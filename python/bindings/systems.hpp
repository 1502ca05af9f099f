// Lagrangian systems that Python objects describe (ricochet.System), as those of model/lagrangian_system.
#pragma once

#include <memory>
#include <string>

#include "bindings/python_law.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::python {

// A system and where it starts, with the law of its contacts.
struct SystemStart {
  std::string name;
  py::object system;  // with the methods of ricochet.System
  py::object q, v;    // None: zeros
  model::ContactLaw law;
};

// Adds systems (a sequence of SystemStart) to a model: node, equations, and the rule of their contacts. Throws
// py::type_error if one lacks a method, std::invalid_argument if a name is taken or a start does not fit; what the
// equations give is checked when a simulation is made of the model.
void add_systems(const py::iterable& systems, const std::shared_ptr<PendingError>& pending, model::Model& model);

}  // namespace ricochet::python
