#include "bindings/python_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ricochet::python {

Doubles finite_numbers(const py::object& value, std::string_view who) {
  // NumPy takes None for a number that is none, so it is asked first.
  const Doubles result = value.is_none() ? Doubles() : Doubles::ensure(value);
  if (!result || value.is_none()) {
    PyErr_Clear();
    throw std::invalid_argument(fmt::format("{} must give numbers, but gave {}", who, std::string(py::repr(value))));
  }
  if (!std::all_of(result.data(), result.data() + result.size(), [](double x) { return std::isfinite(x); })) {
    throw std::invalid_argument(
        fmt::format("{} must give finite numbers, but gave {}", who, std::string(py::repr(value))));
  }
  return result;
}

}  // namespace ricochet::python
