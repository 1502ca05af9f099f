// What simulation.record() keeps in memory: one row every few steps, with the same columns as result.h5.
#pragma once

#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/contacts.hpp"
#include "ricochet/io/contact_tally.hpp"
#include "ricochet/simulation/frame.hpp"
#include "ricochet/study/case.hpp"

namespace ricochet::python {

// Position of the origin, quaternion w x y z, and velocity (world) with angular velocity (body) of every body.
struct BodyArrays {
  std::vector<double> position, quaternion, velocity;  // 3, 4 and 6 numbers each

  void clear();
  void append(const simulation::Frame& frame);
};

class Recording {
 public:
  explicit Recording(const study::Case& run_case);

  void count(const simulation::Frame& frame) { tally_.add(frame.contacts); }  // after every step
  void add_row(const simulation::Frame& frame);

  py::object result() const;  // a ricochet.Result

 private:
  const study::Case& case_;
  std::vector<int> visible_;  // probes
  io::ContactTally tally_;    // since the row before
  std::vector<double> time_, probes_, energies_, values_;
  BodyArrays bodies_;
  ContactNames contact_names_;
  std::vector<ContactRow> contacts_;
};

}  // namespace ricochet::python
