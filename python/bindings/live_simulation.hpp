// A simulation in the hands of Python: steps without the interpreter lock, state as arrays.
//
// Threads. While a step is computed the lock is free, and another thread of Python may come here meanwhile, as may a
// law of Python in the middle of a step. Both are refused with a sentence: what they would see is half done. A callback
// comes between steps: it may look at everything, but not move the simulation.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "bindings/additions.hpp"
#include "bindings/contacts.hpp"
#include "bindings/recording.hpp"
#include "ricochet/simulation/simulation.hpp"

namespace ricochet::python {

class LiveSimulation {
 public:
  LiveSimulation(const LoadedCase& loaded, const Additions& additions);
  LiveSimulation(const LiveSimulation&) = delete;
  LiveSimulation& operator=(const LiveSimulation&) = delete;
  ~LiveSimulation() = default;

  // `self` is this object in Python, which callbacks are given. All return how many steps were made.
  long step(long count);
  long run(const py::object& self, std::optional<double> until, const Callback& callback);
  py::object record(const py::object& self, std::optional<double> until, long every, const Callback& callback);

  void set_state(const std::optional<Doubles>& q, const std::optional<Doubles>& v);
  py::bytes snapshot() const;
  void restore(const std::string& bytes);

  const simulation::Simulation& simulation() const {
    require_idle();
    return simulation_;
  }
  const study::Case& run_case() const { return case_; }
  // Does work that may ask laws and systems of Python; their exceptions come out as they are.
  template <class Work>
  void unwrap(const Work& work) const {
    pending_->unwrap(work);
  }
  double value(const std::string& expression);
  py::array contacts();
  const ContactNames& contact_names() const { return contact_names_; }
  const BodyArrays& body_arrays();

 private:
  enum class Work { none, stepping, callback };
  class Stepping;  // while it lives, steps are being made

  void require_idle() const;
  void require_unused() const;
  void one_step();
  template <class AfterStep>
  long advance(long target, const AfterStep& after_step);
  bool call(const py::object& self, const Callback& callback, long steps);
  long target_step(std::optional<double> until) const;
  void refresh();

  std::shared_ptr<PendingError> pending_ = std::make_shared<PendingError>();
  study::Case case_;  // with what Python added
  simulation::Simulation simulation_;
  std::atomic<Work> work_ = Work::none;
  BodyArrays bodies_;
  bool bodies_wanted_ = false;
  ContactNames contact_names_;
  simulation::ProbeSet asked_;  // of `value`
  std::map<std::string, int> asked_places_;
};

}  // namespace ricochet::python
