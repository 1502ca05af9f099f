// Contacts as rows of a structured NumPy array: one layout for the step at hand, for recordings and for result files.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bindings/bindings.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/integrate/step_report.hpp"

namespace ricochet::python {

// Components of velocity and impulse are (normal, t1, t2).
struct ContactRow {
  double time;            // s
  std::int64_t identity;  // index into the names of contacts, in the order in which they first appeared
  std::int64_t body_a;    // index into bodies and then, counting on, into surfaces
  std::int64_t body_b;
  double point[3];      // m, world
  double normal[3];     // from B to A
  double tangent1[3];   // t2 = n x t1
  double gap;           // m
  double velocity[3];   // m/s, of A relative to B
  double impulse[3];    // N s
  double moment[3];     // N m s, against spinning (normal) and rolling (t1, t2)
  std::int64_t status;  // 0 open, 1 stick, 2 slip
  double work[3];       // J, normal, tangential and by resistance to rolling and spinning, done on the bodies
};

// Gives every contact the number under which its name is listed.
class ContactNames {
 public:
  std::int64_t number(const contact::ContactSet& contacts, const contact::ContactKey& key);
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<contact::ContactKey, std::int64_t> numbers_;
  std::vector<std::string> names_;
};

void append_contacts(const contact::ContactSet& set, double time, std::span<const integrate::ContactRecord> records,
                     ContactNames& names, std::vector<ContactRow>& rows);

py::array contact_array(const std::vector<ContactRow>& rows);

void register_contact_layout();  // once, before the first array

}  // namespace ricochet::python
