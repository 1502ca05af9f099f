#include "ricochet/contact/contact_memory.hpp"

#include <algorithm>

namespace ricochet::contact {

namespace {

// Looks up keys that come in ascending order; null for a contact that is not remembered.
class Lookup {
 public:
  explicit Lookup(const ContactMemory& memory) : next_(memory.contacts.data()), end_(next_ + memory.contacts.size()) {}

  const RememberedContact* find(const ContactKey& key) {
    while (next_ != end_ && next_->key < key) ++next_;
    return next_ != end_ && next_->key == key ? next_ : nullptr;
  }

 private:
  const RememberedContact* next_;
  const RememberedContact* end_;
};

Vector3 in_axes(const ContactAxes& axes, const Vector3& world) {
  return {axes.normal.dot(world), axes.tangent1.dot(world), axes.tangent2.dot(world)};
}

}  // namespace

void recall(const ContactSet& set, const ContactMemory& memory, const std::vector<Contact>& contacts,
            linalg::ReusableVector& impulses) {
  impulses.setZero(set.scalars(contacts));
  Lookup lookup(memory);
  double* next = impulses.data();
  for (const Contact& contact : contacts) {
    const ContactBlock& block = set.block(contact);
    if (const RememberedContact* remembered = lookup.find(contact.key)) {
      const Vector3 moment = block.resists() ? in_axes(contact.axes, remembered->moment) : Vector3::Zero();
      block.set_impulse(in_axes(contact.axes, remembered->impulse), moment, next);
    }
    next += block.size;
  }
}

void remember(const ContactSet& set, const std::vector<Contact>& contacts, const linalg::VectorView& impulses,
              std::span<const double> slacks, const ContactMemory& before, ContactMemory& memory) {
  memory.contacts.clear();
  Lookup lookup(before);
  const double* next = impulses.data();
  for (const Contact& contact : contacts) {
    const ContactBlock& block = set.block(contact);
    RememberedContact& remembered = memory.contacts.emplace_back();
    remembered.key = contact.key;
    remembered.impulse = next[0] * contact.axes.normal + next[1] * contact.axes.tangent1;
    if (block.linear == 3) remembered.impulse += next[2] * contact.axes.tangent2;
    if (block.resists()) remembered.moment = to_world(contact.axes, block.moment(next));
    const RememberedContact* old = lookup.find(contact.key);
    if (old != nullptr) remembered.pause = std::max(old->pause - 1, 0L);
    if (next[0] > 0) {
      const double added = slacks.empty() ? 0 : slacks[memory.contacts.size() - 1];
      const bool is_open = contact.gap > contact.gap_rounding;
      remembered.slack = added + (old != nullptr && is_open ? old->slack : 0);
      remembered.steps = 1 + (old != nullptr ? old->steps : 0);
      remembered.depth = old != nullptr ? old->depth : 0;
      remembered.fall = old != nullptr ? old->fall : 0;
      remembered.place = old != nullptr ? old->place : Vector3(Vector3::Zero());
      remembered.placed = old != nullptr ? old->placed : 0;
    }
    next += block.size;
  }
}

void detect_closed(const ContactSet& set, const mechanics::State& state, const ContactMemory& memory,
                   std::vector<Contact>& contacts) {
  double largest = 0;
  for (const RememberedContact& remembered : memory.contacts) largest = std::max(largest, remembered.slack);
  set.detect(state, largest, contacts);
  Lookup lookup(memory);
  std::erase_if(contacts, [&](const Contact& contact) {
    const RememberedContact* remembered = lookup.find(contact.key);
    return contact.gap > contact.gap_rounding + (remembered != nullptr ? remembered->slack : 0);
  });
}

}  // namespace ricochet::contact
