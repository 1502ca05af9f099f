// Every exception of ours as a Python exception with the same message:
//
//   io::InputError                            SceneError(ValueError), with origin, line and column
//   io::FileError, WriteError, OutputError    FileError(OSError)
//   a step that cannot be made                SimulationError(RuntimeError)
//   std::invalid_argument                     ValueError, as pybind11 has it; others are RuntimeError
#include <fmt/format.h>

#include "bindings/bindings.hpp"
#include "ricochet/io/file_error.hpp"
#include "ricochet/io/input_error.hpp"
#include "ricochet/math/expression.hpp"

namespace ricochet::python {

namespace {

PyObject* scene_error = nullptr;  // owned by the module, which is never unloaded
PyObject* file_error = nullptr;
PyObject* simulation_error = nullptr;

PyObject* new_error(py::module_& module, const char* name, PyObject* base, const char* documentation) {
  const std::string full_name = std::string("ricochet.") + name;
  PyObject* error = PyErr_NewExceptionWithDoc(full_name.c_str(), documentation, base, nullptr);
  if (error == nullptr) throw py::error_already_set();
  module.add_object(name, error);
  return error;
}

void raise_scene_error(const io::InputError& error) {
  const py::object instance = py::reinterpret_borrow<py::object>(scene_error)(error.what());
  const io::Place& place = error.place();
  instance.attr("origin") = place.origin ? py::cast(*place.origin) : py::none();
  instance.attr("line") = place.line > 0 ? py::object(py::int_(place.line)) : py::none();
  instance.attr("column") = place.line > 0 ? py::object(py::int_(place.column)) : py::none();
  PyErr_SetObject(scene_error, instance.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  scene_error = new_error(module, "SceneError", PyExc_ValueError,
                          "A scene or an override is wrong. origin, line and column say where, if they are known.");
  file_error = new_error(module, "FileError", PyExc_OSError, "A result or problem file cannot be read or written.");
  simulation_error = new_error(module, "SimulationError", PyExc_RuntimeError,
                               "A step could not be made; the state is that before the step.");
  py::register_exception_translator([](std::exception_ptr thrown) {  // NOLINT: by value, as pybind11 has it
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const io::InputError& error) {
      raise_scene_error(error);
    } catch (const io::FileError& error) {
      PyErr_SetString(file_error, error.what());
    } catch (const io::OutputError& error) {
      PyErr_SetString(file_error, error.what());
    } catch (const StepFailure& error) {
      PyErr_SetString(simulation_error, error.what());
    } catch (const math::ExpressionError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
}

void SignalWatch::check() {
  constexpr std::chrono::milliseconds between(5);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + between;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

bool goes_on(const py::object& answer) {
  if (answer.is_none()) return true;
  const int truth = PyObject_IsTrue(answer.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth != 0;
}

int checked_threads(int threads) {
  if (threads >= 1 && threads <= 1024) return threads;
  throw std::invalid_argument(fmt::format("threads: Value {} not in range 1 to 1024", threads));
}

py::array live_view(const double* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  py::array_t<double> view(std::move(shape), data, owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

}  // namespace ricochet::python
