// What the files of this folder tell each other. Each file binds one topic; module.cpp calls them in order.
//
// The bindings hand over and convert; they compute nothing. All checks and all messages are those of the rooms.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ricochet/simulation/simulation.hpp"

namespace ricochet::python {

namespace py = pybind11;

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

// Python exceptions for ours; first of all, because signatures of functions name them.
void bind_errors(py::module_& module);
void bind_case(py::module_& module);
void bind_forces(py::module_& module);
void bind_systems(py::module_& module);
void bind_simulation(py::module_& module);
void bind_run(py::module_& module);
void bind_problem(py::module_& module);
void bind_result(py::module_& module);

// A run that cannot go on; SimulationError in Python.
class StepFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Asks from time to time whether Ctrl-C was pressed, while the interpreter lock is released. The clock is read at every
// call, Python is asked every few milliseconds.
class SignalWatch {
 public:
  void check();  // throws py::error_already_set (KeyboardInterrupt)

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

// An array that owns a copy of the numbers.
template <class Number>
py::array_t<Number> new_array(const std::vector<Number>& values, std::vector<py::ssize_t> shape) {
  py::array_t<Number> result(std::move(shape));
  if (static_cast<std::size_t>(result.size()) != values.size()) throw std::logic_error("an array of another size");
  std::copy(values.begin(), values.end(), result.mutable_data());
  return result;
}

// An array that looks at memory which `owner` keeps; Python cannot write to it.
py::array live_view(const double* data, std::vector<py::ssize_t> shape, const py::handle& owner);

// The callback of a run in progress, or none: called every so many steps. False ends the run.
struct Callback {
  py::object function;  // None: nothing to call
  long every = 1;
};

// Whether a callback that gave this answer wants to go on: None does, otherwise the truth of the answer counts, also
// that of NumPy's booleans. With the lock; throws py::error_already_set if the answer has no truth.
bool goes_on(const py::object& answer);

// Throws std::invalid_argument for a number of threads that the program would not take either.
int checked_threads(int threads);

}  // namespace ricochet::python
