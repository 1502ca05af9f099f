// Forces that Python functions compute, as the laws of model/user_force.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/python_law.hpp"
#include "ricochet/model/model.hpp"

namespace ricochet::python {

// A force on bodies: law(time, *motions) gives one force, or force and torque, for each of them.
struct BodyForce {
  std::vector<std::string> bodies;
  py::object law;
  std::vector<Vector3> at;  // m, points of the bodies in their own frames
  py::object stiffness;     // None, a number, an array, or a function like the law
  py::object damping;
  std::string name;
};

// A force along a coordinate of a joint: law(time, coordinate, speed).
struct JointForce {
  std::string joint;
  py::object law;
  int coordinate = 0;
  py::object stiffness;  // None, a number, or a function like the law
  py::object damping;
  std::string name;
};

// Adds forces (a sequence of both kinds) to a model. Throws std::invalid_argument if a body or joint is not there.
void add_forces(const py::iterable& forces, const std::shared_ptr<PendingError>& pending, model::Model& model);

}  // namespace ricochet::python
