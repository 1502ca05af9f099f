// The contacts of an output row: with `output.every` > 1 a row stands for several steps, and a contact may have come
// and gone in between.
//
// By identity, impulse and works are summed over the steps since the previous row; everything else (point, axes, gap,
// velocities, status) is that of the last step in which the contact was active. Impulses are summed by component, each
// in the axes of its own step: the sum of a column of contacts.csv does not depend on `output.every`, also where the
// normal turns. With one step per row the tally is that step.
#pragma once

#include <span>
#include <vector>

#include "ricochet/integrate/step_report.hpp"

namespace ricochet::io {

class ContactTally {
 public:
  // Adds the contacts of one step, sorted by key. Once the tally has seen the largest row it does not allocate.
  void add(std::span<const integrate::ContactRecord> step);
  void clear() { records_.clear(); }

  // Sorted by key; valid until the next `add` or `clear`.
  std::span<const integrate::ContactRecord> records() const { return records_; }

  // See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("records", self.records_);
  }

 private:
  std::vector<integrate::ContactRecord> records_;
  std::vector<integrate::ContactRecord> merged_;  // becomes records_
};

}  // namespace ricochet::io
