// What is remembered of the contacts of the last step, by identity: the warm start of the next contact problem, and how
// far a contact that carries a load may have been opened by nothing but the tolerance of the solver.
//
// A body at rest keeps a velocity of the size of that tolerance. Without this slack its contact would open now and then
// by 1e-15 m, and the body would fall for one step. A contact without impulse has no slack: nothing is ever caught
// early. How long a contact has carried tells what rests from what bounces; what rests is held at the depth at which it
// came to rest (integrate/position_correction).
#pragma once

#include <span>
#include <vector>

#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/linalg/reusable_vector.hpp"

namespace ricochet::contact {

struct RememberedContact {
  ContactKey key;
  Vector3 impulse = Vector3::Zero();  // N s, world axes: the contact's own axes may turn from step to step
  Vector3 moment = Vector3::Zero();   // N m s, world axes: of resistance to rolling and spinning
  double slack = 0;                   // m, since its gap was last closed; 0 without impulse
  long steps = 0;                     // for which it has carried an impulse without a break
  double depth = 0;                   // m, at which it is held since it came to rest; 0 before that
  double fall = 0;                    // m, in one step, of late; 0 before it rests
  long pause = 0;                     // steps until it may be corrected again, that which ended here included
  Vector3 place = Vector3::Zero();    // m, of the contact point from the node of A, in its axes,
  long placed = 0;                    // after so many steps

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("key", self.key);
    visitor("impulse", self.impulse);
    visitor("moment", self.moment);
    visitor("slack", self.slack);
    visitor("steps", self.steps);
    visitor("depth", self.depth);
    visitor("fall", self.fall);
    visitor("pause", self.pause);
    visitor("place", self.place);
    visitor("placed", self.placed);
  }
};

// Sorted by key.
struct ContactMemory {
  std::vector<RememberedContact> contacts;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("contacts", self.contacts);
  }
};

// For each contact (sorted by key) the remembered impulse in its axes, zero if there is none: the entries of its block.
void recall(const ContactSet& set, const ContactMemory& memory, const std::vector<Contact>& contacts,
            linalg::ReusableVector& impulses);

// `slacks` (m) are what this step adds to the slack of each contact that is loaded, if it was open when the step began;
// else the slack begins with that. None: nothing is added.
void remember(const ContactSet& set, const std::vector<Contact>& contacts, const linalg::VectorView& impulses,
              std::span<const double> slacks, const ContactMemory& before, ContactMemory& memory);

// The contacts that are closed at a state, sorted by key: gap <= slack, up to rounding.
void detect_closed(const ContactSet& set, const mechanics::State& state, const ContactMemory& memory,
                   std::vector<Contact>& contacts);

}  // namespace ricochet::contact
