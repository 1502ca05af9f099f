// What everything has in common that asks Python within a step, be it a force or a system: the interpreter lock,
// exceptions that must not get lost, and numbers that are numbers.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/bindings.hpp"

namespace ricochet::python {

// An exception that Python raised where a room asked it. Rooms know nothing of Python: to them the step is impossible,
// and whoever asked for the step finds the exception here.
struct PendingError {
  std::exception_ptr error;

  void rethrow() {
    if (error) std::rethrow_exception(std::exchange(error, nullptr));
  }

  // Does work in which Python may be asked: its exceptions come out as they are, those of rooms as well.
  template <class Work>
  decltype(auto) unwrap(const Work& work) {
    try {
      return work();
    } catch (...) {
      rethrow();
      throw;
    }
  }
};

class PythonLaw {
 protected:
  // `title` is how messages call it: the user-defined force 'wind'.
  PythonLaw(std::string title, std::shared_ptr<PendingError> pending)
      : title_(std::move(title)), pending_(std::move(pending)) {}

  const std::string& title() const { return title_; }

  template <class Work>
  void with_python(const Work& work) const {
    const py::gil_scoped_acquire lock;
    try {
      work();
    } catch (...) {
      pending_->error = std::current_exception();
      throw std::runtime_error(title_ + " raised an exception");
    }
  }

 private:
  std::string title_;
  std::shared_ptr<PendingError> pending_;
};

// What Python gave, as numbers. Throws std::invalid_argument "... must give finite numbers, but gave ..." with `who` in
// front. With the lock.
Doubles finite_numbers(const py::object& value, std::string_view who);

}  // namespace ricochet::python
